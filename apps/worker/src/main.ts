import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changeLogLevel, readSettings, requireSetting } from '@svc/core/settings';
import { openDatabase } from '@svc/db/connection';
import { ownStorages } from '@svc/db/environments';
import { migrate } from '@svc/db/migrate';
import { sealingKeys } from '@svc/db/secrets';
import { Sandbox, sandboxLimits } from '@svc/lake/queries';
import { openStore, routedStore, s3Options } from '@svc/lake/storage';
import { openTraces } from '@svc/traces/process';
import { createWorkMetrics, serveMetrics } from '@svc/worker/metrics';
import { startWorkerProcess } from '@svc/worker/process';
import { pino } from 'pino';

const POOL_SIZE = 10;

const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

const readText = (path: string): string => readFileSync(path, 'utf8');

/** The worker process: any number of them may share one database. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, readText);
  const tracing = await openTraces(settings, { service: 'svc-worker', version, log: () => log });
  const log = pino({ level: settings.logLevel, ...(tracing === null ? {} : { mixin: tracing.logged }) });
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled error: please report it as a bug'));
  process.on('SIGUSR2', () => changeLogLevel(log, process.env, readText));
  const url = requireSetting(settings, 'databaseUrl');
  const secretsKey = requireSetting(settings, 'secretsKey');
  const apiUrl = requireSetting(settings, 'publicUrl');
  const s3 = s3Options(settings, resolve(settings.home), Date.now);
  const instance = await openStore(requireSetting(settings, 'storageLocation'), s3);
  await migrate(url, undefined, log);
  const db = await openDatabase({ url, log, poolSize: POOL_SIZE, traces: tracing?.traces });
  const store = routedStore(instance, s3, ownStorages(db, sealingKeys(secretsKey, settings.oldSecretsKeys)));
  const workDir = join(resolve(settings.home), 'work');
  const sandbox = new Sandbox({ ...sandboxLimits(settings), store, tempDir: join(workDir, 'queries'), prefork: 1 });
  const metrics = createWorkMetrics({ sandbox });
  const worker = await startWorkerProcess({ settings, secretsKey, db, store, sandbox, log, apiUrl, workDir, metrics });
  const listen = settings.workerMetricsListen;
  const metricsServer = listen === undefined ? null : await serveMetrics({ listen, metrics, db, log });
  for (const note of worker.notes) log.warn(note);
  const stop = async () => {
    metricsServer?.drain();
    let exitCode = 0;
    for (const close of [
      worker.stop,
      () => metricsServer?.stop(),
      () => sandbox.close(),
      () => db.close(),
      () => tracing?.stop(),
    ]) {
      await close()?.catch((error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        exitCode = 1;
      });
    }
    process.exit(exitCode);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`the worker couldn't start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
