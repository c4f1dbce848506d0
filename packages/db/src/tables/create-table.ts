import { nameKey } from '@svc/core/access';
import type { Column, DataFormat, TableKind } from '@svc/core/tables';
import { jsonText, type Transaction } from '../connection/index.ts';
import { completeCreation, namespaceGoneError } from '../drops/index.ts';
import { storageMoved } from '../environments/index.ts';
import { Prisma } from '../generated/client.ts';
import { builderSql } from './builder.ts';

export interface NewTableRow {
  id: string;
  environmentId: string;
  namespaceId: string;
  name: string;
  kind: TableKind;
  description: string | null;
  columns: readonly Column[];
  location: string | null;
  /** Whether the table's files are in the environment's own storage. */
  apart?: boolean;
  metadataLocation?: string | null;
  format?: DataFormat | null;
  viewSql?: string | null;
  /** Contents of the first snapshot, if the table is created with rows. */
  contents?: TableContents;
  /** The project that builds it; by default the one whose active version has an asset of its name (RETAIN-4). */
  builtByRepository?: string | null;
  /** The watermark that an incremental build or load reached with the first rows. */
  watermark?: string | null;
  createdBy: string;
  /** Days without activity after which the table expires. */
  expireAfter?: number | null;
  now: Date;
}

/** Statistics of a managed table's current snapshot. */
export interface TableContents {
  snapshotId: number | bigint | null;
  rowCount: number;
  sizeBytes: number;
  fileCount: number;
}

/**
 * Creates a table of any kind, owned by its creator (TABLE-1). Returns false if the name is taken. The namespace and
 * the environment are locked against deletion until the transaction commits; if either is gone, the call throws.
 *
 * @throws ApiError `write-conflict` if a sweep has removed the files of the creation
 */
export async function createTable(client: Transaction, t: NewTableRow): Promise<boolean> {
  const live = await client.$queryRaw<{ storage: string | null; namespace: string }[]>`
    SELECT e.storage_location AS storage, n.path_key AS namespace FROM namespaces n JOIN environments e ON e.id = n.environment_id
    WHERE n.id = ${t.namespaceId}::uuid AND n.dropped_at IS NULL AND e.deleted_at IS NULL FOR SHARE`;
  if (live.length === 0) throw namespaceGoneError();
  requireStorage(t, live[0]!.storage);
  const { contents, expireAfter = null } = t;
  const ruled = expireAfter === null ? null : t.now;
  const builder = Prisma.sql`
    (SELECT ${builderSql(Prisma.sql`${`${live[0]!.namespace}.${nameKey(t.name)}`}`)} FROM (SELECT ${t.environmentId}::uuid AS environment_id) t)`;
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, description, owner_id, columns, location,
      metadata_location, format, view_sql, row_count, size_bytes, file_count, snapshot_id, built_by_repository,
      watermark, created_at, created_by, updated_at, last_write_at, retention_days, retention_set_at, retention_set_by)
    VALUES (${t.id}::uuid, ${t.environmentId}::uuid, ${t.namespaceId}::uuid, ${t.name}, ${nameKey(t.name)}, ${t.kind},
      ${t.description}, ${t.createdBy}::uuid, ${jsonText(t.columns)}::jsonb, ${t.location},
      ${t.metadataLocation ?? null}, ${t.format ?? null}, ${t.viewSql ?? null}, ${contents?.rowCount ?? null},
      ${contents?.sizeBytes ?? null}, ${contents?.fileCount ?? null}, ${contents?.snapshotId ?? null},
      coalesce(${t.builtByRepository ?? null}::uuid, ${builder}), ${t.watermark ?? null}, ${t.now}, ${t.createdBy}::uuid, ${t.now}, ${t.now},
      ${expireAfter}, ${ruled}, ${ruled === null ? null : t.createdBy}::uuid)
    ON CONFLICT (namespace_id, name_key) WHERE dropped_at IS NULL DO NOTHING RETURNING id`;
  if (rows.length === 0) return false;
  if (t.location !== null) await completeCreation(client, t.location);
  return true;
}

/**
 * Rejects a table whose files are not in the environment's current storage: nothing would find them there. @throws
 * ApiError `write-conflict`
 */
function requireStorage(
  { kind, location, metadataLocation, apart = false }: NewTableRow,
  storage: string | null,
): void {
  const file = location ?? metadataLocation ?? null;
  if (kind === 'external' || file === null) return;
  if (storage === null ? apart : !file.startsWith(`${storage}/`)) throw storageMoved();
}
