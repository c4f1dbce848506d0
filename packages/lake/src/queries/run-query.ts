import path from 'node:path';
import {
  columnsOfFields,
  type DataFileRecord,
  fieldsOfColumns,
  type IcebergField,
  type WriteLayout,
} from '../tables/index.ts';
import { intoQuery } from './output/output-sql.ts';
import { adoptDataFiles, copyDataFiles } from './output/write-files.ts';
import {
  type Ask,
  type Asked,
  describe,
  inSandbox,
  type Prepared,
  prepare,
  type TablesElsewhere,
  told,
} from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import { castQuery, type OutputColumn, type ResultColumn } from './results/result-columns.ts';
import type { EngineChild } from './sandbox/child-process.ts';
import type { ChildResult } from './sandbox/child-protocol.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { TableName } from './statement/guard.ts';

/** Where the rows go. */
export type QueryOutput =
  /** One Parquet file at `location`, unless the rows told stand for it. */
  | { readonly kind: 'result'; readonly location: string }
  /** Data files below the table's location; `fields` of the table written into, or null to take the query's columns. */
  | {
      readonly kind: 'data-files';
      readonly tableLocation: string;
      readonly fields: readonly IcebergField[] | null;
      /** Of a table that has one; a new table is unpartitioned. */
      readonly layout?: WriteLayout;
      /** Of rows that were written before and are written anew to last. */
      readonly lasting?: boolean;
    };

export type QueryRequest = Asked & {
  readonly output: QueryOutput;
  /** What another engine's operator finds the statement by. */
  readonly traceToken?: string;
  /** An earlier try may have left something running under this token. */
  readonly retried?: boolean;
};

export type QueryOutcome =
  | {
      readonly ok: true;
      readonly columns: readonly ResultColumn[];
      readonly rowCount: number;
      /** Every table read, views and what they read included, as named. */
      readonly tables: readonly TableName[];
      readonly sizeBytes: number;
      /** All rows in JSON form when there are few; null otherwise and for data files. */
      readonly rows: readonly (readonly unknown[])[] | null;
      /** Of `result`: whether its file was written; else the rows tell all (`ResultReader.parquetOfRows`). */
      readonly stored: boolean;
      /** Of `data-files`: for `prepareSnapshot` or `commitFiles`. */
      readonly files: readonly DataFileRecord[];
      /** Of `data-files`: the fields written. */
      readonly fields: readonly IcebergField[];
    }
  | { readonly ok: false; readonly error: QueryError };

const INLINE = { rows: 1000, bytes: 1024 * 1024 };

/** What runs a prepared statement in place of DuckDB; the rows then come from a file that DuckDB reads. */
export interface Elsewhere extends TablesElsewhere {
  /** @throws QueryRefused */
  readonly rowsOf: (
    prepared: Prepared,
    at: { readonly child: EngineChild; readonly stageDir: string; readonly request: QueryRequest },
  ) => Promise<Prepared>;
}

/**
 * Runs one query of an untrusted person in a process of its own. Every failure is a value; a failed query leaves no file.
 * Unexpected trouble of the service itself (a full disk of the store, say) is thrown.
 */
export async function runQuery(sandbox: Sandbox, request: QueryRequest, elsewhere?: Elsewhere): Promise<QueryOutcome> {
  // Opened while the statement is looked at.
  const opening = sandbox.options.store.openStage();
  const stage = opening.then(({ dir }) => dir);
  // A statement that is refused never looks at it.
  stage.catch(() => undefined);
  try {
    const at = { stage, elsewhere };
    const { output } = request;
    return await inSandbox(sandbox, request, (child) =>
      output.kind === 'result'
        ? giveResult(sandbox, child, request, { ...at, location: output.location })
        : writeDataFiles(sandbox, child, request, { ...at, output }),
    );
  } finally {
    // Nobody waits for that; what a killed process leaves is swept.
    void opening.then((stage) => stage.close()).catch(() => undefined);
  }
}

export type DescribeOutcome =
  | { readonly ok: true; readonly columns: readonly ResultColumn[]; readonly tables: readonly TableName[] }
  | { readonly ok: false; readonly error: QueryError };

/** The columns a query would give, without running it: for views. */
export async function describeQuery(sandbox: Sandbox, request: Omit<Asked, 'onProgress'>): Promise<DescribeOutcome> {
  return inSandbox(sandbox, request, async (child) => {
    const { columns, tables } = await describe(sandbox, child, request, { stage: null });
    return { ok: true, columns: columns.map(resultColumn), tables };
  });
}

const resultColumn = ({ name, type }: OutputColumn): ResultColumn => ({ name, type });

interface At {
  readonly stage: Promise<string>;
  readonly elsewhere: Elsewhere | undefined;
}

async function giveResult(
  sandbox: Sandbox,
  child: EngineChild,
  request: QueryRequest,
  { stage, elsewhere, location }: At & { readonly location: string },
): Promise<QueryOutcome> {
  const file = path.join(await stage, 'result.parquet');
  const ask: Ask<ChildResult> = ({ sql, mostRows }) =>
    child.ask({ op: 'result', sql: sql.text, file, inline: INLINE, few: mostRows !== null && mostRows <= INLINE.rows });
  const { tables, answer } = elsewhere
    ? await askOfRows(await rowsReady(sandbox, child, request, { stage, elsewhere }), ask)
    : await prepare(sandbox, child, request, { stage, ask });
  const { columns, rows, bytes, cells } = answer;
  // Kept for a day and had again by running the query again: not worth waiting for the disk.
  if (bytes !== null) await sandbox.options.store.adopt(file, location, { durable: false });
  const written = { stored: bytes !== null, sizeBytes: bytes ?? 0 };
  return { ok: true, columns, rowCount: rows, tables, ...written, rows: cells, files: [], fields: [] };
}

const askOfRows = async <R>(plan: Prepared, ask: Ask<R>) => ({ ...plan, answer: await told(plan, ask(plan)) });

/** A statement that DuckDB can run, whoever has found the rows. */
async function rowsReady(
  sandbox: Sandbox,
  child: EngineChild,
  request: QueryRequest,
  { stage, elsewhere }: At,
): Promise<Prepared> {
  const plan = await describe(sandbox, child, request, { stage, elsewhere });
  return elsewhere ? elsewhere.rowsOf(plan, { child, stageDir: await stage, request }) : plan;
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
  const copied = await told(plan, copyDataFiles(child, query, fields, await at.stage, output));
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
