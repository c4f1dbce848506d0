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

type Names = Pick<SessionOptions, 'client' | 'signedIn' | 'settings' | 'origin'>;

type FullName = readonly [namespace: string, table: string];

/** The tables that a name can mean, in order of precedence. */
function meaningsOf(name: readonly string[], environment: string, searchPath: readonly string[]): FullName[] {
  const table = name.at(-1)!;
  if (name.length === 1) return searchPath.map((namespace) => [namespace, table]);
  const full = [name.slice(0, -1).join('.'), table] as const;
  return startsWithEnvironment(name, environment) ? [full, [name.slice(1, -1).join('.'), table]] : [full];
}

const startsWithEnvironment = (name: readonly string[], environment: string): boolean =>
  name.length > 2 && name[0]!.toLowerCase() === environment.toLowerCase();

/**
 * The full name of the table that a name means: the first one that the caller may read. Without any, it is the first one that the name can
 * mean, whose use then fails.
 *
 * @throws SessionError 42P01 if it can mean none, ServiceError
 */
async function fullName(options: Names, name: readonly string[]): Promise<FullName> {
  const names = meaningsOf(name, options.signedIn.environment, options.settings.searchPath);
  const [first] = names;
  if (first === undefined)
    throw new SessionError('42P01', `Name the table with its namespace: <namespace>.${name.join('.')}.`);
  return names.length === 1 ? first : ((await readable(options, names)) ?? first);
}

/** The first of these tables that the caller may read. @throws ServiceError */
export async function readable(options: Names, names: readonly FullName[]): Promise<FullName | null> {
  return (await found<{ name: FullName | null }>(options, 'table', { names })).name;
}

/**
 * The name of a table that a statement creates: in the first namespace that its name can mean, that exists and in which the caller may
 * create tables. Without such a namespace, creating the table fails.
 *
 * @throws SessionError 3F000 for a name without a namespace that matches none, ServiceError
 */
export async function newTableName(options: Names, name: readonly string[]): Promise<FullName> {
  const names = meaningsOf(name, options.signedIn.environment, options.settings.searchPath);
  const isFull = name.length > 1;
  if (isFull && names.length === 1) return names[0]!;
  const paths = names.map(([namespace]) => namespace);
  const { path } = await found<{ path: string | null }>(options, 'namespace', { paths });
  if (path !== null) return [path, name.at(-1)!];
  if (isFull) return names.at(-1)!;
  throw new SessionError('3F000', `Name the table with its namespace: <namespace>.${name[0]}.`);
}

/** Whether the caller finds a namespace. @throws ServiceError */
export async function hasNamespace(
  { client, signedIn }: Pick<Names, 'client' | 'signedIn'>,
  name: readonly string[],
): Promise<boolean> {
  const path = name.length > 1 && startsWithEnvironment([...name, ''], signedIn.environment) ? name.slice(1) : name;
  const url = ['', 'api', 'v1', 'environments', signedIn.environment, 'namespaces', path.join('.')].map(
    encodeURIComponent,
  );
  try {
    await client.call(signedIn, 'GET', url.join('/'));
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError) || !['not-found', 'forbidden'].includes(error.code)) throw error;
    return false;
  }
}

function found<T>({ client, signedIn, origin }: Names, what: 'table' | 'namespace', body: object): Promise<T> {
  const url = `/postgres/${encodeURIComponent(signedIn.environment)}/${what}`;
  const session = { origin, searchPath: [], describe: false, onStored: () => undefined };
  return client.call<T>(signedIn, 'POST', url, { body, session });
}

/** The table that a name means. @throws SessionError 42P01, ServiceError */
export async function namedTable(options: Names, name: readonly string[]): Promise<TableColumns> {
  return tableColumns(options, ...(await fullName(options, name)));
}

/**
 * A statement that changes rows, with the full name of its table if that depends on the session: a name without a namespace, or
 * one that starts with the environment's.
 *
 * @throws SessionError 42P01, ServiceError
 */
export async function withFullName(options: Names, sql: string): Promise<string> {
  const named = changedName(sql);
  if (named === null) return sql;
  const { parts } = named;
  if (parts.length > 1 && !startsWithEnvironment(parts, options.signedIn.environment)) return sql;
  const [before, after] = named.around;
  const [namespace, table] = await fullName(options, parts);
  return `${before}${[...namespace.split('.'), table].map(quoted).join('.')}${after}`;
}

/** The column that a name means, whose letter case counts only if columns differ in nothing else. */
export const columnNamed = (columns: readonly ResultColumn[], name: string): ResultColumn | undefined =>
  columns.find((column) => column.name === name) ??
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
