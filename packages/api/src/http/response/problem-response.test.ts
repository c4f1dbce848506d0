import { tmpdir } from 'node:os';
import { openDatabase, silent } from '@svc/db/connection';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { openStore } from '@svc/lake/storage';
import { toApiError } from './problem-response.ts';

const KEYS = { accessKeyId: 'x', secretAccessKey: 'y' };

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

test('a database that has no time is a 503 that says to come again, not a fault of the service', async () => {
  const db = await openDatabase({ url: test_.url, log: silent, statementTimeoutMs: 50 });
  const late = await db.prisma.$queryRaw`SELECT 1 FROM pg_sleep(30)`.catch((error: unknown) => error);
  const expired = await test_.db.prisma
    .$transaction((tx) => tx.$queryRaw`SELECT 1 FROM pg_sleep(0.1)`, { timeout: 1 })
    .catch((error: unknown) => error);
  await db.close();
  for (const error of [late, expired])
    expect(toApiError(error)).toMatchObject({ code: 'database-unavailable', status: 503, retryAfter: 5 });
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(toApiError(full)).toMatchObject({ code: 'storage-full', status: 507 });
  expect(toApiError(new Error('x'))).toMatchObject({ code: 'internal', status: 500 });
});

test('a lost connection is a 503, however it was lost and whatever ran on it', async () => {
  const db = await openDatabase({ url: test_.url, log: silent, poolSize: 1, applicationName: 'to-lose' });
  const kill = () =>
    test_.db.prisma.$queryRaw<unknown[]>`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'to-lose' AND state = 'active' AND query LIKE '%pg_sleep%'`;
  const running = () => db.prisma.$queryRaw`SELECT 1 FROM pg_sleep(30)`;
  const inTransaction = () => db.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 FROM pg_sleep(30)`);
  const lost: unknown[] = [];
  for (const act of [running, inTransaction]) {
    const failed = act().catch((error: unknown) => error);
    let killed: unknown[] = [];
    while (killed.length === 0) killed = await kill();
    lost.push(await failed);
  }
  await db.close();
  for (const error of lost)
    expect(toApiError(error)).toMatchObject({ code: 'database-unavailable', status: 503, retryAfter: 2 });
  const disconnected = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  expect(toApiError(disconnected).code).toBe('internal');
});

test('a bucket that does not answer is the storage, and not the database', async () => {
  const s3 = { region: 'x', endpoint: 'http://127.0.0.1:1', pathStyle: true, maxAttempts: 1, credentials: KEYS };
  const store = await openStore('s3://bucket/below', { ...s3, cacheDir: tmpdir(), cacheLimit: 0, clock: Date.now });
  const error = await store.read('s3://bucket/below/a').catch((e: unknown) => e);
  expect(toApiError(error)).toMatchObject({ code: 'storage-unavailable', status: 503 });
});

test('a folder that may not be written to, or whose disk fails, is the storage', () => {
  const fault = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });
  for (const error of [fault('EROFS', 'open'), fault('EACCES', 'mkdir'), fault('EIO', 'fsync')])
    expect(toApiError(error)).toMatchObject({ code: 'storage-unavailable', status: 503 });
  expect(toApiError(fault('EACCES', 'connect')).status).toBe(500);
});
