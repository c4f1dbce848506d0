import { readFileSync } from 'node:fs';
import { startApi } from '@svc/api/process';
import { openInstance } from '@svc/instance/open';
import { runProcess } from '@svc/instance/process';

const POOL_SIZE = 10;
const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** The API process: several of them may share one database. */
await runProcess({
  service: 'svc-server',
  subject: 'the server',
  version,
  start: async ({ settings, log, traces, shutdown }) => {
    const instance = await openInstance(settings, { log, traces, shutdown, poolSize: POOL_SIZE, prefork: 0 });
    const bootstrapToken = settings.bootstrapToken ?? null;
    const api = await startApi({ settings, log, ...instance, version, bootstrapToken });
    shutdown.add(() => {
      api.drain();
      return api.stop();
    });
  },
});
