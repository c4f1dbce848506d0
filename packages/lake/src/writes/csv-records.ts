import type { CsvDialect } from '@svc/core/writes';
import { CSV_ROW_BYTES, CsvWalker, ROW_TOO_LONG, raggedRow, withoutMark } from './csv-walker.ts';
import { isUtf8 } from './lines-of.ts';

/** A row of CSV or a line of NDJSON. */
export type FoundRecord = {
  readonly line: number;
  /** Its lines; of a valid one, as they are written. */
  readonly pieces: readonly Buffer[];
  /** Why it is rejected, or null. */
  readonly reason: string | null;
};

const CR = 13;
const UNCLOSED = 'A quoted value that starts here has no closing quote.';

const withoutReturn = (line: Buffer): Buffer => (line.at(-1) === CR ? line.subarray(0, -1) : line);

/**
 * The rows of a CSV file. If the quotes of a row that spans several lines are broken, only its first line is rejected: the
 * next line starts a row again.
 */
export class CsvRecords {
  private readonly columns: number;
  private readonly dialect: CsvDialect;
  private readonly walker: CsvWalker;
  /** The lines of the row that isn't complete. */
  private pending: Buffer[] = [];
  private bytes = 0;
  /** Number of the next line, and of the first pending one. */
  private line = 1;
  private firstLine = 1;
  private isHeaderNext: boolean;

  constructor(columns: number, dialect: CsvDialect) {
    this.columns = columns;
    this.dialect = dialect;
    this.walker = new CsvWalker(dialect);
    this.isHeaderNext = dialect.header;
  }

  *add(line: Buffer): Generator<FoundRecord> {
    // The next line is the last one.
    const queue = [this.line === 1 ? withoutMark(line) : line];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (this.pending.length === 0) this.start();
      const found = this.addLine(next);
      if (found === null) continue;
      const pieces = this.pending;
      this.pending = [];
      if (found.isBroken && pieces.length > 1) {
        for (let i = pieces.length - 1; i > 0; i--) queue.push(pieces[i]!);
        this.line = this.firstLine + 1;
        yield* this.unclosed(pieces[0]!);
      } else yield* this.afterHeader({ reason: found.reason, line: this.firstLine, pieces });
    }
  }

  *end(): Generator<FoundRecord> {
    while (this.pending.length > 0) {
      const [first, ...others] = this.pending;
      this.pending = [];
      this.line = this.firstLine + 1;
      yield* this.unclosed(first!);
      for (const line of others) yield* this.add(line);
    }
  }

  private start(): void {
    this.walker.start();
    this.bytes = 0;
    this.firstLine = this.line;
  }

  /** Adds a line to the row. Null if the row isn't complete, or if the line is blank. `isBroken`: its quotes prove nothing. */
  private addLine(line: Buffer): { reason: string | null; isBroken: boolean } | null {
    this.line += 1;
    const ends = withoutReturn(line);
    if (this.pending.length === 0 && ends.length === 0 && this.columns > 1) return null;
    this.bytes += line.length + 1;
    const problem = isUtf8(line) ? this.walker.walk(ends) : "The text isn't valid UTF-8.";
    const isOpen = problem === null && this.walker.inQuotes;
    this.pending.push(isOpen ? line : ends);
    if (problem !== null) return { reason: problem, isBroken: true };
    if (this.bytes > CSV_ROW_BYTES) return { reason: isOpen ? UNCLOSED : ROW_TOO_LONG, isBroken: isOpen };
    return isOpen ? null : { reason: this.formProblem(), isBroken: false };
  }

  private formProblem(): string | null {
    const { fields, hasCarriage } = this.walker;
    if (fields !== this.columns) return raggedRow(fields, this.columns, this.dialect);
    return hasCarriage ? 'The row contains a carriage return outside of quotes.' : null;
  }

  private unclosed(line: Buffer): Generator<FoundRecord> {
    return this.afterHeader({ line: this.firstLine, pieces: [withoutReturn(line)], reason: UNCLOSED });
  }

  /** The header row isn't a record. */
  private *afterHeader(record: FoundRecord): Generator<FoundRecord> {
    if (this.isHeaderNext) this.isHeaderNext = false;
    else yield record;
  }
}
