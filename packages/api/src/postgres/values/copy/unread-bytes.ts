import type { CsvRows } from './csv-rows.ts';

/** The longest row that loads read (TABLE-6). */
const MAX_ROW_BYTES = 8_000_000;

/** Bytes of the data that isn't read yet: at most the start of a row, once its complete rows are read. */
export class UnreadBytes {
  private buffer: Buffer = Buffer.allocUnsafeSlow(1 << 16);
  private length = 0;

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  append(data: Buffer): void {
    if (this.length + data.length > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.buffer.length, this.length + data.length));
      grown.set(this.bytes);
      this.buffer = grown;
    }
    this.buffer.set(data, this.length);
    this.length += data.length;
  }

  /** Forgets the first bytes. @throws PgValueError if the rest is too long for a row */
  drop(count: number, rows: CsvRows): void {
    this.buffer.copyWithin(0, count, this.length);
    this.length -= count;
    if (this.length > MAX_ROW_BYTES) throw rows.error('54000', `A row is longer than ${MAX_ROW_BYTES / 1e6} MB.`);
  }
}
