// A worker in its own process. At a step of its work (first argument), it sends itself a signal (second argument) or throws
// a RangeError (`throw`) or an error of PostgreSQL on a full disk (`full`).
import { join } from 'node:path';
import { requireSetting } from '@svc/core/settings';
import { openInstance } from '@svc/instance/open';
import { runProcess } from '@svc/instance/process';
import { startWorkerProcess } from '@svc/worker/process';
import { pino } from 'pino';

const [, , signalAt, signal = 'SIGKILL'] = process.argv;
let signalled = false;
// The test run was killed.
process.once('disconnect', () => process.exit(1));
await runProcess({
  service: 'svc-worker',
  subject: 'the worker',
  version: 'test',
  logTo: () => pino.destination({ dest: 2, sync: true }),
  start: async ({ settings, log, traces, shutdown }) => {
    const secretsKey = settings.secretsKey ?? Buffer.alloc(32).toString('base64');
    const workDir = join(settings.home, `work-${process.pid}`);
    const opened = { log, traces, shutdown, poolSize: 5, prefork: 1, secretsKey, workDir };
    const instance = await openInstance(settings, opened);
    const worker = await startWorkerProcess({
      settings,
      log,
      ...instance,
      apiUrl: requireSetting(settings, 'publicUrl'),
      step: async (step) => {
        if (step !== signalAt || signalled) return;
        signalled = true;
        process.send!(step);
        if (signal === 'throw') throw new RangeError('Maximum call stack size exceeded');
        if (signal === 'full') throw Object.assign(new Error('could not extend file "base/1/2"'), { code: '53100' });
        process.kill(process.pid, signal);
      },
    });
    shutdown.add(worker.stop);
    process.send!('ready');
  },
});
