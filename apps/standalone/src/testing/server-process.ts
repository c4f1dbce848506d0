// The API in a process of its own, that a test may kill.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApi } from '@svc/api/process';
import { readSettings } from '@svc/core/settings';
import { openDatabase } from '@svc/db/connection';
import { ownStorages } from '@svc/db/environments';
import { sealingKeys } from '@svc/db/secrets';
import { Sandbox, sandboxLimits } from '@svc/lake/queries';
import { openStore, routedStore, s3Options } from '@svc/lake/storage';
import { openTraces } from '@svc/traces/process';
import { pino } from 'pino';

const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
const tracing = await openTraces(settings, { service: 'svc-server', version: 'test', log: () => log });
const mixin = tracing === null ? {} : { mixin: tracing.logged };
const log = pino({ level: settings.logLevel, ...mixin }, pino.destination({ dest: 2, sync: true }));
const s3 = s3Options(settings, settings.home, Date.now);
const instance = await openStore(settings.storageLocation!, s3);
const db = await openDatabase({ url: settings.databaseUrl!, log, poolSize: 5, traces: tracing?.traces });
const store = routedStore(instance, s3, ownStorages(db, sealingKeys(settings.secretsKey!)));
const tempDir = join(settings.home, 'server');
const sandbox = new Sandbox({ ...sandboxLimits(settings), store, tempDir, prefork: 0 });
const api = await startApi({
  settings,
  secretsKey: settings.secretsKey!,
  db,
  store,
  sandbox,
  log,
  version: 'test',
  bootstrapToken: settings.bootstrapToken!,
  checkAnswers: true,
});
// A test run that was killed asks no more.
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', async () => {
  await api.stop();
  await sandbox.close();
  await db.close();
  await tracing?.stop();
  process.exit(0);
});
process.send!(api.url);
