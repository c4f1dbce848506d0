import { parseBytes } from '@svc/core/settings';
import { sealEvents } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { takeExpiredBundles } from '@svc/db/deploys';
import { removeExpiredAnswers } from '@svc/db/idempotency';
import type { RoleLease } from '@svc/db/leases';
import { removeOldMaintenance } from '@svc/db/maintenance';
import { retireQueries, takeExpiredResults } from '@svc/db/queries';
import { removeOldReads } from '@svc/db/tables';
import { deleteDue } from '../drops/index.ts';
import { queueDueMaintenance } from '../maintenance/index.ts';
import { expireTables } from '../retention/index.ts';
import { sweepEnvironments } from '../runs/sweep-environments.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { Loop } from '../work/loop.ts';
import type { SchedulerRole } from '../work/role.ts';
import { removeOrphans } from './orphans.ts';

const BATCH = 500;
const DAY_MS = 24 * 3_600_000;
/** Some minutes past, so that it does not fall together with schedules on the hour. */
const EVERY_HOUR = '17 * * * *';
/** How long the records of maintenance are kept, but for each table's last. */
const MAINTENANCE_KEPT_MS = 90 * DAY_MS;
const SEAL_MS = 500;
const SEAL_BATCH = 2000;

/** The loops that clean up: those of what is shared run where the scheduler role is held, everyone else passes. */
export function sweepLoops(deps: WorkerDeps, role: SchedulerRole): Loop[] {
  const { settings } = deps;
  const sweepMs = settings.sweepInterval * 1000;
  const loops: Loop[] = [
    {
      name: 'remove results and bundles',
      everyMs: DAY_MS,
      at: EVERY_HOUR,
      runOnce: () => asHolder(role, () => removeExpired(deps)),
    },
  ];
  loops.push({
    name: 'remove old environments',
    everyMs: DAY_MS,
    runOnce: (signal) =>
      sweepEnvironments({
        workDir: deps.workDir,
        now: deps.clock(),
        unusedMs: settings.environmentsKeepDays * DAY_MS,
        mostBytes: parseBytes(settings.environmentsLimit),
        signal,
      }),
  });
  if (sweepMs > 0) loops.push(...sweeps(deps, role, sweepMs));
  loops.push({ name: 'seal the audit log', everyMs: SEAL_MS, runOnce: (signal) => seal(deps, signal) });
  return loops;
}

/** The sweep: what it drops and deletes is decided again in the statements that do it, under the role's fence. */
function sweeps(deps: WorkerDeps, role: SchedulerRole, everyMs: number): Loop[] {
  return [
    {
      name: 'drop expired tables',
      everyMs,
      runOnce: (signal) => asHolder(role, async (lease) => ({ expired: await expireTables(deps, lease, signal) })),
    },
    {
      name: 'delete dropped tables',
      everyMs,
      runOnce: (signal) => asHolder(role, (lease) => deleteDue(deps, lease, signal)),
    },
    {
      name: 'maintain tables',
      everyMs,
      runOnce: (signal) => asHolder(role, () => queueDueMaintenance(deps, signal)),
    },
    {
      name: 'remove orphan files',
      everyMs,
      runOnce: (signal) => asHolder(role, () => removeOrphans(deps, signal)),
    },
  ];
}

/** Numbers and chains what was committed; any worker may, one at a time does. */
async function seal({ db }: WorkerDeps, signal: AbortSignal): Promise<Record<string, number>> {
  while (!signal.aborted) {
    const sealed = await inTransaction(db, (tx) => sealEvents(tx, { limit: SEAL_BATCH }));
    if (sealed < SEAL_BATCH) break;
  }
  // Sealing is no news: it follows every event.
  return {};
}

async function asHolder(
  role: SchedulerRole,
  act: (lease: RoleLease) => Promise<Record<string, number>>,
): Promise<Record<string, number>> {
  return role.current === null ? {} : act(role.current);
}

/** Results after 24 hours, bundles nobody deployed, answers of idempotency keys; in batches. */
async function removeExpired({ db, store, clock, settings }: WorkerDeps): Promise<Record<string, number>> {
  const counts = { results: 0, bundles: 0, answers: 0, reads: 0, maintenance: 0 };
  // An hour more than a list shows, for the walks that are under way.
  const retireBefore = new Date(clock().getTime() - DAY_MS - 3_600_000);
  const maintenanceBefore = new Date(clock().getTime() - MAINTENANCE_KEPT_MS);
  const readsBefore = new Date(clock().getTime() - settings.tableReadsKeepDays * DAY_MS);
  const batch = { now: clock(), limit: BATCH };
  for (;;) {
    const results = await takeExpiredResults(db.prisma, batch);
    const bundles = await takeExpiredBundles(db.prisma, batch);
    const answers = await removeExpiredAnswers(db.prisma, batch);
    for (const location of [...results, ...bundles]) await store.remove(location);
    counts.results += results.length;
    counts.bundles += bundles.length;
    const maintenance = await removeOldMaintenance(db.prisma, { before: maintenanceBefore, limit: BATCH });
    const reads = await removeOldReads(db.prisma, { before: readsBefore, limit: BATCH });
    const retired = await retireQueries(db.prisma, { before: retireBefore, limit: BATCH });
    counts.answers += answers;
    counts.reads += reads;
    counts.maintenance += maintenance;
    if (
      results.length < BATCH &&
      bundles.length < BATCH &&
      answers < BATCH &&
      reads < BATCH &&
      maintenance < BATCH &&
      retired < BATCH
    )
      return counts;
  }
}
