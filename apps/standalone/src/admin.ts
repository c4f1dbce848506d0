import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { idSource } from '@svc/core/ids';
import { readSettings, type Settings } from '@svc/core/settings';
import { type Database, openDatabase, silent } from '@svc/db/connection';
import { startEmbedded } from '@svc/db/embedded';
import { type RekeyedBatch, rekeySecrets, sealingKeys } from '@svc/db/secrets';

const BATCH = 100;
const USAGE = `svc-admin: for the operator, on the machine of the service and with its settings.

  svc-admin secrets rekey   seals every secret with SVC_SECRETS__KEY that is still sealed with one of SVC_SECRETS__OLD_KEYS
`;

/** `svc-admin`: gives its exit code. */
async function main(words: readonly string[]): Promise<number> {
  if (words.join(' ') !== 'secrets rekey') {
    const asked = words.length === 0 || words.includes('--help');
    process[asked ? 'stdout' : 'stderr'].write(USAGE);
    return asked ? 0 : 2;
  }
  const settings = readSettings(process.env, (path) => readFileSync(path, 'utf8'));
  return withDatabase(settings, (db) => rekey(settings, db));
}

/** The service may be running or not: an embedded database is found or started, and left as it was. */
async function withDatabase(settings: Settings, act: (db: Database) => Promise<number>): Promise<number> {
  const dataDir = join(resolve(settings.home), 'postgres');
  if (settings.databaseUrl === undefined && !existsSync(dataDir)) {
    throw new Error(`there is no service in ${settings.home}: set SVC_HOME or SVC_DATABASE_URL as the service has it`);
  }
  const server = settings.databaseUrl === undefined ? await startEmbedded({ dataDir, log: silent }) : null;
  const url = settings.databaseUrl ?? server!.url;
  try {
    const db = await openDatabase({ url, log: silent, poolSize: 1 });
    return await act(db).finally(() => db.close());
  } finally {
    await server?.stop();
  }
}

async function rekey(settings: Settings, db: Database): Promise<number> {
  const keys = sealingKeys(keyOf(settings), settings.oldSecretsKeys);
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
  const newId = idSource(Date.now, random);
  let sealed = 0;
  const left: RekeyedBatch['left'][number][] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const options = { keys, after: after ?? null, limit: BATCH, now: new Date(), newId, random };
    const batch = await rekeySecrets(db, options);
    sealed += batch.sealed;
    left.push(...batch.left);
    after = batch.next;
  }
  for (const { name, environment, why } of left)
    process.stderr.write(`${name} of environment ${environment}: ${why}\n`);
  const done = `${sealed} ${sealed === 1 ? 'secret was' : 'secrets were'} sealed anew with the current key`;
  const rest =
    left.length === 0
      ? 'none is sealed with another one, and SVC_SECRETS__OLD_KEYS is no longer needed'
      : `${left.length} could not be opened and stay as they are`;
  process.stdout.write(`${done}; ${rest}.\n`);
  return left.length === 0 ? 0 : 1;
}

/** The key as the service has it; never made here, for a new one would open nothing. */
function keyOf(settings: Settings): string {
  const file = join(resolve(settings.home), 'secrets.key');
  if (settings.secretsKey !== undefined) return settings.secretsKey;
  if (!existsSync(file)) throw new Error('the current key is missing: set SVC_SECRETS__KEY as the service has it');
  return readFileSync(file, 'utf8').trim();
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`svc-admin: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
