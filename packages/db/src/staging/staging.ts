import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/** Who sees a staging table. */
export interface StagingOwner {
  /** The account of the engine, or the principal of a run. */
  principalId: string;
  /** The task whose token alone sees it; null for the account of an engine. */
  taskId: string | null;
}

export interface NewStaging extends StagingOwner {
  id: string;
  environmentId: string;
  /** Its own folder, inside that of the table that gets its files. */
  location: string;
  /** The folder of the table whose rows it has first; null if it has none. */
  baseLocation: string | null;
  metadataLocation: string;
  now: Date;
  /** When no statement can write to it anymore. */
  expiresAt: Date;
}

export interface StoredStaging {
  id: string;
  location: string;
  baseLocation: string | null;
  metadataLocation: string;
  /** Whether a statement has written its rows. */
  isWritten: boolean;
}

const STORED = Prisma.sql`id, location, base_location AS "baseLocation", metadata_location AS "metadataLocation",
  is_written AS "isWritten"`;

export async function storeStaging(client: Transaction, s: NewStaging): Promise<void> {
  await client.$executeRaw`
    INSERT INTO staging_tables (id, environment_id, principal_id, task_id, location, base_location, metadata_location,
      created_at, expires_at)
    VALUES (${s.id}::uuid, ${s.environmentId}::uuid, ${s.principalId}::uuid, ${s.taskId}::uuid, ${s.location},
      ${s.baseLocation}, ${s.metadataLocation}, ${s.now}, ${s.expiresAt})`;
}

/** The staging table with this id if it is for this owner; null otherwise. */
export async function findStaging(
  client: Transaction,
  { id, environmentId, principalId, taskId }: StagingOwner & { id: string; environmentId: string },
): Promise<StoredStaging | null> {
  const rows = await client.$queryRaw<StoredStaging[]>`
    SELECT ${STORED} FROM staging_tables
    WHERE id = ${id}::uuid AND environment_id = ${environmentId}::uuid AND principal_id = ${principalId}::uuid
      AND task_id IS NOT DISTINCT FROM ${taskId}::uuid`;
  return rows[0] ?? null;
}

/** Stores the rows of a statement. Returns false if the table is gone, or has the rows of a statement already. */
export async function commitToStaging(
  client: Transaction,
  { id, metadataLocation }: { id: string; metadataLocation: string },
): Promise<boolean> {
  const count = await client.$executeRaw`
    UPDATE staging_tables SET metadata_location = ${metadataLocation}, is_written = true
    WHERE id = ${id}::uuid AND NOT is_written`;
  return count === 1;
}

/** Moves the end of a staging table whose rows are read now. Returns it; null if it is gone. */
export async function extendStaging(
  client: Transaction,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<StoredStaging | null> {
  const rows = await client.$queryRaw<StoredStaging[]>`
    UPDATE staging_tables SET expires_at = greatest(expires_at, ${expiresAt}) WHERE id = ${id}::uuid
    RETURNING ${STORED}`;
  return rows[0] ?? null;
}

/**
 * Removes a staging table, so that nothing can be written to it anymore, and so that the sweep removes the files that no table has
 * got. Returns it as it was; null if it is gone.
 */
export async function removeStaging(client: Transaction, id: string): Promise<StoredStaging | null> {
  const rows = await client.$queryRaw<StoredStaging[]>`
    DELETE FROM staging_tables WHERE id = ${id}::uuid
    RETURNING ${STORED}`;
  return rows[0] ?? null;
}

/** Folders of staging tables inside the folder of the table that gets their files. */
export async function stagingInside(client: Transaction, folder: string): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    SELECT location FROM staging_tables WHERE starts_with(location, ${`${folder}/`})`;
  return rows.map(({ location }) => location);
}

/** Removes staging tables that a killed worker left behind. The orphan sweep removes their files. */
export async function removeExpiredStaging(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return client.$executeRaw`
    DELETE FROM staging_tables WHERE id IN (
      SELECT id FROM staging_tables WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
