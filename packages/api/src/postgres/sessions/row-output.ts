import type { Format, RowBatch } from '../values/index.ts';
import type { MessageSink } from '../wire/message-sink.ts';

/** Rows that are written at once. A batch may have many more, or large ones. */
const ROWS_AT_ONCE = 1024;

/** The rows of a result, read once from the first to the last. */
export class RowCursor {
  private readonly batches: AsyncIterator<RowBatch>;
  private batch: RowBatch | null = null;
  private at = 0;
  private over = false;

  constructor(batches: AsyncIterator<RowBatch>) {
    this.batches = batches;
  }

  /**
   * Passes up to `max` rows on, in pieces.
   *
   * @returns how many, and whether there are no more
   */
  async read(
    max: number,
    write: (batch: RowBatch, from: number, to: number) => Promise<void>,
  ): Promise<{ rows: number; isAtEnd: boolean }> {
    let rows = 0;
    while (rows < max && (await this.load())) {
      const batch = this.batch!;
      const to = Math.min(batch.rowCount, this.at + ROWS_AT_ONCE, this.at + max - rows);
      await write(batch, this.at, to);
      rows += to - this.at;
      this.at = to;
    }
    return { rows, isAtEnd: rows < max || this.over };
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

/** Writes rows as DataRow messages. */
export const dataRowsTo =
  (sink: MessageSink, formats: readonly Format[]) =>
  (batch: RowBatch, from: number, to: number): Promise<void> =>
    sink.sendRows(batch.dataRows(from, to, formats));
