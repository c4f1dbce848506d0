import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { administer } from '../testing/server.ts';
import { inTransaction, isConnectionLost, openDatabase, silent, sqlState, type Transaction } from './index.ts';

let test_: TestDatabase;

beforeAll(async () => {
  test_ = await createTestDatabase();
  await test_.db.prisma.$executeRaw`CREATE TABLE counters (id int PRIMARY KEY, n int NOT NULL)`;
});

afterAll(() => test_.drop());

beforeEach(async () => {
  await test_.db.prisma.$executeRaw`TRUNCATE counters`;
  await test_.db.prisma.$executeRaw`INSERT INTO counters VALUES (1, 0), (2, 0)`;
});

const total = async () => {
  const [row] = await test_.db.prisma.$queryRaw<{ n: bigint }[]>`SELECT sum(n) AS n FROM counters`;
  return Number(row?.n);
};

/** Opens once `parties` callers have arrived. */
function barrier(parties: number): () => Promise<void> {
  let open = () => {};
  let waiting = 0;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    if (++waiting >= parties) open();
    await opened;
  };
}

describe('inTransaction', () => {
  test('commits everything or nothing', async () => {
    await expect(
      inTransaction(test_.db, async (tx) => {
        await tx.$executeRaw`UPDATE counters SET n = 7`;
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await total()).toBe(0);
    expect(await inTransaction(test_.db, (tx) => tx.$executeRaw`UPDATE counters SET n = 7`)).toBe(2);
    expect(await total()).toBe(14);
  });

  test('retries after a serialization failure', async () => {
    const arrive = barrier(2);
    const increment = () =>
      inTransaction(
        test_.db,
        async (tx) => {
          const [row] = await tx.$queryRaw<{ n: number }[]>`SELECT n FROM counters WHERE id = 1`;
          await arrive();
          await tx.$executeRaw`UPDATE counters SET n = ${(row?.n ?? 0) + 1} WHERE id = 1`;
        },
        { isolation: 'Serializable' },
      );
    await Promise.all([increment(), increment()]);
    expect(await total()).toBe(2);
  });

  test('retries after a deadlock', async () => {
    const arrive = barrier(2);
    const cross = (first: number, second: number) =>
      inTransaction(test_.db, async (tx) => {
        await tx.$executeRaw`UPDATE counters SET n = n + 1 WHERE id = ${first}`;
        await arrive();
        await tx.$executeRaw`UPDATE counters SET n = n + 1 WHERE id = ${second}`;
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(await total()).toBe(4);
  });

  test('stops after the last attempt, and immediately on any other error', async () => {
    let attempts = 0;
    const conflict = inTransaction(
      test_.db,
      async (tx) => {
        attempts++;
        await tx.$executeRaw`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`;
      },
      { attempts: 3 },
    );
    await expect(conflict).rejects.toThrow();
    expect(attempts).toBe(3);
    attempts = 0;
    const duplicate = inTransaction(test_.db, async (tx) => {
      attempts++;
      await tx.$executeRaw`INSERT INTO counters VALUES (1, 0)`;
    });
    expect(sqlState(await duplicate.catch((error) => error))).toBe('23505');
    expect(attempts).toBe(1);
  });
});

test('sqlState reads errors of model calls and of raw statements, and returns null for other errors', async () => {
  const principal = { id: '01890000-0000-7000-8000-000000000001', name: 'a', type: 'person', created_at: new Date(0) };
  await test_.db.prisma.principal.create({ data: principal });
  const error = await test_.db.prisma.principal.create({ data: principal }).catch((cause: unknown) => cause);
  expect(sqlState(error)).toBe('23505');
  expect(sqlState(Object.assign(new Error('x'), { code: 'EPIPE' }))).toBeNull();
  expect(sqlState(null)).toBeNull();
});

test('a statement that exceeds the timeout is cancelled', async () => {
  const db = await openDatabase({ url: test_.url, log: silent, statementTimeoutMs: 50 });
  try {
    const error = await db.prisma.$queryRaw`SELECT 1 FROM pg_sleep(30)`.catch((cause: unknown) => cause);
    expect(sqlState(error)).toBe('57014');
  } finally {
    await db.close();
  }
});

test('a statement fails if the server is gone without closing the connection', async () => {
  const relay = createServer((client) => {
    const upstream = connect(Number(new URL(test_.url).port), '127.0.0.1');
    client.pipe(upstream);
    // Forwards until the statement was sent, and then nothing, as a machine without power.
    upstream.on('data', (data) => isGone || client.write(data));
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.on('close', () => upstream.destroy());
  });
  let isGone = false;
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(test_.url);
  url.port = String((relay.address() as AddressInfo).port);
  const db = await openDatabase({ url: url.href, log: silent, statementTimeoutMs: 50, poolSize: 1 });
  try {
    await db.prisma.$queryRaw`SELECT 1`;
    isGone = true;
    const error = await db.prisma.$queryRaw`SELECT 1`.catch((cause: unknown) => cause);
    expect(isConnectionLost(error)).toBe(true);
    isGone = false;
    expect(await db.prisma.$queryRaw`SELECT 1 AS n`).toEqual([{ n: 1 }]);
  } finally {
    await db.close();
    relay.close();
  }
}, 20_000);

describe('listen', () => {
  /** Collects notifications; `next` waits for one. */
  function inbox() {
    const items: (string | null)[] = [];
    let wake = () => {};
    return {
      handler: (payload: string | null) => {
        items.push(payload);
        wake();
      },
      async next() {
        while (items.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        return items.shift();
      },
    };
  }
  const notify = (payload: string) => test_.db.prisma.$executeRaw`SELECT pg_notify('woken', ${payload})`;

  test('calls the handler on notifications, once at the start, and after a reconnect', async () => {
    const box = inbox();
    const stop = await test_.db.listen('woken', box.handler);
    expect(await box.next()).toBeNull();
    await notify('a');
    expect(await box.next()).toBe('a');
    await administer(test_.url, (client) =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-listen'`),
    );
    expect(await box.next()).toBeNull();
    await notify('b');
    expect(await box.next()).toBe('b');
    await stop();
  });

  test('listeners share one connection, and a stopped listener receives nothing', async () => {
    const one = inbox();
    const two = inbox();
    const stopOne = await test_.db.listen('woken', one.handler);
    const stopTwo = await test_.db.listen('woken', two.handler);
    await stopOne();
    await notify('c');
    while ((await two.next()) !== 'c');
    await stopTwo();
    const received: (string | null)[] = [];
    const stop = await test_.db.listen('other', (payload) => received.push(payload));
    await stop();
    expect(received).not.toContain('c');
  });
});

describe('an unusable database', () => {
  const open = (url: string) => openDatabase({ url, log: silent });

  test('is reported with reason and remedy, without the password', async () => {
    const unknownUser = new URL(test_.url);
    unknownUser.port = '1';
    await expect(open(unknownUser.href)).rejects.toThrow(
      /at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.* Check that the server runs/,
    );
    const missing = new URL(test_.url);
    missing.pathname = '/missing';
    await expect(open(missing.href)).rejects.toThrow(/"missing" at .* does not exist\. Create the database/);
    const wrongPassword = new URL(test_.url);
    wrongPassword.password = 'guess-me';
    await expect(open(wrongPassword.href)).rejects.toThrow(
      /password authentication failed.* Correct the user name and password/,
    );
    await expect(open(wrongPassword.href)).rejects.not.toThrow(/guess-me/);
  });
});

test('a test file that leaves a connection open fails', async () => {
  const own = await createTestDatabase();
  const forgotten = await openDatabase({ url: own.url, log: silent, applicationName: 'forgotten' });
  await forgotten.prisma.$queryRaw`SELECT 1`;
  await expect(own.drop()).rejects.toThrow(/connection\.test\.ts left 1 connection\(s\) open: forgotten/);
  await forgotten.close();
});

test('a statement returns the same values inside and outside a transaction', async () => {
  const day = new Date('2026-03-01T12:30:00.250Z');
  const values = (client: Transaction) => client.$queryRaw`
    SELECT 1::int4 AS a, 9007199254740993::int8 AS b, 1.5::float8 AS c, 2.50::numeric AS d, true AS e, 'x'::text AS f,
      ${day}::timestamptz AS g, ${day}::timestamptz::timestamp AS h, ${day}::timestamptz::date AS i,
      ${JSON.stringify({ k: [1, null] })}::jsonb AS j, ${['a', 'b,"c']}::text[] AS k, ARRAY[1, NULL]::int8[] AS l,
      ${Buffer.from([0, 255])}::bytea AS m, NULL::uuid AS n, ${7n}::int8 AS o, ${null}::text AS p, ${[]}::uuid[] AS q`;
  const outside = await values(test_.db.prisma);
  expect(outside).toEqual(await inTransaction(test_.db, values));
  expect(outside).toMatchObject([{ b: 9007199254740993n, g: day, h: day, i: new Date('2026-03-01'), l: [1n, null] }]);
});

test('a rejected statement reports its SQLSTATE inside and outside a transaction', async () => {
  const insert = (client: Transaction) => client.$executeRaw`INSERT INTO counters VALUES (1, 1)`;
  expect(sqlState(await insert(test_.db.prisma).catch((error: unknown) => error))).toBe('23505');
  expect(sqlState(await inTransaction(test_.db, insert).catch((error: unknown) => error))).toBe('23505');
});
