import { isUtf8 } from 'node:buffer';
import { ByteWriter } from '../byte-writer.ts';
import type { PgType } from '../types.ts';
import { PgValueError } from '../value-error.ts';
import { type Conversion, loadConversion } from './load-conversions.ts';

const [QUOTE, COMMA, NEWLINE] = [34, 44, 10];

/** A column of COPY FROM, in the order of the data. */
export interface CopyColumn {
  readonly name: string;
  readonly type: PgType;
}

/** Rows as the CSV that loads read by default: a header row, every value in quotes, null as an empty field. */
export class CsvRows {
  readonly columns: readonly CopyColumn[];
  /** The line or row of the data that is being read, for errors. */
  line = 1;
  private readonly conversions: readonly (Conversion | null)[];
  private out = new ByteWriter();
  private column = 0;

  constructor(columns: readonly CopyColumn[]) {
    this.columns = columns;
    this.conversions = columns.map(({ type }) => loadConversion(type.column));
    for (const { name } of columns) {
      this.startValue();
      this.quoted(Buffer.from(name), 0, Buffer.byteLength(name));
    }
    this.endRow();
  }

  addNull(): void {
    this.startValue();
  }

  /** Adds the text between these positions. */
  add(bytes: Buffer, start: number, end: number): void {
    const conversion = this.conversions[this.column];
    this.startValue();
    if (conversion == null) this.quoted(bytes, start, end);
    else this.addConverted(bytes.toString('utf8', start, end), conversion);
  }

  private addConverted(text: string, conversion: Conversion): void {
    try {
      const bytes = Buffer.from(conversion(text));
      this.quoted(bytes, 0, bytes.length);
    } catch (error) {
      if (!(error instanceof PgValueError)) throw error;
      throw this.error(error.sqlState, error.message, this.column - 1);
    }
  }

  endRow(): void {
    const missing = this.columns[this.column];
    if (missing !== undefined) throw this.error('22P04', `missing data for column "${missing.name}"`);
    this.out.byte(NEWLINE);
    this.column = 0;
  }

  /** The complete rows since the last call. */
  take(): Buffer {
    const bytes = this.out.written();
    this.out = new ByteWriter(bytes.length);
    if (!isUtf8(bytes) || bytes.includes(0)) throw this.error('22021', 'invalid byte sequence for encoding "UTF8"');
    return bytes;
  }

  error(sqlState: PgValueError['sqlState'], message: string, column?: number): PgValueError {
    const location = column === undefined ? '' : `, column "${this.columns[column]!.name}"`;
    return new PgValueError(sqlState, `${message} (COPY line ${this.line}${location})`);
  }

  private startValue(): void {
    if (this.column >= this.columns.length) throw this.error('22P04', 'extra data after last expected column');
    if (this.column > 0) this.out.byte(COMMA);
    this.column++;
  }

  private quoted(source: Buffer, start: number, end: number): void {
    const { out } = this;
    out.reserve(2 * (end - start) + 2);
    const { bytes } = out;
    let { at } = out;
    bytes[at++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = source[i]!;
      bytes[at++] = byte;
      if (byte === QUOTE) bytes[at++] = QUOTE;
    }
    bytes[at++] = QUOTE;
    out.at = at;
  }
}
