import { type LineageColumn, MAX_BUILD_COLUMNS } from '@svc/core/lineage';
import type { ReadInput } from '@svc/db/lineage';
import type { ReadableTable } from '@svc/db/policies';
import { type ColumnInput, columnInputs, type NamedColumns } from '@svc/lake/lineage';
import type { TableReader } from '../../tables/reader.ts';
import { viewRelation } from '../../tables/relations.ts';
import type { WorkerDeps } from '../../work/deps.ts';
import type { TaskWork } from '../run-work.ts';

/** A statement that was run or described, and the columns that it returned. */
interface Statement {
  readonly sql: string;
  readonly columns: readonly { readonly name: string }[];
}

/** The tables that a statement has read, with the columns from which each of its columns is computed. */
export async function readInputs(work: TaskWork, reader: TableReader, statement: Statement): Promise<ReadInput[]> {
  const columns = await knownColumns(work, reader, statement);
  const inputs = new Map<string, ReadInput>();
  for (const [name, { id, snapshot_id: snapshotId }] of reader.found) {
    const found = columns.get(name) ?? null;
    // In a development namespace, two names can mean one table.
    const other = inputs.get(id);
    const all = other === undefined ? found : other.columns && found && [...other.columns, ...found];
    inputs.set(id, { id, snapshotId, columns: all });
  }
  return [...inputs.values()];
}

type Columns = ReadonlyMap<string, readonly LineageColumn[]>;

const UNKNOWN: Columns = new Map();

/** Statements whose columns are remembered. */
const MAX_REMEMBERED = 2000;

const remembered = new WeakMap<WorkerDeps, Map<string, Columns>>();

/** Scheduled builds repeat their statements, and the same statement on the same columns has the same inputs. */
async function knownColumns(work: TaskWork, reader: TableReader, statement: Statement): Promise<Columns> {
  const known = remembered.get(work.deps) ?? new Map<string, Columns>();
  remembered.set(work.deps, known);
  const key = JSON.stringify([statement, [...reader.found].map(shapeOf)]);
  const columns = known.get(key) ?? (await columnsByTable(work, reader, statement));
  // The most recently used one comes last.
  known.delete(key);
  known.set(key, columns);
  if (known.size > MAX_REMEMBERED) known.delete(known.keys().next().value!);
  return columns;
}

/** What the analysis uses of a table. */
const shapeOf = ([name, table]: readonly [string, ReadableTable]) => [
  ...[name, table.kind, table.columns.map((column) => [column.name, column.type])],
  ...(table.kind === 'view' ? [table.view_sql, table.metadata_location] : []),
  table.policies.length > 0,
];

/**
 * A view counts as a table of its own, and the tables behind it count too: the statement is analyzed with the views as tables, and
 * with their statements. Only the latter shows all that comes from a table, which may be named and be behind a view too.
 */
async function columnsByTable(work: TaskWork, reader: TableReader, statement: Statement): Promise<Columns> {
  const tables = [...reader.found.values()];
  // A mask replaces columns by an expression, which readers of the lineage may not see.
  if (tables.some(({ policies }) => policies.length > 0)) return UNKNOWN;
  const withoutViews = await analyzed(work, reader, statement, new Map());
  const views = new Map<ReadableTable, NamedColumns>();
  for (const table of tables) if (table.kind === 'view') views.set(table, await viewRelation(work.deps, table));
  if (views.size === 0) return withoutViews;
  const ofViews = [...withoutViews].filter(([name]) => views.has(reader.found.get(name)!));
  return new Map([...ofViews, ...(await analyzed(work, reader, statement, views))]);
}

async function analyzed(
  { deps, signal }: TaskWork,
  reader: TableReader,
  { sql, columns }: Statement,
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
  const found = await columnInputs(deps.sandbox, {
    ...{ sql, resolve, outputs: columns.map(({ name }) => name), owner: reader.owner, signal },
  });
  if (found === null || found.length > MAX_BUILD_COLUMNS) return UNKNOWN;
  for (const { table, input, output } of found as readonly ColumnInput[])
    asTables.get(table.join('.').toLowerCase())!.push({ input, output });
  return asTables;
}
