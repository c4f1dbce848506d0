import type { CsvDialect } from '@svc/core/writes';

const CR = 13;
const BOM = Buffer.from('\ufeff');

/** Size of a CSV row that the engine's reader certainly accepts: it buffers a whole row. */
export const CSV_ROW_BYTES = 8_000_000;
export const ROW_TOO_LONG = `The row is longer than ${CSV_ROW_BYTES / 1e6} MB. Load a file with such values as Parquet or NDJSON.`;

/** A line without a leading byte order mark. */
export const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes;

/** Walks over the lines of a row of CSV: counts its values and validates its quotes. */
export class CsvWalker {
  private readonly delimiter: number;
  private readonly quote: number;
  fields = 0;
  inQuotes = false;
  /** Whether a carriage return is outside of quotes. */
  hasCarriage = false;

  constructor({ delimiter, quote }: Pick<CsvDialect, 'delimiter' | 'quote'>) {
    this.delimiter = delimiter.charCodeAt(0);
    this.quote = quote === '' ? -1 : quote.charCodeAt(0);
  }

  start(): void {
    this.fields = 1;
    this.inQuotes = false;
    this.hasCarriage = false;
  }

  /** Walks over a line of the row, without its line ending; returns what is wrong with its quotes, or null. */
  walk(bytes: Buffer): string | null {
    const { delimiter, quote } = this;
    let fieldStart = !this.inQuotes;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (this.inQuotes) {
        if (byte !== quote) continue;
        if (bytes[i + 1] === quote) i += 1;
        else {
          this.inQuotes = false;
          const next = bytes[i + 1];
          if (next !== undefined && next !== delimiter)
            return 'A closing quote is followed by text. Double quotes inside a value.';
        }
      } else if (byte === delimiter) {
        this.fields += 1;
        fieldStart = true;
        continue;
      } else if (byte === quote && fieldStart) this.inQuotes = true;
      else if (byte === CR) this.hasCarriage = true;
      fieldStart = false;
    }
    return null;
  }
}

export function raggedRow(fields: number, columns: number, { header }: Pick<CsvDialect, 'header'>): string {
  return `The row has ${fields} values, but the ${header ? 'header' : 'table'} has ${columns} columns.`;
}
