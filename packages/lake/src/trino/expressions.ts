import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import { printCast } from './casts.ts';
import { compare } from './comparisons.ts';
import { nullOf, type Printed, printConstant } from './constants.ts';
import { printFunction } from './functions.ts';
import { indexOf, type Node, nodesOf, requireFields, unknownPart } from './plan-nodes.ts';
import { BOOLEAN, type PlanType, trinoType, typeOf } from './plan-types.ts';
import { listed } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

/** The columns that an expression may refer to, by position. */
export type Columns = readonly Printed[];

const COMMON = 'expression_class type alias query_location return_type';

/** An expression of the plan over the columns of the child operator. @throws QueryRejectedError */
export function printExpression(node: Node, columns: Columns): Printed {
  const print = PRINTERS[String(node['expression_class'])];
  if (print === undefined) throw unknownPart(node);
  return print(node, columns);
}

export const printAll = (values: unknown, columns: Columns): Printed[] =>
  nodesOf(values).map((node) => printExpression(node, columns));

const condition = (sql: TrinoSql): Printed => ({ sql, type: BOOLEAN });

const PRINTERS: Readonly<Record<string, (node: Node, columns: Columns) => Printed>> = {
  BOUND_REF: reference,
  BOUND_CONSTANT: (node) => {
    requireFields(node, `${COMMON} value`);
    return printConstant(node['value'] as Node);
  },
  BOUND_CAST: cast,
  BOUND_FUNCTION: call,
  BOUND_COMPARISON: (node, columns) => {
    requireFields(node, `${COMMON} left right`);
    const [left, right] = ['left', 'right'].map((side) => printExpression(node[side] as Node, columns));
    return condition(compare(String(node['type']), left!, right!));
  },
  BOUND_CONJUNCTION: (node, columns) => {
    requireFields(node, `${COMMON} children`);
    const operator = ({ CONJUNCTION_AND: ' AND ', CONJUNCTION_OR: ' OR ' } as const)[
      String(node['type']) as 'CONJUNCTION_OR'
    ];
    if (operator === undefined) throw unknownPart(node);
    return condition(
      trino`(${joinedTrino(
        printAll(node['children'], columns).map((p) => p.sql),
        operator,
      )})`,
    );
  },
  BOUND_BETWEEN: between,
  BOUND_CASE: cases,
  BOUND_OPERATOR: operator,
};

function reference(node: Node, columns: Columns): Printed {
  requireFields(node, `${COMMON} index depth`);
  const column = columns[indexOf(node['index'])];
  if (column === undefined) throw untranslated('This form of reference');
  return column;
}

function cast(node: Node, columns: Columns): Printed {
  requireFields(node, `${COMMON} child try_cast`);
  const child = printExpression(node['child'] as Node, columns);
  const type = typeOf(node['return_type']);
  const sql = printCast(child, type, node['try_cast'] === true);
  // A constant remains one after a cast: DuckDB has already folded casts that change the value.
  return { sql, type, ...(child.constant === null ? { constant: null } : {}) };
}

const CALL =
  'children name arguments original_arguments catalog_name schema_name has_serialize is_operator function_data';

function call(node: Node, columns: Columns): Printed {
  requireFields(node, `${COMMON} ${CALL}`);
  const type = typeOf(node['return_type']);
  const sql = printFunction({
    name: String(node['name']).toLowerCase(),
    args: printAll(node['children'], columns),
    type,
  });
  return { sql, type };
}

function between(node: Node, columns: Columns): Printed {
  requireFields(node, `${COMMON} input lower upper lower_inclusive upper_inclusive`);
  const [input, lower, upper] = ['input', 'lower', 'upper'].map((f) => printExpression(node[f] as Node, columns));
  const above = node['lower_inclusive'] === true ? 'COMPARE_GREATERTHANOREQUALTO' : 'COMPARE_GREATERTHAN';
  const below = node['upper_inclusive'] === true ? 'COMPARE_LESSTHANOREQUALTO' : 'COMPARE_LESSTHAN';
  return condition(trino`(${compare(above, input!, lower!)} AND ${compare(below, input!, upper!)})`);
}

function cases(node: Node, columns: Columns): Printed {
  requireFields(node, `${COMMON} case_checks else_expr`);
  const type = typeOf(node['return_type']);
  const checks = nodesOf(node['case_checks']).map((check) => {
    const [when, then] = ['when_expr', 'then_expr'].map((f) => printExpression(check[f] as Node, columns));
    return trino`WHEN ${when!.sql} THEN ${then!.sql}`;
  });
  const otherwise = printExpression(node['else_expr'] as Node, columns);
  return { sql: trino`CASE ${joinedTrino(checks, ' ')} ELSE ${otherwise.sql} END`, type };
}

function operator(node: Node, columns: Columns): Printed {
  requireFields(node, `${COMMON} children`);
  const all = printAll(node['children'], columns);
  const [first, ...rest] = all as [Printed, ...Printed[]];
  switch (node['type']) {
    case 'OPERATOR_IS_NULL':
      return condition(trino`(${first.sql} IS NULL)`);
    case 'OPERATOR_IS_NOT_NULL':
      return condition(trino`(${first.sql} IS NOT NULL)`);
    case 'OPERATOR_NOT':
      return condition(trino`(NOT ${first.sql})`);
    case 'COMPARE_IN':
      return condition(trino`(${inList(first, rest)})`);
    case 'COMPARE_NOT_IN':
      return condition(trino`(NOT (${inList(first, rest)}))`);
    case 'OPERATOR_COALESCE':
      return coalesce(all, typeOf(node['return_type']));
    default:
      throw unknownPart(node);
  }
}

/** Equal to one of several. */
const inList = (value: Printed, all: readonly Printed[]): TrinoSql =>
  joinedTrino(
    all.map((one) => compare('COMPARE_EQUAL', value, one)),
    ' OR ',
  );

function coalesce(all: readonly Printed[], type: PlanType): Printed {
  const sql = all.length === 1 ? all[0]!.sql : trino`coalesce(${listed(all)})`;
  return { sql: type.id === 'NULL' ? nullOf(type) : trino`CAST(${sql} AS ${trinoType(type)})`, type };
}
