import type { AffectedRows } from '@svc/core/queries';
import { findTableById, type StoredTable, tablesInside } from '@svc/db/tables';
import {
  type DataFileRecord,
  type IcebergField,
  joinLocation,
  lineageOf,
  POSITION_DELETE_FIELDS,
  POSITION_DELETE_LAYOUT,
  type PositionDeletes,
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
  countSql,
  matchesSql,
  mergeInsertSql,
  positionsSql,
  type QueryOutput,
  type Relation,
  type Resolve,
  type Rewriting,
  rewrittenSql,
  runQuery,
  summarySql,
} from '@svc/lake/queries';
import { failure } from '../work/failures.ts';
import { changeOnTrino } from './change-on-trino.ts';
import { ChangeFailedError, type ChangeWork, droppedTable, succeeded } from './change-work.ts';
import { commitRows } from './commit-rows.ts';
import { layoutFor } from './layout.ts';
import { type ChangedFile, isMarked } from './marked-files.ts';
import { allFiles, contentsAfter, type WrittenChange, writtenRows } from './written-change.ts';

/** How often a change runs again because something else was committed to the table concurrently. */
const ATTEMPTS = 20;

/**
 * Runs an UPDATE, DELETE or MERGE, again if something else was committed to the table concurrently. All that it reads is of one
 * version.
 *
 * @throws ChangeFailedError, QueryRejectedError
 */
export async function rewriteRows(work: ChangeWork, table: StoredTable, change: Rewriting): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await runOnce(work, table, change)) return;
  }
  const detail = 'Nothing was changed: other commits changed the table at every attempt.';
  throw new ChangeFailedError(failure('write-conflict', detail, 'Start it again.'));
}

/** Returns false if something else was committed to the table concurrently. */
async function runOnce(work: ChangeWork, table: StoredTable, change: Rewriting): Promise<boolean> {
  const { engine } = work;
  const changed = 'change' in engine ? await changeOnTrino(work, engine, table, change) : null;
  if (changed !== null) return changed;
  const rewriting = await RowRewriting.open(work, table, change);
  return rewriting.run();
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
    if (table === null || location == null) throw droppedTable(change);
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
    const summary = rowCount === 0 ? { updated: 0, deleted: 0, changed: [] } : await this.summarize(matches);
    const inserting = change.kind === 'merge' ? mergeInsertSql(change, this.fields) : null;
    const { updated, deleted } = summary;
    if (work.dryRun) {
      const inserted = inserting === null ? 0 : await this.count(inserting);
      await work.finish({ inserted, updated, deleted }, null);
      return true;
    }
    const written: WrittenChange = { removed: [], files: [], deletes: [] };
    try {
      const inserted = inserting === null ? 0 : await this.write(written.files, inserting, scan.schema.fields);
      await this.writeChanged(written, matches, summary);
      await work.verify?.(contentsAfter(this.scan, written));
      return await this.commit({ inserted, updated, deleted }, written);
    } catch (error) {
      // Files that a lost race or a failed transaction leaves are removed by the commit.
      if (error instanceof ChangeFailedError) await this.remove(allFiles(written));
      throw error;
    }
  }

  /** Copies the files with changed rows, or marks these rows as deleted and writes their new versions to other files. */
  private async writeChanged(
    written: WrittenChange,
    matches: Relation,
    { changed, updated }: { changed: readonly ChangedFile[]; updated: number },
  ): Promise<void> {
    const { change, fields, state } = this;
    const marked: ScanFile[] = [];
    for (const one of changed) {
      const list = isMarked(state.metadata, change.kind, one) ? marked : written.removed;
      list.push(one.file);
    }
    if (written.removed.length > 0)
      await this.write(written.files, rewrittenSql(change, fields), fields, { matches, files: written.removed });
    if (marked.length === 0) return;
    for (const file of marked) await this.markRows(written.deletes, matches, file);
    if (updated > 0) {
      const about = { matches, files: marked };
      await this.write(written.files, rewrittenSql(change, fields, { onlyChanged: true }), fields, about);
    }
  }

  private async markRows(deletes: PositionDeletes[], matches: Relation, { location }: ScanFile): Promise<void> {
    const { deps } = this.work;
    const sql = positionsSql({ path: await deps.store.localPath(location), location });
    const tableLocation = this.state.metadata.location;
    const shape = { fields: POSITION_DELETE_FIELDS, layout: POSITION_DELETE_LAYOUT };
    const output = { kind: 'data-files', tableLocation, ...shape } as const;
    const { files } = await this.runSql(sql, output, { matches, files: [] });
    deletes.push(...files.map((file) => ({ of: location, file })));
  }

  private commit(affected: AffectedRows, { removed, files, deletes }: WrittenChange): Promise<boolean> {
    const { work, change, table, state, scan } = this;
    const locations = new Set(removed.map(({ location }) => location));
    const { kind } = change;
    return commitRows(work, { table, kind, state, base: scan.snapshot, affected, removed: locations, files, deletes });
  }

  private remove(files: readonly DataFileRecord[]): Promise<void> {
    return removeFiles(
      this.work.deps.store,
      files.map((file) => file.file_path),
    );
  }

  /** Counts the rows that were found, in all and by the files that contain them. */
  private async summarize(
    matches: Relation,
  ): Promise<{ updated: number; deleted: number; changed: readonly ChangedFile[] }> {
    const { work, change, scan } = this;
    const output = { kind: 'result', location: joinLocation(work.scratch, 'summary.parquet') } as const;
    const { rows } = await this.runSql(summarySql(), output, { matches, files: [] });
    // The names of very many files aren't returned inline.
    if (rows === null) throw new ChangeFailedError(failure('not-supported', TOO_MANY_FILES, COMPACT_FIRST));
    const [updated, deleted, same, paths] = rows[0] as [number, number, number, string];
    if (Number(same) > 0) {
      const detail = `Several rows match the same row of ${change.namespace}.${change.table}, so its new values aren't clear.`;
      const remedy =
        'Make sure that at most one row matches: for example, group the source by the columns of the condition.';
      throw new ChangeFailedError(failure('ambiguous-change', `${detail} ${remedy}`));
    }
    const local = new Map<string, ScanFile>();
    for (const file of scan.files) local.set(await work.deps.store.localPath(file.location), file);
    const changed = paths.split('\n').map((line) => {
      const at = line.indexOf(' ');
      const file = local.get(line.slice(at + 1));
      // Only another engine names files so.
      if (file === undefined) throw new ChangeFailedError(failure('not-supported', LINE_BREAK, COMPACT_FIRST));
      return { file, rows: Number(line.slice(0, at)) };
    });
    return { updated: Number(updated), deleted: Number(deleted), changed };
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
        ...(work.dialect && { dialect: work.dialect }),
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

const COMPACT_FIRST = 'Compact the table first: svc table maintain --compact';
const LINE_BREAK = 'The name of one of its files has a line break.';
const TOO_MANY_FILES = 'The rows to change are in too many files.';
