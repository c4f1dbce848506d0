import { parseBytes } from '@svc/core/settings';
import { isBackupUnderWay } from '@svc/db/backup';
import type { LeaderLease } from '@svc/db/leases';
import { addAuditMonths, archiveAuditLog, sealAuditLog } from '../audit/index.ts';
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
import { removeExpired } from './remove-expired.ts';

const DAY_MS = 24 * 3_600_000;
/** Some minutes past the hour, so that it doesn't coincide with hourly schedules. */
const EVERY_HOUR = '17 * * * *';
const MONTHS_MS = 10 * 60_000;
const ARCHIVE_MS = 3_600_000;
const SEAL_MS = 500;
/** The cleanup loops. Those for shared data run only on the worker that has the leader lease. */
export function sweepLoops(deps: WorkerDeps, elector: LeaderElector): Loop[] {
  const { settings } = deps;
  const ofLeader = leaderLoops(deps.db, elector);
  const sweepMs = settings.sweepInterval * 1000;
  const loops = [
    ofLeader({ name: 'remove results and bundles', everyMs: DAY_MS, traced: true, at: EVERY_HOUR }, (_, signal) =>
      removeExpired(deps, signal),
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
  loops.push({ name: 'seal the audit log', everyMs: SEAL_MS, runOnce: (signal) => sealAuditLog(deps, signal) });
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
