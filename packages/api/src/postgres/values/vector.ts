import type { PgType } from './types.ts';

/**
 * The values of one column in some rows. Rows of JSON and record batches of Arrow both become vectors, so that there is one way to write a
 * value. The layout is Arrow's.
 */
export type Vector = {
  /** One bit per row, least significant first; 0 is null. Null if no row is null. */
  readonly valid: Uint8Array | null;
} & (
  | { readonly kind: 'boolean'; readonly bits: Uint8Array }
  | { readonly kind: 'int' | 'date'; readonly values: Int32Array }
  /** 64-bit integers as two limbs of 32 bits, the lower one first. Times are microseconds. */
  | { readonly kind: 'long' | 'time' | 'timestamp' | 'timestamptz'; readonly limbs: Int32Array }
  | { readonly kind: 'float' | 'double'; readonly values: Float32Array | Float64Array }
  /** 128-bit integers as four limbs, the lowest one first. */
  | { readonly kind: 'decimal'; readonly limbs: Int32Array; readonly scale: number }
  | { readonly kind: 'string' | 'binary' | 'json'; readonly offsets: Int32Array; readonly bytes: Uint8Array }
  /** 16 bytes per row. */
  | { readonly kind: 'uuid'; readonly bytes: Uint8Array }
  /** `type`: that of the list, which has an element type. */
  | { readonly kind: 'list'; readonly offsets: Int32Array; readonly element: Vector; readonly type: PgType }
);

export const isNull = ({ valid }: Vector, row: number): boolean =>
  valid !== null && (valid[row >> 3]! & (1 << (row & 7))) === 0;

/** The 64-bit integer at a row. */
export const longAt = (limbs: Int32Array, row: number): bigint =>
  (BigInt(limbs[2 * row + 1]!) << 32n) | BigInt(limbs[2 * row]! >>> 0);

/** The 128-bit integer at a row. */
export const hugeAt = (limbs: Int32Array, row: number): bigint =>
  (BigInt(limbs[4 * row + 3]!) << 96n) |
  (BigInt(limbs[4 * row + 2]! >>> 0) << 64n) |
  (BigInt(limbs[4 * row + 1]! >>> 0) << 32n) |
  BigInt(limbs[4 * row]! >>> 0);

/** The limbs of an integer, as many as `limbs` has per row. */
export function setLimbs(limbs: Int32Array, at: number, count: number, value: bigint): void {
  for (let i = 0; i < count; i++) limbs[at + i] = Number(BigInt.asIntN(32, value >> BigInt(32 * i)));
}
