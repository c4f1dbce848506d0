import { identifier, joined, type Sql, sql } from '../sql-text.ts';
import type { Guarded, TableName } from '../statement/guard.ts';
import { foldName } from '../statement/names.ts';
import type { EngineView, ViewNames } from './relations.ts';

/** Resolves the tables of a view's statement as the engine that wrote it would. */
export function namedByEngine(guarded: Guarded, view: ViewNames): Guarded {
  const named = <T extends { readonly name: TableName }>(table: T): T => ({
    ...table,
    name: qualify(table.name, view),
  });
  return {
    ...guarded,
    tables: guarded.tables.map((name) => qualify(name, view)),
    requested: guarded.requested.map(named),
    tableNodes: guarded.tableNodes.map(named),
  };
}

function qualify(name: TableName, { namespace, catalog }: ViewNames): TableName {
  if (name.length === 1) return namespace === '' ? name : [...namespace.split('.'), ...name];
  const first = foldName(name[0]!);
  return name.length > 2 && catalog !== null && first === foldName(catalog) ? name.slice(1) : name;
}

/** An engine's view has the columns it was declared with, whatever its statement names them. */
export function columnAliases(view: EngineView | undefined): Sql {
  return view === undefined ? sql`` : sql` AS engine_view(${joined(view.columns.map(identifier))})`;
}

/** The note added to an error about a view whose statement is in another dialect than the service's own. */
export function inDialect(view: EngineView | undefined): string {
  if (view === undefined || view.dialect.toLowerCase() === 'duckdb') return '';
  return ` by svc sql because it is written in ${view.dialect}, the dialect of the engine that created it`;
}
