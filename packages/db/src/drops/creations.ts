import { ApiError } from '@svc/core/errors';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/**
 * Records the folder of a table that is about to be created, outside any transaction and before its first file exists.
 */
export async function startCreation(
  client: Transaction,
  { location, now }: { location: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    INSERT INTO table_creations (location, created_at) VALUES (${location}, ${now}) ON CONFLICT DO NOTHING`;
}

/** Whether a creation in this folder has started, is neither completed nor being removed. */
export async function isStarted(client: Transaction, location: string): Promise<boolean> {
  const rows = await client.$queryRaw<unknown[]>`
    SELECT 1 FROM table_creations c WHERE location = ${location} AND removal_started_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.location = c.location)`;
  return rows.length > 0;
}

const ABANDONED = Prisma.sql`
  NOT EXISTS (SELECT 1 FROM tables t WHERE t.location = c.location AND t.purged_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM staging_tables s WHERE starts_with(s.location, c.location || '/'))`;

/** Folders of creations that started before a time and never completed, oldest first. An engine may still write to a staging table. */
export async function findAbandonedCreations(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    SELECT location FROM table_creations c WHERE created_at < ${before} AND ${ABANDONED}
    ORDER BY created_at LIMIT ${limit}`;
  return rows.map(({ location }) => location);
}

/**
 * Claims the folder of an abandoned creation for its removal. Returns false if its table was created or a staging table was
 * added in the meantime. A creation that is committing has locked the row: this waits for it, and later ones are refused by
 * `completeCreation`.
 */
export async function claimAbandonedCreation(
  client: Transaction,
  { location, now }: { location: string; now: Date },
): Promise<boolean> {
  const claimed = await client.$executeRaw`
    UPDATE table_creations c SET removal_started_at = coalesce(removal_started_at, ${now})
    WHERE location = ${location} AND ${ABANDONED}`;
  return claimed > 0;
}

/** Records that the files of a claimed creation are gone. */
export async function finishRemoval(
  client: Transaction,
  { location, now }: { location: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    WITH removed AS (DELETE FROM table_creations WHERE location = ${location} RETURNING location)
    INSERT INTO removed_creations (location, removed_at) SELECT location, ${now}::timestamptz FROM removed
    ON CONFLICT DO NOTHING`;
}

/**
 * Removes the record of a creation in the transaction that creates its table.
 *
 * @throws ApiError `write-conflict` if a sweep has removed its files, or is removing them
 */
export async function completeCreation(client: Transaction, location: string): Promise<void> {
  const [row] = await client.$queryRaw<{ removal_started_at: Date | null }[]>`
    DELETE FROM table_creations WHERE location = ${location} RETURNING removal_started_at`;
  // Read after the deletion, which waits for a removal that is finishing.
  const removed =
    row === undefined
      ? await client.$queryRaw<unknown[]>`SELECT 1 FROM removed_creations WHERE location = ${location}`
      : [];
  if (removed.length === 0 && (row?.removal_started_at ?? null) === null) return;
  throw new ApiError(
    'write-conflict',
    `The creation of this table started more than 24 hours ago and was not completed, so its files in ${location} were removed. Nothing was created.`,
    { remedy: 'Create the table again.' },
  );
}

export async function forgetCreations(client: Transaction, locations: readonly string[]): Promise<void> {
  await client.$executeRaw`DELETE FROM table_creations WHERE location = ANY(${[...locations]}::text[])`;
}

/** Returns the folders that contain, directly or below, neither a table with files nor a creation in progress. */
export async function foldersWithoutRecord(client: Transaction, folders: readonly string[]): Promise<Set<string>> {
  const rows = await client.$queryRaw<{ folder: string }[]>`
    SELECT x.folder FROM unnest(${[...folders]}::text[]) AS x(folder)
    WHERE NOT EXISTS (SELECT 1 FROM table_creations c WHERE c.location = x.folder)
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.purged_at IS NULL AND t.location = x.folder)
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.purged_at IS NULL
        AND t.location COLLATE "C" > x.folder || '/' AND t.location COLLATE "C" < x.folder || '0')
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.purged_at IS NULL AND t.dropped_at IS NULL
        AND starts_with(t.metadata_location, x.folder || '/'))`;
  return new Set(rows.map(({ folder }) => folder));
}
