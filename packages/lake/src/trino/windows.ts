import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import { printKnown } from './aggregates.ts';
import type { Printed } from './constants.ts';
import { type Columns, printAll, printExpression } from './expressions.ts';
import { printOrders } from './orders.ts';
import { type Node, nodesOf, requireFields, unknownPart } from './plan-nodes.ts';
import { type PlanType, trinoType, typeOf } from './plan-types.ts';
import { calling } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

const FIELDS =
  'expression_class type alias query_location return_type children partitions orders filters ignore_nulls start end start_expr end_expr offset_expr default_expr name arguments original_arguments catalog_name schema_name has_serialize function_data exclude_clause';

export type PrintedWindow = Printed & { readonly stable: boolean };

/** Ranking functions: they can't have a frame in Trino and ignore it in DuckDB. */
const RANKS: Readonly<Record<string, string>> = {
  WINDOW_ROW_NUMBER: 'row_number',
  WINDOW_RANK: 'rank',
  WINDOW_RANK_DENSE: 'dense_rank',
  WINDOW_PERCENT_RANK: 'percent_rank',
  WINDOW_CUME_DIST: 'cume_dist',
  WINDOW_NTILE: 'ntile',
};
const VALUES: Readonly<Record<string, string>> = {
  WINDOW_FIRST_VALUE: 'first_value',
  WINDOW_LAST_VALUE: 'last_value',
  WINDOW_NTH_VALUE: 'nth_value',
  WINDOW_LEAD: 'lead',
  WINDOW_LAG: 'lag',
};
const STABLE = ['WINDOW_RANK', 'WINDOW_RANK_DENSE', 'WINDOW_PERCENT_RANK', 'WINDOW_CUME_DIST'];

/** A window function. @throws QueryRejectedError */
export function printWindow(node: Node, columns: Columns): PrintedWindow {
  if (node['expression_class'] !== 'BOUND_WINDOW') throw unknownPart(node);
  requireFields(node, FIELDS, 'distinct arg_orders');
  if (node['exclude_clause'] !== 'NO_OTHER') throw untranslated('EXCLUDE in a window');
  const kind = String(node['type']);
  const type = typeOf(node['return_type']);
  if (kind === 'WINDOW_AGGREGATE') return aggregate(node, columns, type);
  if (node['filters'] !== null) throw untranslated('FILTER with this window function');
  const stable = STABLE.includes(kind);
  const rank = RANKS[kind];
  if (rank !== undefined) {
    const args = printAll(node['children'], columns).map((a) => a.sql);
    const sql = trino`CAST(${calling(rank, args)} OVER (${partition(node, columns)}) AS ${trinoType(type)})`;
    return { sql, type, stable };
  }
  const name = VALUES[kind];
  if (name === undefined) throw unknownPart(node);
  const shifted = name === 'lead' || name === 'lag';
  if (shifted && !hasDefaultFrame(node)) throw untranslated(`${name} with a frame`);
  const args = printAll(node['children'], columns).map((a) => a.sql);
  if (shifted) args.push(...shift(node, columns));
  const nulls = node['ignore_nulls'] === true ? trino` IGNORE NULLS` : trino``;
  const over = trino`${partition(node, columns)}${shifted ? trino`` : trino` ${frame(node, columns)}`}`;
  return { sql: trino`${calling(name, args)}${nulls} OVER (${over})`, type, stable };
}

/** The offset and the default value if there is no row. */
function shift(node: Node, columns: Columns): TrinoSql[] {
  const [offset, otherwise] = ['offset_expr', 'default_expr'].map((field) => {
    const expression = node[field] as Node | null;
    return expression ? printExpression(expression, columns) : null;
  });
  if (offset && !/^\d{1,18}$/.test(String(offset.constant)))
    throw untranslated('LEAD or LAG with an offset that is not a constant');
  if (otherwise) return [offset?.sql ?? trino`1`, otherwise.sql];
  return offset ? [offset.sql] : [];
}

/** Trino doesn't support FILTER here. Filtered values become null, which these aggregates skip. */
const NULLS_LEFT_OUT = new Set(['count', 'sum', 'avg', 'mean', 'min', 'max', 'bool_and', 'bool_or']);

function aggregate(node: Node, columns: Columns, type: PlanType): PrintedWindow {
  const window = trino`${partition(node, columns)} ${frame(node, columns)}`;
  let name = String(node['name']).toLowerCase();
  let args = printAll(node['children'], columns);
  const filter = node['filters'] as Node | null;
  if (filter) {
    const condition = printExpression(filter, columns).sql;
    if (args.length === 0) {
      if (name === 'count_star') name = 'count';
      args = [{ sql: trino`1`, type: { id: 'INTEGER' } }];
    }
    if (!NULLS_LEFT_OUT.has(name)) throw untranslated(`FILTER with ${name} over a window`);
    args = args.map((arg) => ({ sql: trino`CASE WHEN ${condition} THEN ${arg.sql} END`, type: arg.type }));
  }
  if (node['ignore_nulls'] === true) throw untranslated('IGNORE NULLS with an aggregate');
  return printKnown({ name, args, type, distinct: false, orders: [], filter: null, window, data: {} });
}

function partition(node: Node, columns: Columns): TrinoSql {
  const by = printAll(node['partitions'], columns).map((p) => p.sql);
  const orders = printOrders(node['orders'], columns);
  const parts = [
    ...(by.length > 0 ? [trino`PARTITION BY ${joinedTrino(by)}`] : []),
    ...(orders.length > 0 ? [trino`ORDER BY ${joinedTrino(orders)}`] : []),
  ];
  return joinedTrino(parts, ' ');
}

const hasDefaultFrame = (node: Node): boolean =>
  node['start'] === 'UNBOUNDED_PRECEDING' && node['end'] === 'CURRENT_ROW_RANGE';

const UNITS: Readonly<Record<string, TrinoSql>> = { RANGE: trino`RANGE`, ROWS: trino`ROWS`, GROUPS: trino`GROUPS` };
const UNBOUNDED: Readonly<Record<string, TrinoSql>> = {
  UNBOUNDED_PRECEDING: trino`UNBOUNDED PRECEDING`,
  UNBOUNDED_FOLLOWING: trino`UNBOUNDED FOLLOWING`,
};

/** A frame's unit and its two ends. */
function frame(node: Node, columns: Columns): TrinoSql {
  const frameBounds = (['start', 'end'] as const).map((side) => bound(node, side, columns));
  const units = new Set(frameBounds.flatMap(({ unit }) => (unit === null ? [] : [unit])));
  // Without a unit both ends are unbounded; without an order all rows are peers.
  if (units.size > 1) throw untranslated('This form of window frame');
  const unit = [...units][0] ?? 'RANGE';
  return trino`${UNITS[unit]!} BETWEEN ${frameBounds[0]!.sql} AND ${frameBounds[1]!.sql}`;
}

function bound(node: Node, side: 'start' | 'end', columns: Columns): { unit: string | null; sql: TrinoSql } {
  const kind = String(node[side]);
  const open = UNBOUNDED[kind];
  if (open !== undefined) return { unit: null, sql: open };
  const current = /^CURRENT_ROW_(RANGE|ROWS|GROUPS)$/.exec(kind);
  if (current) return { unit: current[1]!, sql: trino`CURRENT ROW` };
  const match = /^EXPR_(PRECEDING|FOLLOWING)_(RANGE|ROWS|GROUPS)$/.exec(kind);
  const expression = node[`${side}_expr`] as Node | null;
  if (!match || !expression) throw untranslated('This form of window frame');
  const distance = match[2] === 'RANGE' ? rangeDistance(expression, columns) : printExpression(expression, columns);
  if (!/^\d{1,18}$/.test(String(distance.constant)))
    throw untranslated('A window frame with an offset that is not a constant integer');
  return {
    unit: match[2]!,
    sql: trino`${distance.sql} ${match[1] === 'PRECEDING' ? trino`PRECEDING` : trino`FOLLOWING`}`,
  };
}

/** DuckDB has replaced the offset with the key minus or plus the offset. */
function rangeDistance(expression: Node, columns: Columns): Printed {
  const children = nodesOf(expression['children']);
  const isShift =
    expression['expression_class'] === 'BOUND_FUNCTION' && ['+', '-'].includes(String(expression['name']));
  if (!isShift || children.length !== 2 || children[0]!['expression_class'] !== 'BOUND_REF')
    throw untranslated('This form of RANGE frame');
  return printExpression(children[1]!, columns);
}
