import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ObjectStore } from '../../storage/index.ts';
import { type CsvOptions, csvWriter } from './csv-lines.ts';
import type { ResultColumn, ResultPage } from './result-columns.ts';
import type { ResultFiles } from './result-files.ts';

/**
 * Reads the results that `runQuery` wrote. Loads the engine's library at the first use, so that it doesn't delay
 * startup.
 */
export class ResultReader {
  private readonly store: ObjectStore;
  private files: Promise<ResultFiles> | undefined;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  /** @throws StorageError `missing` if the result has been removed */
  async page(location: string, range: { readonly offset: number; readonly limit: number }): Promise<ResultPage> {
    return (await this.open()).page(location, range);
  }

  /**
   * The whole result as CSV (RFC 4180, UTF-8, one header row) in chunks: null is an empty field, an empty text `""`, a
   * nested value its JSON. Reading stops when the consumer stops. Unless `raw`, text that starts like a formula of a
   * spreadsheet has a `'` before it.
   */
  async *csv(location: string, options: CsvOptions): AsyncGenerator<string> {
    yield* (await this.open()).csv(location, options);
  }

  /** CSV as above, from inline rows without a file. */
  csvOfRows(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[], options: CsvOptions): string {
    const csv = csvWriter(columns, options);
    return csv.header + rows.map(csv.line).join('');
  }

  /** The Parquet file for inline rows. */
  async parquetOfRows(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[]): Promise<Readable> {
    return (await this.openFileOf(columns, rows)).createReadStream();
  }

  /**
   * The whole result as an Arrow IPC stream: a schema, record batches, the end. Reading stops when the consumer stops.
   *
   * @throws StorageError `missing` if the result has been removed
   */
  async *arrow(location: string): AsyncGenerator<Uint8Array> {
    const { arrowStream } = await import('./arrow-stream.ts');
    yield* arrowStream(await fs.open(await this.store.localPath(location)));
  }

  /** Arrow as above, from inline rows. */
  async *arrowOfRows(
    columns: readonly ResultColumn[],
    rows: readonly (readonly unknown[])[],
  ): AsyncGenerator<Uint8Array> {
    const { arrowStream } = await import('./arrow-stream.ts');
    yield* arrowStream(await this.openFileOf(columns, rows));
  }

  async close(): Promise<void> {
    const { files } = this;
    this.files = undefined;
    await (await files)?.close();
  }

  /** A Parquet file of inline rows. It has no name anymore, so it disappears when the handle is closed. */
  private async openFileOf(
    columns: readonly ResultColumn[],
    rows: readonly (readonly unknown[])[],
  ): Promise<FileHandle> {
    const stage = await this.store.openStage();
    try {
      const file = path.join(stage.dir, 'result.parquet');
      await (await this.open()).write(columns, rows, file);
      return await fs.open(file);
    } finally {
      await stage.close();
    }
  }

  private open(): Promise<ResultFiles> {
    this.files ??= import('./result-files.ts').then(({ ResultFiles }) => new ResultFiles(this.store));
    return this.files;
  }
}
