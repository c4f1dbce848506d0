import type { ByteWriter } from './byte-writer.ts';

const ZERO = 48;
const BILLION = 1_000_000_000;

/** Writes a non-negative integer below 2^31 with at least `width` digits. The caller has reserved 10 bytes. */
export function writeSmall(out: ByteWriter, value: number, width = 1): void {
  const { bytes, at } = out;
  const count = Math.max(width, digitsOf(value));
  for (let i = at + count - 1, rest = value | 0; i >= at; i--) {
    const next = (rest / 10) | 0;
    bytes[i] = ZERO + rest - next * 10;
    rest = next;
  }
  out.at = at + count;
}

/** Writes a non-negative integer up to 2^53 with at least `width` digits. The caller has reserved 20 bytes. */
export function writeUnsigned(out: ByteWriter, value: number, width = 1): void {
  if (value < BILLION) {
    writeSmall(out, value, width);
    return;
  }
  const high = Math.floor(value / BILLION);
  writeSmall(out, high, width - 9);
  writeSmall(out, value - high * BILLION, 9);
}

function digitsOf(value: number): number {
  if (value < 10) return 1;
  if (value < 100) return 2;
  if (value < 1000) return 3;
  if (value < 10_000) return 4;
  if (value < 100_000) return 5;
  if (value < 1_000_000) return 6;
  if (value < 10_000_000) return 7;
  if (value < 100_000_000) return 8;
  return value < BILLION ? 9 : 10;
}
