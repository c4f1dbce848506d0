import { isUtf8 } from 'node:buffer';
import type { QueryParam } from '@svc/core/queries';
import { engineTime } from './engine-times.ts';
import { PgValueError } from './value-error.ts';

/** Converts the text form of a value. */
type TextReader = (text: string) => QueryParam;

const READERS: ReadonlyMap<number, TextReader> = new Map<number, TextReader>([
  [16, booleanOf],
  [21, (text) => Number(integerOf(text, 'smallint', 15n))],
  [23, (text) => Number(integerOf(text, 'integer', 31n))],
  [20, (text) => ({ type: 'long', value: String(integerOf(text, 'bigint', 63n)) })],
  [26, (text) => ({ type: 'long', value: String(integerOf(text, 'oid', 32n)) })],
  [700, (text) => ({ type: 'float', value: floatOf(text, 'real', 3.402_823_5e38) })],
  [701, (text) => ({ type: 'double', value: floatOf(text, 'double precision', Number.MAX_VALUE) })],
  [1700, decimalOf],
  [1082, (value) => ({ type: 'date', value: engineTime('date', value) })],
  [1083, (value) => ({ type: 'time', value: engineTime('time', value) })],
  [1114, (value) => ({ type: 'timestamp', value: engineTime('timestamp', value) })],
  [1184, (value) => ({ type: 'timestamptz', value: engineTime('timestamptz', value) })],
  [2950, uuidOf],
  [114, jsonOf],
  [3802, jsonOf],
  [17, (text) => blobText(byteaBytes(text))],
]);

/** The parameter for a value in text form; a value of an unknown type is a text. @throws PgValueError */
export const parameterOfText = (oid: number, text: string): QueryParam => READERS.get(oid)?.(text) ?? text;

/** @throws PgValueError if the bytes aren't a text */
export function utf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new PgValueError('22021', 'invalid byte sequence for encoding "UTF8"');
  if (bytes.includes(0)) throw new PgValueError('22021', 'invalid byte sequence for encoding "UTF8": 0x00');
  return bytes.toString('utf8');
}

const syntaxError = (type: string, text: string): PgValueError =>
  new PgValueError('22P02', `invalid input syntax for type ${type}: ${JSON.stringify(text.slice(0, 200))}`);

const rangeError = (type: string, text: string): PgValueError =>
  new PgValueError('22003', `value ${JSON.stringify(text.slice(0, 200))} is out of range for type ${type}`);

const TRUE = /^(?:t|tr|tru|true|y|ye|yes|on|1)$/i;
const FALSE = /^(?:f|fa|fal|fals|false|n|no|of|off|0)$/i;

/** @throws PgValueError */
export function booleanOf(text: string): boolean {
  const trimmed = text.trim();
  if (TRUE.test(trimmed)) return true;
  if (FALSE.test(trimmed)) return false;
  throw syntaxError('boolean', text);
}

function integerOf(text: string, type: string, bits: bigint): bigint {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,100}$/.test(trimmed)) throw syntaxError(type, text);
  const value = BigInt(trimmed.replace(/^\+/, ''));
  const limit = 1n << bits;
  if (value >= limit || value < -limit) throw rangeError(type, text);
  return value;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,6})?$/;
const SPECIAL: Readonly<Record<string, string>> = {
  nan: 'NaN',
  inf: 'Infinity',
  infinity: 'Infinity',
  '+inf': 'Infinity',
  '+infinity': 'Infinity',
  '-inf': '-Infinity',
  '-infinity': '-Infinity',
};

function specialOf(text: string): string | null {
  const name = text.trim().toLowerCase();
  return Object.hasOwn(SPECIAL, name) ? SPECIAL[name]! : null;
}

function floatOf(text: string, type: string, largest: number): string {
  const special = specialOf(text);
  if (special !== null) return special;
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed)) throw syntaxError(type, text);
  const size = Math.abs(Number(trimmed));
  const isLost = size === 0 && /[1-9]/.test(trimmed.split(/[eE]/)[0]!);
  if (isLost || (type === 'real' ? Math.fround(size) : size) > largest) throw rangeError(type, text);
  return trimmed.replace(/^\+/, '');
}

export const isFraction = (text: string): boolean => /[.eE]/.test(text) && NUMBER.test(text.trim());

/** A time with a space before its zone. */
const SPACED_ZONE = /^\d{4,7}-\d\d?-\d\d?[ Tt]\d[\d:.]* [+-]\d/;

/** Bytes as PostgreSQL writes them, and as they can be a text. */
export const isHexBytes = (text: string): boolean => /^\\x(?:[0-9a-f]{2})*$/i.test(text);

/**
 * Whether the engine reads a text of an unknown type in another way than PostgreSQL: it rounds a fraction if the statement needs an
 * integer, refuses a time with a space before its zone, and reads only the first two digits of bytes as such.
 */
export const needsType = (text: string): boolean => isFraction(text) || SPACED_ZONE.test(text) || isHexBytes(text);

/**
 * The OID of the type of a number in text form: integer, bigint, numeric or double precision, in which JavaScript writes what's not finite or
 * has an exponent. Null for another text.
 */
export function typeOfNumeral(text: string): number | null {
  const trimmed = text.trim();
  if (specialOf(trimmed) !== null || isHuge(trimmed)) return 701;
  if (!NUMBER.test(trimmed)) return null;
  const value = Number(trimmed);
  if (isFraction(trimmed) || !Number.isSafeInteger(value)) return 1700;
  return value === (value | 0) ? 23 : 20;
}

const MAX_DIGITS = 38;

/** Whether a number with an exponent isn't a decimal that the engine has. */
function isHuge(text: string): boolean {
  const [mantissa, power] = text.split(/[eE]/);
  return power !== undefined && NUMBER.test(text) && Math.abs(Number(power)) + mantissa!.length > MAX_DIGITS;
}

/** A decimal as wide as the number. Only doubles can be infinite. */
function decimalOf(text: string): QueryParam {
  const special = specialOf(text);
  if (special !== null) return { type: 'double', value: special };
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed)) throw syntaxError('numeric', text);
  const [mantissa = '', power = '0'] = trimmed.replace(/^[+-]/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(power);
  if (Math.abs(shift) > 100 || whole.length + fraction.length > 1000) throw rangeError('numeric', text);
  const scale = Math.max(0, fraction.length - shift);
  const digits = (whole + fraction + '0'.repeat(Math.max(0, shift - fraction.length))).replace(/^0+/, '');
  const precision = Math.max(digits.length, scale, 1);
  if (precision > MAX_DIGITS) {
    throw new PgValueError('22003', `A numeric parameter has at most ${MAX_DIGITS} digits; this one has ${precision}.`);
  }
  const padded = digits.padStart(scale + 1, '0');
  const point = padded.length - scale;
  const value = `${trimmed.startsWith('-') ? '-' : ''}${padded.slice(0, point)}${scale === 0 ? '' : '.'}${padded.slice(point)}`;
  return { type: `decimal(${precision},${scale})`, value };
}

function uuidOf(text: string): QueryParam {
  const match = /^\{?([0-9a-f]{4}(?:-?[0-9a-f]{4}){7})\}?$/i.exec(text.trim());
  if (match === null || text.trim().startsWith('{') !== text.trim().endsWith('}')) throw syntaxError('uuid', text);
  const hex = match[1]!.replaceAll('-', '').toLowerCase();
  return { type: 'uuid', value: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw syntaxError('json', text);
  }
}

/** The bytes of a bytea value in hex or escape format. @throws PgValueError */
export function byteaBytes(text: string): Buffer {
  if (text.startsWith(String.raw`\x`)) {
    const hex = text.slice(2).replace(/\s/g, '');
    if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw syntaxError('bytea', text);
    return Buffer.from(hex, 'hex');
  }
  if (/\\(?!\\|[0-3][0-7]{2})/.test(text.replaceAll(String.raw`\\`, ''))) throw syntaxError('bytea', text);
  const latin1 = Buffer.from(text).toString('latin1');
  const unescaped = latin1.replace(/\\(\\|[0-3][0-7]{2})/g, (_, code: string) =>
    code === '\\' ? code : String.fromCharCode(Number.parseInt(code, 8)),
  );
  return Buffer.from(unescaped, 'latin1');
}

/** The text from which the engine casts a binary value. */
const blobText = (bytes: Buffer): string => bytes.toString('hex').replace(/../g, String.raw`\x$&`);
