import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  applyUpdates,
  type CompactionPlan,
  currentSchema,
  type DataFileRecord,
  parseMetadata,
  prepareRewrite,
  scanFiles,
  type TableMetadata,
  writeLayout,
} from '@svc/iceberg';
import { countingIds, ENGINE_TABLES, relocatedStore } from '@svc/iceberg/testing';
import { type ObjectStore, openLocalStore } from '../../storage/index.ts';
import { type QueryOutput, type Relation, runQuery, Sandbox } from '../index.ts';

type Form = Partial<Omit<Extract<QueryOutput, { kind: 'data-files' }>, 'kind' | 'tableLocation'>>;

/** The tables of the Iceberg Java library in a folder of their own, to compact them. */
export class CompactionFixture {
  readonly dir: string;
  readonly store: ObjectStore;
  readonly sandbox: Sandbox;
  private readonly ids = countingIds(7_000_000);

  private constructor(dir: string, store: ObjectStore) {
    this.dir = dir;
    this.store = store;
    const limits = { memoryLimit: 2 ** 30, timeoutMs: 60_000, threads: 2, tempLimit: 200 * 1024 * 1024 };
    this.sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), prefork: 1, ...limits });
  }

  static async open(): Promise<CompactionFixture> {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'compaction-'));
    await fs.cp(ENGINE_TABLES, path.join(dir, 'tables'), { recursive: true });
    const store = relocatedStore(await openLocalStore(path.join(dir, 'tables')), '/warehouse/java');
    return new CompactionFixture(dir, store);
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await fs.rm(this.dir, { recursive: true, force: true });
  }

  async metadataOf(name: string): Promise<TableMetadata> {
    const { metadata } = JSON.parse(await fs.readFile(path.join(ENGINE_TABLES, name, 'expected.json'), 'utf8')) as {
      metadata: string;
    };
    return parseMetadata(await this.store.read(metadata));
  }

  async run(relation: Relation, sql: string): Promise<string[]> {
    const outcome = await runQuery(this.sandbox, {
      sql,
      resolve: async (tables) => tables.map(() => relation),
      owner: 'test',
      output: { kind: 'result', location: `${this.store.root}/results/${this.ids.uuid()}.parquet` },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.rows!.map((row) => JSON.stringify(row)).sort();
  }

  async read(metadata: TableMetadata, sql = 'FROM t'): Promise<string[]> {
    const { schema, ...scan } = await scanFiles(this.store, metadata);
    return this.run({ kind: 'managed', fields: schema.fields, ...scan }, sql);
  }

  async rewrite(metadata: TableMetadata, plan: CompactionPlan, form: Form = {}): Promise<readonly DataFileRecord[]> {
    const fields = form.fields ?? currentSchema(metadata).fields;
    const outcome = await runQuery(this.sandbox, {
      sql: 'SELECT * FROM t',
      resolve: async (tables) => tables.map(() => ({ kind: 'managed', fields, files: plan.files, ...plan.reading })),
      owner: 'test',
      output: {
        kind: 'data-files',
        tableLocation: metadata.location,
        layout: writeLayout(metadata, fields),
        ...form,
        fields,
      },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.files;
  }

  /** Commits the new files on a state of the table; null when they no longer fit it. */
  async commit(
    metadata: TableMetadata,
    plan: CompactionPlan,
    files: readonly DataFileRecord[],
    sortedBy: readonly number[] = [],
  ): Promise<TableMetadata | null> {
    const { store, ids } = this;
    const removed = new Set(plan.files.map((f) => f.location));
    const rewrite = { store, metadata, base: plan.base, removed, files, sortedBy, mergeAt: 2, now: 1, ids };
    const prepared = await prepareRewrite(rewrite);
    if (prepared === null) return null;
    const applied = applyUpdates(metadata, prepared.requirements, prepared.updates, 1);
    if (!applied.ok) throw new Error(applied.message);
    return applied.metadata;
  }
}

/** The table as of some snapshots ago. */
export function earlier(metadata: TableMetadata, back: number): TableMetadata {
  const log = metadata['snapshot-log'];
  const id = log.at(-1 - back)!['snapshot-id'];
  const at = log.findIndex((e) => e['snapshot-id'] === id);
  return {
    ...metadata,
    'current-snapshot-id': id,
    snapshots: metadata.snapshots.filter((s) => log.findIndex((e) => e['snapshot-id'] === s['snapshot-id']) <= at),
    'snapshot-log': log.slice(0, at + 1),
    refs: { main: { 'snapshot-id': id, type: 'branch' } },
  };
}
