import { nullOf, type Printed, textLiteral } from './constants.ts';
import { isExact, isFloating, isInteger, isMoment, type PlanType, sameType, trinoType } from './plan-types.ts';
import { untranslated } from './untranslated.ts';

/** A cast as DuckDB makes it. @throws QueryRefused where Trino's would give another value */
export function printCast(from: Printed, to: PlanType, tolerant: boolean): string {
  if (from.constant === null || from.type.id === 'NULL') return nullOf(to);
  if (sameType(from.type, to)) return from.sql;
  if (isInstantText(from, to)) return instantLiteral(from.constant!);
  const plain = isPlain(from.type, to);
  if (tolerant) {
    // DuckDB reads more spellings of a value than Trino does: a null in place of a value would be wrong.
    if (plain && isExact(from.type)) return `TRY_CAST(${from.sql} AS ${trinoType(to)})`;
    throw untranslated(`TRY_CAST from ${from.type.id} to ${to.id}`);
  }
  if (plain) return `CAST(${from.sql} AS ${trinoType(to)})`;
  const sql = translated(from, to);
  if (sql === null) throw untranslated(`A cast from ${from.type.id} to ${to.id}`);
  return sql;
}

/** Whether Trino's own cast means the same. */
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
  // Constants are read by DuckDB before; here Trino reads fewer spellings, and refuses the others.
  VARCHAR: ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'DOUBLE', 'DATE', 'UUID'],
};

function translated({ sql, type }: Printed, to: PlanType): string | null {
  if (type.id === 'BOOLEAN' && to.id === 'VARCHAR') return `CAST(${sql} AS varchar)`;
  if (type.id === 'BOOLEAN' && isExact(to)) return `CAST(CAST(${sql} AS integer) AS ${trinoType(to)})`;
  if (isInteger(type) && to.id === 'BOOLEAN') return `(${sql} <> 0)`;
  if (isFloating(type) && isInteger(to)) return `CAST(${halfToEven(`CAST(${sql} AS double)`)} AS ${trinoType(to)})`;
  if (isFloating(type) && to.id === 'DECIMAL') return roundedDecimal(`CAST(${sql} AS double)`, to);
  if (to.id === 'VARCHAR' && (type.id === 'DATE' || isMoment(type))) return momentText(sql, type);
  return null;
}

const EXACT_BELOW = "DOUBLE '4503599627370496'";

/** DuckDB rounds a half to the even neighbour here, Trino away from zero. */
function halfToEven(x: string): string {
  return `CASE WHEN abs(${x}) >= ${EXACT_BELOW} THEN ${x} WHEN abs(${x} - truncate(${x})) = DOUBLE '0.5' THEN DOUBLE '2' * round(${x} / DOUBLE '2') ELSE round(${x}) END`;
}

/** DuckDB multiplies and rounds, Trino rounds the exact value. */
function roundedDecimal(x: string, to: Extract<PlanType, { id: 'DECIMAL' }>): string {
  const scaled = `(${x} * DOUBLE '1e${to.scale}')`;
  const whole = `CAST(CASE WHEN abs(${scaled}) < ${EXACT_BELOW} THEN round(${scaled}) ELSE ${outOfRange('double')} END AS decimal(38,0))`;
  return `CAST(${whole} * CAST(DECIMAL '${decimalStep(to.scale)}' AS decimal(38,${to.scale})) AS ${trinoType(to)})`;
}

const decimalStep = (scale: number): string => (scale === 0 ? '1' : `0.${'0'.repeat(scale - 1)}1`);

/** An error of the data when a row comes here. */
export function outOfRange(type: string): string {
  return `CAST('out of range' AS ${type})`;
}

/** Years of four digits are written alike by both. */
function momentText(sql: string, type: PlanType): string {
  const day = `CAST(${sql} AS date)`;
  const inRange = `${day} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'`;
  const text =
    type.id === 'DATE'
      ? `CAST(${sql} AS varchar)`
      : `trim(TRAILING '.' FROM trim(TRAILING '0' FROM CAST(CAST(${sql} AS timestamp(6)) AS varchar)))`;
  const zone = type.id === 'TIMESTAMP WITH TIME ZONE' ? ` || '+00'` : '';
  return `CASE WHEN ${sql} IS NULL THEN CAST(NULL AS varchar) WHEN ${inRange} THEN ${text}${zone} ELSE CAST(${outOfRange('date')} AS varchar) END`;
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(\.\d{1,6})?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** What depends on a session's time zone, which is UTC here, is not read by DuckDB before. */
function isInstantText(from: Printed, to: PlanType): boolean {
  return to.id === 'TIMESTAMP WITH TIME ZONE' && from.type.id === 'VARCHAR' && typeof from.constant === 'string';
}

function instantLiteral(text: string): string {
  const [, day, clock = '00:00', seconds = ':00', fraction = '', zone = 'Z'] = INSTANT.exec(text.trim()) ?? [];
  const offset = /^(Z|UTC)$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.replace(/^...:?/, '') || '00'}`;
  const at = new Date(`${day}T${clock}${seconds}${offset}`);
  if (day === undefined || Number.isNaN(at.getTime())) throw untranslated('A timestamp with a time zone spelled so');
  const told = at.toISOString().slice(0, 19).replace('T', ' ');
  return `CAST(TIMESTAMP ${textLiteral(`${told}${fraction || '.0'} UTC`)} AS timestamp(6) with time zone)`;
}
