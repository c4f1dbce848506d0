import { setTimeout as delay } from 'node:timers/promises';
import { scopeOf } from '@svc/core/access';
import { recordEvents } from '@svc/db/audit';
import { tryLockBackups } from '@svc/db/backup';
import { lockLocations } from '@svc/db/catalog';
import { inTransaction } from '@svc/db/connection';
import { addPurged, claimPurges, finishPurges, type Purge, type PurgePosition, recordPurgeError } from '@svc/db/drops';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import type { SweepDeps } from './sweep-deps.ts';

/** Small, with a pause after each batch, so that requests to this process aren't delayed. */
const BATCH = 25;
const MAX_PAUSE_MS = 100;
const FILES_AT_ONCE = 1000;
const MAX_ERROR_LENGTH = 500;

export interface PurgeCounts {
  purged: number;
  files: number;
  bytes: number;
  failed: number;
}

/**
 * Deletes the files of dropped tables whose undo period is over. Each table is claimed first, so that it can't be
 * restored from then on. If a sweep crashes, the next one resumes it. Tables inside another table's folder go first, so
 * the walk repeats until no more tables become due.
 */
export async function purgeTables(deps: SweepDeps, lease: LeaderLease, signal: AbortSignal): Promise<PurgeCounts> {
  const total: PurgeCounts = { purged: 0, files: 0, bytes: 0, failed: 0 };
  for (;;) {
    const walk = await purgePass(deps, lease, signal);
    total.purged += walk.purged;
    total.files += walk.files;
    total.bytes += walk.bytes;
    total.failed = walk.failed;
    if (walk.purged === 0) return total;
  }
}

async function purgePass(deps: SweepDeps, lease: LeaderLease, signal: AbortSignal): Promise<PurgeCounts> {
  const counts: PurgeCounts = { purged: 0, files: 0, bytes: 0, failed: 0 };
  for (let after: PurgePosition | null = null; ; ) {
    signal.throwIfAborted();
    const began = performance.now();
    const batch = await claimBatch(deps, lease, after);
    await deps.step?.('purge.taken');
    const removed = [];
    for (const purge of batch) {
      const outcome = await removeFilesOf(deps, purge, signal);
      if (outcome === null) counts.failed++;
      else removed.push({ id: purge.id, ...outcome });
    }
    await deps.step?.('purge.deleted');
    for (const { files, bytes } of await finish(deps, lease, removed)) {
      counts.purged++;
      counts.files += files;
      counts.bytes += bytes;
    }
    const last = batch.at(-1);
    if (batch.length < BATCH || last === undefined) return counts;
    after = { at: last.purge_after, id: last.id };
    await delay(Math.min((performance.now() - began) / 2, MAX_PAUSE_MS), undefined, { signal });
  }
}

function claimBatch({ db, clock }: SweepDeps, lease: LeaderLease, after: PurgePosition | null): Promise<Purge[]> {
  return inTransaction(db, async (tx) => {
    if (!(await lockLeaderLease(tx, lease))) return [];
    // In the rows of a backup that started after the sweep, these tables aren't claimed, so it needs their files.
    if (!(await tryLockBackups(tx))) return [];
    // Wait for engines that are creating a table inside a dropped one's folder: the statement below must see it.
    await lockLocations(tx);
    return claimPurges(tx, { now: clock(), after, limit: BATCH });
  });
}

/** Returns what was removed since the last count; null if the storage refused, which is recorded and retried. */
async function removeFilesOf(
  deps: SweepDeps,
  { id, kind, location }: Purge,
  signal: AbortSignal,
): Promise<{ files: number; bytes: number } | null> {
  if (location === null) return { files: 0, bytes: 0 };
  // An artifact's file is the only one in its folder.
  const folder = kind === 'artifact' ? location.slice(0, location.lastIndexOf('/')) : location;
  const removeBatch = async () => deps.store.removePrefix(folder, { limit: FILES_AT_ONCE });
  for (;;) {
    const batch = await removeBatch().catch((error: unknown) => noteRefusal(deps, id, error));
    if (batch === null) return null;
    const { files, bytes, done } = batch;
    if (done) return { files, bytes };
    await addPurged(deps.db.prisma, { id, files, bytes });
    await deps.step?.('purge.counted');
    signal.throwIfAborted();
  }
}

async function noteRefusal({ db, log }: SweepDeps, id: string, error: unknown): Promise<null> {
  log.warn({ err: error, table: id }, "couldn't delete the files of a dropped table; the next sweep retries");
  const message = error instanceof Error ? error.message : String(error);
  await recordPurgeError(db.prisma, { id, error: message.slice(0, MAX_ERROR_LENGTH) });
  return null;
}

function finish(
  { db, clock, newId }: SweepDeps,
  lease: LeaderLease,
  removed: readonly { id: string; files: number; bytes: number }[],
) {
  return inTransaction(db, async (tx) => {
    if (!(await lockLeaderLease(tx, lease))) return [];
    const now = clock();
    const purged = await finishPurges(tx, { purged: removed, now });
    await recordEvents(
      tx,
      purged.map((table) => ({
        id: newId(),
        time: now,
        type: 'TABLE_PURGED',
        principal: null,
        object: scopeOf({ environment: table.environment, namespace: table.namespace, table: table.name }),
        environmentId: table.environment_id,
        requestId: null,
        detail: { table_id: table.id, name: table.name, files: table.files, bytes: table.bytes },
      })),
    );
    return purged;
  });
}
