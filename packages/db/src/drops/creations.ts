import type { Transaction } from '../connection/index.ts';

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

/** Whether a creation in this folder has started and not completed. */
export async function isStarted(client: Transaction, location: string): Promise<boolean> {
  const rows = await client.$queryRaw<unknown[]>`
    SELECT 1 FROM table_creations c WHERE location = ${location}
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.location = c.location)`;
  return rows.length > 0;
}

/** Folders of creations that started before a time and never completed, oldest first. An engine may still write to a staging table. */
export async function findAbandonedCreations(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    SELECT location FROM table_creations c WHERE created_at < ${before}
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.location = c.location AND t.purged_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM staging_tables s WHERE starts_with(s.location, c.location || '/'))
    ORDER BY created_at LIMIT ${limit}`;
  return rows.map(({ location }) => location);
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
