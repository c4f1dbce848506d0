const FIRST_BYTES = 1 << 14;

/** Bytes in one buffer that grows. Writers call `reserve` first, then write to `bytes` and move `at`. */
export class ByteWriter {
  bytes: Buffer;
  at = 0;

  constructor(capacity = FIRST_BYTES) {
    this.bytes = Buffer.allocUnsafeSlow(Math.max(capacity, 64));
  }

  /** Ensures that `count` more bytes fit. */
  reserve(count: number): void {
    if (this.at + count > this.bytes.length) this.grow(count);
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.at++] = value;
  }

  int16(value: number): void {
    this.reserve(2);
    this.bytes[this.at] = value >> 8;
    this.bytes[this.at + 1] = value;
    this.at += 2;
  }

  int32(value: number): void {
    this.reserve(4);
    this.setInt32(this.at, value);
    this.at += 4;
  }

  /** Overwrites four bytes. */
  setInt32(at: number, value: number): void {
    const { bytes } = this;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  }

  /** A text of ASCII characters. */
  ascii(text: string): void {
    const { length } = text;
    this.reserve(length);
    const { bytes, at } = this;
    for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
    this.at = at + length;
  }

  copy(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    const { bytes, at } = this;
    // A call costs more than copying a few bytes.
    if (length <= 24) for (let i = 0; i < length; i++) bytes[at + i] = source[start + i]!;
    else bytes.set(source.subarray(start, end), at);
    this.at = at + length;
  }

  private grow(count: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + count));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
  }
}
