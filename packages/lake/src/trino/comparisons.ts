import { type TrinoSql, trino } from '../queries/sql-text.ts';
import { nullOf, type Printed } from './constants.ts';
import { BOOLEAN, isFloating, isNested, type PlanType, trinoType } from './plan-types.ts';
import { untranslated } from './untranslated.ts';

const OPERATORS: Readonly<Record<string, TrinoSql>> = {
  COMPARE_EQUAL: trino`=`,
  COMPARE_NOTEQUAL: trino`<>`,
  COMPARE_LESSTHAN: trino`<`,
  COMPARE_GREATERTHAN: trino`>`,
  COMPARE_LESSTHANOREQUALTO: trino`<=`,
  COMPARE_GREATERTHANOREQUALTO: trino`>=`,
};

/** A comparison. In DuckDB, NaN equals itself and is greater than every number; in Trino, neither is true. */
export function compare(kind: string, left: Printed, right: Printed): TrinoSql {
  if (kind === 'COMPARE_DISTINCT_FROM') return trino`(${left.sql} IS DISTINCT FROM ${right.sql})`;
  if (kind === 'COMPARE_NOT_DISTINCT_FROM') return trino`(${left.sql} IS NOT DISTINCT FROM ${right.sql})`;
  const operator = OPERATORS[kind];
  if (operator === undefined) throw untranslated('This comparison');
  // Spelled out because Trino 476 treats a null among several constants (n = 1 OR n = 2 OR n = NULL) as false.
  if (left.constant === null || right.constant === null) return nullOf(BOOLEAN);
  requireComparable(left.type);
  requireComparable(right.type);
  if (!isFloating(left.type) && !isFloating(right.type)) return trino`(${left.sql} ${operator} ${right.sql})`;
  return compareFloats(kind, operator, left, right);
}

/** The engines compare nested values that contain nulls differently. */
function requireComparable(type: PlanType): void {
  if (isNested(type)) throw untranslated(`A comparison of values of the type ${type.id}`);
  trinoType(type);
}

/** Whether it may be NaN. */
const mayBeNan = ({ constant }: Printed): boolean => typeof constant !== 'string';

function compareFloats(kind: string, operator: TrinoSql, a: Printed, b: Printed): TrinoSql {
  const plain = trino`${a.sql} ${operator} ${b.sql}`;
  const [nanA, nanB] = [trino`is_nan(${a.sql})`, trino`is_nan(${b.sql})`];
  switch (kind) {
    case 'COMPARE_EQUAL':
      return mayBeNan(a) && mayBeNan(b) ? trino`(${plain} OR (${nanA} AND ${nanB}))` : trino`(${plain})`;
    case 'COMPARE_NOTEQUAL':
      return trino`(NOT ${compareFloats('COMPARE_EQUAL', trino`=`, a, b)})`;
    case 'COMPARE_GREATERTHAN':
      if (!mayBeNan(a)) return trino`(${plain})`;
      return trino`(${plain} OR (${nanA} AND ${mayBeNan(b) ? trino`NOT ${nanB}` : trino`${b.sql} IS NOT NULL`}))`;
    case 'COMPARE_GREATERTHANOREQUALTO':
      return mayBeNan(a) ? trino`(${plain} OR (${nanA} AND ${b.sql} IS NOT NULL))` : trino`(${plain})`;
    case 'COMPARE_LESSTHAN':
      return compareFloats('COMPARE_GREATERTHAN', trino`>`, b, a);
    default:
      return compareFloats('COMPARE_GREATERTHANOREQUALTO', trino`>=`, b, a);
  }
}

/** A substitute for null where both sides of a join are null, so that Trino can join on equal keys. */
const DEFAULT_VALUES: Readonly<Partial<Record<PlanType['id'], TrinoSql>>> = {
  BOOLEAN: trino`false`,
  TINYINT: trino`TINYINT '0'`,
  SMALLINT: trino`SMALLINT '0'`,
  INTEGER: trino`0`,
  BIGINT: trino`BIGINT '0'`,
  HUGEINT: trino`CAST(0 AS decimal(38,0))`,
  VARCHAR: trino`''`,
  DATE: trino`DATE '1970-01-01'`,
  TIMESTAMP: trino`TIMESTAMP '1970-01-01 00:00:00.000000'`,
};

/** Equal or both null, if possible as a condition that Trino can join on. */
export function sameKey(left: Printed, right: Printed): TrinoSql {
  const { type } = left;
  const defaultValue = type.id === 'DECIMAL' ? trino`CAST(0 AS ${trinoType(type)})` : DEFAULT_VALUES[type.id];
  if (defaultValue === undefined) return compare('COMPARE_NOT_DISTINCT_FROM', left, right);
  return trino`coalesce(${left.sql}, ${defaultValue}) = coalesce(${right.sql}, ${defaultValue}) AND (${left.sql} IS NULL) = (${right.sql} IS NULL)`;
}
