import path from 'node:path';
import { columnNamesFault, RENAME_COLUMN } from '@svc/core/tables';
import {
  columnsOfFields,
  type DataFileRecord,
  fieldsOfColumns,
  type IcebergField,
  type TableMetadata,
  type WriteLayout,
} from '@svc/iceberg';
import { resultKey } from './engine-key.ts';
import { type DataFileForm, intoQuery } from './output/output-sql.ts';
import { adoptDataFiles, copyDataFiles, isOrdered } from './output/write-files.ts';
import type { QueryPlan } from './plan-query.ts';
import {
  awaitExecution,
  describe,
  type Execute,
  type ExecutedPlan,
  type ExternalTables,
  executePlan,
  failuresOf,
  inSandbox,
  openLease,
  type Prepared,
  planStatement,
  type TableRequest,
} from './prepare-query.ts';
import { type QueryError, QueryRejectedError } from './query-errors.ts';
import type { CatalogTable } from './relations/relations.ts';
import { castQuery, type OutputColumn, type ResultColumn } from './results/result-columns.ts';
import type { ChildLease } from './sandbox/child-lease.ts';
import type { EngineChild } from './sandbox/child-process.ts';
import type { ChildResult } from './sandbox/child-protocol.ts';
import { ENGINE_THREADS } from './sandbox/limits.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { TableName } from './statement/guard.ts';

/** Where the rows are written. */
export type QueryOutput =
  /** One Parquet file at `location`, unless the inline rows replace it. */
  | { readonly kind: 'result'; readonly location: string }
  /** Data files below the table's location; `fields` of the target table, or null to take the query's columns. */
  | (DataFileForm & {
      readonly kind: 'data-files';
      readonly tableLocation: string;
      readonly fields: readonly IcebergField[] | null;
      /** The number of columns that the query must have, if their positions decide where they are written. */
      readonly columnCount?: number | undefined;
      /** The layout of an existing table; a new table is unpartitioned. */
      readonly layout?: WriteLayout;
      /** The metadata of an existing table, for an engine that writes the files itself. */
      readonly target?: TableMetadata | undefined;
    });

type DataFileOutput = Omit<Extract<QueryOutput, { kind: 'data-files' }>, 'kind'>;

export type OpenRequest = TableRequest & {
  /** The environment of the statement; needed to write data files. */
  readonly environment?: { readonly id: string; readonly name: string };
  /** Lets an operator of an external engine find the statement. */
  readonly traceToken?: string;
  /** Set if an earlier attempt may have left a statement running under this token. */
  readonly retried?: boolean;
};

export type QueryRequest = OpenRequest & {
  readonly output: QueryOutput;
  /** Whether a cached result may be returned, and this one cached (default: true). */
  readonly cache?: boolean;
  /**
   * Called before DuckDB runs a statement, or waits for an identical one; not for a cached result. If it throws, the
   * statement doesn't run.
   */
  readonly beforeRun?: (plan: Pick<QueryPlan, 'isLong' | 'tables' | 'usesCatalog'>) => void | Promise<void>;
};

export type QueryOutcome =
  | {
      readonly ok: true;
      readonly columns: readonly ResultColumn[];
      readonly rowCount: number;
      /** Every table read, including views and their tables, as named. */
      readonly tables: readonly TableName[];
      readonly sizeBytes: number;
      /** All rows in JSON form if there are few; otherwise null, as for data files. */
      readonly rows: readonly (readonly unknown[])[] | null;
      /** For `result`: whether its file was written; otherwise the rows are complete (`ResultReader.parquetOfRows`). */
      readonly stored: boolean;
      /** Whether the rows are those of an earlier query, or of an identical one that ran at the same time. */
      readonly isCached: boolean;
      /** For `data-files`: the input of `prepareSnapshot` or `commitFiles`. */
      readonly files: readonly DataFileRecord[];
      /** For `data-files`: the fields written. */
      readonly fields: readonly IcebergField[];
      /** Where the engine that wrote the data files can read them, until the query is closed; null if they are only files. */
      readonly staged: CatalogTable | null;
    }
  | { readonly ok: false; readonly error: QueryError };

const INLINE = { rows: 1000, bytes: 1024 * 1024 };

/** Runs a prepared statement instead of DuckDB; DuckDB then reads the rows from a file. */
export interface ExternalEngine extends ExternalTables {
  /** @throws QueryRejectedError */
  readonly rowsOf: (
    prepared: Prepared,
    at: { readonly child: EngineChild; readonly stageDir: string; readonly request: QueryRequest },
  ) => Promise<Prepared>;
  /** Writes the rows of a query, which has the columns of the table with their types. @throws QueryRejectedError */
  readonly writeRows: (
    query: Pick<Prepared, 'sql' | 'restricted'>,
    at: {
      readonly child: EngineChild;
      readonly fields: readonly IcebergField[];
      readonly output: DataFileOutput;
      readonly request: OpenRequest;
    },
  ) => Promise<ExternalRows>;
}

/** Rows that an external engine wrote. */
export interface ExternalRows {
  readonly files: readonly DataFileRecord[];
  readonly rows: number;
  /** Where it can read them, until `close`. */
  readonly catalogTable: CatalogTable;
  readonly close: () => Promise<void>;
}

/**
 * Runs one query of an untrusted user in its own process. Returns every failure as a value; a failed query leaves no
 * file. Throws unexpected errors of the service itself, such as a full disk in the store.
 */
export async function runQuery(
  sandbox: Sandbox,
  request: QueryRequest,
  external?: ExternalEngine,
): Promise<QueryOutcome> {
  const { output } = request;
  return inSandbox(sandbox, request, (lease) =>
    output.kind === 'result'
      ? returnResult(sandbox, lease, request, { external, location: output.location })
      : writeDataFiles(sandbox, lease, request, { external, output }),
  );
}

/** A statement that is ready to run, with its result columns. */
export type OpenQuery = {
  readonly ok: true;
  readonly columns: readonly ResultColumn[];
  /** Runs it once. The rows of an external engine can then be read in its catalog until the query is closed. */
  readonly write: (output: DataFileOutput) => Promise<QueryOutcome>;
  readonly close: () => Promise<void>;
};

/**
 * Prepares a query whose columns decide where its rows are written. It occupies a process until it is written or closed, and
 * reads the versions of its tables that are current now.
 */
export async function openQuery(
  sandbox: Sandbox,
  request: OpenRequest,
  external?: ExternalEngine,
): Promise<OpenQuery | { readonly ok: false; readonly error: QueryError }> {
  const lease = openLease(sandbox, request);
  const stage = openStage(sandbox);
  let staged: (WrittenRows & ExternalRows) | null = null;
  const release = async () => {
    stage.close();
    await lease.end();
  };
  const close = async () => {
    await release();
    await staged?.close();
    staged = null;
  };
  const opened = await failuresOf(async () => {
    const plan = await describe(sandbox, lease, request, { stage: stage.dir, external });
    const write: OpenQuery['write'] = (output) =>
      failuresOf(async () => {
        const child = await lease.child();
        if (external !== undefined) {
          staged = await writeExternally(external, plan, { child, output, request });
          return writtenOutcome(plan, staged);
        }
        const files = { ...output, ...honestOrder(sandbox, plan, output) };
        return dataFiles(sandbox, child, plan, { output: files, stageDir: await stage.dir });
      }).finally(release);
    return { ok: true as const, columns: plan.columns.map(resultColumn), write, close };
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (!opened.ok) await close();
  return opened;
}

/**
 * The engine got its threads before the layout was known, and with several, it mixes the row groups of the files that it
 * writes. So the files claim no order.
 */
function honestOrder(
  { options }: Sandbox,
  { isSmall }: Pick<QueryPlan, 'isSmall'>,
  { layout }: DataFileOutput,
): Pick<DataFileOutput, 'layout'> {
  if (layout === undefined || isSmall || options.threads === ENGINE_THREADS) return {};
  return { layout: { ...layout, sortOrderId: 0 } };
}

/** A folder that is opened in the meantime, and closed without waiting for it. */
function openStage(sandbox: Sandbox): { readonly dir: Promise<string>; readonly close: () => void } {
  const opening = sandbox.options.store.openStage();
  const dir = opening.then((stage) => stage.dir);
  // A rejected statement never awaits it.
  dir.catch(() => undefined);
  // The sweep removes whatever a killed process leaves.
  return { dir, close: () => void opening.then((stage) => stage.close()).catch(() => undefined) };
}

async function withStage<R>(sandbox: Sandbox, work: (stage: Promise<string>) => Promise<R>): Promise<R> {
  const stage = openStage(sandbox);
  try {
    return await work(stage.dir);
  } finally {
    stage.close();
  }
}

const resultColumn = ({ name, type }: OutputColumn): ResultColumn => ({ name, type });

type At = { readonly external: ExternalEngine | undefined };

/** Number of results that this process has requested, for their names. */
let results = 0;

async function returnResult(
  sandbox: Sandbox,
  lease: ChildLease,
  request: QueryRequest,
  { external, location }: At & { readonly location: string },
): Promise<QueryOutcome> {
  let file = '';
  const execute: Execute<ChildResult> = (plan, { child, outputDir }) => {
    file = path.join(outputDir!, `result-${++results}.parquet`);
    const { sql, maxRows } = plan;
    // Few rows, or so small tables that running the statement again for a file costs less than writing one each time.
    const isSmall = plan.isSmall || (maxRows !== null && maxRows <= INLINE.rows);
    return child.send({ op: 'result', sql: sql.text, file, inline: INLINE, isSmall });
  };
  const finish = async (
    { tables, result }: Pick<ExecutedPlan<ChildResult>, 'tables' | 'result'>,
    isCached = false,
  ): Promise<QueryOutcome> => {
    const { columns, rows, bytes, cells } = result;
    // Results are kept for a day and running the query again recreates them, so it isn't worth waiting for the disk.
    if (bytes !== null) await sandbox.options.store.moveInto(file, location, { durable: false });
    const written = { stored: bytes !== null, sizeBytes: bytes ?? 0 };
    return {
      ok: true,
      columns,
      rowCount: rows,
      tables,
      ...written,
      rows: cells,
      isCached,
      files: [],
      fields: [],
      staged: null,
    };
  };
  if (external === undefined) {
    const plan = await planStatement(sandbox, lease, request);
    const { limits, signal } = request;
    const run = () => executePlan(sandbox, lease, plan, { ...(limits && { limits }), stage: 'child', execute });
    const key = request.cache === false ? null : resultKey(plan, request);
    if (key === null || !sandbox.results.has(key)) await request.beforeRun?.(plan);
    if (key === null) return finish({ ...plan, result: await run() });
    const { result, isCached } = await sandbox.results.get(key, signal, run);
    return finish({ ...plan, result }, isCached);
  }
  return withStage(sandbox, async (stage) => {
    const described = await describe(sandbox, lease, request, { stage, external });
    const child = await lease.child();
    const stageDir = await stage;
    const plan = await external.rowsOf(described, { child, stageDir, request });
    return finish({ ...plan, result: await awaitExecution(plan, execute(plan, { child, outputDir: stageDir })) });
  });
}

async function writeDataFiles(
  sandbox: Sandbox,
  lease: ChildLease,
  request: QueryRequest,
  { output, external }: At & { readonly output: DataFileOutput },
): Promise<QueryOutcome> {
  if (external !== undefined) {
    const plan = await describe(sandbox, lease, request, { stage: null, external });
    requireCount(plan, output);
    const rows = await writeExternally(external, plan, { child: await lease.child(), output, request });
    await rows.close();
    return { ...writtenOutcome(plan, rows), staged: null };
  }
  return withStage(sandbox, async (stage) => {
    const plan = await describe(sandbox, lease, request, { stage, isOrdered: isOrdered(output.layout) });
    requireCount(plan, output);
    return dataFiles(sandbox, await lease.child(), plan, { output, stageDir: await stage });
  });
}

/** @throws QueryRejectedError */
function requireCount({ columns }: Prepared, { columnCount = columns.length }: DataFileOutput): void {
  if (columns.length === columnCount) return;
  const message = `INSERT needs ${columnCount} columns, and the query returns ${columns.length}.`;
  throw new QueryRejectedError('column-mismatch', message);
}

type WrittenOutcome = Extract<QueryOutcome, { ok: true }>;
type WrittenRows = Pick<ExternalRows, 'files' | 'rows'> & {
  readonly fields: readonly IcebergField[];
  readonly bytes: number;
  readonly catalogTable: CatalogTable | null;
};

/** What a query that wrote data files returns. */
const writtenOutcome = (
  { tables }: Pick<Prepared, 'tables'>,
  { files, rows, fields, bytes, catalogTable }: WrittenRows,
): WrittenOutcome => ({
  ok: true,
  columns: columnsOfFields({ type: 'struct', fields }).map(({ name, type }) => ({ name, type })),
  rowCount: rows,
  tables,
  sizeBytes: bytes,
  rows: null,
  stored: false,
  isCached: false,
  files,
  fields,
  staged: catalogTable,
});

/** The fields of a new table, or of one whose columns are replaced. */
function newFields(columns: readonly ResultColumn[]): readonly IcebergField[] {
  const fault = columnNamesFault(columns);
  if (fault !== null) throw new QueryRejectedError('column-mismatch', `${fault} ${RENAME_COLUMN}`);
  return fieldsOfColumns(columns).fields;
}

/** The external engine writes the data files: no row comes to this process. */
async function writeExternally(
  external: ExternalEngine,
  { sql, columns, restricted }: Prepared,
  { output, ...at }: { readonly child: EngineChild; readonly output: DataFileOutput; readonly request: OpenRequest },
): Promise<WrittenRows & ExternalRows> {
  const fields = output.fields ?? newFields(columns);
  const query = output.fields
    ? intoQuery(sql, columns, output.fields, { checksNulls: false })
    : castQuery(sql, columns);
  const rows = await external.writeRows({ sql: query, restricted }, { ...at, output, fields });
  return { ...rows, fields, bytes: rows.files.reduce((sum, file) => sum + Number(file.file_size_in_bytes), 0) };
}

async function dataFiles(
  sandbox: Sandbox,
  child: EngineChild,
  plan: Prepared,
  { output, stageDir }: { readonly output: DataFileOutput; readonly stageDir: string },
): Promise<QueryOutcome> {
  const { columns } = plan;
  const fields = output.fields ?? newFields(columns);
  const query = output.fields ? intoQuery(plan.sql, columns, output.fields) : castQuery(plan.sql, columns);
  const copied = await awaitExecution(plan, copyDataFiles(child, query, fields, stageDir, output));
  const files = await adoptDataFiles(sandbox, copied, fields, output.tableLocation, output.layout);
  const rows = copied.reduce((sum, f) => sum + f.rows, 0);
  const bytes = copied.reduce((sum, f) => sum + f.bytes, 0);
  return writtenOutcome(plan, { files, rows, fields, bytes, catalogTable: null });
}
