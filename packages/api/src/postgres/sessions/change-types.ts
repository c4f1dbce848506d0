import { pgTypeOf } from '../values/index.ts';
import { changeParameters } from './change-parameters.ts';
import { parameterCount, TEXT } from './parameter-casts.ts';
import type { Description } from './portals.ts';
import { isRejection } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import { columnNamed, tableColumns } from './table-columns.ts';

/**
 * The types of the parameters of a statement that changes rows, as OIDs: those of the columns that get them, and those that its
 * conditions need.
 *
 * @throws SessionError, ServiceError
 */
export async function changeTypes(
  sql: string,
  options: Pick<SessionOptions, 'client' | 'signedIn'>,
  describe: (sql: string) => Promise<Description>,
): Promise<number[]> {
  const count = parameterCount(sql);
  const types: number[] = Array(count).fill(TEXT);
  const found = count === 0 ? null : changeParameters(sql);
  if (found === null) return types;
  const { namespace, table, assigned, query } = found;
  const described = query === null ? [] : await queryTypes(query, describe);
  for (const [i, oid] of described.entries()) types[i] = oid;
  if (assigned.size === 0) return types;
  const { columns } = await tableColumns(options, namespace, table);
  for (const [number, key] of assigned) {
    const column = typeof key === 'number' ? columns[key] : columnNamed(columns, key);
    if (column !== undefined) types[number - 1] = pgTypeOf(column.type).oid;
  }
  return types;
}

/** None for a query whose parameters the engine has no types for, such as those in VALUES. @throws SessionError, ServiceError */
async function queryTypes(sql: string, describe: (sql: string) => Promise<Description>): Promise<readonly number[]> {
  try {
    return (await describe(sql)).parameterTypes;
  } catch (error) {
    if (!/\bVALUES\b/i.test(sql) || !isRejection(error)) throw error;
    return [];
  }
}
