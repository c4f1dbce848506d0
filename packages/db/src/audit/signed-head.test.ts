import { randomUUID } from 'node:crypto';
import { type Database, inTransaction, openDatabase, silent, type Transaction } from '../connection/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { CHAINED, type ChainedRow, chainHash } from './chain.ts';
import {
  acceptLog,
  findSignedHead,
  headKeys,
  recordEvent,
  rekeyHead,
  type SealingOptions,
  sealEvents,
  verifyChain,
} from './index.ts';

const [first, second] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
const keys = headKeys(first);
const now = new Date('2026-03-01T08:00:00.000Z');
const signing = { keys, now, newId: randomUUID };

let test_: TestDatabase;
let otherDb: Database;
beforeEach(async () => {
  test_ = await createTestDatabase();
  otherDb = await openDatabase({ url: test_.url, log: silent, poolSize: 2 });
});
afterEach(async () => {
  await otherDb.close();
  await test_.drop();
});

let recorded = 0;
async function record(count: number, client: Transaction = test_.db.prisma): Promise<void> {
  for (let i = 0; i < count; i++)
    await recordEvent(client, {
      ...{ id: randomUUID(), time: new Date(now.getTime() + recorded++), type: 'RUN_STARTED', principal: null },
      object: { kind: 'INSTANCE', environment: null, namespace: null, table: null },
      ...{ environmentId: null, requestId: null, detail: { n: recorded } },
    });
}

const seal = (options: Partial<SealingOptions> = {}, db: Database = test_.db) =>
  inTransaction(db, (tx) => sealEvents(tx, { ...signing, limit: 100, adoptUnsigned: true, ...options }));
const verify = (options: Partial<Parameters<typeof verifyChain>[1]> = {}) =>
  verifyChain(test_.db.prisma, { keys, adoptUnsigned: true, ...options });
const execute = (sql: string) => test_.db.prisma.$executeRawUnsafe(sql);
const problemOf = async (options: Parameters<typeof verify>[0] = {}) => (await verify(options)).problem?.detail;

/** Rebuilds the chain from an event on, with a matching head, as an attacker with access to the database only could. */
async function rechain(from: bigint, limit = 1000): Promise<void> {
  await inTransaction(test_.db, async (tx) => {
    const before = await tx.auditEvent.findFirst({ where: { sequence: from - 1n } });
    let [sequence, hash] = [from - 1n, (before?.hash ?? new Uint8Array(32)) as Uint8Array];
    const rows = await tx.$queryRaw<ChainedRow[]>`
      SELECT ${CHAINED} FROM audit_events WHERE sequence >= ${from} OR sequence IS NULL
      ORDER BY sequence NULLS LAST, audit_events.time, audit_events.id LIMIT ${limit}`;
    for (const row of rows) {
      sequence += 1n;
      hash = chainHash(hash, sequence, row);
      await tx.$executeRaw`UPDATE audit_events SET sequence = ${sequence}, hash = ${hash} WHERE id = ${row.id}::uuid`;
    }
    // The statements of version 0.1.
    await tx.$executeRaw`
      INSERT INTO audit_head (id, sequence, hash) VALUES (1, ${sequence}, ${hash})
      ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash`;
  });
}

/** Seals unnumbered events like version 0.1, without a signature. */
async function sealAsBefore(): Promise<void> {
  const last = await test_.db.prisma.auditEvent.aggregate({ _max: { sequence: true } });
  await rechain((last._max.sequence ?? 0n) + 1n);
}

const removeSignature = `UPDATE audit_head SET mac = NULL, key_id = NULL, signed_sequence = NULL, signed_hash = NULL,
  signed_since_sequence = NULL, signed_since = NULL`;

test('a new log is signed from its first event on, without an event that records it', async () => {
  await record(2);
  const signed = { reason: 'new', after_sequence: 0, key_id: keys.current.id };
  expect(await seal()).toEqual({ sealed: 2, signed });
  expect(await test_.db.prisma.auditEvent.count({ where: { type: 'AUDIT_LOG_SIGNED' } })).toBe(0);
  const found = await verify({ adoptUnsigned: false });
  const signed_since = { sequence: 1, time: '2026-03-01T08:00:00.000Z' };
  expect(found).toMatchObject({ intact: true, signed_head: { version: 1, ...found.head, signed_since } });
  expect(await findSignedHead(test_.db.prisma, keys)).toEqual(found.signed_head);
  expect(await seal()).toEqual({ sealed: 0, signed: null });
});

describe("an attacker who can write to the database but doesn't have the key", () => {
  beforeEach(async () => {
    await record(6);
    await seal();
  });

  test.each([
    ['a rewritten chain and head', '', /^event 6 is not the one that was signed$/],
    [
      'with the signed hash',
      'UPDATE audit_head SET signed_hash = hash, signed_sequence = sequence',
      /signature of the head at event 6 is wrong/,
    ],
    ['a removed MAC', 'UPDATE audit_head SET mac = NULL', /incomplete/],
    ['a removed signature', removeSignature, /^the log is signed since event 1, and its head has no signature$/],
    ['a later start', `UPDATE audit_head SET signed_since = now()`, /signature of the head at event 6 is wrong/],
    ['another key', `UPDATE audit_head SET key_id = '0123456789abcdef'`, /SVC_SECRETS__OLD_KEYS/],
  ])('%s fails the verification and stops the sealer', async (_, change, problem) => {
    await execute(`UPDATE audit_events SET principal = 'somebody else' WHERE sequence = 3`);
    await rechain(3n);
    if (change !== '') await execute(change);
    expect(await verify()).toMatchObject({ intact: false, signed_head: null, sealed: 6 });
    expect(await problemOf()).toMatch(problem);
    await record(1);
    await expect(seal()).rejects.toThrow(/no events are sealed. Run svc audit verify/);
    expect(await findSignedHead(test_.db.prisma, keys)).toBeNull();
  });

  test("can't hide events cut off at the end by moving the head back", async () => {
    await execute('DELETE FROM audit_events WHERE sequence > 4');
    await execute(`UPDATE audit_head SET sequence = 4, hash = (SELECT hash FROM audit_events WHERE sequence = 4)`);
    expect(await problemOf()).toBe('the head was signed at event 6, and names event 4');
  });

  test('can disguise the log as one of version 0.1 only with a later first signature, which a saved head reveals', async () => {
    const former = (await verify()).signed_head!;
    const { sequence, hash, ...signature } = former;
    await rechain(1n);
    await execute(removeSignature);
    expect(await problemOf({ adoptUnsigned: false })).toMatch(/SVC_AUDIT__ADOPT_UNSIGNED is false/);
    await expect(record(1).then(() => seal({ adoptUnsigned: false }))).rejects.toThrow('SVC_AUDIT__ADOPT_UNSIGNED');
    const later = new Date('2026-06-01T00:00:00.000Z');
    expect(await seal({ now: later })).toMatchObject({ signed: { reason: 'upgrade', after_sequence: 6 } });
    const found = await verify({ former: { sequence, hash, signature } });
    expect(found).toMatchObject({
      intact: false,
      problem: { sequence: 6, detail: expect.stringMatching(/^event 6 has another hash than the saved head/) },
      signed_head: { signed_since: { sequence: 7, time: later.toISOString() } },
      former_head: { sequence: 6, contained: false, signature: 'valid' },
    });
  });

  test('an operator can sign the log as it is; the signing is recorded and changed events stay reported', async () => {
    await execute('UPDATE audit_head SET mac = NULL');
    await record(1);
    await expect(seal()).rejects.toThrow('no events are sealed');
    const later = new Date('2026-06-01T00:00:00.000Z');
    const accept = () => inTransaction(test_.db, (tx) => acceptLog(tx, { ...signing, now: later }));
    expect(await accept()).toEqual({
      sealed: 1,
      signed: { reason: 'operator', after_sequence: 6, key_id: keys.current.id },
    });
    expect(await seal()).toEqual({ sealed: 1, signed: null });
    expect(await verify()).toMatchObject({ intact: true, sealed: 8, signed_head: { signed_since: { sequence: 7 } } });
    await execute('DELETE FROM audit_head');
    await execute('DELETE FROM audit_events WHERE sequence = 3');
    await accept();
    expect(await problemOf()).toMatch(/^event 3 is missing/);
    expect(await seal()).toEqual({ sealed: 0, signed: null });
  });
});

describe('a log of version 0.1', () => {
  beforeEach(async () => {
    await record(3);
    await sealAsBefore();
  });

  test('is signed once as it is, and shows from which event on', async () => {
    expect(await verify()).toMatchObject({ intact: true, sealed: 3, signed_head: null });
    expect(await seal()).toEqual({
      sealed: 1,
      signed: { reason: 'upgrade', after_sequence: 3, key_id: keys.current.id },
    });
    const since = { sequence: 4, time: now.toISOString() };
    expect(await verify()).toMatchObject({ intact: true, sealed: 4, signed_head: { signed_since: since } });
    await record(1);
    await seal({ now: new Date('2026-06-01T00:00:00Z') });
    expect(await verify()).toMatchObject({ intact: true, sealed: 5, signed_head: { signed_since: since } });
  });

  test('stays unsigned if the sealer is killed before its commit', async () => {
    await record(1);
    const killed = inTransaction(test_.db, async (tx) => {
      await sealEvents(tx, { ...signing, limit: 100, adoptUnsigned: true });
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await verify()).toMatchObject({ intact: true, sealed: 3, unsealed: 1, signed_head: null });
    expect(await seal()).toMatchObject({ sealed: 2, signed: { reason: 'upgrade' } });
  });

  test('is adopted by only one of two workers', async () => {
    const batches = await Promise.all([seal(), seal({}, otherDb)]);
    expect(batches.filter(({ signed }) => signed !== null)).toHaveLength(1);
    expect(await test_.db.prisma.auditEvent.count({ where: { type: 'AUDIT_LOG_SIGNED' } })).toBe(1);
  });
});

describe('an old worker that seals next to a new one', () => {
  beforeEach(async () => {
    await record(3);
    await seal();
    await record(3);
    await sealAsBefore();
  });

  test('leaves an earlier signature, from which the new worker continues', async () => {
    expect(await verify()).toMatchObject({ intact: true, head: { sequence: 6 }, signed_head: { sequence: 3 } });
    expect(await seal()).toEqual({ sealed: 0, signed: null });
    expect(await verify()).toMatchObject({ intact: true, signed_head: { sequence: 6, signed_since: { sequence: 1 } } });
  });

  test("doesn't hide events changed after the signature", async () => {
    await execute(`UPDATE audit_events SET principal = 'x' WHERE sequence = 5`);
    await record(1);
    await expect(seal()).rejects.toThrow(/event 5 .* was changed/);
  });

  test("doesn't hide a rewritten chain", async () => {
    await execute(`UPDATE audit_events SET principal = 'x' WHERE sequence = 2`);
    await rechain(2n);
    expect(await problemOf()).toBe('event 3 is not the one that was signed');
    await record(1);
    await expect(seal()).rejects.toThrow('event 3 is not the one that was signed');
  });
});

describe('a changed key', () => {
  const changed = headKeys(second, [first]);
  beforeEach(async () => {
    await record(3);
    await seal();
  });
  const rekey = (ring = changed) => rekeyHead(test_.db, { ...signing, keys: ring });

  test('signs the same content again and makes the old key unnecessary', async () => {
    const former = (await verify()).signed_head!;
    expect(await verify({ keys: changed })).toMatchObject({ intact: true });
    expect(await problemOf({ keys: headKeys(second) })).toMatch(
      /^the head is signed with the key [0-9a-f]{16}, which this process does not have: list that key in SVC_SECRETS__OLD_KEYS$/,
    );
    expect(await rekey()).toBe('signed');
    expect(await rekey()).toBe('current');
    const { sequence, hash, ...signature } = former;
    expect(await verify({ keys: headKeys(second), former: { sequence, hash, signature } })).toMatchObject({
      intact: true,
      signed_head: { sequence, hash, signed_since: former.signed_since, key_id: changed.current.id },
      former_head: { contained: true, signature: 'unknown-key' },
    });
    await seal({ keys: headKeys(second) });
    const events = await test_.db.prisma.auditEvent.findMany({ where: { type: 'AUDIT_LOG_SIGNED' } });
    expect(events.map(({ detail }) => detail)).toContainEqual({
      reason: 'rekey',
      after_sequence: 3,
      key_id: changed.current.id,
    });
  });

  test('takes effect with the rekey: until then workers with only the old key keep sealing, and one without it seals nothing', async () => {
    await record(1);
    await expect(seal({ keys: headKeys(second) })).rejects.toThrow('SVC_SECRETS__OLD_KEYS');
    expect(await seal({ keys: changed })).toEqual({ sealed: 1, signed: null });
    await record(1);
    expect(await seal()).toEqual({ sealed: 1, signed: null });
    expect(await rekey()).toBe('signed');
    await record(1);
    await expect(seal()).rejects.toThrow('SVC_SECRETS__OLD_KEYS');
    expect(await seal({ keys: headKeys(second) })).toMatchObject({ signed: null });
    expect(await verify({ keys: headKeys(second) })).toMatchObject({ intact: true, unsealed: 0 });
  });

  test("doesn't sign a head with a wrong signature again", async () => {
    await execute(`UPDATE audit_head SET signed_since = now()`);
    expect(await rekey()).toEqual({ left: expect.stringContaining('is wrong') });
    expect(await rekey(headKeys(second))).toEqual({ left: expect.stringContaining('SVC_SECRETS__OLD_KEYS') });
    await execute('DELETE FROM audit_head');
    expect(await rekey()).toBe('none');
  });
});

describe('a saved head', () => {
  beforeEach(async () => {
    await record(3);
    await seal();
  });
  const saved = async () => {
    const { sequence, hash, ...signature } = (await verify()).signed_head!;
    return { sequence, hash, signature };
  };

  test('is found in a log that has grown, signed or not', async () => {
    const former = await saved();
    await record(2);
    await seal();
    const contained = { sequence: 3, contained: true };
    expect(await verify({ former })).toMatchObject({ intact: true, former_head: { ...contained, signature: 'valid' } });
    expect(await verify({ former: { ...former, signature: null } })).toMatchObject({
      intact: true,
      former_head: { ...contained, signature: 'none' },
    });
    expect((await verify()).former_head).toBeNull();
  });

  test('reveals that an earlier state was restored', async () => {
    await record(2);
    const rows = await test_.db.prisma.auditHead.findFirstOrThrow();
    await seal();
    const former = await saved();
    await execute('UPDATE audit_events SET sequence = NULL, hash = NULL WHERE sequence > 3');
    await test_.db.prisma.auditHead.update({ where: { id: 1 }, data: rows });
    expect(await verify()).toMatchObject({ intact: true, sealed: 3 });
    expect(await problemOf({ former })).toMatch(/^the saved head is of event 5, and the log ends at event 3/);
  });

  test('is rejected if its content differs from what was signed', async () => {
    const former = await saved();
    const mac = '00'.repeat(32);
    const { intact, problem, former_head } = await verify({
      former: { ...former, signature: { ...former.signature, mac } },
    });
    expect([intact, former_head]).toEqual([false, { sequence: 3, contained: true, signature: 'invalid' }]);
    expect(problem!.detail).toMatch(/wrong signature/);
  });
});

test('the MAC is HMAC-SHA256 with a key derived by HKDF, as the guide describes', async () => {
  await record(1);
  await seal();
  const { createHmac, hkdfSync } = await import('node:crypto');
  const { sequence, hash, signed_since, mac } = (await verify()).signed_head!;
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(first, 'base64'), Buffer.alloc(0), 'svc audit head', 32));
  const text = `["svc audit head",1,${sequence},"${hash}",${signed_since.sequence},"${signed_since.time}"]`;
  expect(createHmac('sha256', key).update(text).digest('hex')).toBe(mac);
});
