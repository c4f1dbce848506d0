import {
  boundsOf,
  type ColumnBounds,
  type Comparable,
  columnTypeOf,
  compare,
  type IcebergField,
  type ScanFile,
} from '@svc/iceberg';
import type { CompareOp, Condition, Constant } from '../statement/conditions.ts';
import { foldName } from '../statement/names.ts';
import type { ManagedFiles } from './relations.ts';

/**
 * Removes files in which no row can match the condition, according to the column statistics in manifests. If statistics
 * are missing, the file stays. Only for readers without policies: a mask would change the compared values.
 */
export function pruned<R extends ManagedFiles>(relation: R, condition: Condition): R {
  if (condition.kind === 'unknown') return relation;
  const fields = new Map(relation.fields.map((field) => [foldName(field.name), field]));
  const files = relation.files.filter((file) => mightMatch(condition, file, fields));
  return files.length === relation.files.length ? relation : { ...relation, files };
}

type Fields = ReadonlyMap<string, IcebergField>;

function mightMatch(condition: Condition, file: ScanFile, fields: Fields): boolean {
  if (condition.kind === 'unknown') return true;
  if ('parts' in condition) {
    const mayMatch = (part: Condition) => mightMatch(part, file, fields);
    return condition.kind === 'and' ? condition.parts.every(mayMatch) : condition.parts.some(mayMatch);
  }
  const field = fields.get(foldName(condition.column));
  const bounds = field === undefined ? null : boundsIn(file, field);
  if (field === undefined || bounds === null) return true;
  if (condition.kind === 'null') return condition.is ? bounds.hasNull !== false : bounds.allNull !== true;
  if (bounds.allNull === true) return false;
  const values = comparables(field, condition.constant);
  return values.length === 0 || values.some((value) => mightCompare(bounds, condition.op, value));
}

/**
 * What is known about a column in a file: from its partition, which may fix one value for all rows, or from its bounds.
 */
function boundsIn(file: ScanFile, field: IcebergField): ColumnBounds | null {
  const one = file.constants?.get(field.id);
  if (one === undefined) return file.statistics === undefined ? null : boundsOf(file.statistics, field);
  const value = one === null ? null : constantValue(field, one);
  return { lower: value, upper: value, allNull: one === null, hasNull: one === null, mayHaveNan: value === null };
}

function mightCompare({ lower, upper, mayHaveNan }: ColumnBounds, op: CompareOp, value: Comparable): boolean {
  const low = lower === null ? null : compare(lower, value);
  const high = upper === null ? null : compare(upper, value);
  // NaN is above every other number.
  if (op === '>') return high === null || high > 0 || mayHaveNan;
  if (op === '>=') return high === null || high >= 0 || mayHaveNan;
  if (op === '<') return low === null || low < 0;
  if (op === '<=') return low === null || low <= 0;
  return (low === null || low <= 0) && (high === null || high >= 0);
}

const kindOf = ({ type }: IcebergField): string => (typeof type === 'string' ? columnTypeOf(type).kind : 'nested');

/** The value of a partition's text, or null if it is uncertain. */
function constantValue(field: IcebergField, text: string): Comparable | null {
  const types: Record<string, string> = { string: 'VARCHAR', date: 'DATE', timestamp: 'TIMESTAMP', timestamptz: TZ };
  const values = comparables(field, { type: types[kindOf(field)] ?? 'DECIMAL', text });
  return values.length === 1 ? values[0]! : null;
}

const TZ = 'TIMESTAMP WITH TIME ZONE';
const EXACT = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'DECIMAL']);

/**
 * The values that a constant may have when compared with a column of this type: a file is skipped only if it can
 * contain none of them. Empty if it is uncertain how the engine compares the two.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case for each pair of types
function comparables(field: IcebergField, { type, text }: Constant): Comparable[] {
  switch (kindOf(field)) {
    case 'string':
      return type === 'VARCHAR' ? [{ kind: 'text', bytes: Buffer.from(text) }] : [];
    case 'int':
    case 'long':
    case 'decimal':
      return EXACT.has(type) ? exactNumber(text) : [];
    case 'float':
    case 'double':
      return EXACT.has(type) || type === 'DOUBLE' ? floatingNumbers(text) : [];
    case 'date':
      return type === 'DATE' || type === 'TIMESTAMP' || (type === 'VARCHAR' && DAY.test(text)) ? moment(text, '') : [];
    case 'timestamp':
      return type === 'DATE' || type === 'TIMESTAMP' || type === 'VARCHAR' ? moment(text, '') : [];
    case 'timestamptz':
      if (type === TZ || (type === 'VARCHAR' && ZONED.test(text))) return moment(text, 'zone');
      // The engine's session is in UTC.
      return type === 'DATE' || type === 'TIMESTAMP' || type === 'VARCHAR' ? inUtc(moment(text, '')) : [];
    default:
      return [];
  }
}

/** Numbers with more decimal places than the engine is sure to compare exactly aren't used for pruning. */
const MAX_SCALE = 9;
const MAX_DIGITS = 15;

function exactNumber(text: string): Comparable[] {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  const scale = match?.[2]?.length ?? 0;
  if (match === null || scale > MAX_SCALE) return [];
  return [{ kind: 'number', unscaled: BigInt(`${match[1]}${match[2] ?? ''}`), scale }];
}

/** A single-precision column is compared with the number rounded to single precision, or with the number itself. */
function floatingNumbers(text: string): Comparable[] {
  const value = Number(text);
  if (!Number.isFinite(value) || text.replace(/\D/g, '').length > MAX_DIGITS) return [];
  return [...new Set([value, Math.fround(value)])].map((number) => ({ kind: 'floating', value: number }));
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}(?::\d{2})?)?$/;

/** A date or timestamp, with a zone only if one is requested. */
function moment(text: string, zone: 'zone' | ''): Comparable[] {
  const match = MOMENT.exec(text);
  if (match === null || (match[4] !== undefined) !== (zone === 'zone')) return [];
  const [, day, time, fraction = '', offset = 'Z'] = match;
  const millis = Date.parse(`${day}T${time ?? '00:00:00'}${offset.length === 3 ? `${offset}:00` : offset}`);
  if (Number.isNaN(millis) || !new Date(`${day}T00:00:00Z`).toISOString().startsWith(day!)) return [];
  const at = BigInt(millis) * 1000n + BigInt(fraction.padEnd(6, '0'));
  if (zone === 'zone') return [{ kind: 'instant', at }];
  return time === undefined ? [{ kind: 'days', at: at / DAY_MICROS }] : [{ kind: 'micros', at }];
}

const ZONED = /\d(Z|[+-]\d{2}(?::\d{2})?)$/;

function inUtc(moments: readonly Comparable[]): Comparable[] {
  return moments.flatMap((value) => {
    if (!('at' in value)) return [];
    return [{ kind: 'instant', at: value.kind === 'days' ? value.at * DAY_MICROS : value.at }];
  });
}

const DAY_MICROS = 86_400_000_000n;
