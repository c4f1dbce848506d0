import { randomUUID } from 'node:crypto';
import { rescueExpiredLeases } from '../leases/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { cancelRun, closeLostRun, findAttempts, finishTask, lockTasks, retryTask, startTask } from './index.ts';

let test_: TestDatabase;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const iso = (minute: number) => at(minute).toISOString();
const ERROR = { code: 'execution-error', detail: 'It failed.', remedy: null } as const;

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

/** A run that a worker has claimed, with one task. */
async function running() {
  const { prisma } = test_.db;
  const id = randomUUID();
  const of = { environment_id: id, repository_id: id, project_version_id: id, principal_id: id };
  const planned = [{ asset: 'a.b', depends_on: [] }];
  await prisma.run.create({
    data: { id, ...of, select: ['*'], planned, status: 'running', lease_fence: 1n, created_at: at(0) },
  });
  const claim = { id, fence: 1n };
  const lock = (minute: number) => lockTasks(prisma, { claim, ids: [randomUUID()], now: at(minute) });
  const [task] = await lock(0);
  const taskId = task!.id;
  const start = (minute: number) => startTask(prisma, { claim, taskId, now: at(minute) });
  /** Stores the token of the task and returns its id. */
  const mint = async () => {
    const token = { id: randomUUID(), name: 'a.b', kind: 'task', principal_id: id, run_id: id, task_id: taskId };
    await prisma.token.create({ data: { ...token, hash: new Uint8Array(Buffer.from(token.id)), created_at: at(1) } });
    return token.id;
  };
  return { prisma, id, claim, taskId, lock, start, mint };
}

test('attempts that failed or whose worker was lost are retained (RUN-16)', async () => {
  const { prisma, id, claim, taskId, lock, start } = await running();
  await start(1);
  expect((await findAttempts(prisma, id)).size).toBe(0);
  await retryTask(prisma, { claim, taskId, error: ERROR, now: at(2) });
  await start(3);
  await lock(4);
  await start(5);
  const outcome = { status: 'succeeded', rows: 1, error: null } as const;
  await finishTask(prisma, { claim, taskId, outcome, now: at(6) });
  expect((await findAttempts(prisma, id)).get('a.b')).toEqual({
    count: 3,
    past: [
      { number: 1, status: 'failed', started_at: iso(1), ended_at: iso(2), error: ERROR },
      { number: 2, status: 'lost', started_at: iso(3), ended_at: iso(4), error: null },
    ],
  });
});

test('a run that is lost for good ends the attempt that was running (RUN-16)', async () => {
  const { prisma, id, start } = await running();
  await start(1);
  await closeLostRun(prisma, { id, now: at(2) });
  const lost = { number: 1, status: 'lost', started_at: iso(1), ended_at: iso(2), error: null };
  expect((await findAttempts(prisma, id)).get('a.b')).toEqual({ count: 1, past: [lost] });
});

test('cancelling a run whose worker was lost ends its tasks and revokes their tokens (RUN-16)', async () => {
  const { prisma, id, start, mint } = await running();
  await start(1);
  const tokenId = await mint();
  await prisma.run.update({ where: { id }, data: { lease_expires_at: at(2) } });
  await rescueExpiredLeases(prisma, { kind: 'runs', now: at(2), limit: 1 });
  expect(await cancelRun(prisma, { id, now: at(3) })).toMatchObject({ cancelled: true, finished: true });
  const [task] = await prisma.runTask.findMany({ where: { run_id: id } });
  expect(task).toMatchObject({ status: 'cancelled', ended_at: at(3) });
  const lost = { number: 1, status: 'lost', started_at: iso(1), ended_at: iso(3), error: null };
  expect((await findAttempts(prisma, id)).get('a.b')).toEqual({ count: 1, past: [lost] });
  expect(await prisma.token.findUnique({ where: { id: tokenId } })).toMatchObject({ revoked_at: at(3) });
});

test('a cancelled run whose worker is lost twice is cancelled with its tasks, and fails if its principal was deactivated (RUN-6)', async () => {
  for (const active of [true, false]) {
    const { prisma, id, start } = await running();
    const principal = { name: `run principal ${active}`, type: 'person', active, created_at: at(0) };
    await prisma.principal.create({ data: { id, ...principal } });
    await start(1);
    await prisma.run.update({ where: { id }, data: { attempts: 2, lease_expires_at: at(2) } });
    expect(await cancelRun(prisma, { id, now: at(1) })).toMatchObject({ cancelled: true, finished: false });
    const rescued = await rescueExpiredLeases(prisma, { kind: 'runs', now: at(2), limit: 1 });
    const [cancelled, failed] = active ? [[id], []] : [[], [id]];
    expect(rescued).toEqual({ requeued: [], failed, cancelled });
    await closeLostRun(prisma, { id, now: at(2) });
    const status = active ? 'cancelled' : 'failed';
    const code = active ? 'cancelled' : 'worker-lost';
    expect(await prisma.run.findUnique({ where: { id } })).toMatchObject({ status, ended_at: at(2), error: { code } });
    expect(await prisma.runTask.findMany({ where: { run_id: id } })).toMatchObject([{ status, ended_at: at(2) }]);
  }
});

test('the token of a task is revoked when its worker is lost', async () => {
  const { prisma, lock, start, mint } = await running();
  await start(1);
  const tokenId = await mint();
  await lock(2);
  expect(await prisma.token.findUnique({ where: { id: tokenId } })).toMatchObject({ revoked_at: at(2) });
});

test('attempts that failed count for the next worker, lost ones do not (RUN-6)', async () => {
  const { prisma, claim, taskId, lock, start } = await running();
  expect(await lock(1)).toMatchObject([{ failures: 0 }]);
  await start(1);
  await retryTask(prisma, { claim, taskId, error: ERROR, now: at(2) });
  await start(3);
  expect(await lock(4)).toMatchObject([{ failures: 1 }]);
});

test('while a worker takes the tasks of a lost one, no other can claim the run', async () => {
  const { prisma, id, taskId, lock, start } = await running();
  await start(1);
  let locking: ReturnType<typeof lock> | undefined;
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM run_tasks WHERE id = ${taskId}::uuid FOR UPDATE`;
    locking = lock(2);
    const waiting = () => prisma.$queryRaw<[]>`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await waiting()).length === 0);
    expect(await prisma.$queryRaw`SELECT id FROM runs WHERE id = ${id}::uuid FOR UPDATE SKIP LOCKED`).toEqual([]);
  });
  expect(await locking).toMatchObject([{ status: 'queued' }]);
});
