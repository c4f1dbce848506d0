import { type Columns, printExpression } from './expressions.ts';
import { type Node, nodesOf, requireFields } from './plan-nodes.ts';
import { isFloating, isNested } from './plan-types.ts';
import { untranslated } from './untranslated.ts';

/** One key of an order: what is sorted by, and how. */
export type OrderKey = { readonly sql: string; readonly direction: string };

/** The keys of an ORDER BY. @throws QueryRefused */
export function orderKeys(value: unknown, columns: Columns): OrderKey[] {
  return nodesOf(value).flatMap((node: Node) => {
    requireFields(node, 'type null_order expression');
    const { sql, type } = printExpression(node['expression'] as Node, columns);
    const direction = { ASCENDING: 'ASC', DESCENDING: 'DESC' }[String(node['type'])];
    const nulls = String(node['null_order']);
    if (direction === undefined || !/^NULLS (FIRST|LAST)$/.test(nulls)) throw untranslated('An order of this form');
    if (isNested(type)) throw untranslated(`An order by values of the type ${type.id}`);
    const key = { sql, direction: `${direction} ${nulls}` };
    // Trino puts NaN behind the numbers in both directions; it is the greatest of them.
    return direction === 'DESC' && isFloating(type) ? [{ ...key, sql: `is_nan(${sql})` }, key] : [key];
  });
}

export const printOrders = (value: unknown, columns: Columns): string[] =>
  orderKeys(value, columns).map(({ sql, direction }) => `${sql} ${direction}`);
