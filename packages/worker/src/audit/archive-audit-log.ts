import { INSTANCE } from '@svc/core/access';
import {
  type ArchivablePartition,
  ArchiveContents,
  archiveLocations,
  findArchivable,
  type NewArchive,
  readPartition,
  recordEvent,
  replaceByArchive,
} from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import { tablesIn } from '@svc/db/tables';
import { isWithin, tableIds } from '@svc/iceberg';
import { tableFolders } from '@svc/lake/tables';
import type { WorkerDeps } from '../work/deps.ts';
import { isInUse } from './add-audit-months.ts';

type Deps = Pick<WorkerDeps, 'db' | 'store' | 'archive' | 'clock' | 'newId' | 'random' | 'step'>;

/** Folders of attempts that are older than this are removed. A writer needs minutes. */
const ABANDONED_MS = 24 * 3_600_000;
const BATCH = 100;

/**
 * Moves partitions of the audit log to storage once their last month has been over for `months` months, oldest first. The files are
 * written and read again, and then one transaction records them and removes the partition: until it commits, an attempt that dies has only
 * left files.
 */
export async function archiveAuditLog(
  deps: Deps,
  { lease, months }: { lease: LeaderLease; months: number },
  signal: AbortSignal,
): Promise<{ partitions: number; events: number }> {
  await removeAbandoned(deps, lease, signal);
  const total = { partitions: 0, events: 0 };
  try {
    for (;;) {
      signal.throwIfAborted();
      const partition = await findArchivable(deps.db.prisma, { now: deps.clock(), months });
      const events = partition === null ? null : await archivePartition(deps, partition, lease, signal);
      if (events === null) return total;
      total.partitions += 1;
      total.events += events;
    }
  } finally {
    // Releases the memory of its engine until the next month.
    await deps.archive.close();
  }
}

/** Returns how many events were archived; null if the partition stays in the database. */
async function archivePartition(
  deps: Deps,
  partition: ArchivablePartition,
  lease: LeaderLease,
  signal: AbortSignal,
): Promise<number | null> {
  const { db, store, archive, clock, newId, random } = deps;
  const location = archive.locationOf(newId());
  const ids = tableIds({ newId, random });
  const contents = new ArchiveContents();
  const events = async function* () {
    for await (const event of readPartition(db.prisma, partition, contents)) {
      signal.throwIfAborted();
      yield event;
    }
  };
  const written = partition.last === null ? null : await archive.write(events(), { location, now: clock(), ids });
  await deps.step?.('archive.written');
  const replaced = await replace(deps, { partition, archive: written && { ...written, contents }, lease });
  await deps.step?.('archive.recorded');
  while (!replaced && !(await store.removePrefix(location)).done);
  return replaced ? contents.rows : null;
}

async function replace(
  { db, clock, newId }: Deps,
  { partition, archive, lease }: { partition: ArchivablePartition; archive: NewArchive | null; lease: LeaderLease },
): Promise<boolean> {
  const now = clock();
  try {
    return await inTransaction(db, async (tx) => {
      if (!(await lockLeaderLease(tx, lease))) return false;
      if (!(await replaceByArchive(tx, partition, archive, now))) return false;
      const { last, until } = partition;
      if (last !== null && archive !== null) {
        const { rows, since, firstSequence } = archive.contents;
        const detail = {
          since: since?.toISOString(),
          until: until.toISOString(),
          rows,
          first_sequence: Number(firstSequence),
          last_sequence: Number(last.sequence),
          last_hash: Buffer.from(last.hash).toString('hex'),
          size_bytes: archive.bytes,
        };
        const event = { principal: null, object: INSTANCE, environmentId: null, requestId: null, detail };
        await recordEvent(tx, { id: newId(), time: now, type: 'AUDIT_LOG_ARCHIVED', ...event });
      }
      return true;
    });
  } catch (error) {
    if (isInUse(error)) return false;
    throw error;
  }
}

/**
 * Removes what attempts that died have left. Records are read after the folders were listed, and only by the leader: a folder without a
 * record then belongs to an attempt that can't record it any more, whatever the clocks of the two workers show.
 */
async function removeAbandoned(
  { db, store, archive, clock }: Deps,
  lease: LeaderLease,
  signal: AbortSignal,
): Promise<void> {
  const before = clock().getTime() - ABANDONED_MS;
  // Older versions let an engine create a table in this folder.
  const tables = await tablesIn(db.prisma, archive.folder);
  for await (const folders of tableFolders(store, archive.folder, 1, BATCH)) {
    const old = folders.filter(({ youngest }) => youngest < before);
    if (old.length === 0) continue;
    const recorded = await inTransaction(db, async (tx) =>
      (await lockLeaderLease(tx, lease)) ? archiveLocations(tx) : null,
    );
    if (recorded === null) return;
    for (const { location } of old) {
      signal.throwIfAborted();
      if (recorded.some((metadata) => metadata.startsWith(`${location}/`))) continue;
      if (tables.some((table) => isWithin(table, location) || isWithin(location, table))) continue;
      for (let done = false; !done; ) ({ done } = await store.removePrefix(location));
    }
  }
}
