import { type Printed, textLiteral } from './constants.ts';
import { type Columns, printAll, printExpression } from './expressions.ts';
import { printOrders } from './orders.ts';
import { type Node, requireFields } from './plan-nodes.ts';
import { isExact, isFloating, isNested, type PlanType, trinoType, typeOf } from './plan-types.ts';
import { untranslated, untranslatedFunction } from './untranslated.ts';

/** An aggregate as DuckDB has bound it. `over` is what follows each call: a filter, or a window. */
export type Aggregate = {
  readonly name: string;
  readonly args: readonly Printed[];
  readonly type: PlanType;
  readonly distinct: boolean;
  readonly orders: string;
  readonly over: string;
  readonly data: Node;
};

type AggregatePrinter = (call: Aggregate) => string | null;

const called = ({ distinct, over }: Aggregate, name: string, args: string): string =>
  `${name}(${distinct ? 'DISTINCT ' : ''}${args})${over}`;

const castTo = (type: PlanType, sql: string): string => `CAST(${sql} AS ${trinoType(type)})`;

/** Whole numbers are summed as DuckDB does it, beyond 64 bits. */
const wide = ({ sql, type }: Printed): string =>
  type.id === 'BOOLEAN' ? `CAST(CAST(${sql} AS integer) AS decimal(38,0))` : `CAST(${sql} AS decimal(38,0))`;

const sum: AggregatePrinter = (call) => {
  const [value] = call.args as [Printed];
  if (isFloating(value.type)) return called(call, 'sum', `CAST(${value.sql} AS double)`);
  if (value.type.id === 'DECIMAL') return castTo(call.type, called(call, 'sum', value.sql));
  return isExact(value.type) || value.type.id === 'BOOLEAN'
    ? castTo(call.type, called(call, 'sum', wide(value)))
    : null;
};

/** An exact sum divided once, where Trino would add up doubles or round to the decimal's scale. */
const average: AggregatePrinter = (call) => {
  const [value] = call.args as [Printed];
  if (call.type.id !== 'DOUBLE') return null;
  if (isFloating(value.type)) return called(call, 'avg', `CAST(${value.sql} AS double)`);
  if (!isExact(value.type)) return null;
  const { type } = value;
  const [sums, counted] = [
    called(call, 'sum', type.id === 'DECIMAL' ? value.sql : wide(value)),
    called(call, 'count', value.sql),
  ];
  if (type.id !== 'DECIMAL' || type.scale === 0) return `(CAST(${sums} AS double) / CAST(${counted} AS double))`;
  // DuckDB divides the digits by the count and the scale at once, which rounds once.
  const digits = `CAST(${sums} * DECIMAL '1${'0'.repeat(type.scale)}' AS double)`;
  return `(${digits} / (CAST(${counted} AS double) * DOUBLE '1e${type.scale}'))`;
};

/** NaN is the greatest of all numbers. */
const extreme =
  (name: 'max' | 'min'): AggregatePrinter =>
  (call) => {
    const [value] = call.args as [Printed];
    if (call.args.length !== 1 || isNested(value.type) || call.distinct) return null;
    if (!isFloating(value.type)) return called(call, name, value.sql);
    const nan = `bool_or(is_nan(${value.sql}))${call.over}`;
    const number = `${name}(CASE WHEN NOT is_nan(${value.sql}) THEN ${value.sql} END)${call.over}`;
    const notANumber = castTo(call.type, 'nan()');
    if (name === 'max') return `CASE WHEN ${nan} THEN ${notANumber} ELSE ${number} END`;
    return `coalesce(${number}, CASE WHEN ${nan} THEN ${notANumber} END)`;
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

const ordered = ({ args, orders }: Aggregate): string => `${args[0]!.sql}${orders === '' ? '' : ` ORDER BY ${orders}`}`;

const list: AggregatePrinter = (call) =>
  call.args.length === 1 ? castTo(call.type, called(call, 'array_agg', ordered(call))) : null;

/** Nulls are left out, and there is no limit to the length. */
const joined: AggregatePrinter = (call) => {
  const separator = call.data['separator'];
  const [value] = call.args as [Printed];
  if (value.type.id !== 'VARCHAR' || typeof separator !== 'string' || !/^( FILTER \(WHERE .*\))?$/s.test(call.over))
    return null;
  const filter = call.over.replace(/^ FILTER \(WHERE (.*)\)$/s, ' AND ($1)');
  const over = ` FILTER (WHERE ${value.sql} IS NOT NULL${filter})`;
  return `array_join(${called({ ...call, over }, 'array_agg', ordered(call))}, ${textLiteral(separator)})`;
};

const any: AggregatePrinter = (call) => called(call, 'any_value', call.args[0]!.sql);
const count: AggregatePrinter = (call) => called(call, 'count', call.args[0]?.sql ?? '*');

/** The aggregates that have a counterpart in Trino; the others are refused. */
export const TRANSLATED_AGGREGATES: Readonly<Record<string, AggregatePrinter>> = {
  count,
  count_star: (call) => `count(*)${call.over}`,
  sum,
  avg: average,
  mean: average,
  min: extreme('min'),
  max: extreme('max'),
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

/** What depends on the order that rows come in, unless it is told. */
const UNSTABLE = new Set(['any_value', 'arbitrary', 'array_agg', 'list', 'string_agg', 'group_concat', 'listagg']);

export type PrintedAggregate = Printed & { readonly stable: boolean };

export function printKnown(call: Aggregate): PrintedAggregate {
  const print = Object.hasOwn(TRANSLATED_AGGREGATES, call.name) ? TRANSLATED_AGGREGATES[call.name] : undefined;
  if (print === undefined) throw untranslatedFunction(call.name);
  const ordersMatter = UNSTABLE.has(call.name) && call.name !== 'any_value' && call.name !== 'arbitrary';
  if (call.orders !== '' && !ordersMatter) throw untranslatedFunction(call.name, ' with an ORDER BY');
  const sql = print(call);
  if (sql === null) throw untranslatedFunction(call.name, ' with these arguments');
  return { sql, type: call.type, stable: !UNSTABLE.has(call.name) };
}

const FIELDS =
  'expression_class type alias query_location return_type children name arguments original_arguments catalog_name schema_name has_serialize function_data aggregate_type filter order_bys';

/** An aggregate of a grouping. @throws QueryRefused */
export function printAggregate(node: Node, columns: Columns): PrintedAggregate {
  if (node['expression_class'] !== 'BOUND_AGGREGATE') throw untranslated('An aggregate of this form');
  requireFields(node, FIELDS);
  const filter = node['filter'] as Node | null;
  const orders = (node['order_bys'] as Node | null)?.['orders'] ?? [];
  return printKnown({
    name: String(node['name']).toLowerCase(),
    args: printAll(node['children'], columns),
    type: typeOf(node['return_type']),
    distinct: node['aggregate_type'] === 'DISTINCT',
    orders: printOrders(orders, columns).join(', '),
    over: filter ? ` FILTER (WHERE ${printExpression(filter, columns).sql})` : '',
    data: (node['function_data'] ?? {}) as Node,
  });
}
