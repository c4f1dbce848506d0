import { parseBytes } from '@svc/core/settings';
import { removeOldSignInAttempts } from '@svc/db/access';
import { sealEvents } from '@svc/db/audit';
import { isBackupUnderWay } from '@svc/db/backup';
import { inTransaction } from '@svc/db/connection';
import { claimExpiredBundles } from '@svc/db/deploys';
import { removeExpiredResponses } from '@svc/db/idempotency';
import type { LeaderLease } from '@svc/db/leases';
import { removeOldMaintenance } from '@svc/db/maintenance';
import { claimExpiredResults, retireQueries } from '@svc/db/queries';
import { removeExpiredStaging } from '@svc/db/staging';
import { removeOldReads } from '@svc/db/tables';
import { claimExpiredUploads } from '@svc/db/uploads';
import { removeOldDeliveries } from '@svc/db/webhooks';
import { addAuditMonths, archiveAuditLog } from '../audit/index.ts';
import { deleteDue } from '../drops/index.ts';
import { queueDueMaintenance } from '../maintenance/index.ts';
import { sweepPythonEnvironments } from '../python/sweep-python-environments.ts';
import { expireTables } from '../retention/index.ts';
import { archiveLogs } from '../runs/index.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { LeaderElector } from '../work/leader-elector.ts';
import type { Loop } from '../work/loop.ts';
import { recordExpiredGrants } from './expired-grants.ts';
import { removeOrphans } from './orphans.ts';
import { ownsStorage } from './own-storage.ts';

const BATCH = 500;
const DAY_MS = 24 * 3_600_000;
/** Some minutes past the hour, so that it doesn't coincide with hourly schedules. */
const EVERY_HOUR = '17 * * * *';
/** How long to retain records of webhook deliveries and of maintenance, except each table's last. */
const RECORD_RETENTION_MS = 90 * DAY_MS;
const MONTHS_MS = 10 * 60_000;
const ARCHIVE_MS = 3_600_000;
const SEAL_MS = 500;
const SEAL_BATCH = 2000;
const ADOPTED =
  'the audit log had no signature and has been signed in its current state. Run svc audit verify, then set SVC_AUDIT__ADOPT_UNSIGNED=false';

/** The cleanup loops. Those for shared data run only on the worker that has the leader lease. */
export function sweepLoops(deps: WorkerDeps, elector: LeaderElector): Loop[] {
  const { settings } = deps;
  const ofLeader = leaderLoops(deps.db, elector);
  const sweepMs = settings.sweepInterval * 1000;
  const loops = [
    ofLeader({ name: 'remove results and bundles', everyMs: DAY_MS, traced: true, at: EVERY_HOUR }, () =>
      removeExpired(deps),
    ),
  ];
  loops.push({
    name: 'remove old Python environments',
    everyMs: DAY_MS,
    traced: true,
    runOnce: (signal) =>
      sweepPythonEnvironments({
        workDir: deps.workDir,
        now: deps.clock(),
        unusedMs: settings.pythonEnvironmentsKeepDays * DAY_MS,
        maxBytes: parseBytes(settings.pythonEnvironmentsLimit),
        signal,
      }),
  });
  if (sweepMs > 0) loops.push(...sweeps(deps, ofLeader, sweepMs));
  loops.push(
    ofLeader({ name: 'add months to the audit log', everyMs: MONTHS_MS }, (lease) => addAuditMonths(deps, lease)),
  );
  const months = settings.auditArchiveAfterMonths;
  if (months !== null)
    loops.push(
      ofLeader({ name: 'archive the audit log', everyMs: ARCHIVE_MS, traced: true }, (lease, signal) =>
        archiveAuditLog(deps, { lease, months }, signal),
      ),
    );
  const days = settings.runLogsArchiveAfterDays;
  if (days !== null)
    loops.push(
      ofLeader({ name: 'archive logs of runs', everyMs: ARCHIVE_MS, traced: true }, (lease, signal) =>
        archiveLogs(deps, { lease, days }, signal),
      ),
    );
  loops.push({ name: 'seal the audit log', everyMs: SEAL_MS, runOnce: (signal) => seal(deps, signal) });
  return loops;
}

/** The sweep. The statements that drop and delete check their conditions again, under the leader's fence. */
function sweeps(deps: WorkerDeps, ofLeader: ReturnType<typeof leaderLoops>, everyMs: number): Loop[] {
  const loop = (name: string) => ({ name, everyMs, traced: true });
  return [
    {
      ...loop('record expired grants'),
      runOnce: async (signal) => ({ expired: await recordExpiredGrants(deps, signal) }),
    },
    ofLeader(loop('drop expired tables'), async (lease, signal) => ({
      expired: await expireTables(deps, lease, signal),
    })),
    ofLeader(loop('delete dropped tables'), (lease, signal) => deleteDue(deps, lease, signal)),
    ofLeader(loop('maintain tables'), (_, signal) => queueDueMaintenance(deps, signal)),
    ofLeader(loop('remove orphan files'), async (_, signal) =>
      (await ownsStorage(deps)) ? removeOrphans(deps, signal) : {},
    ),
  ];
}

/** Numbers and chains committed audit events. Any worker may do this, one at a time. */
async function seal(deps: WorkerDeps, signal: AbortSignal): Promise<Record<string, number>> {
  const { db, headKeys: keys, settings, clock, newId, log } = deps;
  while (!signal.aborted) {
    const options = { limit: SEAL_BATCH, keys, adoptUnsigned: settings.auditAdoptUnsigned, now: clock(), newId };
    const { sealed, signed } = await inTransaction(db, (tx) => sealEvents(tx, options));
    if (signed?.reason === 'upgrade') log.warn(signed, ADOPTED);
    if (sealed < SEAL_BATCH) break;
  }
  // Not logged: sealing follows every event.
  return {};
}

type LeaderWork = (lease: LeaderLease, signal: AbortSignal) => Promise<Record<string, number>>;

/**
 * Makes loops that only the leader runs. Nothing is deleted while a backup copies files: every file it has listed must still exist
 * when it is copied.
 */
const leaderLoops =
  (db: WorkerDeps['db'], elector: LeaderElector) =>
  (loop: Omit<Loop, 'onlyLeader' | 'runOnce'>, work: LeaderWork): Loop => ({
    ...loop,
    onlyLeader: true,
    runOnce: async (signal) => {
      const lease = elector.current;
      return lease === null || (await isBackupUnderWay(db)) ? {} : work(lease, signal);
    },
  });

/**
 * Removes results after 24 hours, bundles that were never deployed, responses of idempotency keys and old records, in
 * batches.
 */
async function removeExpired({ db, store, clock, settings }: WorkerDeps): Promise<Record<string, number>> {
  const now = clock();
  const due = { now, limit: BATCH };
  const olderThan = (ms: number) => ({ before: new Date(now.getTime() - ms), limit: BATCH });
  const removeFiles = async (locations: readonly (string | null)[]) => {
    for (const location of locations) if (location !== null) await store.remove(location);
    return locations.length;
  };
  const { prisma } = db;
  const removals: Record<string, () => Promise<number>> = {
    results: async () => removeFiles(await claimExpiredResults(prisma, due)),
    bundles: async () => removeFiles(await claimExpiredBundles(prisma, due)),
    uploads: async () => removeFiles(await claimExpiredUploads(prisma, due)),
    staging: () => removeExpiredStaging(prisma, due),
    answers: () => removeExpiredResponses(prisma, due),
    sign_ins: () => removeOldSignInAttempts(prisma, due),
    reads: () => removeOldReads(prisma, olderThan(settings.tableReadsKeepDays * DAY_MS)),
    maintenance: () => removeOldMaintenance(prisma, olderThan(RECORD_RETENTION_MS)),
    deliveries: () => removeOldDeliveries(prisma, olderThan(RECORD_RETENTION_MS)),
    // One hour longer than lists show them, for clients that are still paging.
    queries: () => retireQueries(prisma, olderThan(DAY_MS + 3_600_000)),
  };
  const counts: Record<string, number> = {};
  for (const [name, remove] of Object.entries(removals)) {
    counts[name] = 0;
    for (let removed = BATCH; removed === BATCH; counts[name] += removed) removed = await remove();
  }
  return counts;
}
