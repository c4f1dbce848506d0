import type { ReportedLimits, TaskIsolation, TaskLimitName } from '@svc/core/workers';
import { removeWorker, reportWorker } from '@svc/db/workers';
import type { Isolation } from '../isolation/index.ts';
import type { Enforcement } from '../limits/index.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { Loop } from '../work/loop.ts';

const REPORT_MS = 10_000;

const ISOLATION: Record<Isolation['kind'], TaskIsolation> = {
  none: 'none',
  missing: 'refused',
  bubblewrap: 'bubblewrap',
  landlock: 'landlock',
};

function reportedLimits({ limits, by }: Enforcement): ReportedLimits {
  const reported = (name: TaskLimitName) => ({ limit: limits[name], enforced_by: by[name] });
  return {
    memory: reported('memory'),
    processes: reported('processes'),
    open_files: reported('open_files'),
    disk: reported('disk'),
  };
}

/** Repeatedly reports that this worker is running and what it enforces, for `svc doctor`. */
export function reportLoop({ db, owner, host, clock, isolation, taskNetwork, enforcement, notes }: WorkerDeps): Loop {
  const report = {
    id: owner,
    host,
    startedAt: clock(),
    isolation: ISOLATION[isolation.kind],
    network: taskNetwork === null ? ('unrestricted' as const) : ('restricted' as const),
    limits: reportedLimits(enforcement),
    notes,
  };
  return {
    name: 'report the worker',
    everyMs: REPORT_MS,
    runOnce: async () => {
      await reportWorker(db.prisma, report, clock());
      return {};
    },
  };
}

/** Removes a worker that stops from the list. */
export async function removeReport({ db, owner, log }: WorkerDeps): Promise<void> {
  // If this fails, the worker is considered gone a little later.
  await removeWorker(db.prisma, owner).catch((error: unknown) =>
    log.warn({ err: error }, "couldn't report that the worker stopped"),
  );
}
