import type { DataFormat } from '@svc/core/tables';
import type { Upload } from '@svc/core/uploads';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/** A part as the database stores it. */
export interface StoredPart {
  number: number;
  size: number;
  sha256: string;
  location: string;
}

/** An upload with its parts in order. */
export interface StoredUpload {
  id: string;
  /** What messages call the file. */
  name: string | null;
  format: DataFormat;
  size: bigint;
  part_bytes: number;
  /** The write that loads it, once it is complete. */
  write_id: string | null;
  created_at: Date;
  expires_at: Date;
  parts: StoredPart[];
}

export function uploadRecord(row: StoredUpload): Upload {
  return {
    id: row.id,
    format: row.format,
    size: Number(row.size),
    part_bytes: row.part_bytes,
    parts: row.parts.map(({ number, size, sha256 }) => ({ number, size, sha256 })),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

export interface NewUpload {
  id: string;
  environmentId: string;
  tableId: string;
  requestedBy: string;
  format: DataFormat;
  size: number;
  partBytes: number;
  fingerprint: string | null;
  name: string | null;
  now: Date;
  expiresAt: Date;
}

/** Stores an upload, or extends the unfinished one of the same file and requester. Returns its id. */
export async function startUpload(client: Transaction, u: NewUpload): Promise<string> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO uploads (id, environment_id, table_id, requested_by, format, size_bytes, part_bytes, fingerprint,
      name, created_at, expires_at)
    VALUES (${u.id}::uuid, ${u.environmentId}::uuid, ${u.tableId}::uuid, ${u.requestedBy}::uuid, ${u.format}, ${u.size},
      ${u.partBytes}, ${u.fingerprint}, ${u.name}, ${u.now}, ${u.expiresAt})
    ON CONFLICT (table_id, requested_by, fingerprint, format, size_bytes) WHERE write_id IS NULL
    DO UPDATE SET expires_at = EXCLUDED.expires_at, name = EXCLUDED.name
    RETURNING id`;
  return rows[0]!.id;
}

interface UploadsKey {
  ids: readonly string[];
  tableId: string;
  requestedBy: string;
  lock?: boolean;
}

/** The requester's upload into a table. `lock`: nobody else changes it until the transaction ends. */
export async function findUpload(
  client: Transaction,
  { id, ...key }: Omit<UploadsKey, 'ids'> & { id: string },
): Promise<StoredUpload | null> {
  const [row = null] = await findUploads(client, { ids: [id], ...key });
  return row;
}

/** Those of the uploads that are the requester's uploads into a table, in the order of their ids. */
export async function findUploads(
  client: Transaction,
  { ids, tableId, requestedBy, lock = false }: UploadsKey,
): Promise<StoredUpload[]> {
  return client.$queryRaw<StoredUpload[]>`
    SELECT u.id, u.name, u.format, u.size_bytes AS size, u.part_bytes, u.write_id, u.created_at, u.expires_at,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('number', p.number, 'size', p.size_bytes, 'sha256', p.sha256,
                                                         'location', p.location) ORDER BY p.number), '[]')
            FROM upload_parts p WHERE p.upload_id = u.id) AS parts
    FROM uploads u
    WHERE u.id = ANY (${[...ids]}::uuid[]) AND u.table_id = ${tableId}::uuid AND u.requested_by = ${requestedBy}::uuid
    ORDER BY u.id
    ${lock ? Prisma.sql`FOR UPDATE OF u` : Prisma.empty}`;
}

/** Stores a part that has arrived, instead of an earlier one with that number, and extends the upload. */
export async function storePart(
  client: Transaction,
  { uploadId, part, expiresAt }: { uploadId: string; part: StoredPart; expiresAt: Date },
): Promise<void> {
  await client.$executeRaw`
    WITH extended AS (UPDATE uploads SET expires_at = ${expiresAt} WHERE id = ${uploadId}::uuid)
    INSERT INTO upload_parts (upload_id, number, size_bytes, sha256, location)
    VALUES (${uploadId}::uuid, ${part.number}, ${part.size}, ${part.sha256}, ${part.location})
    ON CONFLICT (upload_id, number) DO UPDATE
      SET size_bytes = EXCLUDED.size_bytes, sha256 = EXCLUDED.sha256, location = EXCLUDED.location`;
}

/** Marks uploads as loaded by a write, which refers to the files of their parts from now on. */
export async function finishUploads(
  client: Transaction,
  { ids, writeId }: { ids: readonly string[]; writeId: string },
): Promise<void> {
  await client.upload.updateMany({ where: { id: { in: [...ids] } }, data: { write_id: writeId } });
  await client.uploadPart.deleteMany({ where: { upload_id: { in: [...ids] } } });
}

/** Deletes an upload with its parts. */
export async function deleteUpload(client: Transaction, id: string): Promise<void> {
  await client.uploadPart.deleteMany({ where: { upload_id: id } });
  await client.upload.delete({ where: { id } });
}

/** Deletes up to `limit` uploads that nobody continued in time, and returns the locations of their parts. */
export async function claimExpiredUploads(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    WITH expired AS (
      SELECT id FROM uploads WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED),
    parts AS (DELETE FROM upload_parts p USING expired e WHERE p.upload_id = e.id RETURNING p.location),
    deleted AS (DELETE FROM uploads u USING expired e WHERE u.id = e.id)
    SELECT location FROM parts`;
  return rows.map(({ location }) => location);
}
