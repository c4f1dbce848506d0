import type { Column, DataFormat, Table, TableKind } from '@svc/core/tables';
import { Prisma } from '../generated/client.ts';

/** A table as the operations of this folder select it. */
export interface StoredTable {
  id: string;
  environment_id: string;
  namespace_id: string;
  namespace: string;
  name: string;
  kind: TableKind;
  description: string | null;
  owner_id: string | null;
  owner: string | null;
  columns: Column[];
  location: string | null;
  metadata_location: string | null;
  format: DataFormat | null;
  view_sql: string | null;
  row_count: bigint | null;
  size_bytes: bigint | null;
  created_at: Date;
  updated_at: Date;
}

export const SELECT_TABLE = Prisma.sql`
  SELECT t.id, t.environment_id, t.namespace_id, n.path AS namespace, t.name, t.kind, t.description, t.owner_id,
         p.name AS owner, t.columns, t.location, t.metadata_location, t.format, t.view_sql, t.row_count, t.size_bytes,
         t.created_at, t.updated_at
  FROM tables t JOIN namespaces n ON n.id = t.namespace_id LEFT JOIN principals p ON p.id = t.owner_id`;

const numberOrNull = (n: bigint | null): number | null => (n === null ? null : Number(n));

export function tableRecord(row: StoredTable): Table {
  return {
    id: row.id,
    name: row.name,
    namespace: row.namespace,
    kind: row.kind,
    description: row.description,
    owner: row.owner,
    columns: row.columns,
    location: row.location,
    row_count: numberOrNull(row.row_count),
    size_bytes: numberOrNull(row.size_bytes),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    expires_at: null,
    expires_soon: false,
    format: row.format,
    view_sql: row.view_sql,
  };
}
