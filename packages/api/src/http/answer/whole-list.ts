import type { Context } from '../context.ts';
import { PageAnswer } from '../route.ts';

/** The sort key of a row, ascending; unique within the list. */
type Place = readonly (string | number)[];

/** Returns an in-memory list whole, or the page that `limit` and `cursor` select, strictly after the previous one. */
export function wholeOrPage<T>(ctx: Context, items: T[], placeOf: (item: T) => Place): T[] | PageAnswer<T> {
  const after = ctx.position<Place>();
  const { limit } = ctx.query as { limit?: number };
  if (limit === undefined) return items;
  const start = after === null ? 0 : startAfter(items.map(placeOf), after);
  const page = items.slice(start, start + limit);
  const last = items.length > start + limit ? page.at(-1) : undefined;
  return new PageAnswer(page, last === undefined ? null : placeOf(last));
}

/** If the last row shown has been deleted, the page starts with the first row after its sort key. */
function startAfter(places: readonly Place[], after: Place): number {
  const at = places.findIndex((place) => comparePlaces(place, after) === 0);
  if (at >= 0) return at + 1;
  const next = places.findIndex((place) => comparePlaces(place, after) > 0);
  return next < 0 ? places.length : next;
}

function comparePlaces(a: Place, b: Place): number {
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
