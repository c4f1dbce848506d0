import path from 'node:path';
import {
  columnsOfFields,
  type DataFileRecord,
  fieldsOfColumns,
  type IcebergField,
  type WriteLayout,
} from '@svc/iceberg';
import { intoQuery } from './output/output-sql.ts';
import { adoptDataFiles, copyDataFiles } from './output/write-files.ts';
import {
  answerOf,
  describe,
  type Execute,
  type ExternalTables,
  inSandbox,
  type Prepared,
  prepare,
  type TableRequest,
} from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import { castQuery, type OutputColumn, type ResultColumn } from './results/result-columns.ts';
import type { EngineChild } from './sandbox/child-process.ts';
import type { ChildResult } from './sandbox/child-protocol.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { TableName } from './statement/guard.ts';

/** Where the rows are written. */
export type QueryOutput =
  /** One Parquet file at `location`, unless the inline rows replace it. */
  | { readonly kind: 'result'; readonly location: string }
  /** Data files below the table's location; `fields` of the target table, or null to take the query's columns. */
  | {
      readonly kind: 'data-files';
      readonly tableLocation: string;
      readonly fields: readonly IcebergField[] | null;
      /** The layout of an existing table; a new table is unpartitioned. */
      readonly layout?: WriteLayout;
      /** Set if existing rows are rewritten for long-term storage. */
      readonly lasting?: boolean;
    };

export type QueryRequest = TableRequest & {
  readonly output: QueryOutput;
  /** Lets an operator of an external engine find the statement. */
  readonly traceToken?: string;
  /** Set if an earlier attempt may have left a statement running under this token. */
  readonly retried?: boolean;
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
      /** For `data-files`: the input of `prepareSnapshot` or `commitFiles`. */
      readonly files: readonly DataFileRecord[];
      /** For `data-files`: the fields written. */
      readonly fields: readonly IcebergField[];
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
  // Opened while the statement is being parsed.
  const opening = sandbox.options.store.openStage();
  const stage = opening.then(({ dir }) => dir);
  // A rejected statement never awaits it.
  stage.catch(() => undefined);
  try {
    const at = { stage, external };
    const { output } = request;
    return await inSandbox(sandbox, request, (child) =>
      output.kind === 'result'
        ? returnResult(sandbox, child, request, { ...at, location: output.location })
        : writeDataFiles(sandbox, child, request, { ...at, output }),
    );
  } finally {
    // Nobody waits for this; the sweep removes whatever a killed process leaves.
    void opening.then((stage) => stage.close()).catch(() => undefined);
  }
}

export type DescribeOutcome =
  | { readonly ok: true; readonly columns: readonly ResultColumn[]; readonly tables: readonly TableName[] }
  | { readonly ok: false; readonly error: QueryError };

/** The columns that a query would return, without running it. Used for views. */
export async function describeQuery(
  sandbox: Sandbox,
  request: Omit<TableRequest, 'onProgress'>,
): Promise<DescribeOutcome> {
  return inSandbox(sandbox, request, async (child) => {
    const { columns, tables } = await describe(sandbox, child, request, { stage: null });
    return { ok: true, columns: columns.map(resultColumn), tables };
  });
}

const resultColumn = ({ name, type }: OutputColumn): ResultColumn => ({ name, type });

interface At {
  readonly stage: Promise<string>;
  readonly external: ExternalEngine | undefined;
}

async function returnResult(
  sandbox: Sandbox,
  child: EngineChild,
  request: QueryRequest,
  { stage, external, location }: At & { readonly location: string },
): Promise<QueryOutcome> {
  const file = path.join(await stage, 'result.parquet');
  const execute: Execute<ChildResult> = ({ sql, maxRows }) =>
    child.send({ op: 'result', sql: sql.text, file, inline: INLINE, few: maxRows !== null && maxRows <= INLINE.rows });
  const { tables, answer } = external
    ? await executeRows(await rowsReady(sandbox, child, request, { stage, external }), execute)
    : await prepare(sandbox, child, request, { stage, execute });
  const { columns, rows, bytes, cells } = answer;
  // Results are kept for a day and running the query again recreates them, so it isn't worth waiting for the disk.
  if (bytes !== null) await sandbox.options.store.adopt(file, location, { durable: false });
  const written = { stored: bytes !== null, sizeBytes: bytes ?? 0 };
  return { ok: true, columns, rowCount: rows, tables, ...written, rows: cells, files: [], fields: [] };
}

const executeRows = async <R>(plan: Prepared, execute: Execute<R>) => ({
  ...plan,
  answer: await answerOf(plan, execute(plan)),
});

/** Returns a statement that DuckDB can run, whichever engine produced the rows. */
async function rowsReady(
  sandbox: Sandbox,
  child: EngineChild,
  request: QueryRequest,
  { stage, external }: At,
): Promise<Prepared> {
  const plan = await describe(sandbox, child, request, { stage, external });
  return external ? external.rowsOf(plan, { child, stageDir: await stage, request }) : plan;
}

async function writeDataFiles(
  sandbox: Sandbox,
  child: EngineChild,
  request: QueryRequest,
  { output, ...at }: At & { readonly output: Extract<QueryOutput, { kind: 'data-files' }> },
): Promise<QueryOutcome> {
  const plan = await rowsReady(sandbox, child, request, at);
  const { columns } = plan;
  const fields = output.fields ?? fieldsOfColumns(columns).fields;
  const query = output.fields ? intoQuery(plan.sql, columns, output.fields) : castQuery(plan.sql, columns);
  const copied = await answerOf(plan, copyDataFiles(child, query, fields, await at.stage, output));
  const files = await adoptDataFiles(sandbox, copied, fields, output.tableLocation, output.layout);
  return {
    ok: true,
    columns: columnsOfFields({ type: 'struct', fields }).map(({ name, type }) => ({ name, type })),
    rowCount: copied.reduce((sum, f) => sum + f.rows, 0),
    tables: plan.tables,
    sizeBytes: copied.reduce((sum, f) => sum + f.bytes, 0),
    rows: null,
    stored: false,
    files,
    fields,
  };
}
