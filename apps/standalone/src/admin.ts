import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { idSource } from '@svc/core/ids';
import { readSettings, type Settings } from '@svc/core/settings';
import { acceptLog, headKeys, type RekeyedHead, rekeyHead, verifyChain } from '@svc/db/audit';
import { type Database, inTransaction, openDatabase, silent } from '@svc/db/connection';
import { startEmbedded } from '@svc/db/embedded';
import { ownStorages } from '@svc/db/environments';
import { rekeyClientSecrets } from '@svc/db/identity-providers';
import { migrate, planMigrations } from '@svc/db/migrate';
import { rekeySecondFactors } from '@svc/db/second-factors';
import { type RekeyedBatch, rekeySecrets, sealingKeys } from '@svc/db/secrets';
import { openStore, routedStore, storageOptions } from '@svc/lake/storage';
import { type Manifest, verifyBackup } from './backup/contents.ts';
import { makeBackup } from './backup/make-backup.ts';
import { restoreBackup } from './backup/restore-backup.ts';

const BATCH = 100;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const USAGE = `svc-admin: commands for the operator. Run them on the machine of the service, with its settings.

  svc-admin backup FOLDER          back up the database and files to a new folder; the service may be running
  svc-admin backup verify FOLDER   check that a backup is complete and undamaged
  svc-admin restore FOLDER         restore a backup to an empty database and an empty storage
  svc-admin migrate [--plan]       apply this version's migrations; --plan only lists pending ones with their SQL
  svc-admin secrets rekey          re-encrypt secrets from SVC_SECRETS__OLD_KEYS with SVC_SECRETS__KEY,
                                   and sign the head of the audit log with it
  svc-admin audit accept           sign the audit log in its current state after its head or signature failed verification
`;

/** The `svc-admin` program; returns its exit code. */
async function main(args: readonly string[]): Promise<number> {
  const act = commandOf(args);
  if (act === null) {
    const wantsHelp = args.length === 0 || args.includes('--help');
    process[wantsHelp ? 'stdout' : 'stderr'].write(USAGE);
    return wantsHelp ? 0 : 2;
  }
  return act(readSettings(process.env, (path) => readFileSync(path, 'utf8')));
}

type Command = (settings: Settings) => Promise<number>;

function commandOf(args: readonly string[]): Command | null {
  const [first, second, third] = args;
  const line = args.join(' ');
  if (line === 'secrets rekey') return (settings) => withDatabase(settings, (db) => rekey(settings, db));
  if (line === 'audit accept') return (settings) => withDatabase(settings, (db) => accept(settings, db));
  if (line === 'migrate') return (settings) => withServer(settings, runMigrations);
  if (line === 'migrate --plan') return (settings) => withServer(settings, showPlan);
  if (args.some((arg) => arg.startsWith('-'))) return null;
  if (first === 'backup' && second === 'verify' && third !== undefined && args.length === 3) return () => verify(third);
  if (first === 'backup' && second !== undefined && args.length === 2) return (settings) => backup(settings, second);
  if (first === 'restore' && second !== undefined && args.length === 2) return (settings) => restore(settings, second);
  return null;
}

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A signal that ends the command. */
class StoppedError extends Error {
  readonly code: number;

  constructor(signal: keyof typeof EXIT_CODES) {
    super(`stopped by ${signal}`);
    this.name = 'StoppedError';
    this.code = EXIT_CODES[signal];
  }
}

/** Rejects on the first signal. Later ones are ignored: a database that is being shut down must not be left running alone. */
function stopOnSignal(): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => reject(new StoppedError(signal)));
  });
  // It may be rejected while nothing awaits it, for example while the database starts.
  stopped.catch(() => undefined);
  return stopped;
}

/**
 * Works whether or not the service is running: finds or starts an embedded database, and leaves it as it was, also after a signal.
 */
async function withServer(
  settings: Settings,
  act: (url: string) => Promise<number>,
  { mayBeNew = false } = {},
): Promise<number> {
  const dataDir = join(resolve(settings.home), 'postgres');
  if (settings.databaseUrl === undefined && !existsSync(dataDir) && !mayBeNew) {
    throw new Error(`${settings.home} contains no service. Set SVC_HOME or SVC_DATABASE_URL as for the service`);
  }
  const stopped = stopOnSignal();
  const server = settings.databaseUrl === undefined ? await startEmbedded({ dataDir, log: silent }) : null;
  try {
    // Nothing starts after a signal during the start.
    await Promise.race([stopped, Promise.resolve()]);
    return await Promise.race([stopped, act(settings.databaseUrl ?? server!.url)]);
  } finally {
    await server?.stop();
  }
}

function withDatabase(settings: Settings, act: (db: Database) => Promise<number>): Promise<number> {
  return withServer(settings, async (url) => {
    const db = await openDatabase({ url, log: silent, poolSize: 1 });
    return await act(db).finally(() => db.close());
  });
}

/** The instance's storage, and how to reach other buckets. */
async function storeOf(settings: Settings) {
  const home = resolve(settings.home);
  const storage = storageOptions(settings, home, Date.now);
  return { storage, store: await openStore(settings.storageLocation ?? join(home, 'warehouse'), storage) };
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
const summary = ({ schema, tables, objects, made_at }: Manifest) =>
  `${Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)} rows of ${made_at} (schema ${schema}) and ${objects.count} files, ${megabytes(objects.bytes)}`;

function backup(settings: Settings, folder: string): Promise<number> {
  return withServer(settings, async (url) => {
    const { storage, store: instance } = await storeOf(settings);
    const key = keyOf(settings);
    const db = await openDatabase({ url, log: silent, poolSize: 1 });
    const store = routedStore(instance, storage, ownStorages(db, sealingKeys(key, settings.oldSecretsKeys)));
    const options = { url, store, folder: resolve(folder), key, service: version, now: () => new Date() };
    const manifest = await makeBackup(options).finally(() => db.close());
    process.stdout.write(`Backed up ${summary(manifest)}. Store the secrets key separately from it.\n`);
    return 0;
  }).catch((error: unknown) => {
    if (error instanceof StoppedError)
      process.stderr.write('The backup was not completed. Start it again with a new folder.\n');
    throw error;
  });
}

async function verify(folder: string): Promise<number> {
  process.stdout.write(`Whole: ${summary(await verifyBackup(resolve(folder)))}.\n`);
  return 0;
}

function restore(settings: Settings, folder: string): Promise<number> {
  const keys = [keyOf(settings), ...settings.oldSecretsKeys];
  const act = async (url: string) => {
    const manifest = await restoreBackup({ url, ...(await storeOf(settings)), folder: resolve(folder), keys });
    process.stdout.write(`Restored ${summary(manifest)}. Start the service.\n`);
    return 0;
  };
  return withServer(settings, act, { mayBeNew: true });
}

async function runMigrations(url: string): Promise<number> {
  const applied = await migrate(url);
  for (const name of applied) process.stdout.write(`${name}\n`);
  process.stdout.write(applied.length === 0 ? 'No migrations were pending.\n' : `${applied.length} applied.\n`);
  return 0;
}

async function showPlan(url: string): Promise<number> {
  const pending = await planMigrations(url);
  for (const { name, sql } of pending) process.stdout.write(`-- ${name}\n${sql.trim()}\n\n`);
  process.stdout.write(
    pending.length === 0 ? '-- No migrations are pending.\n' : `-- ${pending.length} pending; nothing was changed.\n`,
  );
  return 0;
}

async function rekey(settings: Settings, db: Database): Promise<number> {
  const keys = sealingKeys(keyOf(settings), settings.oldSecretsKeys);
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
  const newId = idSource(Date.now, random);
  let sealed = 0;
  const failed: RekeyedBatch['failed'][number][] = [];
  for (const rekeyBatch of [rekeySecrets, rekeyClientSecrets, rekeySecondFactors]) {
    for (let after: string | null | undefined; after !== null; ) {
      const options = { keys, after: after ?? null, limit: BATCH, now: new Date(), newId, random };
      const batch = await rekeyBatch(db, options);
      sealed += batch.sealed;
      failed.push(...batch.failed);
      after = batch.next;
    }
  }
  const signing = { keys: headKeys(keyOf(settings), settings.oldSecretsKeys), now: new Date(), newId };
  const head = await rekeyHead(db, signing);
  for (const { secret, reason } of failed) process.stderr.write(`${secret}: ${reason}\n`);
  const headLeft = typeof head === 'object';
  if (headLeft) process.stderr.write(`audit log: ${head.left}\n`);
  const done = `${sealed} ${sealed === 1 ? 'secret was' : 'secrets were'} re-encrypted with the current key`;
  const outcomeText =
    failed.length > 0
      ? `${failed.length} couldn't be decrypted and are unchanged`
      : `no secret uses another key${headLeft ? '' : ', and SVC_SECRETS__OLD_KEYS is no longer needed'}`;
  process.stdout.write(`${done}; ${outcomeText}.\n${HEADS[headLeft ? 'left' : head]}\n`);
  return failed.length === 0 && !headLeft ? 0 : 1;
}

const HEADS: Record<Exclude<RekeyedHead, object> | 'left', string> = {
  signed: 'The head of the audit log was signed with the current key.',
  current: 'The head of the audit log is already signed with the current key.',
  none: 'The head of the audit log has no signature yet. A worker will sign it.',
  left: 'The signature of the head of the audit log is unchanged.',
};

/** For operators, after they have found out why the head fails verification. Doesn't change an intact log. */
async function accept(settings: Settings, db: Database): Promise<number> {
  const keys = headKeys(keyOf(settings), settings.oldSecretsKeys);
  const before = await verifyChain(db.prisma, { keys, adoptUnsigned: settings.auditAdoptUnsigned });
  if (before.intact) {
    process.stdout.write('The audit log is intact. Nothing was changed.\n');
    return 0;
  }
  const newId = idSource(Date.now, (bytes) => new Uint8Array(randomBytes(bytes)));
  const { signed } = await inTransaction(db, (tx) => acceptLog(tx, { keys, now: new Date(), newId }));
  process.stdout.write(`Before: ${before.problem?.detail}.\n`);
  process.stdout.write(
    `The audit log was signed in its current state at event ${signed?.after_sequence}. An audit event records this.\n`,
  );
  const { problem } = await verifyChain(db.prisma, { keys, adoptUnsigned: settings.auditAdoptUnsigned });
  process.stdout.write(`Now: ${problem?.detail ?? 'the log is intact'}.\n`);
  return 0;
}

/** The service's key. It is never created here, because a new key couldn't decrypt anything. */
function keyOf(settings: Settings): string {
  const file = join(resolve(settings.home), 'secrets.key');
  if (settings.secretsKey !== undefined) return settings.secretsKey;
  if (!existsSync(file)) throw new Error('the current key is missing. Set SVC_SECRETS__KEY as for the service');
  return readFileSync(file, 'utf8').trim();
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`svc-admin: ${error instanceof Error ? error.message : String(error)}\n`);
    // The command may still be working.
    if (error instanceof StoppedError) process.exit(error.code);
    process.exitCode = 1;
  },
);
