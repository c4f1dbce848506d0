import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { examineValues } from '@svc/core/secrets';
import { headKeys, sealEvents, verifyChain } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { createSecret, seal, sealingKeys } from '@svc/db/secrets';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const [old, current] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Runs the program as an operator does: with settings from environment variables only. */
function admin(args: string[], env: Record<string, string>): Promise<{ code: number; out: string }> {
  const options = { cwd: root, env: { PATH: process.env.PATH ?? '', ...env } };
  return new Promise((done) => {
    execFile(process.execPath, ['apps/standalone/dist/bundle/admin.js', ...args], options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), out: stdout + stderr }),
    );
  });
}

async function secret(name: string): Promise<void> {
  const environmentId = randomUUID();
  const now = new Date();
  await database.db.prisma.$executeRaw`
    INSERT INTO environments (id, name, protected, created_at) VALUES (${environmentId}::uuid, ${name}, false, ${now})`;
  const id = randomUUID();
  const values = { password: 'canary-of-admin' };
  const sealed = seal(sealingKeys(old), { id, environmentId }, values, (bytes) => new Uint8Array(randomBytes(bytes)));
  const facts = examineValues(values);
  const row = {
    id,
    environmentId,
    environment: name,
    name,
    sealed,
    facts,
    binding: null,
    createdBy: randomUUID(),
    now,
  };
  await createSecret(database.db.prisma, row);
}

test('secrets rekey reports what is missing, and the old key is not needed afterwards', async () => {
  await secret('one');
  await secret('two');
  const env = { SVC_DATABASE_URL: database.url, SVC_HOME: '/nonexistent' };
  expect(await admin(['secrets', 'rekey'], env)).toEqual({
    code: 1,
    out: 'svc-admin: the current key is missing. Set SVC_SECRETS__KEY as for the service\n',
  });
  const missingKey = await admin(['secrets', 'rekey'], { ...env, SVC_SECRETS__KEY: current });
  expect(missingKey.code).toBe(1);
  expect(missingKey.out).toContain('one of environment one: a secret is encrypted with a key');
  expect(missingKey.out).toContain("2 couldn't be decrypted");
  const done = await admin(['secrets', 'rekey'], { ...env, SVC_SECRETS__KEY: current, SVC_SECRETS__OLD_KEYS: old });
  expect([done.code, done.out]).toEqual([0, expect.stringMatching(/^2 secrets were re-encrypted .* no longer needed/)]);
  const again = await admin(['secrets', 'rekey'], { ...env, SVC_SECRETS__KEY: current });
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^0 secrets/)]);
  expect(missingKey.out + done.out + again.out).not.toContain('canary');
}, 180_000);

test('the audit log: rekey signs its head again, accept signs a log whose signature was removed', async () => {
  const signing = (...keys: [string, ...string[]]) => ({
    keys: headKeys(keys[0], keys.slice(1)),
    adoptUnsigned: false,
  });
  const sealLog = (...keys: [string, ...string[]]) =>
    inTransaction(database.db, (tx) =>
      sealEvents(tx, { ...signing(...keys), limit: 100, now: new Date(), newId: randomUUID }),
    );
  const verify = (key: string) => verifyChain(database.db.prisma, signing(key));
  await sealLog(old);
  const env = { SVC_DATABASE_URL: database.url, SVC_HOME: '/nonexistent', SVC_SECRETS__KEY: current };
  const missingKey = await admin(['secrets', 'rekey'], env);
  expect([missingKey.code, missingKey.out]).toEqual([
    1,
    expect.stringMatching(
      /\naudit log: the head is signed with the key [0-9a-f]{16}, which .* SVC_SECRETS__OLD_KEYS\n$/,
    ),
  ]);
  expect(missingKey.out).not.toContain('no longer needed');
  const done = await admin(['secrets', 'rekey'], { ...env, SVC_SECRETS__OLD_KEYS: old });
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('was signed with the current key.\n')]);
  await sealLog(current);
  expect(await verify(current)).toMatchObject({ intact: true });
  const intact = await admin(['audit', 'accept'], env);
  expect(intact).toEqual({ code: 0, out: 'The audit log is intact. Nothing was changed.\n' });
  await database.db.prisma.$executeRaw`UPDATE audit_head SET mac = NULL`;
  const accepted = await admin(['audit', 'accept'], env);
  expect([accepted.code, accepted.out]).toEqual([
    0,
    expect.stringMatching(
      /^Before: the signature .* incomplete.*\nThe audit log was signed .*\nNow: the log is intact\.\n$/,
    ),
  ]);
  expect(await verify(current)).toMatchObject({ intact: true, unsealed: 0 });
}, 60_000);

test('migrate shows pending migrations, and verify rejects a folder without a backup', async () => {
  const env = { SVC_DATABASE_URL: database.url };
  expect(await admin(['migrate', '--plan'], env)).toEqual({ code: 0, out: '-- No migrations are pending.\n' });
  expect(await admin(['migrate'], env)).toEqual({ code: 0, out: 'No migrations were pending.\n' });
  const none = await admin(['backup', 'verify', '/nonexistent'], {});
  expect(none).toEqual({
    code: 1,
    out: "svc-admin: /nonexistent doesn't contain a complete backup: manifest.json is missing.\n",
  });
  expect((await admin(['backup', '--now'], env)).code).toBe(2);
}, 60_000);

test('without a command it says which there are', async () => {
  expect(await admin([], {})).toMatchObject({ code: 0, out: expect.stringContaining('svc-admin secrets rekey') });
  expect((await admin(['secrets'], {})).code).toBe(2);
}, 30_000);
