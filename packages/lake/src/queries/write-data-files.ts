import { columnNamesFault, RENAME_COLUMN } from '@svc/core/tables';
import { columnsOfFields, fieldsOfColumns, type IcebergField } from '@svc/iceberg';
import type { ExternalEngine, ExternalRows } from './external-engine.ts';
import { intoQuery } from './output/output-sql.ts';
import { adoptDataFiles, copyDataFiles, isOrdered } from './output/write-files.ts';
import { awaitExecution, describe, type Prepared } from './prepare-query.ts';
import { QueryRejectedError } from './query-errors.ts';
import type { DataFileOutput, OpenRequest, QueryOutcome, QueryRequest } from './query-request.ts';
import { withStage } from './query-stage.ts';
import type { CatalogTable } from './relations/relations.ts';
import { castQuery, type ResultColumn } from './results/result-columns.ts';
import type { ChildLease } from './sandbox/child-lease.ts';
import type { EngineChild } from './sandbox/child-process.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** Runs a query whose rows become data files of a table. */
export async function writeDataFiles(
  sandbox: Sandbox,
  lease: ChildLease,
  request: QueryRequest,
  { output, external }: { readonly output: DataFileOutput; readonly external: ExternalEngine | undefined },
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
export type WrittenRows = Pick<ExternalRows, 'files' | 'rows'> & {
  readonly fields: readonly IcebergField[];
  readonly bytes: number;
  readonly catalogTable: CatalogTable | null;
};

/** What a query that wrote data files returns. */
export const writtenOutcome = (
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
export async function writeExternally(
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

/** DuckDB writes the data files. */
export async function dataFiles(
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
