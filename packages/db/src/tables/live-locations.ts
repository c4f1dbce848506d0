import type { Transaction } from '../connection/index.ts';

/** Returns those of the locations that a record still refers to. */
export async function liveLocations(client: Transaction, locations: readonly string[]): Promise<Set<string>> {
  if (locations.length === 0) return new Set();
  const rows = await client.$queryRaw<{ location: string }[]>`
    SELECT x.location FROM unnest(${[...locations]}::text[]) AS x(location)
    WHERE EXISTS (SELECT 1 FROM writes w WHERE w.status IN ('queued', 'running')
                    AND (w.staged_location = x.location OR x.location = ANY (w.staged_parts)))
       OR EXISTS (SELECT 1 FROM upload_parts p WHERE p.location = x.location)
       OR EXISTS (SELECT 1 FROM queries q WHERE q.result_location = x.location)
       OR EXISTS (SELECT 1 FROM bundles b WHERE b.location = x.location)
       OR EXISTS (SELECT 1 FROM runs r WHERE r.log_location = x.location)
       OR EXISTS (SELECT 1 FROM project_versions v JOIN environments e ON e.id = v.environment_id
                  WHERE v.location = x.location AND e.purged_at IS NULL
                    AND (v.dev_namespace IS NULL OR EXISTS (
                      SELECT 1 FROM runs r WHERE r.project_version_id = v.id AND r.ended_at IS NULL)))
       OR EXISTS (SELECT 1 FROM tables t WHERE t.location = x.location AND t.purged_at IS NULL)
       OR EXISTS (SELECT 1 FROM tables t WHERE t.metadata_location = x.location AND t.dropped_at IS NULL
                  AND t.id = substring(x.location FROM '/views/[^/]+/([0-9a-f-]{36})/metadata/')::uuid)`;
  return new Set(rows.map(({ location }) => location));
}

/** Folders of tables inside a folder whose files are not deleted yet. */
export async function tablesInside(client: Transaction, folder: string): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    SELECT location FROM tables WHERE purged_at IS NULL
      AND location COLLATE "C" > ${`${folder}/`} AND location COLLATE "C" < ${`${folder}0`}`;
  return rows.map(({ location }) => location);
}

/** Folders of managed tables, a folder or inside it, whose files are not deleted yet. */
export async function tablesIn(client: Transaction, folder: string): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    SELECT location FROM tables WHERE purged_at IS NULL AND kind = 'managed' AND (location = ${folder}
      OR (location COLLATE "C" > ${`${folder}/`} AND location COLLATE "C" < ${`${folder}0`}))`;
  return rows.map(({ location }) => location);
}

/** Iterates over all live managed tables, in batches. */
export async function* liveTables(
  client: Transaction,
  batch: number,
): AsyncGenerator<{ id: string; location: string; metadata_location: string }> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await client.$queryRaw<{ id: string; location: string; metadata_location: string }[]>`
      SELECT id, location, metadata_location FROM tables
      WHERE id > ${after}::uuid AND dropped_at IS NULL AND kind = 'managed' AND metadata_location IS NOT NULL
      ORDER BY id LIMIT ${batch}`;
    yield* rows;
    if (rows.length < batch) return;
    after = rows.at(-1)!.id;
  }
}

/** What an incremental build continues from: the watermark (RUN-5), and whether anything was ever written to the table. */
export async function readProgress(
  client: Transaction,
  tableId: string,
): Promise<{ watermark: string | null; isWritten: boolean }> {
  const row = await client.table.findUnique({ where: { id: tableId }, select: { watermark: true, snapshot_id: true } });
  return { watermark: row?.watermark ?? null, isWritten: (row?.snapshot_id ?? null) !== null };
}

/** Marks the table as built by a project, or by none, and stores the asset's description of it. */
export async function markBuilt(
  client: Transaction,
  { id, repositoryId, description }: { id: string; repositoryId: string | null; description: string | null },
): Promise<void> {
  const described = description === null ? {} : { description };
  await client.table.update({ where: { id }, data: { built_by_repository: repositoryId, ...described } });
}
