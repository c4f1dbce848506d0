import { changedName } from '@svc/core/statements';
import { ServiceError } from '../connections/service-client.ts';
import { quoted } from './change-parameters.ts';
import type { ResultColumn } from './row-output.ts';
import { SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';

/** A table that exists. */
export interface TableColumns {
  readonly namespace: string;
  readonly table: string;
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
    return { namespace, table, url, columns };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not-found') throw error;
    throw new SessionError('42P01', error.message);
  }
}

/** The pairs of namespace and table that a name can mean, in order of precedence. */
function meaningsOf(
  name: readonly string[],
  environment: string,
  searchPath: readonly string[],
): (readonly [namespace: string, table: string])[] {
  const table = name.at(-1)!;
  if (name.length === 1) return searchPath.map((namespace) => [namespace, table]);
  const full = [name.slice(0, -1).join('.'), table] as const;
  return name.length > 2 && name[0] === environment ? [full, [name.slice(1, -1).join('.'), table]] : [full];
}

/**
 * The table that a name means: the first one of the search path that the caller may read.
 *
 * @throws SessionError 42P01, ServiceError
 */
export async function namedTable(
  options: Pick<SessionOptions, 'client' | 'signedIn' | 'settings'>,
  name: readonly string[],
): Promise<TableColumns> {
  const meanings = meaningsOf(name, options.signedIn.environment, options.settings.searchPath);
  for (const [i, [namespace, table]] of meanings.entries()) {
    try {
      return await tableColumns(options, namespace, table);
    } catch (error) {
      const isMissing = error instanceof SessionError && error.report.code === '42P01';
      if (!isMissing || i === meanings.length - 1) throw error;
    }
  }
  throw new SessionError('42P01', `Name the table with its namespace: <namespace>.${name.join('.')}.`);
}

/**
 * A statement that changes rows, with the full name of its table if that depends on the session: a name without a namespace, or
 * one that starts with the environment's.
 *
 * @throws SessionError 42P01, ServiceError
 */
export async function withFullName(
  options: Pick<SessionOptions, 'client' | 'signedIn' | 'settings'>,
  sql: string,
): Promise<string> {
  const named = changedName(sql);
  if (named === null) return sql;
  const { parts } = named;
  if (parts.length > 1 && (parts.length === 2 || parts[0] !== options.signedIn.environment)) return sql;
  const [before, after] = named.around;
  const { namespace, table } = await namedTable(options, parts);
  return `${before}${[...namespace.split('.'), table].map(quoted).join('.')}${after}`;
}

/** The column that a name means, whose letter case counts only if columns differ in nothing else. */
export const columnNamed = (columns: readonly ResultColumn[], name: string): ResultColumn | undefined =>
  columns.find((column) => column.name === name) ??
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
