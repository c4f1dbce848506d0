import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Column, fieldsOfColumns, filteredPrefix, joinLocation, type ScanFile } from '@svc/iceberg';
import { type ObjectStore, openLocalStore } from '../../storage/index.ts';
import {
  type QueryOutcome,
  type QueryRequest,
  type Relation,
  runQuery,
  Sandbox,
  type SandboxOptions,
  tableKey,
} from '../index.ts';
import { type DataFileForm, dataFileOptions } from '../output/output-sql.ts';
import type { Policies } from '../relations/relations.ts';
import { literal } from '../sql-text.ts';

/** The engine must not take this name for a column. */
const WAREHOUSE = 'folder=warehouse';

/** A store with a few tables, a sandbox on it, and a resolver that knows the tables by name. */
export class QueryFixture {
  readonly dir: string;
  readonly store: ObjectStore;
  readonly sandbox: Sandbox;
  readonly relations = new Map<string, Relation>();
  private results = 0;

  private constructor(dir: string, store: ObjectStore, more: Partial<SandboxOptions>) {
    this.dir = dir;
    this.store = store;
    this.sandbox = new Sandbox({
      store,
      tempDir: path.join(dir, 'tmp'),
      prefork: 2,
      memoryLimit: 1024 * 1024 * 1024,
      timeoutMs: 30_000,
      threads: 2,
      tempLimit: 200 * 1024 * 1024,
      ...more,
    });
  }

  /** The folder of the store. */
  get warehouse(): string {
    return path.join(this.dir, WAREHOUSE);
  }

  static async create(more: Partial<SandboxOptions> = {}): Promise<QueryFixture> {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'query-'));
    return new QueryFixture(dir, await openLocalStore(path.join(dir, WAREHOUSE)), more);
  }

  /** Writes the rows of a trusted query as one data file of a managed table of that name. */
  async addTable(
    name: string,
    columns: readonly Column[],
    select: string,
    { form = {}, ...policies }: Policies & { readonly form?: DataFileForm } = {},
  ): Promise<ScanFile> {
    const { fields } = fieldsOfColumns(columns);
    const location = joinLocation(this.store.root, name, 'data', `${filteredPrefix(form.filtered ?? [])}f.parquet`);
    const stage = await this.store.openStage();
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const target = path.join(stage.dir, 'd');
    await connection.run(`COPY (${select}) TO ${literal(target).text} (${dataFileOptions(fields, form).text})`);
    connection.closeSync();
    instance.closeSync();
    const [written] = await fs.readdir(target);
    const { size } = await this.store.moveInto(path.join(target, written!), location);
    await stage.close();
    const file = { location, rows: 0, bytes: size, deletes: [] };
    this.relations.set(name.toLowerCase(), { kind: 'managed', fields, files: [file], ...policies });
    return file;
  }

  readonly resolve: QueryRequest['resolve'] = async (tables) =>
    tables.map(({ name }) => this.relations.get(tableKey(name)) ?? null);

  query(sql: string, more: Partial<QueryRequest> = {}): Promise<QueryOutcome> {
    const location = joinLocation(this.store.root, 'results', `r${++this.results}.parquet`);
    const output = { kind: 'result', location } as const;
    return runQuery(this.sandbox, { sql, resolve: this.resolve, owner: 'tester', output, ...more });
  }

  /** Rows of a query that must succeed. */
  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    const outcome = await this.query(sql);
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message} — ${sql}`);
    return outcome.rows!;
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await fs.rm(this.dir, { recursive: true, force: true });
  }
}
