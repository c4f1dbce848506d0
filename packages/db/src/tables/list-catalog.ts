import type { StoredColumn, TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';

/** A namespace of an environment. */
export interface ListedNamespace {
  id: string;
  path: string;
  description: string | null;
}

/** A table of an environment with what its catalog entry says about it. */
export interface CatalogEntry {
  id: string;
  namespace: string;
  name: string;
  kind: TableKind;
  description: string | null;
  view_sql: string | null;
  row_count: bigint | null;
  size_bytes: bigint | null;
  columns: StoredColumn[];
}

/** All tables and namespaces of an environment, by name. */
export async function listCatalog(
  client: Transaction,
  environmentId: string,
): Promise<{ namespaces: ListedNamespace[]; tables: CatalogEntry[] }> {
  const namespaces = await client.$queryRaw<ListedNamespace[]>`/* prepared list-catalog-namespaces */
    SELECT id, path, description FROM namespaces WHERE environment_id = ${environmentId}::uuid AND dropped_at IS NULL
    ORDER BY path`;
  const tables = await client.$queryRaw<CatalogEntry[]>`/* prepared list-catalog-tables */
    SELECT t.id, n.path AS namespace, t.name, t.kind, t.description, t.view_sql, t.row_count, t.size_bytes, t.columns
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL AND n.dropped_at IS NULL
    ORDER BY n.path, t.name`;
  return { namespaces, tables };
}
