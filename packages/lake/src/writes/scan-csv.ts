import type { CsvDialect } from '@svc/core/writes';
import { CSV_ROW_BYTES, CsvWalker, ROW_TOO_LONG, raggedRow, withoutMark } from './csv-walker.ts';
import { isUtf8, linesOf } from './lines-of.ts';

/** A format error in a file, at a line counted from 1. */
export type FormatFailure = { readonly line: number; readonly message: string };

export type FormScan = {
  readonly problem: FormatFailure | null;
  /** The line on which the requested record starts, or null if the scan didn't reach it. */
  readonly recordLine: number | null;
};

/**
 * Reads the file again, slowly, to report what the engine can't: ragged rows, text after a closing quote, unclosed quotes, invalid UTF-8, mixed line endings.
 * Records are counted from 1, after the header; blank lines don't count unless there is one column.
 */
export async function scanCsv(
  path: string,
  columns: number,
  record: number | null,
  dialect: CsvDialect,
): Promise<FormScan> {
  const state = new CsvScan(columns, record, dialect);
  let line = 0;
  for await (const bytes of linesOf(path)) {
    line += 1;
    const found = state.line(line === 1 ? withoutMark(bytes) : bytes, line);
    if (found) return found;
  }
  return { problem: record === null ? state.end() : null, recordLine: null };
}

const CR = 13;

class CsvScan {
  private readonly columns: number;
  private readonly wanted: number | null;
  private readonly dialect: CsvDialect;
  private readonly walker: CsvWalker;
  private records: number;
  private bytes = 0;
  private startLine = 0;
  private crlf: boolean | null = null;

  constructor(columns: number, wanted: number | null, dialect: CsvDialect) {
    this.columns = columns;
    this.wanted = wanted;
    this.dialect = dialect;
    this.walker = new CsvWalker(dialect);
    this.records = dialect.header ? -1 : 0;
  }

  line(bytes: Buffer, line: number): FormScan | null {
    if (!isUtf8(bytes)) return this.fail(line, "The text isn't valid UTF-8.");
    const continued = this.walker.inQuotes;
    if (!continued) this.startLineAt(line);
    this.bytes += bytes.length + 1;
    const carriage = bytes.at(-1) === CR;
    const problem = this.walker.walk(carriage ? bytes.subarray(0, -1) : bytes);
    if (problem) return this.fail(line, problem);
    if (this.walker.inQuotes) return null;
    if (!continued && bytes.length - Number(carriage) === 0 && this.columns > 1) return null;
    return this.finish(carriage);
  }

  end(): FormatFailure | null {
    if (!this.walker.inQuotes) return null;
    return { line: this.startLine, message: 'A quoted value that starts here has no closing quote.' };
  }

  private startLineAt(line: number): void {
    this.walker.start();
    this.bytes = 0;
    this.startLine = line;
  }

  private finish(carriage: boolean): FormScan | null {
    this.records += 1;
    if (this.wanted !== null) {
      return this.records === this.wanted ? { problem: null, recordLine: this.startLine } : null;
    }
    const { fields } = this.walker;
    if (this.bytes > CSV_ROW_BYTES) return this.fail(this.startLine, ROW_TOO_LONG);
    if (fields !== this.columns) return this.fail(this.startLine, raggedRow(fields, this.columns, this.dialect));
    this.crlf ??= carriage;
    if (this.crlf !== carriage) return this.fail(this.startLine, 'The file mixes line endings (CRLF and LF).');
    return null;
  }

  private fail(line: number, message: string): FormScan | null {
    return this.wanted === null ? { problem: { line, message }, recordLine: null } : null;
  }
}
