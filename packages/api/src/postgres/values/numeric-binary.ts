import type { ByteWriter } from './byte-writer.ts';
import { PgValueError } from './value-error.ts';

const NEGATIVE = 0x4000;
const SPECIAL: ReadonlyMap<number, string> = new Map([
  [0xc000, 'NaN'],
  [0xd000, 'Infinity'],
  [0xf000, '-Infinity'],
]);

/** Writes the decimal `unscaled / 10^scale` in PostgreSQL's binary form: digits of base 10,000 without zeros at either end. */
export function writeNumeric(out: ByteWriter, unscaled: bigint, scale: number): void {
  const isNegative = unscaled < 0n;
  const aligned = Math.ceil(scale / 4) * 4;
  const text = (isNegative ? -unscaled : unscaled).toString() + '0'.repeat(aligned - scale);
  const padded = text.padStart(Math.ceil(text.length / 4) * 4, '0');
  const groups = Array.from({ length: padded.length / 4 }, (_, i) => Number(padded.slice(4 * i, 4 * i + 4)));
  const first = groups.findIndex((group) => group !== 0);
  const last = groups.findLastIndex((group) => group !== 0);
  const digits = first === -1 ? [] : groups.slice(first, last + 1);
  out.int16(digits.length);
  out.int16(first === -1 ? 0 : groups.length - 1 - first - aligned / 4);
  out.int16(isNegative ? NEGATIVE : 0);
  out.int16(scale);
  for (const digit of digits) out.int16(digit);
}

/** Writes likewise, for an integer so small that three more digits stay exact. */
export function writeSafeNumeric(out: ByteWriter, unscaled: number, scale: number): void {
  const fractions = (scale + 3) >> 2;
  let rest = Math.abs(unscaled) * 10 ** (4 * fractions - scale);
  let count = 0;
  for (; rest >= 1; count++) {
    const next = Math.floor(rest / 10_000);
    GROUPS[count] = rest - next * 10_000;
    rest = next;
  }
  let last = 0;
  while (last < count && GROUPS[last] === 0) last++;
  out.int16(count - last);
  out.int16(count === 0 ? 0 : count - 1 - fractions);
  out.int16(unscaled < 0 ? NEGATIVE : 0);
  out.int16(scale);
  for (let i = count - 1; i >= last; i--) out.int16(GROUPS[i]!);
}

const GROUPS = new Int32Array(8);

/** The text of a number in PostgreSQL's binary form. @throws PgValueError */
export function numericText(bytes: Buffer): string {
  if (bytes.length < 8) throw malformed();
  const [count, weight, sign, scale] = [
    bytes.readUInt16BE(0),
    bytes.readInt16BE(2),
    bytes.readUInt16BE(4),
    bytes.readUInt16BE(6),
  ];
  const special = SPECIAL.get(sign);
  if (special !== undefined) return special;
  if (bytes.length !== 8 + 2 * count || (sign !== 0 && sign !== NEGATIVE) || scale > 0x3fff) throw malformed();
  const digit = (position: number): string => {
    const index = weight - position;
    const value = index >= 0 && index < count ? bytes.readUInt16BE(8 + 2 * index) : 0;
    if (value > 9999) throw malformed();
    return String(value).padStart(4, '0');
  };
  let whole = '';
  for (let position = weight; position >= 0; position--) whole += digit(position);
  let fraction = '';
  for (let position = -1; fraction.length < scale; position--) fraction += digit(position);
  const text = (whole.replace(/^0+/, '') || '0') + (scale === 0 ? '' : `.${fraction.slice(0, scale)}`);
  return sign === NEGATIVE && /[1-9]/.test(text) ? `-${text}` : text;
}

const malformed = (): PgValueError => new PgValueError('22P03', 'A numeric value is malformed in its binary form.');
