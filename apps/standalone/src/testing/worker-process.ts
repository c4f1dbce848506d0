// A worker in a process of its own: sends itself a signal (second argument), or throws a RangeError (`throw`), at a step of
// its work (first argument).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@svc/core/settings';
import { openDatabase } from '@svc/db/connection';
import { ownStorages } from '@svc/db/environments';
import { sealingKeys } from '@svc/db/secrets';
import { Sandbox, sandboxLimits } from '@svc/lake/queries';
import { openStore, routedStore, s3Options } from '@svc/lake/storage';
import { openTraces } from '@svc/traces/process';
import { startWorkerProcess } from '@svc/worker/process';
import { pino } from 'pino';

const [, , signalAt, signal = 'SIGKILL'] = process.argv;
let signalled = false;
const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
const tracing = await openTraces(settings, { service: 'svc-worker', version: 'test', log: () => log });
const mixin = tracing === null ? {} : { mixin: tracing.logged };
const log = pino({ level: settings.logLevel, ...mixin }, pino.destination({ dest: 2, sync: true }));
const s3 = s3Options(settings, settings.home, Date.now);
const instance = await openStore(settings.storageLocation!, s3);
const db = await openDatabase({ url: settings.databaseUrl!, log, poolSize: 5, traces: tracing?.traces });
const secretsKey = settings.secretsKey ?? Buffer.alloc(32).toString('base64');
const store = routedStore(instance, s3, ownStorages(db, sealingKeys(secretsKey)));
const workDir = join(settings.home, `work-${process.pid}`);
const sandbox = new Sandbox({ ...sandboxLimits(settings), store, tempDir: join(workDir, 'queries'), prefork: 1 });
const worker = await startWorkerProcess({
  settings,
  secretsKey,
  db,
  store,
  sandbox,
  log,
  apiUrl: settings.publicUrl!,
  workDir,
  step: async (step) => {
    if (step !== signalAt || signalled) return;
    signalled = true;
    process.send!(step);
    if (signal === 'throw') throw new RangeError('Maximum call stack size exceeded');
    process.kill(process.pid, signal);
  },
});
// A test run that was killed asks no more.
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', async () => {
  await worker.stop();
  await sandbox.close();
  await db.close();
  await tracing?.stop();
  process.exit(0);
});
process.send!('ready');
