import { type Format, type RowBatch, rowsOfJson } from '../values/index.ts';
import type { MessageSink } from '../wire/message-sink.ts';

export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}

/** What is written at once. A batch may have many more rows, or large ones. */
const AT_ONCE = { rows: 1024, bytes: 256 * 1024 };
const FIRST_ROWS = 16;

/** Returns the number of bytes. */
export type WriteRows = (batch: RowBatch, from: number, to: number) => Promise<number>;

/** The rows of a result, read once from the first to the last. */
export class RowCursor {
  private readonly batches: AsyncIterator<RowBatch>;
  private batch: RowBatch | null = null;
  private at = 0;
  private over = false;
  /** How many rows are written next. */
  private step = FIRST_ROWS;

  constructor(batches: AsyncIterator<RowBatch>) {
    this.batches = batches;
  }

  /**
   * Passes up to `max` rows on, in pieces.
   *
   * @param write returns the number of bytes of the rows
   * @returns how many; fewer than `max` at the end
   */
  async read(max: number, write: WriteRows): Promise<number> {
    let rows = 0;
    while (rows < max && (await this.load())) {
      const batch = this.batch!;
      const to = Math.min(batch.rowCount, this.at + this.step, this.at + max - rows);
      const bytes = await write(batch, this.at, to);
      const fitting = Math.floor((AT_ONCE.bytes * (to - this.at)) / Math.max(1, bytes));
      // Later rows may be larger.
      this.step = Math.max(1, Math.min(AT_ONCE.rows, fitting, 4 * this.step));
      rows += to - this.at;
      this.at = to;
    }
    return rows;
  }

  get isOver(): boolean {
    return this.over;
  }

  /** Releases the rows that nobody reads. */
  async close(): Promise<void> {
    this.over = true;
    this.batch = null;
    await this.batches.return?.();
  }

  private async load(): Promise<boolean> {
    while (!this.over && (this.batch === null || this.at === this.batch.rowCount)) {
      const next = await this.batches.next();
      if (next.done) {
        this.over = true;
        this.batch = null;
      } else [this.batch, this.at] = [next.value, 0];
    }
    return this.batch !== null;
  }
}

/** A result that is complete. */
export function completeRows(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[]): RowCursor {
  async function* one() {
    if (rows.length > 0) yield rowsOfJson(columns, rows);
  }
  return new RowCursor(one());
}

/** Writes rows as DataRow messages. */
export const dataRowsTo =
  (sink: MessageSink, formats: readonly Format[]): WriteRows =>
  (batch, from, to) =>
    sink.sendRows(batch.dataRows(from, to, formats));
