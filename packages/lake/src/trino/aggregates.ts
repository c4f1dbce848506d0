import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import type { Printed } from './constants.ts';
import { type Columns, printAll, printExpression } from './expressions.ts';
import { printOrders } from './orders.ts';
import { type Node, requireFields } from './plan-nodes.ts';
import { isExact, isFloating, isNested, type PlanType, trinoType, typeOf } from './plan-types.ts';
import { calling, quotedNumber, textLiteral } from './trino-text.ts';
import { untranslated, untranslatedFunction } from './untranslated.ts';

/** An aggregate bound by DuckDB. Its call may have a filter or a window. */
export type Aggregate = {
  readonly name: string;
  readonly args: readonly Printed[];
  readonly type: PlanType;
  readonly distinct: boolean;
  readonly orders: readonly TrinoSql[];
  readonly filter: TrinoSql | null;
  /** Including the contents of the parentheses. */
  readonly window: TrinoSql | null;
  readonly data: Node;
};

type AggregatePrinter = (call: Aggregate) => TrinoSql | null;

const called = (call: Aggregate, name: string, args: TrinoSql): TrinoSql =>
  trino`${calling(name, [call.distinct ? trino`DISTINCT ${args}` : args])}${after(call)}`;

/** The part after a call. */
function after({ filter, window }: Pick<Aggregate, 'filter' | 'window'>): TrinoSql {
  if (filter !== null) return trino` FILTER (WHERE ${filter})`;
  return window === null ? trino`` : trino` OVER (${window})`;
}

const castTo = (type: PlanType, sql: TrinoSql): TrinoSql => trino`CAST(${sql} AS ${trinoType(type)})`;

/** Sums integers beyond 64 bits, like DuckDB. */
const wide = ({ sql, type }: Printed): TrinoSql =>
  type.id === 'BOOLEAN' ? trino`CAST(CAST(${sql} AS integer) AS decimal(38,0))` : trino`CAST(${sql} AS decimal(38,0))`;

const sum: AggregatePrinter = (call) => {
  const [value] = call.args as [Printed];
  if (isFloating(value.type)) return called(call, 'sum', trino`CAST(${value.sql} AS double)`);
  if (value.type.id === 'DECIMAL') return castTo(call.type, called(call, 'sum', value.sql));
  return isExact(value.type) || value.type.id === 'BOOLEAN'
    ? castTo(call.type, called(call, 'sum', wide(value)))
    : null;
};

/** Divides an exact sum once. Trino would add doubles or round to the decimal's scale. */
const average: AggregatePrinter = (call) => {
  const [value] = call.args as [Printed];
  if (call.type.id !== 'DOUBLE') return null;
  if (isFloating(value.type)) return called(call, 'avg', trino`CAST(${value.sql} AS double)`);
  if (!isExact(value.type)) return null;
  const { type } = value;
  const [sums, counted] = [
    called(call, 'sum', type.id === 'DECIMAL' ? value.sql : wide(value)),
    called(call, 'count', value.sql),
  ];
  if (type.id !== 'DECIMAL' || type.scale === 0) return trino`(CAST(${sums} AS double) / CAST(${counted} AS double))`;
  // DuckDB divides the digits by the count and the scale in one step, so it rounds only once.
  const digits = trino`CAST(${sums} * DECIMAL ${quotedNumber(`1${'0'.repeat(type.scale)}`)} AS double)`;
  return trino`(${digits} / (CAST(${counted} AS double) * DOUBLE ${quotedNumber(`1e${type.scale}`)}))`;
};

/** NaN is greater than all other numbers. */
const minOrMax =
  (name: 'max' | 'min'): AggregatePrinter =>
  (call) => {
    const [value] = call.args as [Printed];
    if (call.args.length !== 1 || isNested(value.type) || call.distinct) return null;
    if (!isFloating(value.type)) return called(call, name, value.sql);
    const nan = trino`bool_or(is_nan(${value.sql}))${after(call)}`;
    const number = trino`${calling(name, [trino`CASE WHEN NOT is_nan(${value.sql}) THEN ${value.sql} END`])}${after(call)}`;
    const notANumber = castTo(call.type, trino`nan()`);
    if (name === 'max') return trino`CASE WHEN ${nan} THEN ${notANumber} ELSE ${number} END`;
    return trino`coalesce(${number}, CASE WHEN ${nan} THEN ${notANumber} END)`;
  };

const ofDoubles =
  (name: string): AggregatePrinter =>
  (call) =>
    call.args.length === 1 && isFloating(call.args[0]!.type) && !call.distinct
      ? called(call, name, call.args[0]!.sql)
      : null;

const ofBooleans =
  (name: string): AggregatePrinter =>
  (call) =>
    call.args.length === 1 && call.args[0]!.type.id === 'BOOLEAN'
      ? castTo(call.type, called(call, name, call.args[0]!.sql))
      : null;

const ordered = ({ args: [value], orders }: Aggregate): TrinoSql =>
  orders.length === 0 ? value!.sql : trino`${value!.sql} ORDER BY ${joinedTrino(orders)}`;

const list: AggregatePrinter = (call) =>
  call.args.length === 1 ? castTo(call.type, called(call, 'array_agg', ordered(call))) : null;

/** Skips nulls and has no length limit. */
const joined: AggregatePrinter = (call) => {
  const separator = call.data['separator'];
  const [value] = call.args as [Printed];
  if (value.type.id !== 'VARCHAR' || typeof separator !== 'string' || call.window !== null) return null;
  const isNotNull = trino`${value.sql} IS NOT NULL`;
  const filter = call.filter === null ? isNotNull : trino`${isNotNull} AND (${call.filter})`;
  return trino`array_join(${called({ ...call, filter }, 'array_agg', ordered(call))}, ${textLiteral(separator)})`;
};

const any: AggregatePrinter = (call) => called(call, 'any_value', call.args[0]!.sql);
const count: AggregatePrinter = (call) => called(call, 'count', call.args[0]?.sql ?? trino`*`);

/** Aggregates with an equivalent in Trino; all others are rejected. */
export const TRANSLATED_AGGREGATES: Readonly<Record<string, AggregatePrinter>> = {
  count,
  count_star: (call) => trino`count(*)${after(call)}`,
  sum,
  avg: average,
  mean: average,
  min: minOrMax('min'),
  max: minOrMax('max'),
  bool_and: ofBooleans('bool_and'),
  bool_or: ofBooleans('bool_or'),
  count_if: ofBooleans('count_if'),
  countif: ofBooleans('count_if'),
  stddev: ofDoubles('stddev_samp'),
  stddev_samp: ofDoubles('stddev_samp'),
  stddev_pop: ofDoubles('stddev_pop'),
  variance: ofDoubles('var_samp'),
  var_samp: ofDoubles('var_samp'),
  var_pop: ofDoubles('var_pop'),
  any_value: any,
  arbitrary: any,
  array_agg: list,
  list,
  string_agg: joined,
  group_concat: joined,
  listagg: joined,
};

/** Aggregates that depend on the order of their rows, unless the statement specifies it. */
const UNSTABLE = new Set(['any_value', 'arbitrary', 'array_agg', 'list', 'string_agg', 'group_concat', 'listagg']);

export type PrintedAggregate = Printed & { readonly stable: boolean };

export function printKnown(call: Aggregate): PrintedAggregate {
  const print = Object.hasOwn(TRANSLATED_AGGREGATES, call.name) ? TRANSLATED_AGGREGATES[call.name] : undefined;
  if (print === undefined) throw untranslatedFunction(call.name);
  const ordersMatter = UNSTABLE.has(call.name) && call.name !== 'any_value' && call.name !== 'arbitrary';
  if (call.orders.length > 0 && !ordersMatter) throw untranslatedFunction(call.name, ' with an ORDER BY');
  const sql = print(call);
  if (sql === null) throw untranslatedFunction(call.name, ' with these arguments');
  return { sql, type: call.type, stable: !UNSTABLE.has(call.name) };
}

const FIELDS =
  'expression_class type alias query_location return_type children name arguments original_arguments catalog_name schema_name has_serialize function_data aggregate_type filter order_bys';

/** An aggregate of a grouping. @throws QueryRejectedError */
export function printAggregate(node: Node, columns: Columns): PrintedAggregate {
  if (node['expression_class'] !== 'BOUND_AGGREGATE') throw untranslated('This form of aggregate');
  requireFields(node, FIELDS);
  const filter = node['filter'] as Node | null;
  const orders = (node['order_bys'] as Node | null)?.['orders'] ?? [];
  return printKnown({
    name: String(node['name']).toLowerCase(),
    args: printAll(node['children'], columns),
    type: typeOf(node['return_type']),
    distinct: node['aggregate_type'] === 'DISTINCT',
    orders: printOrders(orders, columns),
    filter: filter ? printExpression(filter, columns).sql : null,
    window: null,
    data: (node['function_data'] ?? {}) as Node,
  });
}
