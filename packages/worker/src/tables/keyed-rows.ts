import type { StoredTable } from '@svc/db/tables';
import { type DataFileRecord, type IcebergField, joinLocation } from '@svc/iceberg';
import {
  CHANGE_TABLES,
  ChangeParameters,
  keyFaultsSql,
  mergeByKey,
  type QueryOutput,
  runQuery,
  undeletedSql,
} from '@svc/lake/queries';
import { failure } from '../work/failures.ts';
import { ChangeFailedError, type ChangeWork, rewriteRows, succeeded, writtenRows } from './rewrite-rows.ts';

/** Rows to merge into a table by key, in data files with all columns of the table. */
export interface KeyedRows {
  readonly files: readonly DataFileRecord[];
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
type ReadWork = Pick<MergeWork, 'deps' | 'scratch' | 'owner' | 'signal'>;

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
  const source = writtenRows(rows.fields, rows.files);
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
  const outcome = await queryRows(work, rows, keyFaultsSql(present, key), { kind: 'result', location });
  const [missing, same] = outcome.rows![0]!.map(Number) as [number, number];
  if (missing === 0 && same === 0) return;
  const columns = key.join(', ');
  const detail =
    missing > 0
      ? `${missing} rows of ${origin.name} have no value in the key (${columns}).`
      : `${same} rows of ${origin.name} have the same key (${columns}) as another row.`;
  throw new ChangeFailedError(failure('ambiguous-change', detail, origin.remedy));
}

/** Writes the rows that `deleteWhen` doesn't name. @throws ChangeFailedError */
export async function writeUndeleted(
  work: ReadWork,
  rows: KeyedRows & { readonly deleteWhen: string },
  output: Extract<QueryOutput, { kind: 'data-files' }>,
): Promise<{ files: readonly DataFileRecord[]; rows: number }> {
  const { files, rowCount } = await queryRows(work, rows, undeletedSql(rows.fields, rows.deleteWhen), output);
  return { files, rows: rowCount };
}

async function queryRows({ deps, owner, signal }: ReadWork, rows: KeyedRows, sql: string, output: QueryOutput) {
  const name = `${CHANGE_TABLES.namespace}.${CHANGE_TABLES.source}`;
  const source = writtenRows(rows.fields, rows.files);
  const outcome = await runQuery(deps.sandbox, {
    ...{ sql, output, owner, signal, cache: false },
    resolve: async (tables) => tables.map((table) => (table.name.join('.') === name ? source : null)),
  });
  return succeeded({ requester: undefined }, outcome);
}
