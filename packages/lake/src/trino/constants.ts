import { isLosslessNumber } from 'lossless-json';
import { type TrinoSql, trino } from '../queries/sql-text.ts';
import { integerOf, type Node, nodesOf } from './plan-nodes.ts';
import { type PlanType, trinoType, typeOf } from './plan-types.ts';
import { bytesLiteral, listed, quotedNumber, textLiteral } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

/** An interval in the engine's representation. */
export type Interval = { readonly months: bigint; readonly days: bigint; readonly micros: bigint };

/** An expression in Trino's SQL. `constant` is the value of a constant: null, or a string, integer or float as text. */
export type Printed = {
  readonly sql: TrinoSql;
  readonly type: PlanType;
  readonly constant?: string | null;
  readonly interval?: Interval;
};

export function nullOf(type: PlanType): TrinoSql {
  return type.id === 'NULL' ? trino`NULL` : trino`CAST(NULL AS ${trinoType(type)})`;
}

/** A `Value` of the plan. @throws QueryRejectedError */
export function printConstant(value: Node): Printed {
  const type = typeOf(value['type']);
  if (value['is_null'] === true) return { sql: nullOf(type), type, constant: null };
  const inner = value['value'];
  if (type.id === 'INTERVAL') return { sql: trino``, type, interval: intervalOf(inner as Node) };
  if (type.id === 'VARCHAR') {
    const text = String(inner);
    return { sql: textLiteral(text), type, constant: text };
  }
  const number = isLosslessNumber(inner) ? inner.value : undefined;
  return { sql: printValue(type, inner), type, ...(number === undefined ? {} : { constant: number }) };
}

const INTEGER_TYPES = {
  TINYINT: trino`TINYINT`,
  SMALLINT: trino`SMALLINT`,
  INTEGER: trino`INTEGER`,
  BIGINT: trino`BIGINT`,
} as const;

function printValue(type: PlanType, value: unknown): TrinoSql {
  switch (type.id) {
    case 'BOOLEAN':
      return value === true ? trino`true` : trino`false`;
    case 'TINYINT':
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
      return trino`${INTEGER_TYPES[type.id]} ${quotedNumber(integerOf(value))}`;
    case 'HUGEINT':
      return decimalLiteral(wide(value), 0, trinoType(type));
    case 'DECIMAL':
      return decimalLiteral(isLosslessNumber(value) ? integerOf(value) : wide(value), type.scale, trinoType(type));
    case 'FLOAT':
    case 'DOUBLE':
      return floatLiteral(value, type);
    case 'LIST':
    case 'MAP':
    case 'STRUCT':
      return nestedValue(type, nodesOf((value as Node)['children']));
    case 'UUID':
      return uuidLiteral(value as Node);
    case 'BLOB':
      return bytesLiteral(blobBytes(String(value)));
    default:
      return timeValue(type, integerOf(value));
  }
}

/** A 128-bit integer from its two halves. */
function wide(value: unknown): bigint {
  const { upper, lower } = value as Node;
  return (integerOf(upper) << 64n) + integerOf(lower);
}

function decimalLiteral(unscaled: bigint, scale: number, type: TrinoSql): TrinoSql {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  if (digits.length > 38) throw untranslated('A number of more than 38 digits');
  const point = digits.length - scale;
  const text = `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`;
  return trino`CAST(DECIMAL ${quotedNumber(text)} AS ${type})`;
}

function floatLiteral(value: unknown, type: PlanType): TrinoSql {
  const text = isLosslessNumber(value) ? value.value : String(value).toLowerCase();
  const special: Readonly<Record<string, TrinoSql>> = {
    nan: trino`nan()`,
    '-nan': trino`nan()`,
    inf: trino`infinity()`,
    infinity: trino`infinity()`,
    '-inf': trino`-infinity()`,
    '-infinity': trino`-infinity()`,
  };
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? trino`DOUBLE ${quotedNumber(text)}` : special[text];
  if (number === undefined) throw untranslated('This form of number');
  return type.id === 'FLOAT' ? trino`CAST(${number} AS real)` : number;
}

function nestedValue(type: PlanType, children: readonly Node[]): TrinoSql {
  const all = listed(children.map((child) => printConstant(child)));
  if (type.id === 'LIST') return trino`CAST(ARRAY[${all}] AS ${trinoType(type)})`;
  if (type.id === 'STRUCT') return trino`CAST(ROW(${all}) AS ${trinoType(type)})`;
  const entries = children.map((entry) => nodesOf((entry['value'] as Node)['children']).map((c) => printConstant(c)));
  const side = (i: number) => trino`ARRAY[${listed(entries.map((e) => e[i]!))}]`;
  return trino`CAST(MAP(${side(0)}, ${side(1)}) AS ${trinoType(type)})`;
}

function uuidLiteral({ upper, lower }: Node): TrinoSql {
  const high = BigInt.asUintN(64, integerOf(upper) ^ (1n << 63n));
  const digits = ((high << 64n) + integerOf(lower)).toString(16).padStart(32, '0');
  return trino`UUID ${textLiteral(digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))}`;
}

/** The engine writes bytes as text, with `\xHH` for everything but plain characters. */
function blobBytes(text: string): Buffer {
  const bytes: number[] = [];
  for (const [part, digits] of text.matchAll(/\\x([0-9a-fA-F]{2})|[\x00-\x7f]/g))
    bytes.push(digits === undefined ? part.charCodeAt(0) : Number.parseInt(digits, 16));
  return Buffer.from(bytes);
}

const MICROS_A_DAY = 86_400_000_000n;
/** 0001-01-01 and the day after 9999-12-31. */
const [FIRST_DAY, END_DAY] = [-719_162n, 2_932_897n];

function timeValue(type: PlanType, value: bigint): TrinoSql {
  if (type.id === 'DATE') return trino`DATE ${textLiteral(dayText(value))}`;
  if (type.id === 'TIME' && value < MICROS_A_DAY) return trino`TIME ${textLiteral(timeText(value))}`;
  const micros = ((value % MICROS_A_DAY) + MICROS_A_DAY) % MICROS_A_DAY;
  const text = () => `${dayText((value - micros) / MICROS_A_DAY)} ${timeText(micros)}`;
  if (type.id === 'TIMESTAMP') return trino`TIMESTAMP ${textLiteral(text())}`;
  if (type.id === 'TIMESTAMP WITH TIME ZONE') return trino`TIMESTAMP ${textLiteral(`${text()} UTC`)}`;
  throw untranslated(`A constant of the type ${type.id}`);
}

export function dayText(days: bigint): string {
  if (days < FIRST_DAY || days >= END_DAY) throw untranslated('A date before the year 1 or after 9999 as a constant');
  return new Date(Number(days) * 86_400_000).toISOString().slice(0, 10);
}

function timeText(micros: bigint): string {
  const [seconds, rest] = [micros / 1_000_000n, micros % 1_000_000n];
  const two = (n: bigint) => String(n).padStart(2, '0');
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(two).join(':');
  return `${clock}.${String(rest).padStart(6, '0')}`;
}

function intervalOf({ months, days, micros }: Node): Interval {
  return { months: integerOf(months), days: integerOf(days), micros: integerOf(micros) };
}
