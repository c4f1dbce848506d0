import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ObjectStore } from '../../storage/index.ts';
import { csvLine } from './csv-lines.ts';
import type { ResultColumn, ResultPage } from './result-columns.ts';
import type { ResultFiles } from './result-files.ts';

/** Reads the results that `runQuery` wrote. The engine's library is loaded at the first use: a start should not wait for it. */
export class ResultReader {
  private readonly store: ObjectStore;
  private files: Promise<ResultFiles> | undefined;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  /** @throws StorageError `missing` when the result has been removed */
  async page(location: string, range: { readonly offset: number; readonly limit: number }): Promise<ResultPage> {
    return (await this.open()).page(location, range);
  }

  /**
   * The whole result as CSV (RFC 4180, UTF-8, one header row), piece by piece: null is an empty field, an empty text
   * `""`, a nested value its JSON. A stopped consumer ends the read.
   */
  async *csv(location: string): AsyncGenerator<string> {
    yield* (await this.open()).csv(location);
  }

  /** CSV as above, of rows that stand for a file. */
  csvOfRows(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[]): string {
    return [columns.map(({ name }) => name), ...rows].map(csvLine).join('');
  }

  /** The Parquet file of rows that stand for one; the stream removes it when it is read or left. */
  async parquetOfRows(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[]): Promise<Readable> {
    const stage = await this.store.openStage();
    try {
      const file = path.join(stage.dir, 'result.parquet');
      await (await this.open()).write(columns, rows, file);
      const handle = await fs.open(file);
      // Read through the open file: its name can go at once.
      return handle.createReadStream();
    } finally {
      await stage.close();
    }
  }

  async close(): Promise<void> {
    const { files } = this;
    this.files = undefined;
    await (await files)?.close();
  }

  private open(): Promise<ResultFiles> {
    this.files ??= import('./result-files.ts').then(({ ResultFiles }) => new ResultFiles(this.store));
    return this.files;
  }
}
