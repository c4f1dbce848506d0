import { randomBytes, randomUUID } from 'node:crypto';
import { examineValues } from '@svc/core/secrets';
import { inTransaction } from '../connection/index.ts';
import { createTestDatabase, statementBlocked, type TestDatabase } from '../testing/index.ts';
import { createSecret, rekeySecrets, revokeSecret, rotateSecret, seal, sealingKeys, unseal } from './index.ts';

const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
const key = () => randomBytes(32).toString('base64');
const now = new Date('2026-03-01T08:00:00Z');
const [first, second, third] = [key(), key(), key()];
const environmentId = randomUUID();
const by = randomUUID();

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
  await test_.db.prisma.$executeRaw`
    INSERT INTO environments (id, name, protected, created_at) VALUES (${environmentId}::uuid, 'dev', false, ${now})`;
});
afterAll(() => test_.drop());
beforeEach(async () => {
  await test_.db.prisma.secret.deleteMany();
});

const valuesOf = (n: number) => ({ username: `user ${n}`, password: `password ${n}` });

async function create(n: number, sealedWith: string): Promise<string> {
  const id = randomUUID();
  const sealed = seal(sealingKeys(sealedWith), { id, environmentId }, valuesOf(n), random);
  const facts = examineValues(valuesOf(n));
  const secret = { id, environmentId, environment: 'dev', name: `s${n}`, sealed, facts, binding: null };
  await inTransaction(test_.db, (tx) => createSecret(tx, { ...secret, createdBy: by, now }));
  return id;
}

async function opened(id: string, ...keys: string[]) {
  const row = await test_.db.prisma.secret.findUniqueOrThrow({ where: { id } });
  const sealed = { keyId: row.key_id, bytes: row.sealed };
  return unseal(sealingKeys(keys[0]!, keys.slice(1)), { id, environmentId }, sealed);
}

const batch = (keys: string[], after: string | null = null, limit = 3) =>
  rekeySecrets(test_.db, {
    keys: sealingKeys(keys[0]!, keys.slice(1)),
    after,
    limit,
    now,
    newId: randomUUID,
    random,
  });

async function rekey(...keys: string[]): Promise<number> {
  let sealed = 0;
  for (let after: string | null | undefined; after !== null; ) {
    const done = await batch(keys, after ?? null);
    sealed += done.sealed;
    after = done.next;
  }
  return sealed;
}

test('all keys open secrets, and the newest key seals them', async () => {
  const old = await create(1, first);
  expect(await opened(old, second, first)).toEqual(valuesOf(1));
  const sealed = seal(sealingKeys(second, [first]), { id: old, environmentId }, valuesOf(2), random);
  expect(sealed.keyId).toBe(sealingKeys(second).current.id);
});

test('rekeying works in batches over several old keys and resumes after an interruption', async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => create(n, n % 2 === 0 ? first : second)));
  expect(await batch([third, first, second])).toMatchObject({ sealed: 3, failed: [], next: expect.any(String) });
  expect(await rekey(third, first, second)).toBe(4);
  expect(await rekey(third, first, second)).toBe(0);
  for (const [i, id] of ids.entries()) expect(await opened(id, third)).toEqual(valuesOf(i + 1));
  const events = await test_.db.prisma.auditEvent.findMany({ where: { type: 'SECRETS_REKEYED' } });
  expect(events.map(({ detail }) => (detail as { secrets: number }).secrets).sort()).toEqual([1, 3, 3]);
  expect(JSON.stringify(events.map(({ detail }) => detail))).not.toContain('password');
});

test("a secret that can't be opened stays as it is, is reported, and doesn't stop the others", async () => {
  const [unknownKey, good, changed] = [await create(1, third), await create(2, first), await create(3, first)];
  await test_.db.prisma.secret.update({ where: { id: changed! }, data: { sealed: Buffer.alloc(64) } });
  const before = await test_.db.prisma.secret.findUniqueOrThrow({ where: { id: unknownKey! } });
  const { sealed, failed } = await batch([second, first]);
  expect(sealed).toBe(1);
  expect([...failed].sort((a, b) => a.secret.localeCompare(b.secret))).toEqual([
    { secret: 's1 of environment dev', reason: expect.stringContaining('SVC_SECRETS__OLD_KEYS') },
    { secret: 's3 of environment dev', reason: expect.stringContaining('changed outside svc') },
  ]);
  expect(await opened(good!, second)).toEqual(valuesOf(2));
  expect(await test_.db.prisma.secret.findUniqueOrThrow({ where: { id: unknownKey! } })).toEqual(before);
});

test("revoked secrets are skipped, and a secret set concurrently isn't overwritten", async () => {
  const [gone, busy] = [await create(1, first), await create(2, first)];
  await revokeSecret(test_.db.prisma, { id: gone!, by, now });
  const newer = { username: 'newer', password: 'newer' };
  let started: Promise<unknown> | undefined;
  await inTransaction(test_.db, async (tx) => {
    const sealed = seal(sealingKeys(second), { id: busy!, environmentId }, newer, random);
    await rotateSecret(tx, { id: busy!, sealed, facts: examineValues(newer), by, now });
    // This batch waits for the transaction and then finds the row sealed with the current key.
    started = batch([second, first]);
    await statementBlocked(test_.db);
  });
  expect(await started).toMatchObject({ sealed: 0, failed: [] });
  expect(await opened(busy!, second)).toEqual(newer);
});
