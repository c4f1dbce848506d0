import { randomUUID } from 'node:crypto';
import { type Database, inTransaction, openDatabase, silent, type Transaction } from '../connection/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { headKeys, listEvents, recordEvent, sealEvents, verifyChain } from './index.ts';
import { selectUnsealed } from './seal-events.ts';

const keys = headKeys(Buffer.alloc(32, 1).toString('base64'));
const sealing = (limit: number) => ({
  limit,
  keys,
  adoptUnsigned: false,
  now: new Date('2016-01-02T00:00:00Z'),
  newId: randomUUID,
});
const verify = (client: Transaction = test_.db.prisma) => verifyChain(client, { keys, adoptUnsigned: false });

let test_: TestDatabase;
/** The connections of a second worker to the same database. */
let otherDb: Database;

beforeAll(async () => {
  test_ = await createTestDatabase();
  otherDb = await openDatabase({ url: test_.url, log: silent, poolSize: 5 });
});
afterAll(async () => {
  await otherDb.close();
  await test_.drop();
});

const record = (n: number) =>
  inTransaction(n % 2 === 0 ? test_.db : otherDb, (tx) =>
    recordEvent(tx, {
      id: randomUUID(),
      time: new Date(Date.UTC(2016, 0, 1) + n),
      type: 'RUN_STARTED',
      principal: null,
      object: { kind: 'INSTANCE', environment: null, namespace: null, table: null },
      environmentId: null,
      requestId: null,
      detail: { n },
    }),
  );

/** Seals like a worker's loop, until `done` and no events are left. */
async function seal(db: Database, done: () => boolean): Promise<number> {
  for (let sealed = 0; ; ) {
    const last = done();
    const { sealed: count } = await inTransaction(db, (tx) => sealEvents(tx, sealing(7)));
    sealed += count;
    if (last && count === 0) return sealed;
  }
}

test('two workers seal one chain without gaps while events are committed and rolled back (AUDIT-5)', async () => {
  let recorded = false;
  const sealing = [test_.db, otherDb].map((db) => seal(db, () => recorded));
  const writing = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; i < 25; i++) {
      await record(writer * 100 + i);
      const rejected = inTransaction(otherDb, async (tx) => {
        await tx.$executeRaw`INSERT INTO audit_events (id, time, type, object, detail)
          VALUES (${randomUUID()}::uuid, now(), 'RUN_STARTED', '{}', '{}')`;
        throw new Error('taken back');
      });
      await expect(rejected).rejects.toThrow('taken back');
    }
  });
  await Promise.all(writing).finally(() => {
    recorded = true;
  });
  const [mine = 0, others = 0] = await Promise.all(sealing);
  expect(mine + others).toBe(200);
  expect(await verify()).toMatchObject({
    ...{ intact: true, sealed: 200, unsealed: 0, problem: null },
    signed_head: { sequence: 200, signed_since: { sequence: 1 } },
  });
  const { items } = await listEvents(test_.db.prisma, { filter: {}, page: { limit: 300, after: null } });
  const numbers = items.map(({ sequence }) => sequence).sort((a, b) => Number(a) - Number(b));
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test('if a worker crashes after sealing but before its commit, the other worker seals the events', async () => {
  const before = await verify();
  await record(1000);
  const lost = inTransaction(otherDb, async (tx) => {
    expect(await sealEvents(tx, sealing(10))).toEqual({ sealed: 1, signed: null });
    throw new Error('killed');
  });
  await expect(lost).rejects.toThrow('killed');
  expect(await inTransaction(test_.db, (tx) => sealEvents(tx, sealing(10)))).toEqual({ sealed: 1, signed: null });
  const after = await verify();
  expect(after).toMatchObject({ intact: true, sealed: before.sealed + 1, unsealed: 0 });
});

describe('a head that was changed directly in the database', () => {
  const expectDetected = async (change: string, expected: RegExp) => {
    await expect(
      inTransaction(test_.db, async (tx) => {
        await tx.$executeRawUnsafe(change);
        const { intact, problem } = await verify(tx);
        expect([intact, problem?.detail]).toEqual([false, expect.stringMatching(expected)]);
        await tx.$executeRaw`INSERT INTO audit_events (id, time, type, object, detail)
          VALUES (${randomUUID()}::uuid, now(), 'RUN_STARTED', '{}', '{}')`;
        // Sealing again would write a new head and hide the damage.
        await sealEvents(tx, sealing(10));
      }),
    ).rejects.toThrow('missing or was replaced');
    expect(await verify()).toMatchObject({ intact: true, problem: null });
  };

  test('fails the verification and stops the sealer if it is missing', () =>
    expectDetected('DELETE FROM audit_head', /^the log ends at event 201, and its head is missing$/));

  test('fails the verification and stops the sealer if it names an earlier event', () =>
    expectDetected(
      'UPDATE audit_head SET sequence = 100, hash = (SELECT hash FROM audit_events WHERE sequence = 100)',
      /^the log ends at event 201, and its head is event 100$/,
    ));

  test('fails the verification and stops the sealer if its hash differs', () =>
    expectDetected(
      'UPDATE audit_head SET hash = (SELECT hash FROM audit_events WHERE sequence = 100)',
      /^the head has another hash than event 201$/,
    ));

  test('fails the verification and stops the sealer if the events after it were removed', () =>
    expectDetected(
      'DELETE FROM audit_events WHERE sequence > 190',
      /^the log ends at event 190, and its head is event 201$/,
    ));
});

test('a log without events and without a head is intact', async () => {
  const empty = await createTestDatabase();
  expect(await verify(empty.db.prisma)).toMatchObject({ intact: true, sealed: 0, head: null, problem: null });
  await empty.drop();
});

test('events with names as long as a path are sealed and listed like others (AUDIT-5, AUDIT-12)', async () => {
  const environmentId = randomUUID();
  // Random characters can't be compressed, and the names differ at their ends only.
  const start = Array.from({ length: 400 }, () => randomUUID()).join('');
  const names = ['a', 'b'].map((end) => start + end);
  for (const namespace of names)
    await inTransaction(test_.db, (tx) =>
      recordEvent(tx, {
        id: randomUUID(),
        time: new Date('2016-01-03T00:00:00Z'),
        type: 'AUTHORIZATION_DENIED',
        principal: null,
        object: { kind: 'TABLE', environment: 'dev', namespace, table: namespace },
        environmentId,
        requestId: null,
        detail: {},
      }),
    );
  await seal(test_.db, () => true);
  const page = { limit: 10, after: null };
  const filter = { environmentId, namespace: names[1], table: names[1] };
  const { items } = await listEvents(test_.db.prisma, { filter, page });
  expect(items.map(({ sequence, object }) => [sequence === null, object.namespace])).toEqual([[false, names[1]]]);
});

test('an event with a repeated number, or one before the log, fails the verification wherever a batch ends (AUDIT-5)', async () => {
  const { db, drop } = await createTestDatabase();
  await db.prisma.$executeRaw`
    INSERT INTO audit_events (id, time, type, object, detail)
    SELECT gen_random_uuid(), '2016-01-01'::timestamptz, 'RUN_STARTED', '{}', '{}' FROM generate_series(1, 5010)`;
  await inTransaction(db, (tx) => sealEvents(tx, sealing(10_000)));
  expect(await verify(db.prisma)).toMatchObject({ intact: true, sealed: 5010 });
  // Numbers are unique in each partition only.
  for (const number of [1, 5000, 5010, -3]) {
    await db.prisma.$executeRaw`
      INSERT INTO audit_events (id, time, type, object, detail, sequence, hash)
      SELECT gen_random_uuid(), '2199-01-01', type, object, detail, ${number}, hash FROM audit_events
      WHERE sequence = ${Math.max(number, 1)}`;
    expect([number, (await verify(db.prisma)).intact]).toEqual([number, false]);
    await db.prisma.$executeRaw`DELETE FROM audit_events WHERE time = '2199-01-01'`;
  }
  await drop();
});

test('a batch reads no more than its events, however many wait (AUDIT-5)', async () => {
  await inTransaction(test_.db, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO audit_events (id, time, type, object, detail)
      SELECT gen_random_uuid(), timestamptz '2016-01-01' + make_interval(secs => i), 'RUN_STARTED', '{}', '{}'
      FROM generate_series(1, 20000) i`;
    await tx.$executeRaw`ANALYZE audit_events`;
    const plan = await tx.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN ${selectUnsealed(10)}`;
    expect(
      plan.map((line) => line['QUERY PLAN']).filter((line) => /Sort|Seq Scan on audit_events_first/.test(line)),
    ).toEqual([]);
    await tx.$executeRaw`DELETE FROM audit_events WHERE sequence IS NULL`;
  });
});
