import type { StoredTable } from '@svc/db/tables';
import { type DataFileRecord, type IcebergField, joinLocation } from '@svc/iceberg';
import {
  type CatalogTable,
  CHANGE_TABLES,
  ChangeParameters,
  keyFaultsSql,
  mergeByKey,
  type OpenQuery,
  type Relation,
  type Resolve,
  undeletedSql,
} from '@svc/lake/queries';
import { failure, failureOf } from '../work/failures.ts';
import { ChangeFailedError, type ChangeWork, succeeded } from './change-work.ts';
import { rewriteRows } from './rewrite-rows.ts';
import { writtenRows } from './written-change.ts';

/** Rows to merge into a table by key, in data files with all columns of the table. */
export interface KeyedRows {
  readonly files: readonly DataFileRecord[];
  /** Where the engine reads them, if it wrote the files itself. */
  readonly staged?: CatalogTable | null | undefined;
  /** The table's columns. */
  readonly fields: readonly IcebergField[];
  /** Those that the rows have. */
  readonly present: readonly IcebergField[];
  readonly key: readonly string[];
  /** A condition on the rows; a row that meets it deletes the one with its key. */
  readonly deleteWhen?: string | undefined;
  /** Where the rows come from, for messages. */
  readonly origin: { readonly name: string; readonly remedy: string };
}

export type MergeWork = Omit<ChangeWork, 'params' | 'requester' | 'source' | 'dryRun'>;
type ReadWork = Pick<MergeWork, 'environment' | 'scratch' | 'owner' | 'signal' | 'engine'>;

/**
 * Updates the rows of a table that have the key of one of the rows, inserts the others, and deletes those that `deleteWhen` names.
 *
 * @throws ChangeFailedError, QueryRejectedError
 */
export async function mergeKeyedRows(work: MergeWork, table: StoredTable, rows: KeyedRows): Promise<void> {
  await requireUniqueKey(work, rows);
  const { present: fields, key, deleteWhen } = rows;
  const change = mergeByKey({ namespace: table.namespace, table: table.name }, { fields, key, deleteWhen });
  const params = new ChangeParameters('', null);
  const source = sourceOf(rows);
  await rewriteRows({ ...work, source, params, requester: undefined, dryRun: false }, table, change);
}

/** @throws ChangeFailedError if a row has no key, or the key of another row */
export async function requireUniqueKey(work: ReadWork, rows: KeyedRows): Promise<void> {
  const { present, key, origin } = rows;
  const absent = key.find((name) => !present.some((field) => field.name.toLowerCase() === name.toLowerCase()));
  if (absent !== undefined) {
    const names = present.map(({ name }) => name).join(', ');
    const detail = `The column "${absent}", which is part of the key, is missing in ${origin.name}. Available columns: ${names}.`;
    throw new ChangeFailedError(failure('column-mismatch', detail));
  }
  const location = joinLocation(work.scratch, 'key.parquet');
  const output = { kind: 'result', location } as const;
  const request = { ...reading(work, rows), sql: keyFaultsSql(present, key), output, cache: false };
  const outcome = succeeded({ requester: undefined }, await work.engine.run(request));
  const [missing, same] = outcome.rows![0]!.map(Number) as [number, number];
  if (missing === 0 && same === 0) return;
  const columns = key.join(', ');
  const detail =
    missing > 0
      ? `${missing} rows of ${origin.name} have no value in the key (${columns}).`
      : `${same} rows of ${origin.name} have the same key (${columns}) as another row.`;
  throw new ChangeFailedError(failure('ambiguous-change', detail, origin.remedy));
}

/** Rows that are written, until `close` also where the engine that wrote them reads them. */
export interface UndeletedRows {
  files: readonly DataFileRecord[];
  rows: number;
  staged: CatalogTable | null;
  close: () => Promise<void>;
}

/** Writes the rows that `deleteWhen` doesn't name. @throws ChangeFailedError */
export async function writeUndeleted(
  work: ReadWork,
  rows: KeyedRows & { readonly deleteWhen: string },
  output: Parameters<OpenQuery['write']>[0],
): Promise<UndeletedRows> {
  const sql = undeletedSql(rows.fields, rows.deleteWhen);
  const opened = await work.engine.open({ ...reading(work, rows), sql });
  if (!opened.ok) throw new ChangeFailedError(failureOf(opened.error));
  const outcome = await opened.write(output);
  if (!outcome.ok) {
    await opened.close();
    throw new ChangeFailedError(failureOf(outcome.error));
  }
  return { files: outcome.files, rows: outcome.rowCount, staged: outcome.staged, close: opened.close };
}

const sourceOf = ({ fields, files, staged }: KeyedRows): Relation =>
  staged == null ? writtenRows(fields, files) : { kind: 'managed', fields, files: [], catalogTables: [staged] };

/** A statement that reads only the rows. */
function reading({ environment, owner, signal }: ReadWork, rows: KeyedRows) {
  const name = `${CHANGE_TABLES.namespace}.${CHANGE_TABLES.source}`;
  const source = sourceOf(rows);
  const resolve: Resolve = async (tables) => tables.map((table) => (table.name.join('.') === name ? source : null));
  return { environment, owner, signal, resolve };
}
