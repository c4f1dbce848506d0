import { ServiceError } from '../connections/service-client.ts';
import { pgTypeOf } from '../values/index.ts';
import { changeParameters } from './change-parameters.ts';
import { parameterCount, TEXT } from './parameter-casts.ts';
import type { Description, ResultColumn } from './portals.ts';
import { SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';

/**
 * The types of the parameters of a statement that changes rows, as OIDs: those of the columns that get them, and those that its
 * conditions need.
 *
 * @throws SessionError, ServiceError
 */
export async function changeTypes(
  sql: string,
  { client, signedIn }: Pick<SessionOptions, 'client' | 'signedIn'>,
  describe: (sql: string) => Promise<Description>,
): Promise<number[]> {
  const count = parameterCount(sql);
  const types: number[] = Array(count).fill(TEXT);
  const found = count === 0 ? null : changeParameters(sql);
  if (found === null) return types;
  const { namespace, table, assigned, query } = found;
  const described = query === null ? [] : (await describe(query)).parameterTypes;
  for (const [i, oid] of described.entries()) types[i] = oid;
  if (assigned.size === 0) return types;
  const path = [signedIn.environment, 'namespaces', namespace, 'tables', table].map(encodeURIComponent).join('/');
  const url = `/api/v1/environments/${path}`;
  const { columns } = await client
    .call<{ columns: ResultColumn[] }>(signedIn, 'GET', url)
    .catch((error: unknown): never => {
      if (!(error instanceof ServiceError) || error.code !== 'not-found') throw error;
      throw new SessionError('42P01', error.message);
    });
  for (const [number, key] of assigned) {
    const column = typeof key === 'number' ? columns[key] : columnOf(columns, key);
    if (column !== undefined) types[number - 1] = pgTypeOf(column.type).oid;
  }
  return types;
}

const columnOf = (columns: readonly ResultColumn[], name: string): ResultColumn | undefined =>
  columns.find((column) => column.name === name) ??
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
