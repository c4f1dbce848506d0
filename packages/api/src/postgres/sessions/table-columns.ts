import { ServiceError } from '../connections/service-client.ts';
import type { ResultColumn } from './row-output.ts';
import { SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';

/** A table that exists. */
export interface TableColumns {
  /** Of its routes. */
  readonly url: string;
  readonly columns: readonly ResultColumn[];
}

/** The columns of a table. @throws SessionError 42P01, ServiceError */
export async function tableColumns(
  { client, signedIn }: Pick<SessionOptions, 'client' | 'signedIn'>,
  namespace: string,
  table: string,
): Promise<TableColumns> {
  const path = [signedIn.environment, 'namespaces', namespace, 'tables', table].map(encodeURIComponent).join('/');
  const url = `/api/v1/environments/${path}`;
  try {
    const { columns } = await client.call<{ columns: ResultColumn[] }>(signedIn, 'GET', url);
    return { url, columns };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not-found') throw error;
    throw new SessionError('42P01', error.message);
  }
}

/** The column that a name means, whose letter case counts only if columns differ in nothing else. */
export const columnNamed = (columns: readonly ResultColumn[], name: string): ResultColumn | undefined =>
  columns.find((column) => column.name === name) ??
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
