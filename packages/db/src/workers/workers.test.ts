import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { listWorkers, removeWorker, reportWorker, type WorkerReport } from './index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const limits: WorkerReport['limits'] = {
  memory: { limit: 4e9, enforced_by: 'cgroup' },
  processes: { limit: 1000, enforced_by: 'rlimit' },
  open_files: { limit: null, enforced_by: 'none' },
  disk: { limit: 20e9, enforced_by: 'watchdog' },
};
const reportOf = (host: string): WorkerReport => ({
  id: randomUUID(),
  host,
  startedAt: at(0),
  isolation: 'bubblewrap',
  network: 'restricted',
  limits,
  notes: ['slow'],
});

test('workers are listed by host while they report, and no longer after they stop', async () => {
  const { prisma } = database.db;
  const [b, a] = [reportOf('b'), reportOf('a')];
  await reportWorker(prisma, b, at(0));
  await reportWorker(prisma, a, at(1));
  await reportWorker(prisma, b, at(30));
  const listed = await listWorkers(prisma, at(40));
  expect(listed.map(({ host }) => host)).toEqual(['a', 'b']);
  expect(listed[1]).toEqual({
    id: b.id,
    host: 'b',
    started_at: '2026-01-01T00:00:00.000Z',
    seen_at: '2026-01-01T00:00:30.000Z',
    isolation: 'bubblewrap',
    task_network: 'restricted',
    task_limits: limits,
    notes: ['slow'],
  });
  expect((await listWorkers(prisma, at(62))).map(({ host }) => host)).toEqual(['b']);
  await removeWorker(prisma, b.id);
  expect(await listWorkers(prisma, at(62))).toEqual([]);
  // A worker that never announced its shutdown is removed a day later, when another one reports.
  await reportWorker(prisma, b, at(86_500));
  expect(await prisma.worker.count()).toBe(1);
});
