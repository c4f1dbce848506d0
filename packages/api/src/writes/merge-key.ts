import { invalid } from '@svc/core/errors';
import type { LoadMode } from '@svc/core/writes';
import { identifierFields, readTableMetadata } from '@svc/iceberg';
import type { Context } from '../http/context.ts';
import { loadTable } from '../tables/load.ts';

/**
 * The columns that identify a row for a merge: those of the request, or the table's identifier fields. No other load has them.
 *
 * @throws ApiError `invalid`
 */
export async function mergeKey(
  ctx: Context,
  { mode, key = [] }: { mode: LoadMode; key?: string[] | undefined },
  at: 'query' | 'body',
): Promise<string[]> {
  const input = at === 'query' ? { parameter: 'key' } : { pointer: '/key' };
  if (mode !== 'merge' && key.length > 0) throw invalid(input, 'is only valid with mode merge');
  if (mode !== 'merge' || key.length > 0) return key;
  const { metadata_location: location } = await loadTable(ctx);
  const own = location === null ? [] : identifierFields(await readTableMetadata(ctx.deps.store, location));
  if (own.length === 0) throw invalid(input, 'is required with mode merge, because the table has no identifier fields');
  return [...own];
}
