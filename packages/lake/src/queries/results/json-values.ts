import * as duckdb from '@duckdb/node-api';

/** Each access to an export of the library calls two functions. */
const { DuckDBArrayValue, DuckDBBlobValue, DuckDBDateValue, DuckDBDecimalValue, DuckDBListValue } = duckdb;
const { DuckDBMapValue, DuckDBStructValue, DuckDBTimestampTZValue, DuckDBTimestampValue, DuckDBUUIDValue } = duckdb;

/**
 * A value in the JSON form of query results (QUERY-6): values that JSON can't represent exactly (long beyond 2^53,
 * decimal, NaN, infinities) are texts, binary is base64, times are ISO 8601. A map is an object if its keys are texts,
 * otherwise a list of [key, value].
 */
export function jsonValue(value: duckdb.DuckDBValue): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof DuckDBDecimalValue || value instanceof DuckDBUUIDValue) return value.toString();
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  if (value instanceof DuckDBTimestampTZValue) return isoTimestamp(value.micros, 'Z');
  if (value instanceof DuckDBTimestampValue) return isoTimestamp(value.micros, '');
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(jsonValue);
  if (value instanceof DuckDBMapValue) return jsonMap(value);
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, v]) => [name, jsonValue(v)]));
  }
  if (value instanceof DuckDBDateValue) return dayText(value);
  return String(value);
}

/** Whether the JSON form of a value that isn't nested is lossless. */
export function isExact(value: duckdb.DuckDBValue): boolean {
  if (typeof value === 'number') return !Object.is(value, -0);
  if (typeof value === 'string') return !value.includes('\0');
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return value.micros >= FIRST && value.micros <= LAST;
  }
  if (value instanceof DuckDBDateValue) {
    const micros = BigInt(value.days) * DAY;
    return micros >= FIRST && micros <= LAST;
  }
  return true;
}

function jsonMap({ entries }: duckdb.DuckDBMapValue): unknown {
  const pairs = entries.map((e) => [jsonValue(e.key), jsonValue(e.value)] as const);
  return entries.every((e) => typeof e.key === 'string') ? Object.fromEntries(pairs) : pairs;
}

const INFINITE = 9_223_372_036_854_775_807n;
const INFINITE_DAYS = 2_147_483_647;
const DAY = 86_400_000_000n;
/** 9999-12-31T23:59:59.999999 and 0001-01-01: values outside this range need more digits in ISO 8601. */
const LAST = 253_402_300_799_999_999n;
const FIRST = -62_135_596_800_000_000n;

function dayText(value: duckdb.DuckDBDateValue): string {
  if (Math.abs(value.days) !== INFINITE_DAYS) return value.toString();
  return value.days > 0 ? 'infinity' : '-infinity';
}

function isoTimestamp(micros: bigint, zone: string): string {
  if (micros === INFINITE) return 'infinity';
  if (micros === -INFINITE) return '-infinity';
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (micros - fraction) / 1_000_000n;
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(6, '0').replace(/000$/, '')}`;
  if (micros < FIRST || micros > LAST) return new DuckDBTimestampValue(micros).toString() + zone;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${digits}${zone}`;
}
