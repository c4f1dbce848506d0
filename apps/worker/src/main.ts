import { readFileSync } from 'node:fs';
import { requireSetting } from '@svc/core/settings';
import { openInstance } from '@svc/instance/open';
import { runProcess } from '@svc/instance/process';
import { createWorkMetrics, serveMetrics } from '@svc/worker/metrics';
import { startWorkerProcess } from '@svc/worker/process';

const POOL_SIZE = 10;
const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** The worker process: any number of them may share one database. */
await runProcess({
  service: 'svc-worker',
  subject: 'the worker',
  version,
  start: async ({ settings, log, traces, shutdown }) => {
    const apiUrl = requireSetting(settings, 'publicUrl');
    const instance = await openInstance(settings, { log, traces, shutdown, poolSize: POOL_SIZE, prefork: 1 });
    const metrics = createWorkMetrics(instance);
    const worker = await startWorkerProcess({ settings, log, ...instance, apiUrl, metrics });
    for (const note of worker.notes) log.warn(note);
    const listen = settings.workerMetricsListen;
    const { db, clock } = instance;
    const metricsServer =
      listen === undefined
        ? null
        : await serveMetrics({ listen, token: settings.metricsToken, metrics, db, log, clock });
    shutdown.add(() => metricsServer?.stop());
    shutdown.add(worker.stop);
    // First: a load balancer must see that the worker leaves.
    shutdown.add(async () => metricsServer?.drain());
  },
});
