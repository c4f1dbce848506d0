import type { Context } from '../context.ts';
import { PageResponse } from '../route.ts';

/** The sort key of a row, ascending; unique within the list. */
type SortKey = readonly (string | number)[];

/** Returns an in-memory list whole, or the page that `limit` and `cursor` select, strictly after the previous one. */
export function allOrPage<T>(ctx: Context, items: T[], sortKeyOf: (item: T) => SortKey): T[] | PageResponse<T> {
  const after = ctx.position<SortKey>();
  const { limit } = ctx.query as { limit?: number };
  if (limit === undefined) return items;
  const start = after === null ? 0 : startAfter(items.map(sortKeyOf), after);
  const page = items.slice(start, start + limit);
  const last = items.length > start + limit ? page.at(-1) : undefined;
  return new PageResponse(page, last === undefined ? null : sortKeyOf(last));
}

/** If the last row shown has been deleted, the page starts with the first row after its sort key. */
function startAfter(sortKeys: readonly SortKey[], after: SortKey): number {
  const at = sortKeys.findIndex((sortKey) => compareSortKeys(sortKey, after) === 0);
  if (at >= 0) return at + 1;
  const next = sortKeys.findIndex((sortKey) => compareSortKeys(sortKey, after) > 0);
  return next < 0 ? sortKeys.length : next;
}

function compareSortKeys(a: SortKey, b: SortKey): number {
  for (const [i, part] of a.entries()) {
    const other = b[i]!;
    const order =
      typeof part === 'number' && typeof other === 'number'
        ? part - other
        : Buffer.compare(Buffer.from(String(part)), Buffer.from(String(other)));
    if (order !== 0) return order;
  }
  return 0;
}
