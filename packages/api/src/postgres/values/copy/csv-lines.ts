import { type CopyOptions, isForced } from './copy-options.ts';
import type { CopyColumn } from './csv-rows.ts';
import type { FindLine, ReadLine } from './line-copy.ts';

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
  const delimiter = options.delimiter.charCodeAt(0);
  const [quote, escapeByte] = [options.quote.charCodeAt(0), options.escape.charCodeAt(0)];
  const none = Buffer.from(options.nullText);
  const notNull = columns.map(({ name }) => isForced(options.forceNotNull, name));
  const alsoQuoted = columns.map(({ name }) => isForced(options.forceNull, name));
  let value = Buffer.allocUnsafe(1 << 10);
  return (line, { add, addNull }) => {
    if (value.length < line.length) value = Buffer.allocUnsafe(2 * line.length);
    let column = 0;
    for (let at = 0; at <= line.length; at++, column++) {
      let [length, inQuotes, sawQuote] = [0, false, false];
      for (; at < line.length && (inQuotes || line[at] !== delimiter); at++) {
        const byte = line[at]!;
        if (inQuotes && byte === escapeByte && (line[at + 1] === quote || line[at + 1] === escapeByte)) {
          value[length++] = line[++at]!;
        } else if (byte === quote) [inQuotes, sawQuote] = [!inQuotes, true];
        else value[length++] = byte;
      }
      const isNone = length === none.length && value.compare(none, 0, none.length, 0, length) === 0;
      const isNull = isNone && (sawQuote ? alsoQuoted[column] : !notNull[column]);
      if (isNull) addNull();
      else add(value, 0, length);
    }
  };
}
