import { nameKey } from '@svc/core/access';
import type { Column, TableKind } from '@svc/core/tables';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { boundTables } from '../policies/index.ts';

/** A table or view, as the catalog interface needs it. */
export interface CatalogTable {
  id: string;
  kind: TableKind;
  namespace: string;
  name: string;
  description: string | null;
  columns: Column[];
  location: string | null;
  metadataLocation: string | null;
  viewSql: string | null;
  updatedAt: Date;
}

const COLUMNS = Prisma.sql`t.id, t.kind, n.path AS namespace, t.name, t.description, t.columns, t.location,
  t.metadata_location AS "metadataLocation", t.view_sql AS "viewSql", t.updated_at AS "updatedAt"`;

/** Finds a table or view. Returns null if it was dropped concurrently. */
export async function findCatalogTable(client: Transaction, id: string): Promise<CatalogTable | null> {
  const rows = await client.$queryRaw<CatalogTable[]>`/* prepared find-catalog-table */
    SELECT ${COLUMNS} FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.id = ${id}::uuid AND t.dropped_at IS NULL`;
  return rows[0] ?? null;
}

/** Returns the live ones of the tables, locked until the transaction commits. The fixed order prevents deadlocks. */
export async function lockCatalogTables(
  client: Transaction,
  ids: readonly string[],
): Promise<Map<string, CatalogTable>> {
  const rows = await client.$queryRaw<CatalogTable[]>`/* prepared take-catalog-tables */
    SELECT ${COLUMNS} FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.id = ANY(${[...ids]}::uuid[]) AND t.dropped_at IS NULL ORDER BY t.id FOR UPDATE OF t`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a row filter or column mask on the table binds the principal, directly or through a group. */
export async function isBound(
  client: Transaction,
  { tableId, principalId }: { tableId: string; principalId: string },
): Promise<boolean> {
  return (await boundTables(client, { tableIds: [tableId], principalId })).size > 0;
}

/** Ids of the tables with these names, in the order of the names; null for a name without a table. */
export async function findTableIds(
  client: Transaction,
  { environmentId, names }: { environmentId: string; names: readonly { namespace: string; name: string }[] },
): Promise<(string | null)[]> {
  const keys = names.map(({ namespace, name }) => ({ namespace: nameKey(namespace), name: nameKey(name) }));
  const rows = await client.$queryRaw<{ id: string | null }[]>`
    SELECT t.id FROM jsonb_to_recordset(${jsonText(keys.map((key, i) => ({ ...key, i })))}::jsonb)
      AS x(i int, namespace text, name text)
    LEFT JOIN namespaces n ON n.environment_id = ${environmentId}::uuid AND n.path_key = x.namespace
      AND n.dropped_at IS NULL
    LEFT JOIN tables t ON t.namespace_id = n.id AND t.name_key = x.name AND t.dropped_at IS NULL
    ORDER BY x.i`;
  return rows.map(({ id }) => id);
}
