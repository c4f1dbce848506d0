import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/** The work that made a snapshot. */
export interface SnapshotWork {
  readonly runId?: string | null | undefined;
  /** The task of the run. */
  readonly asset?: string | undefined;
  readonly queryId?: string | undefined;
  readonly writeId?: string | undefined;
}

/** Who or what made a snapshot. */
export interface NewSnapshotSource extends SnapshotWork {
  readonly tableId: string;
  readonly snapshotId: number | bigint | string;
  readonly principalId: string | null;
  readonly now: Date;
}

/** Records who or what made a snapshot, in the transaction that commits it. */
export async function recordSnapshotSource(client: Transaction, source: NewSnapshotSource): Promise<void> {
  await client.$executeRaw`${insertSnapshotSources([source])}`;
}

/** The same as a SQL fragment. Pass `from` to record them only if the commit affected a row. */
export function insertSnapshotSources(
  sources: readonly NewSnapshotSource[],
  from: Prisma.Sql = Prisma.empty,
): Prisma.Sql {
  const ids = sources.map(({ snapshotId }) => String(snapshotId));
  const tables = sources.map(({ tableId }) => tableId);
  const of = <K extends keyof NewSnapshotSource>(key: K) => sources.map((source) => source[key] ?? null);
  return Prisma.sql`
    INSERT INTO snapshot_sources (table_id, snapshot_id, principal_id, run_id, asset, query_id, write_id, created_at)
    SELECT x.* FROM unnest(${tables}::uuid[], ${ids}::bigint[], ${of('principalId')}::uuid[], ${of('runId')}::uuid[],
      ${of('asset')}::text[], ${of('queryId')}::uuid[], ${of('writeId')}::uuid[], ${of('now')}::timestamptz[])
      AS x(table_id, snapshot_id, principal_id, run_id, asset, query_id, write_id, created_at) ${from}
    ON CONFLICT DO NOTHING`;
}

export interface StoredSnapshotSource {
  snapshot_id: bigint;
  principal_id: string | null;
  principal: string | null;
  run_id: string | null;
  asset: string | null;
  query_id: string | null;
  write_id: string | null;
}

/** Who or what made the snapshots of a table, by the snapshot's id. */
export async function findSnapshotSources(
  client: Transaction,
  tableId: string,
): Promise<ReadonlyMap<string, StoredSnapshotSource>> {
  const rows = await client.$queryRaw<StoredSnapshotSource[]>`
    SELECT s.snapshot_id, s.principal_id, p.name AS principal, s.run_id, s.asset, s.query_id, s.write_id
    FROM snapshot_sources s LEFT JOIN principals p ON p.id = s.principal_id WHERE s.table_id = ${tableId}::uuid`;
  return new Map(rows.map((row) => [String(row.snapshot_id), row]));
}

/** The latest snapshot that each task of a run made, of tables that exist. */
export async function findSnapshotsOfRun(
  client: Transaction,
  runId: string,
): Promise<{ asset: string; snapshot_id: bigint; namespace: string; table: string }[]> {
  return client.$queryRaw`
    SELECT DISTINCT ON (s.asset) s.asset, s.snapshot_id, n.path AS namespace, t.name AS table
    FROM snapshot_sources s JOIN tables t ON t.id = s.table_id JOIN namespaces n ON n.id = t.namespace_id
    WHERE s.run_id = ${runId}::uuid AND s.asset IS NOT NULL AND t.dropped_at IS NULL AND n.dropped_at IS NULL
    ORDER BY s.asset, s.created_at DESC, s.snapshot_id DESC`;
}

/** Forgets the snapshots that a table no longer has, in the transaction that removes them. */
export async function forgetSnapshots(
  client: Transaction,
  { tableId, remaining }: { tableId: string; remaining: readonly (number | bigint | string)[] },
): Promise<void> {
  await client.$executeRaw`
    DELETE FROM snapshot_sources WHERE table_id = ${tableId}::uuid
      AND snapshot_id <> ALL(${remaining.map(String)}::bigint[])`;
}
