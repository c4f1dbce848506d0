import type { AffectedRows } from '@svc/core/queries';
import type { Transaction } from '@svc/db/connection';
import { findTableById, type StoredTable, tablesInside } from '@svc/db/tables';
import {
  type DataFileRecord,
  type IcebergField,
  joinLocation,
  lineageOf,
  readTableMetadata,
  readTableScan,
  removeFiles,
  requireNoneInside,
  type ScanFile,
  type TableScan,
  type TableState,
  withoutLineage,
} from '@svc/iceberg';
import {
  CHANGE_TABLES,
  type ChangeParameters,
  countSql,
  matchesSql,
  mergeInsertSql,
  type QueryOutcome,
  type QueryOutput,
  type Relation,
  type Resolve,
  type Rewriting,
  rewrittenSql,
  runQuery,
  summarySql,
} from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';
import { auditWork, type Origin } from '../work/events.ts';
import { failure, failureOf, type Requester } from '../work/failures.ts';
import { scopeOfTable } from './commit.ts';
import { type CommitAlongside, commitChange } from './commit-change.ts';
import { layoutFor } from './layout.ts';

/** How often a change runs again because something else was committed to the table concurrently. */
const ATTEMPTS = 20;

/** Ends a change of rows; nothing was changed. */
export class ChangeFailedError extends Error {
  readonly failure: ReturnType<typeof failure>;

  constructor(of: ReturnType<typeof failure>) {
    super(of.detail);
    this.failure = of;
  }
}

/** What a change needs to know about the work that it belongs to. */
export interface ChangeWork {
  deps: WorkerDeps;
  environment: { id: string; name: string };
  origin: Origin;
  /** Other tables that the change reads, as its principal may read them. */
  resolve: Resolve;
  /** See `sandboxOwner`. */
  owner: string;
  /** The reader to whom error remedies apply. */
  requester: Requester | undefined;
  signal: AbortSignal;
  /** A location for files that only this claim uses. */
  scratch: string;
  params: ChangeParameters;
  /** The rows that are merged by key. */
  source?: Relation;
  /** Whether to count the rows only. */
  dryRun: boolean;
  /** Verifies the contents that the change leads to, before they are committed. @throws ChangeFailedError */
  verify?: (contents: Relation) => Promise<void>;
  /** What else the commit changes. There is then a commit even if no row changes. */
  alongside?: CommitAlongside;
  /** Finishes the work; with a transaction, in the one that commits the change. */
  finish: (affected: AffectedRows, commit: { tx: Transaction; snapshotId: number } | null) => Promise<void>;
}

/**
 * Runs an UPDATE, DELETE or MERGE, again if something else was committed to the table concurrently. All that it reads is of one
 * version.
 *
 * @throws ChangeFailedError, QueryRejectedError
 */
export async function rewriteRows(work: ChangeWork, table: StoredTable, change: Rewriting): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rewriting = await RowRewriting.open(work, table, change);
    if (await rewriting.run()) return;
  }
  const detail = 'Nothing was changed: other commits changed the table at every attempt.';
  throw new ChangeFailedError(failure('write-conflict', detail, 'Start it again.'));
}

/** @throws ChangeFailedError */
export function succeeded(
  { requester }: Pick<ChangeWork, 'requester'>,
  outcome: QueryOutcome,
): Extract<QueryOutcome, { ok: true }> {
  if (outcome.ok) return outcome;
  throw new ChangeFailedError(failureOf(outcome.error, requester));
}

/** An UPDATE, DELETE or MERGE of one version of its table. */
class RowRewriting {
  private readonly work: ChangeWork;
  private readonly table: StoredTable;
  private readonly change: Rewriting;
  private readonly state: TableState;
  private readonly scan: TableScan;
  /** The table's columns, and those of its row ids. */
  private readonly fields: readonly IcebergField[];
  /** Every other table is read in one version too. */
  private readonly read = new Map<string, ReturnType<Resolve>>();

  private constructor(
    { work, table, change }: { work: ChangeWork; table: StoredTable; change: Rewriting },
    state: TableState,
    scan: TableScan,
  ) {
    this.work = work;
    this.table = table;
    this.change = change;
    this.state = state;
    this.scan = scan;
    this.fields = [...scan.schema.fields, ...lineageOf(state.metadata)];
  }

  static async open(work: ChangeWork, { id }: StoredTable, change: Rewriting): Promise<RowRewriting> {
    const { deps } = work;
    const table = await findTableById(deps.db.prisma, id);
    const location = table?.metadata_location;
    if (table === null || location == null) {
      const detail = `The table ${change.namespace}.${change.table} was dropped in the meantime.`;
      throw new ChangeFailedError(failure('not-found', detail));
    }
    const metadata = await readTableMetadata(deps.store, location);
    const scan = await readTableScan(deps.store, location);
    requireNoneInside(scan.files, await tablesInside(deps.db.prisma, table.location ?? metadata.location));
    return new RowRewriting({ work, table, change }, { metadataLocation: location, metadata }, scan);
  }

  /** Returns false if something else was committed to the table concurrently. */
  async run(): Promise<boolean> {
    const { work, change } = this;
    const found = await this.runSql(matchesSql(change, this.fields), {
      kind: 'data-files',
      tableLocation: joinLocation(work.scratch, 'matches'),
      fields: null,
    });
    try {
      return await this.apply(writtenRows(found.fields, found.files), found.rowCount);
    } finally {
      await this.remove(found.files);
    }
  }

  private async apply(matches: Relation, rowCount: number): Promise<boolean> {
    const { work, change, scan } = this;
    const summary =
      rowCount === 0 ? { updated: 0, deleted: 0, files: new Set<string>() } : await this.summarize(matches);
    const inserting = change.kind === 'merge' ? mergeInsertSql(change, this.fields) : null;
    const { updated, deleted } = summary;
    if (work.dryRun) {
      const inserted = inserting === null ? 0 : await this.count(inserting);
      await work.finish({ inserted, updated, deleted }, null);
      return true;
    }
    const removed = scan.files.filter((file) => summary.files.has(file.location));
    const written: DataFileRecord[] = [];
    try {
      const inserted = inserting === null ? 0 : await this.write(written, inserting, scan.schema.fields);
      if (removed.length > 0)
        await this.write(written, rewrittenSql(change, this.fields), this.fields, { matches, files: removed });
      await work.verify?.(this.contentsAfter(removed, written));
      return await this.commit({ inserted, updated, deleted }, removed, written);
    } catch (error) {
      // Files that a lost race or a failed transaction leaves are removed by the commit.
      if (error instanceof ChangeFailedError) await this.remove(written);
      throw error;
    }
  }

  private async commit(
    affected: AffectedRows,
    removed: readonly ScanFile[],
    files: readonly DataFileRecord[],
  ): Promise<boolean> {
    const { work, change, table, state, scan } = this;
    if (removed.length === 0 && files.length === 0 && work.alongside === undefined) {
      await work.finish(affected, null);
      return true;
    }
    return commitChange(work.deps, {
      table,
      state,
      base: scan.snapshot,
      removed: new Set(removed.map(({ location }) => location)),
      files,
      ...(work.alongside === undefined ? {} : { alongside: work.alongside }),
      finish: async (tx, snapshotId) => {
        await work.finish(affected, { tx, snapshotId });
        const rows = affected.inserted + affected.updated + affected.deleted;
        const detail = {
          table_id: table.id,
          mode: change.kind,
          rows,
          ...affected,
          snapshot_id: snapshotId,
          watermark: work.alongside?.watermark ?? null,
        };
        const object = scopeOfTable(work.environment.name, table);
        await auditWork(work.deps, tx, work.origin, { type: 'TABLE_WRITE', object, detail });
      },
    });
  }

  /** The rows of the table once the change is committed. */
  private contentsAfter(removed: readonly ScanFile[], written: readonly DataFileRecord[]): Relation {
    const remaining = this.scan.files.filter((file) => !removed.includes(file));
    const { nameMapping = null, formerSchemas = [], schema } = this.scan;
    const files = [...remaining, ...written.map(asScanned)];
    return { kind: 'managed', fields: schema.fields, files, nameMapping, formerSchemas };
  }

  private remove(files: readonly DataFileRecord[]): Promise<void> {
    return removeFiles(
      this.work.deps.store,
      files.map((file) => file.file_path),
    );
  }

  /** Counts the rows that were found, and names the files that contain them. */
  private async summarize(
    matches: Relation,
  ): Promise<{ updated: number; deleted: number; files: ReadonlySet<string> }> {
    const { work, change, scan } = this;
    const output = { kind: 'result', location: joinLocation(work.scratch, 'summary.parquet') } as const;
    const { rows } = await this.runSql(summarySql(), output, { matches, files: [] });
    // The names of very many files aren't returned inline.
    if (rows === null)
      throw new ChangeFailedError(
        failure('not-supported', TOO_MANY_FILES, 'Compact the table first: svc table maintain --compact'),
      );
    const [updated, deleted, same, paths] = rows[0] as [number, number, number, string];
    if (Number(same) > 0) {
      const detail = `Several rows match the same row of ${change.namespace}.${change.table}, so its new values aren't clear.`;
      const remedy =
        'Make sure that at most one row matches: for example, group the source by the columns of the condition.';
      throw new ChangeFailedError(failure('ambiguous-change', `${detail} ${remedy}`));
    }
    const local = new Map<string, string>();
    for (const { location } of scan.files) local.set(await work.deps.store.localPath(location), location);
    const files = new Set(paths.split('\n').map((path) => local.get(path)!));
    return { updated: Number(updated), deleted: Number(deleted), files };
  }

  private async count(sql: string): Promise<number> {
    const output = { kind: 'result', location: joinLocation(this.work.scratch, 'count.parquet') } as const;
    const { rows } = await this.runSql(countSql(sql), output);
    return Number(rows![0]![0]);
  }

  /** Writes rows to data files, which are added to `written`; returns their number. */
  private async write(
    written: DataFileRecord[],
    sql: string,
    fields: readonly IcebergField[],
    about?: { matches: Relation; files: readonly ScanFile[] },
  ): Promise<number> {
    const { metadata } = this.state;
    const layout = layoutFor(metadata, this.scan.schema.fields);
    if ('code' in layout) throw new ChangeFailedError(layout);
    const output = { kind: 'data-files', tableLocation: metadata.location, fields, layout } as const;
    const { files, rowCount } = await this.runSql(sql, output, about);
    written.push(...files.map(withoutLineage));
    return rowCount;
  }

  private async runSql(
    sql: string,
    output: QueryOutput,
    about: { matches?: Relation; files: readonly ScanFile[] } = { files: this.scan.files },
  ) {
    const { work } = this;
    const resolve = this.resolve(about);
    const { signal } = work;
    return succeeded(
      work,
      await runQuery(work.deps.sandbox, {
        sql,
        params: work.params.in(sql),
        resolve,
        output,
        cache: false,
        owner: work.owner,
        signal,
      }),
    );
  }

  /** The tables of this change by their own names, and others as the submitter may read them, all in one version. */
  private resolve({ matches, files }: { matches?: Relation; files: readonly ScanFile[] }): Resolve {
    const { change, work } = this;
    const own: Record<string, Relation | undefined> = {
      [`${CHANGE_TABLES.namespace}.${CHANGE_TABLES.target}`]: this.target(files),
      [`${CHANGE_TABLES.namespace}.${CHANGE_TABLES.matches}`]: matches,
      [`${CHANGE_TABLES.namespace}.${CHANGE_TABLES.source}`]: work.source,
      [`${change.namespace}.${change.table}`.toLowerCase()]: {
        ...this.target(this.scan.files),
        fields: this.scan.schema.fields,
        withPositions: false,
      },
    };
    return async (tables) => {
      const relations = tables.map(async (table) => {
        const name = table.name.join('.').toLowerCase();
        const found = table.version === null ? own[name] : undefined;
        if (found !== undefined) return found;
        const key = JSON.stringify([name, table.version]);
        const reading = this.read.get(key) ?? work.resolve([table]);
        this.read.set(key, reading);
        return (await reading)[0] ?? null;
      });
      return Promise.all(relations);
    };
  }

  private target(files: readonly ScanFile[]): Extract<Relation, { kind: 'managed' }> {
    const { nameMapping, formerSchemas } = this.scan;
    return {
      kind: 'managed',
      fields: this.fields,
      // Only files that are inspected can have more columns than the table.
      files: files.map((file) => ({ ...file, sameColumns: false })),
      nameMapping: nameMapping ?? null,
      formerSchemas: formerSchemas ?? [],
      withPositions: true,
    };
  }
}

/** Files that were just written, as a table. */
export const writtenRows = (fields: readonly IcebergField[], files: readonly DataFileRecord[]): Relation => ({
  kind: 'managed',
  fields,
  files: files.map(asScanned),
});

export const asScanned = ({ file_path, record_count, file_size_in_bytes }: DataFileRecord): ScanFile => ({
  location: file_path,
  rows: Number(record_count),
  bytes: Number(file_size_in_bytes),
  deletes: [],
  sameColumns: true,
});

const TOO_MANY_FILES = 'The rows to change are in too many files.';
