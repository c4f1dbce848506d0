import { type LineageColumn, MAX_BUILD_COLUMNS } from '@svc/core/lineage';
import type { ReadInput } from '@svc/db/lineage';
import type { ReadableTable } from '@svc/db/policies';
import { type ColumnInput, columnInputs, type NamedColumns } from '@svc/lake/lineage';
import { type TableReader, viewRelation } from '../../tables/reader.ts';
import type { TaskWork } from '../run-work.ts';

/** The tables that a statement has read, with the columns from which each of its columns is computed. */
export async function readInputs(work: TaskWork, reader: TableReader, sql: string): Promise<ReadInput[]> {
  const tables = [...reader.found];
  const columns = await columnsByTable(work, reader, sql);
  return tables.map(([name, { id, snapshot_id: snapshotId }]) => ({
    id,
    snapshotId,
    columns: columns.get(name) ?? null,
  }));
}

type Columns = ReadonlyMap<string, readonly LineageColumn[]>;

const UNKNOWN: Columns = new Map();

/**
 * A view counts as a table of its own, and the tables behind it count too: the statement is analyzed with the views as tables, and
 * with their statements.
 */
async function columnsByTable(work: TaskWork, reader: TableReader, sql: string): Promise<Columns> {
  const tables = [...reader.found.values()];
  // A mask replaces columns by an expression, which readers of the lineage may not see.
  if (tables.some(({ policies }) => policies.length > 0)) return UNKNOWN;
  const asTables = await analyzed(work, reader, sql, new Map());
  if (tables.every(({ kind }) => kind !== 'view')) return asTables;
  const views = new Map<ReadableTable, NamedColumns>();
  for (const table of tables) if (table.kind === 'view') views.set(table, await viewRelation(work.deps, table));
  return new Map([...asTables, ...(await analyzed(work, reader, sql, views))]);
}

async function analyzed(
  { deps, signal }: TaskWork,
  reader: TableReader,
  sql: string,
  views: ReadonlyMap<ReadableTable, NamedColumns>,
): Promise<Columns> {
  const asTables = new Map<string, LineageColumn[]>();
  const resolve = (name: readonly string[]): NamedColumns | null => {
    const key = name.join('.').toLowerCase();
    const table = reader.found.get(key);
    if (table === undefined) return null;
    const view = views.get(table);
    if (view !== undefined) return view;
    asTables.set(key, []);
    return { kind: 'table', columns: table.columns };
  };
  const found = await columnInputs(deps.sandbox, { sql, resolve, owner: reader.owner, signal });
  if (found === null || found.length > MAX_BUILD_COLUMNS) return UNKNOWN;
  for (const { table, input, output } of found as readonly ColumnInput[])
    asTables.get(table.join('.').toLowerCase())!.push({ input, output });
  return asTables;
}
