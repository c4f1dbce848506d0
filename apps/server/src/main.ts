import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startApi } from '@svc/api/process';
import { readSettings, SettingError, type Settings } from '@svc/core/settings';
import { openDatabase } from '@svc/db/connection';
import { migrate } from '@svc/db/migrate';
import { Sandbox, sandboxLimits } from '@svc/lake/queries';
import { openStore } from '@svc/lake/storage';
import { pino } from 'pino';

const POOL_SIZE = 10;
const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

function required<K extends keyof Settings>(settings: Settings, key: K, name: string): NonNullable<Settings[K]> {
  const value = settings[key];
  if (value == null)
    throw new SettingError(`${name} must be set for a server of its own; npm start runs everything in one.`);
  return value;
}

/** The API process: several of them may share one database. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
  const log = pino({ level: settings.logLevel });
  const url = required(settings, 'databaseUrl', 'SVC_DATABASE_URL');
  const secretsKey = required(settings, 'secretsKey', 'SVC_SECRETS__KEY');
  const store = await openStore(required(settings, 'storageLocation', 'SVC_STORAGE__LOCATION'));
  await migrate(url, undefined, log);
  const db = await openDatabase({ url, log, poolSize: POOL_SIZE });
  const tempDir = join(resolve(settings.home), 'work', 'queries');
  const sandbox = new Sandbox({ ...sandboxLimits(settings), store, tempDir, spares: 0 });
  const bootstrapToken = settings.bootstrapToken ?? null;
  const api = await startApi({ settings, secretsKey, db, store, sandbox, log, version, bootstrapToken });
  const stop = async () => {
    await api.stop();
    await sandbox.close();
    await db.close();
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`the server could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
