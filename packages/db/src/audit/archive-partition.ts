import type { ArchivedEvent } from '@svc/core/audit';
import { tryLockBackups } from '../backup/lock.ts';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { ChainPoint } from './chain.ts';
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
  /** The last event in the order of the chain; null if the partition has no events. */
  readonly last: ChainPoint | null;
}

/** An archive that was written, with its events. */
export interface NewArchive {
  readonly metadataLocation: string;
  readonly snapshotId: number;
  readonly bytes: number;
  readonly contents: ArchiveContents;
}

/**
 * What occurs in the events of an archive, collected while they are written. A statement that reads all events of a partition would take
 * longer than statements may.
 */
export class ArchiveContents {
  rows = 0;
  since: Date | null = null;
  firstSequence: bigint | null = null;
  readonly types = new Set<string>();
  readonly principalIds = new Set<string>();
  readonly environmentIds = new Set<string>();

  /** Adds the next event in the order of the list. */
  add({ time, sequence, type, principal_id, environment_id }: ArchivedEvent): void {
    this.rows++;
    this.since ??= time;
    if (this.firstSequence === null || sequence < this.firstSequence) this.firstSequence = sequence;
    this.types.add(type);
    if (principal_id !== null) this.principalIds.add(principal_id);
    if (environment_id !== null) this.environmentIds.add(environment_id);
  }
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
  const partition = { ...oldest, until: oldest.until };
  const { last, unsealed } = await endOf(client, partition);
  if (unsealed) return null;
  if (last === null) return { ...partition, last: null };
  const head = await client.auditHead.findFirst({ select: { signed_sequence: true } });
  if ((head?.signed_sequence ?? 0n) <= last) return null;
  const [end] = await client.$queryRaw<[{ hash: Uint8Array }]>`
    SELECT hash FROM ${nameSql(oldest.name)} WHERE sequence = ${last}`;
  return { ...partition, last: { sequence: last, hash: end.hash } };
}

/** The highest number in a partition, and whether it has events without one. Uses indexes only. */
async function endOf(client: Transaction, { name }: Partition): Promise<{ last: bigint | null; unsealed: boolean }> {
  const table = nameSql(name);
  const [end] = await client.$queryRaw<[{ last: bigint | null; unsealed: boolean }]>`
    SELECT max(sequence) AS last, EXISTS (SELECT FROM ${table} WHERE sequence IS NULL) AS unsealed FROM ${table}`;
  return end;
}

/** The sealed events of a partition by time and id, each added to `contents`. */
export async function* readPartition(
  client: Transaction,
  { name }: Partition,
  contents: ArchiveContents,
): AsyncGenerator<ArchivedEvent> {
  for (let after: Pick<ArchivedEvent, 'time' | 'id'> | null = null; ; ) {
    const rest = after === null ? Prisma.empty : Prisma.sql`AND (time, id) > (${after.time}, ${after.id}::uuid)`;
    const rows: ArchivedEvent[] = await client.$queryRaw<ArchivedEvent[]>`
      SELECT id, sequence, time, type, principal_id, principal, environment_id, object::text AS object, request_id,
        detail::text AS detail, hash
      FROM ${nameSql(name)} WHERE sequence IS NOT NULL ${rest}
      ORDER BY time, id LIMIT ${BATCH}`;
    for (const event of rows) {
      contents.add(event);
      yield event;
    }
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
  partition: ArchivablePartition,
  archive: NewArchive | null,
  now: Date,
): Promise<boolean> {
  const { name, until, last } = partition;
  // A backup reads the rows of one moment, and would find the partition neither here nor among the archives.
  if (!(await tryLockBackups(client))) return false;
  await lockPartitions(client);
  const partitions = await listPartitions(client);
  const oldest = partitions.find((each) => each.name !== PAST);
  if (oldest?.name !== name || oldest.until?.getTime() !== until.getTime()) return false;
  // Sealing an event that came later would have assigned a higher number.
  const end = await endOf(client, partition);
  if (end.unsealed || end.last !== (last?.sequence ?? null)) return false;
  const table = nameSql(name);
  if (last !== null && archive !== null) {
    const { rows, since, firstSequence, types, principalIds, environmentIds } = archive.contents;
    await client.$executeRaw`
      INSERT INTO audit_archives (until, since, rows, first_sequence, last_sequence, last_hash, metadata_location, snapshot_id,
        bytes, types, principal_ids, environment_ids, archived_at)
      VALUES (${until}, ${since}, ${rows}, ${firstSequence}, ${last.sequence}, ${last.hash},
        ${archive.metadataLocation}, ${archive.snapshotId}, ${archive.bytes}, ${[...types]}, ${[...principalIds]}::uuid[],
        ${[...environmentIds]}::uuid[], ${now})`;
    // All events are sealed. The condition selects the index: others wait for this transaction.
    await client.$executeRaw`
      INSERT INTO audit_activations (event_id, time, principal_id, active)
      SELECT id, time, (detail->>'principal_id')::uuid, (detail->>'active')::boolean FROM ${table}
      WHERE sequence IS NOT NULL AND type = 'PRINCIPAL_UPDATED' AND detail->'changed' @> '"active"'`;
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
