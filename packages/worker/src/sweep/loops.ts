import { takeExpiredBundles } from '@svc/db/deploys';
import { removeExpiredAnswers } from '@svc/db/idempotency';
import { holdRole, type RoleLease, releaseRole } from '@svc/db/leases';
import { takeExpiredResults } from '@svc/db/queries';
import type { WorkerDeps } from '../work/deps.ts';
import type { Loop } from '../work/loop.ts';
import { removeOrphans } from './orphans.ts';

const BATCH = 500;
const DAY_MS = 24 * 3_600_000;
/** Some minutes past, so that it does not fall together with schedules on the hour. */
const EVERY_HOUR = '17 * * * *';
const ROLE = 'scheduler';

/** The loops that the holder of the scheduler role runs; everyone else passes. */
export function sweepLoops(deps: WorkerDeps): Loop[] {
  const { settings } = deps;
  const sweepMs = settings.sweepInterval * 1000;
  const loops: Loop[] = [
    {
      name: 'remove results and bundles',
      everyMs: DAY_MS,
      at: EVERY_HOUR,
      runOnce: () => asHolder(deps, () => removeExpired(deps)),
    },
  ];
  if (sweepMs > 0)
    loops.push({
      name: 'remove orphan files',
      everyMs: sweepMs,
      runOnce: (signal) => asHolder(deps, () => removeOrphans(deps, signal)),
    });
  return loops;
}

async function asHolder(
  deps: WorkerDeps,
  act: (role: RoleLease) => Promise<Record<string, number>>,
): Promise<Record<string, number>> {
  const leaseMs = deps.settings.workerLeaseSeconds * 1000;
  const role = await holdRole(deps.db.prisma, { name: ROLE, holder: deps.owner, now: deps.clock(), leaseMs });
  if (role === null) return {};
  try {
    return await act(role);
  } finally {
    await releaseRole(deps.db.prisma, role);
  }
}

/** Results after 24 hours, bundles nobody deployed, answers of idempotency keys; in batches. */
async function removeExpired({ db, store, clock }: WorkerDeps): Promise<Record<string, number>> {
  const counts = { results: 0, bundles: 0, answers: 0 };
  const batch = { now: clock(), limit: BATCH };
  for (;;) {
    const results = await takeExpiredResults(db.prisma, batch);
    const bundles = await takeExpiredBundles(db.prisma, batch);
    const answers = await removeExpiredAnswers(db.prisma, batch);
    for (const location of [...results, ...bundles]) await store.remove(location);
    counts.results += results.length;
    counts.bundles += bundles.length;
    counts.answers += answers;
    if (results.length < BATCH && bundles.length < BATCH && answers < BATCH) return counts;
  }
}
