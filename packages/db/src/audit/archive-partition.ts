import type { ArchivedEvent } from '@svc/core/audit';
import { tryLockBackups } from '../backup/lock.ts';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import {
  createPartition,
  listPartitions,
  lockPartitions,
  monthStart,
  nameSql,
  PAST,
  type Partition,
  rangeSql,
} from './partitions.ts';

const BATCH = 2000;

/** A partition whose events can be archived. */
export interface ArchivablePartition extends Partition {
  readonly until: Date;
  readonly rows: number;
  /** Null if the partition has no events. */
  readonly events: {
    readonly since: Date;
    readonly firstSequence: bigint;
    readonly lastSequence: bigint;
    readonly lastHash: Uint8Array;
    readonly types: string[];
    readonly principalIds: string[];
    readonly environmentIds: string[];
  } | null;
}

interface Summary {
  rows: bigint;
  unsealed: bigint;
  since: Date | null;
  first: bigint | null;
  last: bigint | null;
  types: string[] | null;
  principals: string[] | null;
  environments: string[] | null;
}

/**
 * The oldest partition, if its last month is over for `months` months, every event of it is sealed, and the signed head is a later event:
 * what the sealer continues from is in the database.
 */
export async function findArchivable(
  client: Transaction,
  { now, months }: { now: Date; months: number },
): Promise<ArchivablePartition | null> {
  const oldest = (await listPartitions(client)).find(({ name }) => name !== PAST);
  if (oldest === undefined || oldest.until === null || oldest.until > monthStart(now, -months)) return null;
  const table = nameSql(oldest.name);
  const [found] = await client.$queryRaw<[Summary]>`
    SELECT count(*) AS rows, count(*) FILTER (WHERE sequence IS NULL) AS unsealed, min(time) AS since,
      min(sequence) AS first, max(sequence) AS last, array_agg(DISTINCT type) AS types,
      array_agg(DISTINCT principal_id) FILTER (WHERE principal_id IS NOT NULL) AS principals,
      array_agg(DISTINCT environment_id) FILTER (WHERE environment_id IS NOT NULL) AS environments FROM ${table}`;
  const partition = { ...oldest, until: oldest.until, rows: Number(found.rows) };
  const { since, first, last } = found;
  if (found.rows === 0n || since === null) return { ...partition, events: null };
  const head = await client.auditHead.findFirst({ select: { signed_sequence: true } });
  if (found.unsealed > 0n || first === null || last === null || (head?.signed_sequence ?? 0n) <= last) return null;
  const [end] = await client.$queryRaw<[{ hash: Uint8Array }]>`SELECT hash FROM ${table} WHERE sequence = ${last}`;
  const events = {
    ...{ since, firstSequence: first, lastSequence: last, lastHash: end.hash, types: found.types ?? [] },
    ...{ principalIds: found.principals ?? [], environmentIds: found.environments ?? [] },
  };
  return { ...partition, events };
}

/** The sealed events of a partition by time and id. */
export async function* readPartition(client: Transaction, { name }: Partition): AsyncGenerator<ArchivedEvent> {
  for (let after: Pick<ArchivedEvent, 'time' | 'id'> | null = null; ; ) {
    const rest = after === null ? Prisma.empty : Prisma.sql`AND (time, id) > (${after.time}, ${after.id}::uuid)`;
    const rows: ArchivedEvent[] = await client.$queryRaw<ArchivedEvent[]>`
      SELECT id, sequence, time, type, principal_id, principal, environment_id, object::text AS object, request_id,
        detail::text AS detail, hash
      FROM ${nameSql(name)} WHERE sequence IS NOT NULL ${rest}
      ORDER BY time, id LIMIT ${BATCH}`;
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < BATCH || last === undefined) return;
    after = last;
  }
}

/**
 * Records that the events of a partition are in storage and removes them from the database, in one transaction: readers find each event in
 * one or the other. Returns false if the partition changed since, or a backup is copying the database.
 * @throws if the log is in use for too long (SQLSTATE 55P03)
 */
export async function replaceByArchive(
  client: Transaction,
  { name, until, rows, events }: ArchivablePartition,
  written: { readonly metadataLocation: string; readonly snapshotId: number; readonly bytes: number } | null,
  now: Date,
): Promise<boolean> {
  // A backup reads the rows of one moment, and would find the partition neither here nor among the archives.
  if (!(await tryLockBackups(client))) return false;
  await lockPartitions(client);
  const partitions = await listPartitions(client);
  const oldest = partitions.find((partition) => partition.name !== PAST);
  if (oldest?.name !== name || oldest.until?.getTime() !== until.getTime()) return false;
  const table = nameSql(name);
  // Sealing an event that came later would have assigned a higher number.
  const [found] = await client.$queryRaw<[{ last: bigint | null; unsealed: boolean }]>`
    SELECT max(sequence) AS last, EXISTS (SELECT FROM ${table} WHERE sequence IS NULL) AS unsealed FROM ${table}`;
  if (found.unsealed || found.last !== (events?.lastSequence ?? null)) return false;
  if (events !== null && written !== null) {
    await client.$executeRaw`
      INSERT INTO audit_archives (until, since, rows, first_sequence, last_sequence, last_hash, metadata_location, snapshot_id,
        bytes, types, principal_ids, environment_ids, archived_at)
      VALUES (${until}, ${events.since}, ${rows}, ${events.firstSequence}, ${events.lastSequence}, ${events.lastHash},
        ${written.metadataLocation}, ${written.snapshotId}, ${written.bytes}, ${events.types}, ${events.principalIds}::uuid[],
        ${events.environmentIds}::uuid[], ${now})`;
    await client.$executeRaw`
      INSERT INTO audit_activations (event_id, time, principal_id, active)
      SELECT id, time, (detail->>'principal_id')::uuid, (detail->>'active')::boolean FROM ${table}
      WHERE type = 'PRINCIPAL_UPDATED' AND detail->'changed' @> '"active"'`;
  }
  await client.$executeRaw`ALTER TABLE audit_events DETACH PARTITION ${table}`;
  await client.$executeRaw`DROP TABLE ${table}`;
  await extendPast(client, partitions, until);
  return true;
}

/** Late events of the removed months get a partition too. */
async function extendPast(client: Transaction, partitions: readonly Partition[], until: Date): Promise<void> {
  const past = { name: PAST, since: null, until };
  if (!partitions.some(({ name }) => name === PAST)) return createPartition(client, past);
  await client.$executeRaw`ALTER TABLE audit_events DETACH PARTITION ${nameSql(PAST)}`;
  await client.$executeRaw`ALTER TABLE audit_events ATTACH PARTITION ${nameSql(PAST)} ${rangeSql(null, until)}`;
}

/** The locations of the metadata of all archives. */
export async function archiveLocations(client: Transaction): Promise<string[]> {
  const rows = await client.auditArchive.findMany({ select: { metadata_location: true } });
  return rows.map(({ metadata_location }) => metadata_location);
}
