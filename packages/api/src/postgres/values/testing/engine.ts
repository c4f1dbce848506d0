import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryParams } from '@svc/core/queries';
import { type QueryOutcome, type ResultColumn, ResultReader, runQuery, Sandbox } from '@svc/lake/queries';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { type RowBatch, rowsOfArrow } from '../rows.ts';

/** The engine without tables. */
export class Engine {
  readonly reader: ResultReader;
  readonly sandbox: Sandbox;
  readonly store: ObjectStore;
  private readonly folder: string;
  private results = 0;

  private constructor(folder: string, store: ObjectStore) {
    this.folder = folder;
    this.store = store;
    this.reader = new ResultReader(store);
    this.sandbox = new Sandbox({
      ...{ store, tempDir: join(folder, 'tmp'), prefork: 1, memoryLimit: 1 << 30, timeoutMs: 30_000 },
      ...{ threads: 2, tempLimit: 200 << 20 },
    });
  }

  static async open(): Promise<Engine> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-values-'));
    return new Engine(folder, await openLocalStore(join(folder, 'warehouse')));
  }

  query(sql: string, params: QueryParams | null = null): Promise<QueryOutcome> {
    const output = { kind: 'result', location: `${this.store.root}/results/${++this.results}.parquet` } as const;
    const resolve = async (tables: readonly unknown[]) => tables.map(() => null);
    return runQuery(this.sandbox, { sql, params, resolve, owner: 'ann', output });
  }

  /** The rows of a query, or its error. */
  async rows(sql: string, params: QueryParams | null = null): Promise<unknown> {
    const outcome = await this.query(sql, params);
    return outcome.ok ? outcome.rows : `${outcome.error.code}: ${outcome.error.message}`;
  }

  /** The result of a query with more rows than are inline, from its file. */
  async stored(sql: string): Promise<readonly RowBatch[]> {
    const outcome = await this.query(`SELECT * FROM (${sql}) UNION ALL SELECT NULL FROM range(1001)`);
    if (!outcome.ok) throw new Error(`${outcome.error.message} - ${sql}`);
    const location = `${this.store.root}/results/${this.results}.parquet`;
    return batches(outcome.columns, this.reader.arrow(location));
  }

  async close(): Promise<void> {
    await this.reader.close();
    await this.sandbox.close();
    await rm(this.folder, { recursive: true });
  }
}

/** All rows of an Arrow stream. */
export async function batches(
  columns: readonly ResultColumn[],
  stream: AsyncIterable<Uint8Array>,
): Promise<readonly RowBatch[]> {
  const all: RowBatch[] = [];
  for await (const batch of rowsOfArrow(columns, stream)) all.push(batch);
  return all;
}
