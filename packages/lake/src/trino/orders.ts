import { type TrinoSql, trino } from '../queries/sql-text.ts';
import { type Columns, printExpression } from './expressions.ts';
import { type Node, nodesOf, requireFields } from './plan-nodes.ts';
import { isFloating, isNested } from './plan-types.ts';
import { untranslated } from './untranslated.ts';

/** A sort key: an expression and its direction. */
export type OrderKey = { readonly sql: TrinoSql; readonly direction: TrinoSql };

const DIRECTIONS: Readonly<Record<string, TrinoSql>> = { ASCENDING: trino`ASC`, DESCENDING: trino`DESC` };
const NULLS: Readonly<Record<string, TrinoSql>> = {
  'NULLS FIRST': trino`NULLS FIRST`,
  'NULLS LAST': trino`NULLS LAST`,
};

/** The keys of an ORDER BY. @throws QueryRejectedError */
export function orderKeys(value: unknown, columns: Columns): OrderKey[] {
  return nodesOf(value).flatMap((node: Node) => {
    requireFields(node, 'type null_order expression');
    const { sql, type } = printExpression(node['expression'] as Node, columns);
    const [kind, nulls] = [String(node['type']), NULLS[String(node['null_order'])]];
    const direction = DIRECTIONS[kind];
    if (direction === undefined || nulls === undefined) throw untranslated('This kind of ORDER BY');
    if (isNested(type)) throw untranslated(`Sorting by values of type ${type.id}`);
    const key = { sql, direction: trino`${direction} ${nulls}` };
    // Trino sorts NaN last in both directions, but it is the greatest number.
    return kind === 'DESCENDING' && isFloating(type) ? [{ ...key, sql: trino`is_nan(${sql})` }, key] : [key];
  });
}

export const printOrders = (value: unknown, columns: Columns): TrinoSql[] =>
  orderKeys(value, columns).map(({ sql, direction }) => trino`${sql} ${direction}`);
