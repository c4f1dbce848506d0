import { recent } from '@svc/core/recent';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../connection/index.ts';
import { leaderLeaseExpiry, readBacklog } from '../leases/index.ts';

/**
 * Metrics that come from the database are read when they are scraped, so every process reports the same values. Scrapes at short
 * intervals share them, so that nobody can load the database with scrapes.
 */
export interface BacklogSource {
  db: Database;
  clock: () => Date;
}

const MAX_AGE_MS = 250;

/** Adds the backlog of work, and whether the scheduler has a leader, to the metrics of a process. */
export function measureBacklog(registry: Registry, { db, clock }: BacklogSource): void {
  const refresh = async () => {
    // Without the database, the other metrics matter even more, so don't fail the scrape.
    const [backlog, leaseExpiry] = await Promise.all([
      readBacklog(db),
      leaderLeaseExpiry(db.prisma, 'scheduler'),
    ]).catch(() => [[], null] as const);
    const now = clock();
    leaderActive.set(leaseExpiry !== null && leaseExpiry > now ? 1 : 0);
    for (const { kind, waiting: count, since } of backlog) {
      waiting.set({ kind }, count);
      age.set({ kind }, since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1000);
    }
  };
  const collect = recent(refresh, MAX_AGE_MS, () => performance.now());
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });
  const waiting = gauge('svc_work_waiting', 'Work that waits for a worker, by kind', ['kind']);
  const age = gauge('svc_work_waiting_seconds', 'Age of the oldest waiting work, by kind', ['kind']);
  const leaderActive = gauge('svc_scheduler_leader', '1 while a worker holds the leader lease of the scheduler');
}
