import type { Transaction } from '../connection/index.ts';

/** Notes the folder that a table is about to be created in, before the first file: outside of any transaction. */
export async function beginCreation(
  client: Transaction,
  { location, now }: { location: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    INSERT INTO table_creations (location, created_at) VALUES (${location}, ${now}) ON CONFLICT DO NOTHING`;
}

/** Whether a table is being created in the folder, and has not become one. */
export async function isBegun(client: Transaction, location: string): Promise<boolean> {
  const rows = await client.$queryRaw<unknown[]>`
    SELECT 1 FROM table_creations c WHERE location = ${location}
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.location = c.location)`;
  return rows.length > 0;
}

/** Folders of creations begun before a time that have not become a table's, oldest first. */
export async function abandonedCreations(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    SELECT location FROM table_creations c WHERE created_at < ${before}
      AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.location = c.location AND t.purged_at IS NULL)
    ORDER BY created_at LIMIT ${limit}`;
  return rows.map(({ location }) => location);
}

export async function forgetCreations(client: Transaction, locations: readonly string[]): Promise<void> {
  await client.$executeRaw`DELETE FROM table_creations WHERE location = ANY(${[...locations]}::text[])`;
}

/** Those of the given folders that no table whose files are there and no creation lies in, at their top or below. */
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
