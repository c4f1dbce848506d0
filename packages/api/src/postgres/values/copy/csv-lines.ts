import type { FindLine, ReadLine } from './copy-data.ts';
import { type CopyOptions, isForced } from './copy-options.ts';
import type { CopyColumn } from './csv-rows.ts';

const NEWLINE = 10;

/** Lines of CSV: a line feed in quotes is a part of a value. */
export function csvLines(options: CopyOptions): FindLine {
  const [quote, escapeByte] = [options.quote.charCodeAt(0), options.escape.charCodeAt(0)];
  // A long line is scanned only once: these say how far the last call came.
  let [scanned, inQuotes, isEscaped] = [0, false, false];
  return (bytes, start) => {
    for (let at = start + scanned; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === NEWLINE && !inQuotes) {
        [scanned, isEscaped] = [0, false];
        return at;
      }
      if (inQuotes && byte === escapeByte && escapeByte !== quote) isEscaped = !isEscaped;
      else {
        if (byte === quote && !isEscaped) inQuotes = !inQuotes;
        isEscaped = false;
      }
    }
    scanned = bytes.length - start;
    return null;
  };
}

/** Reads the fields of a line of CSV as PostgreSQL does: quotes may start anywhere in a field. */
export function readCsvLine(options: CopyOptions, columns: readonly CopyColumn[]): ReadLine {
  const field = new CsvField(options);
  const none = Buffer.from(options.nullText);
  const notNull = columns.map(({ name }) => isForced(options.forceNotNull, name));
  const alsoQuoted = columns.map(({ name }) => isForced(options.forceNull, name));
  return (line, { add, addNull }) => {
    for (let [at, column] = [0, 0]; at <= line.length; column++) {
      at = field.read(line, at) + 1;
      const mayBeNull = field.sawQuote ? alsoQuoted[column] : !notNull[column];
      if (mayBeNull && field.isText(none)) addNull();
      else add(field.value, 0, field.length);
    }
  };
}

/** The field that was read last, without its quotes. */
class CsvField {
  value: Buffer = Buffer.allocUnsafe(1 << 10);
  length = 0;
  sawQuote = false;
  private readonly delimiter: number;
  private readonly quote: number;
  private readonly escape: number;

  constructor(options: CopyOptions) {
    this.delimiter = options.delimiter.charCodeAt(0);
    this.quote = options.quote.charCodeAt(0);
    this.escape = options.escape.charCodeAt(0);
  }

  /** Reads the field that starts here and returns its end. */
  read(line: Buffer, start: number): number {
    if (this.value.length < line.length) this.value = Buffer.allocUnsafe(2 * line.length);
    const { value, quote, delimiter } = this;
    let [at, length, inQuotes] = [start, 0, false];
    this.sawQuote = false;
    for (; at < line.length && (inQuotes || line[at] !== delimiter); at++) {
      const byte = line[at]!;
      if (inQuotes && this.isEscape(byte, line[at + 1])) value[length++] = line[++at]!;
      else if (byte === quote) [inQuotes, this.sawQuote] = [!inQuotes, true];
      else value[length++] = byte;
    }
    this.length = length;
    return at;
  }

  isText(text: Buffer): boolean {
    return this.length === text.length && this.value.compare(text, 0, text.length, 0, this.length) === 0;
  }

  private isEscape(byte: number, next: number | undefined): boolean {
    return byte === this.escape && (next === this.quote || next === this.escape);
  }
}
