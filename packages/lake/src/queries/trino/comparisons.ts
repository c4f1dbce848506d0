import { nullOf, type Printed } from './constants.ts';
import { BOOLEAN, isFloating, isNested, type PlanType, trinoType } from './plan-types.ts';
import { untranslated } from './untranslated.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '<>',
  COMPARE_LESSTHAN: '<',
  COMPARE_GREATERTHAN: '>',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHANOREQUALTO: '>=',
};

/** A comparison. To DuckDB NaN is equal to itself and above every number; to Trino it is neither. */
export function compare(kind: string, left: Printed, right: Printed): string {
  if (kind === 'COMPARE_DISTINCT_FROM') return `(${left.sql} IS DISTINCT FROM ${right.sql})`;
  if (kind === 'COMPARE_NOT_DISTINCT_FROM') return `(${left.sql} IS NOT DISTINCT FROM ${right.sql})`;
  const operator = OPERATORS[kind];
  if (operator === undefined) throw untranslated('This comparison');
  // Written out, since Trino 476 takes a null among several constants (n = 1 OR n = 2 OR n = NULL) for false.
  if (left.constant === null || right.constant === null) return nullOf(BOOLEAN);
  requireComparable(left.type);
  requireComparable(right.type);
  if (!isFloating(left.type) && !isFloating(right.type)) return `(${left.sql} ${operator} ${right.sql})`;
  return compareFloats(operator, left, right);
}

/** Nested values with nulls in them are compared otherwise by each engine. */
function requireComparable(type: PlanType): void {
  if (isNested(type)) throw untranslated(`A comparison of values of the type ${type.id}`);
  trinoType(type);
}

/** Whether it may be NaN. */
const mayBeNan = ({ constant }: Printed): boolean => typeof constant !== 'string';

function compareFloats(operator: string, a: Printed, b: Printed): string {
  const plain = `${a.sql} ${operator} ${b.sql}`;
  const [nanA, nanB] = [`is_nan(${a.sql})`, `is_nan(${b.sql})`];
  switch (operator) {
    case '=':
      return mayBeNan(a) && mayBeNan(b) ? `(${plain} OR (${nanA} AND ${nanB}))` : `(${plain})`;
    case '<>':
      return `(NOT ${compareFloats('=', a, b)})`;
    case '>':
      if (!mayBeNan(a)) return `(${plain})`;
      return `(${plain} OR (${nanA} AND ${mayBeNan(b) ? `NOT ${nanB}` : `${b.sql} IS NOT NULL`}))`;
    case '>=':
      return mayBeNan(a) ? `(${plain} OR (${nanA} AND ${b.sql} IS NOT NULL))` : `(${plain})`;
    case '<':
      return compareFloats('>', b, a);
    default:
      return compareFloats('>=', b, a);
  }
}

/** A value that stands for null where both sides of a join are null, so that the join is made by equal keys. */
const STAND_INS: Readonly<Partial<Record<PlanType['id'], string>>> = {
  BOOLEAN: 'false',
  TINYINT: "TINYINT '0'",
  SMALLINT: "SMALLINT '0'",
  INTEGER: '0',
  BIGINT: "BIGINT '0'",
  HUGEINT: 'CAST(0 AS decimal(38,0))',
  VARCHAR: "''",
  DATE: "DATE '1970-01-01'",
  TIMESTAMP: "TIMESTAMP '1970-01-01 00:00:00.000000'",
};

/** Equal, or both null; as a condition that Trino can join by where there is one. */
export function sameKey(left: Printed, right: Printed): string {
  const { type } = left;
  const stand = type.id === 'DECIMAL' ? `CAST(0 AS ${trinoType(type)})` : STAND_INS[type.id];
  if (stand === undefined) return compare('COMPARE_NOT_DISTINCT_FROM', left, right);
  const filled = [left, right].map(({ sql }) => `coalesce(${sql}, ${stand})`);
  return `${filled.join(' = ')} AND (${left.sql} IS NULL) = (${right.sql} IS NULL)`;
}
