import { UnsupportedTableError } from '../errors/table-errors.ts';

export const truncatedFileError = (): UnsupportedTableError =>
  new UnsupportedTableError('A manifest file of the table is truncated.');

/** Frequent values, created once. */
const SMALL = Array.from({ length: 64 }, (_, i) => BigInt(i));

/**
 * Reads Avro-encoded values. Never reads past the end: claimed lengths and counts are checked against the remaining
 * bytes.
 */
export class AvroBytes {
  at = 0;
  readonly buffer: Buffer;
  /** Items that may still be read, shared by the blocks of a file. */
  private readonly budget: { items: number };

  constructor(buffer: Buffer, budget: { items: number } = { items: Number.POSITIVE_INFINITY }) {
    this.buffer = buffer;
    this.budget = budget;
  }

  /** Counts items before they are created in memory. */
  spend(items: number): void {
    this.budget.items -= items;
    if (this.budget.items < 0)
      throw new UnsupportedTableError(
        'A manifest file of the table has more entries and statistics than fit into memory.',
      );
  }

  get left(): number {
    return this.buffer.length - this.at;
  }

  byte(): number {
    const byte = this.buffer[this.at];
    if (byte === undefined) throw truncatedFileError();
    this.at += 1;
    return byte;
  }

  long(): bigint {
    const value = this.readLong();
    if (typeof value === 'bigint') return value;
    return value >= 0 && value < SMALL.length ? SMALL[value]! : BigInt(value);
  }

  /** The same as a number, rounded beyond 2^53. */
  number(): number {
    return Number(this.readLong());
  }

  /** A length or a count. */
  size(): number {
    const size = this.number();
    if (size > this.left || size < 0) throw truncatedFileError();
    return size;
  }

  /** The number of values in the next block of an array or a map, each of at least one byte; 0 at the end. */
  block(): number {
    const count = this.number();
    if (count < 0) this.size();
    const values = Math.abs(count);
    if (values > this.left) throw truncatedFileError();
    return values;
  }

  /** Most values have one byte; seven bytes hold 49 bits, which a number represents exactly. */
  private readLong(): number | bigint {
    const first = this.buffer[this.at]!;
    if (first < 0x80) {
      this.at += 1;
      return (first >>> 1) ^ -(first & 1);
    }
    let value = 0;
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    let wide = BigInt(value);
    for (let shift = 49n; shift <= 63n; shift += 7n) {
      const byte = this.byte();
      wide |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (wide >> 1n) ^ -(wide & 1n));
    }
    throw truncatedFileError();
  }

  take(length: number): Buffer {
    if (length > this.left) throw truncatedFileError();
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }
}
