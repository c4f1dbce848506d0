// The API in its own process, for tests that kill it.
import { startApi } from '@svc/api/process';
import { openInstance } from '@svc/instance/open';
import { runProcess } from '@svc/instance/process';
import { pino } from 'pino';

// The test run was killed.
process.once('disconnect', () => process.exit(1));
await runProcess({
  service: 'svc-server',
  subject: 'the server',
  version: 'test',
  logTo: () => pino.destination({ dest: 2, sync: true }),
  start: async ({ settings, log, traces, shutdown }) => {
    const instance = await openInstance(settings, { log, traces, shutdown, poolSize: 5, prefork: 0 });
    const bootstrapToken = settings.bootstrapToken!;
    const api = await startApi({ settings, log, ...instance, version: 'test', bootstrapToken, checkAnswers: true });
    shutdown.add(api.stop);
    process.send!(api.url);
  },
});
