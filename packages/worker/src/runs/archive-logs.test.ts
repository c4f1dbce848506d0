import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogLine } from '@svc/core/runs';
import { acquireLeaderLease } from '@svc/db/leases';
import { appendLog, findRun, readLog } from '@svc/db/runs';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { readLogFile } from '@svc/lake/runs';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { pino } from 'pino';
import { removeOrphans } from '../sweep/index.ts';
import { archiveLogs } from './archive-logs.ts';

const NOW = new Date('2026-03-31T08:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000);
const { signal } = new AbortController();

let database: TestDatabase;
let folder: string;
let store: ObjectStore;
let environmentId: string;
const reported: unknown[] = [];
const log = pino({}, { write: (line: string) => void reported.push(JSON.parse(line)) });
const deps = () => ({ db: database.db, store, clock: () => NOW, newId: randomUUID, log });

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'svc-logs-'));
  store = await openLocalStore(join(folder, 'store'));
  environmentId = randomUUID();
  const { prisma } = database.db;
  await prisma.environment.create({ data: { id: environmentId, name: 'dev', created_at: NOW } });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function lease() {
  const { prisma } = database.db;
  const lease = { name: randomUUID(), holder: randomUUID(), now: NOW, leaseMs: 60_000 };
  return (await acquireLeaderLease(prisma, lease))!;
}

/** A run that finished at a time, or is running, with these lines. */
async function createRun(finishedAt: Date | null, lines: readonly string[]): Promise<string> {
  const { prisma } = database.db;
  const id = randomUUID();
  const name = `project-${id}`;
  await prisma.repository.create({ data: { id, name, created_at: NOW, updated_at: NOW } });
  const status = finishedAt === null ? 'running' : 'succeeded';
  await prisma.run.create({
    data: {
      ...{ id, environment_id: environmentId, repository_id: id, project_version_id: id, principal_id: id, status },
      ...{ select: ['*'], created_at: finishedAt ?? NOW, ended_at: finishedAt },
    },
  });
  const time = finishedAt ?? NOW;
  await appendLog(prisma, {
    runId: id,
    lines: lines.map((line) => ({ asset: 'shop.orders', stream: 'stdout', time, line })),
  });
  return id;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const inDatabase = async (runId: string): Promise<LogLine[]> =>
  readLog(database.db.prisma, { runId, after: 0, limit: 100_000 });

async function inFile(runId: string): Promise<LogLine[] | null> {
  const { log_location: location } = (await findRun(database.db.prisma, runId))!;
  return location === null ? null : all(await readLogFile(store, location));
}

async function files(): Promise<string[]> {
  return (await all(store.list(`${store.root}/logs`))).map(({ location }) => location).sort();
}

test('logs of runs that finished long ago are moved to files, and all others stay (RUN-24)', async () => {
  const odd = ['', 'Köln 🚲', 'a\u2028b\u2029c\u0085d\r', '"quoted" \\ \t', 'x'.repeat(16_384)];
  const long = Array.from({ length: 2_500 }, (_, i) => `line ${i}`);
  const old = [await createRun(daysAgo(31), odd), await createRun(daysAgo(40), long), await createRun(daysAgo(50), [])];
  const others = [await createRun(daysAgo(29), ['recent']), await createRun(null, ['running'])];
  const before = await Promise.all(old.map(inDatabase));
  expect(before.map(({ length }) => length)).toEqual([odd.length, long.length, 0]);
  const current = await lease();
  expect(await archiveLogs(deps(), { lease: current, days: 30 }, signal)).toEqual({ logs: 3, lines: 2_505, failed: 0 });
  expect(await Promise.all(old.map(inFile))).toEqual(before);
  expect(await Promise.all(old.map(inDatabase))).toEqual([[], [], []]);
  expect(await Promise.all(others.map(inFile))).toEqual([null, null]);
  expect((await Promise.all(others.map(inDatabase))).flat().map(({ line }) => line)).toEqual(['recent', 'running']);
  expect(await archiveLogs(deps(), { lease: current, days: 30 }, signal)).toEqual({ logs: 0, lines: 0, failed: 0 });
});

test('a worker that is no longer the leader moves nothing, and the sweep removes its files (RUN-24)', async () => {
  const run = await createRun(daysAgo(60), ['kept']);
  const recorded = await files();
  const former = { ...(await lease()), fence: -1n };
  expect(await archiveLogs(deps(), { lease: former, days: 30 }, signal)).toEqual({ logs: 0, lines: 0, failed: 0 });
  expect(await inFile(run)).toBeNull();
  expect((await inDatabase(run)).map(({ line }) => line)).toEqual(['kept']);
  expect(await files()).toHaveLength(recorded.length + 1);
  const clock = () => new Date(Date.now() + 48 * 3_600_000);
  await removeOrphans({ ...deps(), clock }, signal);
  expect(await files()).toEqual(recorded);
});

test('a line that is added while a log is moved is not lost (RUN-24)', async () => {
  const run = await createRun(daysAgo(60), ['first']);
  const adding: typeof store = Object.assign(Object.create(store), {
    async write(...args: Parameters<ObjectStore['write']>) {
      const stored = await store.write(...args);
      if (!args[0].includes(run)) return stored;
      const line = { asset: null, stream: 'service', time: NOW, line: 'late' } as const;
      await appendLog(database.db.prisma, { runId: run, lines: [line] });
      return stored;
    },
  });
  await archiveLogs({ ...deps(), store: adding }, { lease: await lease(), days: 30 }, signal);
  const lines = [...((await inFile(run)) ?? []), ...(await inDatabase(run))];
  expect(lines.map(({ line }) => line)).toEqual(['first', 'late']);
});

test('a log that can not be moved is reported, and those after it are moved (RUN-24)', async () => {
  const { prisma } = database.db;
  const [unwritten, changing] = [await createRun(daysAgo(90), ['a']), await createRun(daysAgo(89), ['b', 'c'])];
  const others = await Promise.all([88, 87, 86, 85].map((days) => createRun(daysAgo(days), ['d'])));
  const failing: typeof store = Object.assign(Object.create(store), {
    async write(...args: Parameters<ObjectStore['write']>) {
      if (args[0].includes(unwritten)) throw new Error('The first log fails.');
      const stored = await store.write(...args);
      // The lines that were written aren't those of the database any more.
      if (args[0].includes(changing))
        await prisma.$executeRaw`DELETE FROM run_logs WHERE run_id = ${changing}::uuid AND line = 'b'`;
      return stored;
    },
  });
  const current = await lease();
  reported.length = 0;
  const moved = await archiveLogs({ ...deps(), store: failing }, { lease: current, days: 30 }, signal);
  expect(moved).toEqual({ logs: 4, lines: 4, failed: 2 });
  expect(reported).toMatchObject([
    { level: 50, run_id: unwritten, err: { message: 'The first log fails.' } },
    { level: 50, run_id: changing },
  ]);
  expect((await Promise.all(others.map(inFile))).map((lines) => lines?.map(({ line }) => line))).toEqual(
    others.map(() => ['d']),
  );
  expect(await Promise.all([unwritten, changing].map(inFile))).toEqual([null, null]);
  // Without the faults, the next call moves them.
  const again = await archiveLogs(deps(), { lease: current, days: 30 }, signal);
  expect(again).toEqual({ logs: 2, lines: 2, failed: 0 });
});

test('no log is tried after the storage refused one (RUN-24)', async () => {
  await createRun(daysAgo(90), ['a']);
  const refusing: typeof store = Object.assign(Object.create(store), {
    write: () => Promise.reject(Object.assign(new Error('refused'), { code: 'EACCES', syscall: 'open' })),
  });
  const archive = archiveLogs({ ...deps(), store: refusing }, { lease: await lease(), days: 30 }, signal);
  await expect(archive).rejects.toThrow('refused');
});
