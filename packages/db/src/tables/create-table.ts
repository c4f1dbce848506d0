import { nameKey } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import type { Column, DataFormat, TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';

export interface NewTableRow {
  id: string;
  environmentId: string;
  namespaceId: string;
  name: string;
  kind: TableKind;
  description: string | null;
  columns: readonly Column[];
  location: string | null;
  metadataLocation?: string | null;
  format?: DataFormat | null;
  viewSql?: string | null;
  /** Of the first snapshot, when the table is created with rows. */
  contents?: TableContents;
  builtByRepository?: string | null;
  /** How far an incremental build or load has come with the first rows. */
  watermark?: string | null;
  createdBy: string;
  now: Date;
}

/** What the current snapshot of a managed table holds. */
export interface TableContents {
  snapshotId: number | null;
  rowCount: number;
  sizeBytes: number;
  fileCount: number;
}

/**
 * Creates the row of a table of any kind, owned by its creator. False when the name is taken. The namespace is locked
 * against a drop until the transaction ends; a dropped one is refused.
 */
export async function createTable(client: Transaction, t: NewTableRow): Promise<boolean> {
  const live = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM namespaces WHERE id = ${t.namespaceId}::uuid AND dropped_at IS NULL FOR SHARE`;
  if (live.length === 0) throw new Problem('not-found', 'The namespace was dropped meanwhile. Create it again first.');
  const { contents } = t;
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, description, owner_id, columns, location,
      metadata_location, format, view_sql, row_count, size_bytes, file_count, snapshot_id, built_by_repository,
      watermark, created_at, created_by, updated_at, last_write_at)
    VALUES (${t.id}::uuid, ${t.environmentId}::uuid, ${t.namespaceId}::uuid, ${t.name}, ${nameKey(t.name)}, ${t.kind},
      ${t.description}, ${t.createdBy}::uuid, ${JSON.stringify(t.columns)}::jsonb, ${t.location},
      ${t.metadataLocation ?? null}, ${t.format ?? null}, ${t.viewSql ?? null}, ${contents?.rowCount ?? null},
      ${contents?.sizeBytes ?? null}, ${contents?.fileCount ?? null}, ${contents?.snapshotId ?? null},
      ${t.builtByRepository ?? null}::uuid, ${t.watermark ?? null}, ${t.now}, ${t.createdBy}::uuid, ${t.now}, ${t.now})
    ON CONFLICT (namespace_id, name_key) WHERE dropped_at IS NULL DO NOTHING RETURNING id`;
  return rows.length === 1;
}
