import type { ByteWriter } from './byte-writer.ts';
import { writeUnsigned } from './digits.ts';

const MINUS = 45;
const POINT = 46;
/** From this decimal exponent on, PostgreSQL writes an exponent. */
const DOUBLE_LIMIT = 1e15;
const FLOAT_LIMIT = 1e6;

/** Writes a double as PostgreSQL does: the shortest text that reads back as the same value. */
export function writeDouble(out: ByteWriter, value: number): void {
  if (writeSpecial(out, value)) return;
  const size = Math.abs(value);
  // A number with at most 15 digits is the shortest text of the double that it is closest to.
  if (size < 1e11 && size >= 1e-4) {
    const cents = Math.round(size * 100);
    if (cents / 100 === size) {
      writeScaled(out, value, cents, 100, 2);
      return;
    }
    const parts = Math.round(size * 1e6);
    if (parts < 1e15 && parts / 1e6 === size) {
      writeScaled(out, value, parts, 1e6, 6);
      return;
    }
  }
  writeDecimal(out, value, size < 2 ** 53 ? String(size) : shortestLarge(size), DOUBLE_LIMIT);
}

/** Writes a float likewise. */
export function writeFloat(out: ByteWriter, value: number): void {
  if (writeSpecial(out, value)) return;
  const size = Math.abs(value);
  if (size < 1e4 && size >= 1e-2) {
    const cents = Math.round(size * 100);
    if (Math.fround(cents / 100) === size) {
      writeScaled(out, value, cents, 100, 2);
      return;
    }
  }
  writeDecimal(out, value, shortestFloat(size), FLOAT_LIMIT);
}

function writeSpecial(out: ByteWriter, value: number): boolean {
  if (Number.isFinite(value) && value !== 0) return false;
  if (value === 0) out.ascii(Object.is(value, -0) ? '-0' : '0');
  else if (Number.isNaN(value)) out.ascii('NaN');
  else out.ascii(value > 0 ? 'Infinity' : '-Infinity');
  return true;
}

/** Writes the integer `scaled`, which has `decimals` decimals, without zeros at the end. */
function writeScaled(out: ByteWriter, value: number, scaled: number, unit: number, decimals: number): void {
  out.reserve(24);
  if (value < 0) out.bytes[out.at++] = MINUS;
  const whole = Math.floor(scaled / unit);
  writeUnsigned(out, whole);
  let [rest, width] = [scaled - whole * unit, decimals];
  if (rest === 0) return;
  for (; rest % 10 === 0; width--) rest /= 10;
  out.bytes[out.at++] = POINT;
  writeUnsigned(out, rest, width);
}

/** Writes the positive number of a text of JavaScript with the sign of `value`. */
function writeDecimal(out: ByteWriter, value: number, text: string, limit: number): void {
  if (value < 0) out.ascii('-');
  const size = Math.abs(value);
  // JavaScript writes no exponent either in this range.
  if (size < limit && size >= 1e-4) out.ascii(text);
  else {
    const [digits, exponent] = digitsOf(text);
    out.ascii(size >= limit || exponent < -4 ? scientific(digits, exponent) : fixed(digits, exponent));
  }
}

/** The significant digits of a number, and the decimal exponent of the first one. */
function digitsOf(text: string): readonly [string, number] {
  const [mantissa = '', power = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start++;
  let end = all.length;
  while (all[end - 1] === '0') end--;
  return [all.slice(start, end), Number(power) + whole.length - 1 - start];
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function fixed(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** PostgreSQL doesn't use a text in the middle between two values, even where it reads back as the same one; JavaScript does. */
function shortestLarge(size: number): string {
  const shortest = String(size);
  if (size > 1e40 || !isMiddle(shortest, size, 52)) return shortest;
  for (let digits = digitsOf(shortest)[0].length; digits < 17; digits++) {
    const text = size.toPrecision(digits);
    if (Number(text) === size && !isMiddle(text, size, 52)) return text;
  }
  return size.toPrecision(17);
}

function isMiddle(text: string, size: number, mantissaBits: number): boolean {
  const [digits, exponent] = digitsOf(text);
  const power = exponent + 1 - digits.length;
  if (power < 0) return false;
  const written = BigInt(digits) * 10n ** BigInt(power);
  const exact = BigInt(size);
  const step = 1n << BigInt(exact.toString(2).length - 1 - mantissaBits);
  const distance = written - exact;
  const isPowerOfTwo = (exact & (exact - 1n)) === 0n;
  return distance * 2n === step || -distance * (isPowerOfTwo ? 4n : 2n) === step;
}

const SMALLEST_NORMAL_FLOAT = 2 ** -126;

function shortestFloat(size: number): string {
  // Texts of 6 digits are unique, except among the subnormal floats.
  for (let digits = size < SMALLEST_NORMAL_FLOAT ? 1 : 6; digits < 9; digits++) {
    for (const text of closest(size, digits)) {
      if (Math.fround(Number(text)) !== size) continue;
      if (size < 2 ** 24 || size > 1e20 || !isMiddle(text, size, 23)) return String(Number(text));
    }
  }
  return String(Number(size.toPrecision(9)));
}

/**
 * The closest numbers with so many digits. Of two at the same distance, PostgreSQL prefers the even one; below a power of two, only the
 * higher one of two others may read back as the same float.
 */
function closest(size: number, digits: number): readonly string[] {
  const [significant, exponent] = digitsOf(size.toPrecision(digits));
  const whole = Number(significant.padEnd(digits, '0'));
  const unit = `e${exponent + 1 - digits}`;
  const others = whole % 2 === 1 && isTie(size, digits) ? [whole - 1, whole] : [whole, whole + 1];
  return others.map((other) => other + unit);
}

/** Whether the digits after these are exactly one half. */
function isTie(size: number, digits: number): boolean {
  const [more] = digitsOf(size.toPrecision(digits + 1));
  return more.length === digits + 1 && more.endsWith('5') && digitsOf(size.toPrecision(100))[0] === more;
}
