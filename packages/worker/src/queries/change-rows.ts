import { decide, scopeOf } from '@svc/core/access';
import type { AffectedRows } from '@svc/core/queries';
import { parseRowChange, type RowChange } from '@svc/core/row-changes';
import { findTable, findTableById, type StoredTable, tablesInside } from '@svc/db/tables';
import {
  currentSchema,
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
  ChangeParameters,
  countSql,
  insertSql,
  isBound,
  matchesSql,
  mergeInsertSql,
  type QueryOutcome,
  type QueryOutput,
  QueryRejectedError,
  type Relation,
  type Resolve,
  type Rewriting,
  rewrittenSql,
  runQuery,
  summarySql,
} from '@svc/lake/queries';
import { storageQuotaFailure } from '../quotas/index.ts';
import { commitToTable, scopeOfTable } from '../tables/commit.ts';
import { commitChange } from '../tables/commit-change.ts';
import { layoutFor } from '../tables/layout.ts';
import { auditDenial, auditWork } from '../work/events.ts';
import { failure, failureOf } from '../work/failures.ts';
import { finish, finishFailed, progressReporter, type QueryWork, ROUTE, requesterOf, tracing } from './finish-query.ts';

/** How often a statement runs again because something else was committed to the table concurrently. */
const ATTEMPTS = 20;

/** Ends a statement without a change. */
class ChangeFailedError extends Error {
  readonly failure: ReturnType<typeof failure>;

  constructor(of: ReturnType<typeof failure>) {
    super(of.detail);
    this.failure = of;
  }
}

/** Runs an INSERT, UPDATE, DELETE or MERGE. Everything that it reads is of one version of the table that it changes. */
export async function changeRows(work: QueryWork): Promise<void> {
  try {
    await change(work);
  } catch (error) {
    if (error instanceof ChangeFailedError) return finishFailed(work, error.failure, [...work.reader.tableIds]);
    // The parts of the statement name columns that the table doesn't have.
    if (!(error instanceof QueryRejectedError)) throw error;
    return finishFailed(work, failureOf(error.error, requesterOf(work)), [...work.reader.tableIds]);
  }
}

async function change(work: QueryWork): Promise<void> {
  const { row } = work;
  const parsed = parseRowChange(row.sql_text);
  if (!parsed.ok) throw new ChangeFailedError(failure('not-supported', parsed.message));
  const table = await writableTable(work, parsed.change);
  const params = new ChangeParameters(row.sql_text, row.params);
  if (parsed.change.kind === 'insert') return insert(work, table, parsed.change, params);
  await requireUnbound(work, parsed.change);
  const { change } = parsed;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rewriting = await RowRewriting.open(work, table, change, params);
    if (await rewriting.run()) return;
  }
  throw new ChangeFailedError(
    failure(
      'write-conflict',
      'Nothing was changed: other commits changed the table at every attempt.',
      'Start it again.',
    ),
  );
}

/** The table, if the submitter may write to it now. */
async function writableTable(
  { deps, row, environment, reader }: QueryWork,
  { namespace, table: name }: RowChange,
): Promise<StoredTable> {
  const full = `${namespace}.${name}`;
  const object = scopeOf({ environment: environment.name, namespace, table: name });
  const { allowed, reason } = decide(await reader.grants, 'WRITE_TABLE', object);
  if (!allowed) {
    const request = { id: row.request_id, route: ROUTE };
    await auditDenial(
      deps,
      { principalId: row.submitter_id, environment, request },
      { action: 'WRITE_TABLE', object, reason },
    );
    throw new ChangeFailedError(failure('not-allowed', `You no longer have WRITE_TABLE on ${full}.`));
  }
  const exceeded = row.dry_run ? null : await storageQuotaFailure(deps, environment);
  if (exceeded !== null) throw new ChangeFailedError(exceeded);
  const table = await findTable(deps.db.prisma, { environmentId: environment.id, namespace, name });
  if (table === null) throw new ChangeFailedError(failure('not-found', `The table ${full} doesn't exist.`));
  if (table.kind !== 'managed') {
    const detail = `${full} is of kind ${table.kind}. You can write only to managed tables.`;
    throw new ChangeFailedError(failure('not-a-managed-table', detail));
  }
  return table;
}

/** Rows that a filter hides, or values that a mask replaces, can't be rewritten by someone who doesn't see them. */
async function requireUnbound({ reader, row }: QueryWork, { namespace, table }: RowChange): Promise<void> {
  const full = `${namespace}.${table}`;
  const [relation] = await reader.resolve([{ name: [...namespace.split('.'), table], version: null }]);
  if (relation === null || relation === undefined) {
    const scope = reader.refused.get(full);
    const detail = `The table ${full} doesn't exist, or you don't have READ_TABLE on it, which ${row.sql_text.trim().split(/\s/, 1)[0]?.toUpperCase()} needs.`;
    throw new ChangeFailedError(
      failureOf(
        { code: 'table-not-found', message: detail, table: full },
        scope && { name: row.submitter ?? '', refused: reader.refused },
      ),
    );
  }
  if (relation.kind === 'refused' || !isBound(relation)) return;
  const detail = `A row filter or column mask on ${full} applies to you, so you can't change its rows: you don't see all of them as they are.`;
  throw new ChangeFailedError(failure('not-allowed', detail));
}

async function insert(
  work: QueryWork,
  table: StoredTable,
  change: Extract<RowChange, { kind: 'insert' }>,
  params: ChangeParameters,
): Promise<void> {
  const { deps, claim, row, reader, origin, environment } = work;
  const metadata = await readTableMetadata(deps.store, table.metadata_location!);
  const schema = currentSchema(metadata);
  const layout = layoutFor(metadata, schema.fields);
  if ('code' in layout) throw new ChangeFailedError(layout);
  const sql = insertSql(change, schema.fields);
  const rewritten = { params: params.in(sql), resolve: reader.resolve, owner: reader.owner, signal: claim.signal };
  if (row.dry_run) {
    const output = { kind: 'result', location: scratch(work, 'count.parquet') } as const;
    const counted = succeeded(
      work,
      await runQuery(deps.sandbox, { ...rewritten, sql: countSql(sql), output, cache: false }),
    );
    return finishChanged(work, { inserted: Number(counted.rows![0]![0]), updated: 0, deleted: 0 });
  }
  const output = { kind: 'data-files', tableLocation: metadata.location, fields: schema.fields, layout } as const;
  const request = { ...rewritten, sql, output, ...tracing(work), onProgress: progressReporter(work) };
  const { files, rowCount } = succeeded(work, await deps.engine.run(request));
  const affected = { inserted: rowCount, updated: 0, deleted: 0 };
  const failed = await commitToTable(deps, {
    ...{
      table,
      environment: environment.name,
      files,
      schemaId: schema['schema-id'],
      mode: 'append',
      rows: rowCount,
      origin,
    },
    finish: (tx) => finishChanged(work, affected, tx),
  });
  if (failed !== null) throw new ChangeFailedError(failed);
}

/** An UPDATE, DELETE or MERGE of one version of its table. */
class RowRewriting {
  private readonly work: QueryWork;
  private readonly table: StoredTable;
  private readonly change: Rewriting;
  private readonly state: TableState;
  private readonly scan: TableScan;
  private readonly params: ChangeParameters;
  /** The table's columns, and those of its row ids. */
  private readonly fields: readonly IcebergField[];
  /** Every other table is read in one version too. */
  private readonly read = new Map<string, ReturnType<Resolve>>();

  private constructor(
    {
      work,
      table,
      change,
      params,
    }: { work: QueryWork; table: StoredTable; change: Rewriting; params: ChangeParameters },
    state: TableState,
    scan: TableScan,
  ) {
    this.params = params;
    this.work = work;
    this.table = table;
    this.change = change;
    this.state = state;
    this.scan = scan;
    this.fields = [...scan.schema.fields, ...lineageOf(state.metadata)];
  }

  static async open(
    work: QueryWork,
    { id }: StoredTable,
    change: Rewriting,
    params: ChangeParameters,
  ): Promise<RowRewriting> {
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
    return new RowRewriting({ work, table, change, params }, { metadataLocation: location, metadata }, scan);
  }

  /** Returns false if something else was committed to the table concurrently. */
  async run(): Promise<boolean> {
    const { work, change } = this;
    const found = await this.runSql(matchesSql(change, this.fields), {
      kind: 'data-files',
      tableLocation: scratch(work, 'matches'),
      fields: null,
    });
    try {
      return await this.apply(this.matches(found), found.rowCount);
    } finally {
      await removeFiles(
        work.deps.store,
        found.files.map((file) => file.file_path),
      );
    }
  }

  private async apply(matches: Relation, rowCount: number): Promise<boolean> {
    const { work, change, scan } = this;
    const summary =
      rowCount === 0 ? { updated: 0, deleted: 0, files: new Set<string>() } : await this.summarize(matches);
    const inserting = change.kind === 'merge' ? mergeInsertSql(change, this.fields) : null;
    const { updated, deleted } = summary;
    if (work.row.dry_run) {
      const inserted = inserting === null ? 0 : await this.count(inserting);
      await finishChanged(work, { inserted, updated, deleted });
      return true;
    }
    const inserted = inserting === null ? NO_ROWS : await this.write(inserting, scan.schema.fields);
    const removed = scan.files.filter((file) => summary.files.has(file.location));
    const rewritten =
      removed.length === 0
        ? NO_ROWS
        : await this.write(rewrittenSql(change, this.fields), this.fields, { matches, files: removed });
    const affected = { inserted: inserted.rowCount, updated, deleted };
    const files = [...rewritten.files.map(withoutLineage), ...inserted.files];
    if (removed.length === 0 && files.length === 0) {
      await finishChanged(work, affected);
      return true;
    }
    return commitChange(work.deps, {
      table: this.table,
      state: this.state,
      base: scan.snapshot,
      removed: new Set(removed.map(({ location }) => location)),
      files,
      finish: async (tx, snapshotId) => {
        await finishChanged(work, affected, tx);
        const rows = affected.inserted + updated + deleted;
        const detail = {
          table_id: this.table.id,
          mode: change.kind,
          rows,
          ...affected,
          snapshot_id: snapshotId,
          watermark: null,
        };
        const object = scopeOfTable(work.environment.name, this.table);
        await auditWork(work.deps, tx, work.origin, { type: 'TABLE_WRITE', object, detail });
      },
    });
  }

  /** Counts the rows that were found, and names the files that contain them. */
  private async summarize(
    matches: Relation,
  ): Promise<{ updated: number; deleted: number; files: ReadonlySet<string> }> {
    const { work, change, scan } = this;
    const output = { kind: 'result', location: scratch(work, 'summary.parquet') } as const;
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
    const output = { kind: 'result', location: scratch(this.work, 'count.parquet') } as const;
    const { rows } = await this.runSql(countSql(sql), output);
    return Number(rows![0]![0]);
  }

  private write(
    sql: string,
    fields: readonly IcebergField[],
    about?: { matches: Relation; files: readonly ScanFile[] },
  ) {
    const { metadata } = this.state;
    const layout = layoutFor(metadata, this.scan.schema.fields);
    if ('code' in layout) throw new ChangeFailedError(layout);
    const output = { kind: 'data-files', tableLocation: metadata.location, fields, layout } as const;
    return this.runSql(sql, output, about);
  }

  private async runSql(
    sql: string,
    output: QueryOutput,
    about: { matches?: Relation; files: readonly ScanFile[] } = { files: this.scan.files },
  ) {
    const { work } = this;
    const resolve = this.resolve(about);
    const { signal } = work.claim;
    return succeeded(
      work,
      await runQuery(work.deps.sandbox, {
        sql,
        params: this.params.in(sql),
        resolve,
        output,
        cache: false,
        owner: work.reader.owner,
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
        const reading = this.read.get(key) ?? work.reader.resolve([table]);
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

  private matches({ fields, files }: Written): Relation {
    const asScanned = ({ file_path, record_count, file_size_in_bytes }: DataFileRecord): ScanFile => ({
      location: file_path,
      rows: Number(record_count),
      bytes: Number(file_size_in_bytes),
      deletes: [],
      sameColumns: true,
    });
    return { kind: 'managed', fields, files: files.map(asScanned) };
  }
}

type Written = Pick<Extract<QueryOutcome, { ok: true }>, 'fields' | 'files' | 'rowCount'>;

const NO_ROWS: Written = { fields: [], files: [], rowCount: 0 };

const TOO_MANY_FILES = 'The rows to change are in too many files.';

/** The location of a file that only this claim uses. */
const scratch = ({ deps, row, claim }: QueryWork, name: string): string =>
  joinLocation(deps.store.root, 'results', `${row.id}-${claim.fence}`, name);

function succeeded(work: QueryWork, outcome: QueryOutcome): Extract<QueryOutcome, { ok: true }> {
  if (outcome.ok) return outcome;
  throw new ChangeFailedError(failureOf(outcome.error, requesterOf(work)));
}

/** Finishes the query; `client` is the transaction that commits the change. */
function finishChanged(
  work: QueryWork,
  affected: AffectedRows,
  client: Parameters<typeof finish>[3] = null,
): Promise<void> {
  const rowCount = affected.inserted + affected.updated + affected.deleted;
  const result = { columns: [], rowCount, firstRows: null, location: null, expiresAt: null, affected };
  return finish(work, { status: 'succeeded', result }, [...work.reader.tableIds], client);
}
