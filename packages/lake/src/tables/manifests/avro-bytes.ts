import { UnsupportedTableError } from '../metadata/metadata.ts';

export const cutOff = (): UnsupportedTableError =>
  new UnsupportedTableError('A manifest file of the table is cut off.');

/** Reads Avro's encoding of values. Never past the end: what a length or a count claims is checked against what is left. */
export class AvroBytes {
  at = 0;
  readonly buffer: Buffer;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  get left(): number {
    return this.buffer.length - this.at;
  }

  byte(): number {
    const byte = this.buffer[this.at];
    if (byte === undefined) throw cutOff();
    this.at += 1;
    return byte;
  }

  long(): bigint {
    let value = 0;
    // Seven bytes hold 49 bits, which a number holds exactly; most values need no more.
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return BigInt(value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    }
    let wide = BigInt(value);
    for (let shift = 49n; shift <= 63n; shift += 7n) {
      const byte = this.byte();
      wide |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (wide >> 1n) ^ -(wide & 1n));
    }
    throw cutOff();
  }

  /** A length or a count. */
  size(): number {
    const size = this.long();
    if (size > BigInt(this.left) || size < 0n) throw cutOff();
    return Number(size);
  }

  /** The number of values in the next block of an array or a map, each of at least one byte; 0 at the end. */
  block(): number {
    const count = this.long();
    if (count < 0n) this.size();
    const values = count < 0n ? -count : count;
    if (values > BigInt(this.left)) throw cutOff();
    return Number(values);
  }

  take(length: number): Buffer {
    if (length > this.left) throw cutOff();
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }
}
