import { type TrinoSql, trino } from '../queries/sql-text.ts';
import { nullOf, type Printed } from './constants.ts';
import { isExact, isFloating, isInteger, isMoment, type PlanType, sameType, trinoType } from './plan-types.ts';
import { integer, quotedNumber, textLiteral } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

/** A cast with DuckDB's semantics. @throws QueryRejectedError if Trino's cast would return a different value */
export function printCast(from: Printed, to: PlanType, isTryCast: boolean): TrinoSql {
  if (from.constant === null || from.type.id === 'NULL') return nullOf(to);
  if (sameType(from.type, to)) return from.sql;
  if (isInstantText(from, to)) return instantLiteral(from.constant!);
  const plain = isPlain(from.type, to);
  if (isTryCast) {
    // DuckDB accepts more spellings of a value than Trino, where the result would be null instead of the value.
    if (plain && isExact(from.type)) return trino`TRY_CAST(${from.sql} AS ${trinoType(to)})`;
    throw untranslated(`TRY_CAST from ${from.type.id} to ${to.id}`);
  }
  if (plain) return trino`CAST(${from.sql} AS ${trinoType(to)})`;
  const sql = translated(from, to);
  if (sql === null) throw untranslated(`A cast from ${from.type.id} to ${to.id}`);
  return sql;
}

/** Whether Trino's own cast has the same semantics. */
function isPlain(from: PlanType, to: PlanType): boolean {
  if (sameType(from, to)) return true;
  if (from.id === 'LIST' && to.id === 'LIST') return isPlain(from.element, to.element);
  if (from.id === 'MAP' && to.id === 'MAP') return isPlain(from.key, to.key) && isPlain(from.value, to.value);
  if (from.id === 'STRUCT' && to.id === 'STRUCT') {
    const named = from.fields.length === to.fields.length && from.fields.every((f, i) => f.name === to.fields[i]!.name);
    return named && from.fields.every((f, i) => isPlain(f.type, to.fields[i]!.type));
  }
  if (isExact(from)) return isExact(to) || to.id === 'DOUBLE' || to.id === 'FLOAT' || to.id === 'VARCHAR';
  return PLAIN[from.id]?.includes(to.id) ?? (from.id === 'BOOLEAN' && isInteger(to));
}

const PLAIN: Readonly<Partial<Record<PlanType['id'], readonly PlanType['id'][]>>> = {
  FLOAT: ['DOUBLE'],
  DATE: ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'],
  TIMESTAMP: ['DATE', 'TIME', 'TIMESTAMP WITH TIME ZONE'],
  'TIMESTAMP WITH TIME ZONE': ['DATE', 'TIMESTAMP'],
  UUID: ['VARCHAR'],
  // DuckDB has already evaluated constants. For other values Trino accepts fewer spellings and rejects the rest.
  VARCHAR: ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'DOUBLE', 'DATE', 'UUID'],
};

function translated({ sql, type }: Printed, to: PlanType): TrinoSql | null {
  if (type.id === 'BOOLEAN' && to.id === 'VARCHAR') return trino`CAST(${sql} AS varchar)`;
  if (type.id === 'BOOLEAN' && isExact(to)) return trino`CAST(CAST(${sql} AS integer) AS ${trinoType(to)})`;
  if (isInteger(type) && to.id === 'BOOLEAN') return trino`(${sql} <> 0)`;
  if (isFloating(type) && isInteger(to))
    return trino`CAST(${halfToEven(trino`CAST(${sql} AS double)`)} AS ${trinoType(to)})`;
  if (isFloating(type) && to.id === 'DECIMAL') return roundedDecimal(trino`CAST(${sql} AS double)`, to);
  if (to.id === 'VARCHAR' && (type.id === 'DATE' || isMoment(type))) return momentText(sql, type);
  return null;
}

const EXACT_BELOW = trino`DOUBLE '4503599627370496'`;

/** Here DuckDB rounds halves to even, Trino away from zero. */
function halfToEven(x: TrinoSql): TrinoSql {
  return trino`CASE WHEN abs(${x}) >= ${EXACT_BELOW} THEN ${x} WHEN abs(${x} - truncate(${x})) = DOUBLE '0.5' THEN DOUBLE '2' * round(${x} / DOUBLE '2') ELSE round(${x}) END`;
}

/** DuckDB multiplies and then rounds; Trino rounds the exact value. */
function roundedDecimal(x: TrinoSql, to: Extract<PlanType, { id: 'DECIMAL' }>): TrinoSql {
  const scaled = trino`(${x} * DOUBLE ${quotedNumber(`1e${to.scale}`)})`;
  const whole = trino`CAST(CASE WHEN abs(${scaled}) < ${EXACT_BELOW} THEN round(${scaled}) ELSE ${outOfRange(trino`double`)} END AS decimal(38,0))`;
  return trino`CAST(${whole} * CAST(DECIMAL ${quotedNumber(decimalStep(to.scale))} AS decimal(38,${integer(to.scale)})) AS ${trinoType(to)})`;
}

const decimalStep = (scale: number): string => (scale === 0 ? '1' : `0.${'0'.repeat(scale - 1)}1`);

/** Fails when a row reaches it. */
export function outOfRange(type: TrinoSql): TrinoSql {
  return trino`CAST('out of range' AS ${type})`;
}

/** Both engines format four-digit years the same way. */
function momentText(sql: TrinoSql, type: PlanType): TrinoSql {
  const day = trino`CAST(${sql} AS date)`;
  const inRange = trino`${day} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'`;
  const text =
    type.id === 'DATE'
      ? trino`CAST(${sql} AS varchar)`
      : trino`trim(TRAILING '.' FROM trim(TRAILING '0' FROM CAST(CAST(${sql} AS timestamp(6)) AS varchar)))`;
  const zone = type.id === 'TIMESTAMP WITH TIME ZONE' ? trino` || '+00'` : trino``;
  return trino`CASE WHEN ${sql} IS NULL THEN CAST(NULL AS varchar) WHEN ${inRange} THEN ${text}${zone} ELSE CAST(${outOfRange(trino`date`)} AS varchar) END`;
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(\.\d{1,6})?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** DuckDB doesn't evaluate constants in advance that depend on the session's time zone, which is UTC here. */
function isInstantText(from: Printed, to: PlanType): boolean {
  return to.id === 'TIMESTAMP WITH TIME ZONE' && from.type.id === 'VARCHAR' && typeof from.constant === 'string';
}

function instantLiteral(text: string): TrinoSql {
  const [, day, clock = '00:00', seconds = ':00', fraction = '', zone = 'Z'] = INSTANT.exec(text.trim()) ?? [];
  const offset = /^(Z|UTC)$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.replace(/^...:?/, '') || '00'}`;
  const at = new Date(`${day}T${clock}${seconds}${offset}`);
  if (day === undefined || Number.isNaN(at.getTime()))
    throw untranslated('A timestamp with a time zone in this format');
  const utc = at.toISOString().slice(0, 19).replace('T', ' ');
  return trino`CAST(TIMESTAMP ${textLiteral(`${utc}${fraction || '.0'} UTC`)} AS timestamp(6) with time zone)`;
}
