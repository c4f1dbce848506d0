import { type BacklogSource, measureBacklog } from '@svc/db/metrics';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one API process. */
export interface Metrics {
  registry: Registry;
  request: (labels: { method: string; route: string; status: number }, seconds: number) => void;
  denied: (action: string) => void;
}

export function createMetrics(source: BacklogSource): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureBacklog(registry, source);
  const seconds = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Response time, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 60],
    registers: [registry],
  });
  const denials = new Counter({
    name: 'svc_authorization_denied_total',
    help: 'Denied requests, by action',
    labelNames: ['action'],
    registers: [registry],
  });
  return {
    registry,
    request: ({ method, route, status }, s) => seconds.observe({ method, route, status: String(status) }, s),
    denied: (action) => denials.inc({ action }),
  };
}
