import type { Database } from '@svc/db/connection';
import { readBacklog, roleHeldUntil } from '@svc/db/leases';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one API process. */
export interface Metrics {
  registry: Registry;
  request: (labels: { method: string; route: string; status: number }, seconds: number) => void;
  denied: (action: string) => void;
}

/** What is read from the database, is read when Prometheus asks: every server tells the same. */
export interface MetricsSource {
  db: Database;
  clock: () => Date;
}

export function createMetrics(source: MetricsSource): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureBacklog(registry, source);
  const seconds = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 60],
    registers: [registry],
  });
  const denials = new Counter({
    name: 'svc_authorization_denied_total',
    help: 'Refusals, by action',
    labelNames: ['action'],
    registers: [registry],
  });
  return {
    registry,
    request: ({ method, route, status }, s) => seconds.observe({ method, route, status: String(status) }, s),
    denied: (action) => denials.inc({ action }),
  };
}

function measureBacklog(registry: Registry, { db, clock }: MetricsSource): void {
  let reading: Promise<void> | null = null;
  const refresh = async () => {
    // Without the database the other metrics are wanted all the more.
    const [backlog, heldUntil] = await Promise.all([readBacklog(db), roleHeldUntil(db.prisma, 'scheduler')]).catch(
      () => [[], null] as const,
    );
    const now = clock();
    held.set(heldUntil !== null && heldUntil > now ? 1 : 0);
    for (const { kind, waiting: count, since } of backlog) {
      waiting.set({ kind }, count);
      age.set({ kind }, since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1000);
    }
  };
  /** Read once for all of them. */
  const collect = () => {
    reading ??= refresh().finally(() => {
      reading = null;
    });
    return reading;
  };
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });
  const waiting = gauge('svc_work_waiting', 'Work that waits for a worker, by kind', ['kind']);
  const age = gauge('svc_work_waiting_seconds', 'How long the first of it has waited, by kind', ['kind']);
  const held = gauge('svc_scheduler_role_held', '1 while a worker holds the role of the scheduler');
}
