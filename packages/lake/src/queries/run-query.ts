import path from 'node:path';
import {
  columnsOfFields,
  type DataFileRecord,
  fieldsOfColumns,
  type IcebergField,
  type WriteLayout,
} from '../tables/index.ts';
import type { EngineChild } from './child-process.ts';
import type { TableName } from './guard.ts';
import { intoQuery } from './output-sql.ts';
import { inSandbox, type Prepared, prepare, type TablesElsewhere, told } from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import type { Resolve } from './relations.ts';
import { castQuery, type OutputColumn, type ResultColumn } from './result-columns.ts';
import type { Sandbox, SandboxLimits } from './sandbox.ts';
import { literal } from './sql-text.ts';
import { adoptDataFiles, copyDataFiles } from './write-files.ts';

/** Where the rows go. */
export type QueryOutput =
  /** One Parquet file at `location`. */
  | { readonly kind: 'result'; readonly location: string }
  /** Data files below the table's location; `fields` of the table written into, or null to take the query's columns. */
  | {
      readonly kind: 'data-files';
      readonly tableLocation: string;
      readonly fields: readonly IcebergField[] | null;
      /** Of a table that has one; a new table is unpartitioned. */
      readonly layout?: WriteLayout;
    };

export type QueryRequest = {
  readonly sql: string;
  readonly resolve: Resolve;
  readonly output: QueryOutput;
  /** On whose behalf: queries of one owner may share a process, one after the other. */
  readonly owner?: string;
  readonly limits?: Partial<Omit<SandboxLimits, 'threads'>>;
  readonly signal?: AbortSignal;
  /** 0 to 100, null where the engine cannot tell; called now and then while the query runs. */
  readonly onProgress?: (percentage: number | null) => void;
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
  opening.catch(() => undefined);
  try {
    return await inSandbox(sandbox, request, async (child) => {
      const stage = opening.then(({ dir }) => dir);
      const planned = await prepare(sandbox, child, request, stage, elsewhere);
      const prepared = elsewhere ? await elsewhere.rowsOf(planned, { child, stageDir: await stage, request }) : planned;
      return request.output.kind === 'result'
        ? await writeResult(sandbox, child, prepared, await stage, request.output.location)
        : await writeDataFiles(sandbox, child, prepared, await stage, request.output);
    });
  } finally {
    // Nobody waits for that; what a killed process leaves is swept.
    void opening.then((stage) => stage.close()).catch(() => undefined);
  }
}

export type DescribeOutcome =
  | { readonly ok: true; readonly columns: readonly ResultColumn[]; readonly tables: readonly TableName[] }
  | { readonly ok: false; readonly error: QueryError };

/** The columns a query would give, without running it: for views. */
export async function describeQuery(
  sandbox: Sandbox,
  request: Pick<QueryRequest, 'sql' | 'resolve' | 'owner' | 'limits' | 'signal'>,
): Promise<DescribeOutcome> {
  return inSandbox(sandbox, request, async (child) => {
    const { columns, tables } = await prepare(sandbox, child, request, null);
    return { ok: true, columns: columns.map(resultColumn), tables };
  });
}

const resultColumn = ({ name, type }: OutputColumn): ResultColumn => ({ name, type });

async function writeResult(
  sandbox: Sandbox,
  child: EngineChild,
  plan: Prepared,
  stageDir: string,
  location: string,
): Promise<QueryOutcome> {
  const { columns } = plan;
  const file = path.join(stageDir, 'result.parquet');
  const sql = `COPY (\n${castQuery(plan.sql, columns)}\n) TO ${literal(file)} (FORMAT parquet, RETURN_STATS)`;
  const copied = await told(plan, child.ask({ op: 'copy-result', sql, file, inline: INLINE }));
  // Kept for a day and had again by running the query again: not worth waiting for the disk.
  await sandbox.options.store.adopt(file, location, { durable: false });
  return {
    ok: true,
    columns: columns.map(resultColumn),
    rowCount: copied.rows,
    tables: plan.tables,
    sizeBytes: copied.bytes,
    rows: copied.cells,
    files: [],
    fields: [],
  };
}

async function writeDataFiles(
  sandbox: Sandbox,
  child: EngineChild,
  plan: Prepared,
  stageDir: string,
  output: Extract<QueryOutput, { kind: 'data-files' }>,
): Promise<QueryOutcome> {
  const { columns } = plan;
  const fields = output.fields ?? fieldsOfColumns(columns).fields;
  const query = output.fields ? intoQuery(plan.sql, columns, output.fields) : castQuery(plan.sql, columns);
  const copied = await told(plan, copyDataFiles(child, query, fields, stageDir, output.layout));
  const files = await adoptDataFiles(sandbox, copied, fields, output.tableLocation, output.layout);
  return {
    ok: true,
    columns: columnsOfFields({ type: 'struct', fields }).map(({ name, type }) => ({ name, type })),
    rowCount: copied.reduce((sum, f) => sum + f.rows, 0),
    tables: plan.tables,
    sizeBytes: copied.reduce((sum, f) => sum + f.bytes, 0),
    rows: null,
    files,
    fields,
  };
}
