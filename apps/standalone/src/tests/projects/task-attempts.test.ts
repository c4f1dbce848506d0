import { randomUUID } from 'node:crypto';
import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const PROJECT = {
  'svc.yaml': 'name: shop\ndefaults:\n  retries: 1\n',
  'assets/shop/days.sql': 'SELECT 1 AS day',
  'assets/shop/broken.sql': "SELECT CAST('x' AS INTEGER) AS n FROM shop.days",
};
let s: TestService;
let run: string;
beforeAll(async () => {
  s = await startTestService();
  const { client } = s;
  await client.environments.create('dev');
  await client.repositories.create({ name: 'shop' });
  await deployFiles(client, { env: 'dev', repository: 'shop', folder: s.folder }, PROJECT);
  run = (await client.runs.wait('dev', (await client.runs.create('dev', { repository: 'shop', select: ['*'] })).id)).id;
});
afterAll(() => s.stop());

test('a single run has the attempts of its tasks with how they finished (RUN-16)', async () => {
  const [days, broken] = (await s.client.runs.get('dev', run)).tasks;
  expect(days!.attempts).toEqual([
    { number: 1, status: 'succeeded', started_at: days!.started_at, ended_at: days!.ended_at, error: null },
  ]);
  expect(broken!.attempts).toMatchObject([
    { number: 1, status: 'failed', error: { code: broken!.error!.code } },
    { number: 2, status: 'failed', error: broken!.error },
  ]);
  expect(broken!.attempts![0]!.ended_at! <= broken!.attempts![1]!.started_at!).toBe(true);
  const [listed] = await s.client.runs.list('dev');
  expect(listed!.tasks[0]).not.toHaveProperty('attempts');
});

test('the retries that a lost worker made count (RUN-6, RUN-16)', async () => {
  const { prisma } = s.database.db;
  const select = { environment_id: true, repository_id: true, project_version_id: true, principal_id: true };
  const project = await prisma.run.findUniqueOrThrow({ where: { id: run }, select });
  const { asset, error, attempts } = (await s.client.runs.get('dev', run)).tasks[1]!;
  const id = randomUUID();
  const task = { id: randomUUID(), run_id: id, position: 0, asset, depends_on: [], status: 'queued' };
  await prisma.runTask.create({ data: { ...task, attempts: 1, past_attempts: [attempts![0]!] } });
  const queued = { id, status: 'queued', select: [asset], attempts: 1, created_at: new Date() };
  await prisma.run.create({ data: { ...project, ...queued } });
  const [failed] = (await s.client.runs.wait('dev', id)).tasks;
  expect(failed!.attempts).toMatchObject([attempts![0], { number: 2, status: 'failed', error }]);
  await prisma.runTask.deleteMany({ where: { run_id: id } });
  await prisma.run.delete({ where: { id } });
});

test('a run and its retries name each other (RUN-17)', async () => {
  const { client } = s;
  const first = await client.runs.wait('dev', (await client.runs.retry('dev', run)).id);
  expect(first).toMatchObject({ retry_of: run });
  const second = await client.runs.wait('dev', (await client.runs.retry('dev', run)).id);
  expect(await client.runs.get('dev', run)).toMatchObject({ retry_of: null, retried_by: [second.id, first.id] });
  expect((await client.runs.list('dev')).map(({ retry_of }) => retry_of)).toEqual([run, run, null]);
});

test('with RUN alone, the runs that retried a run are hidden (RUN-8, RUN-17)', async () => {
  const { client } = s;
  await client.principals.create({ name: 'rob', type: 'person' });
  await client.grants.create({ kind: 'ENVIRONMENT', principal: 'rob', action: 'RUN', environment: 'dev' });
  const rob = s.clientOf((await client.tokens.issue('rob', 'test')).token);
  const { id } = await rob.runs.create('dev', { repository: 'shop', select: ['shop.broken'] });
  await client.runs.wait('dev', id);
  await client.runs.wait('dev', (await client.runs.retry('dev', id)).id);
  expect((await client.runs.get('dev', id)).retried_by).toHaveLength(1);
  expect((await rob.runs.get('dev', id)).retried_by).toEqual([]);
  await expect(rob.runs.get('dev', run)).rejects.toMatchObject({ status: 403 });
});

test('a run whose failed assets were removed by a deploy has nothing to retry', async () => {
  const { 'assets/shop/broken.sql': _, ...others } = PROJECT;
  await deployFiles(s.client, { env: 'dev', repository: 'shop', folder: s.folder }, others);
  await expect(s.client.runs.retry('dev', run)).rejects.toMatchObject({ status: 409, code: 'nothing-to-retry' });
});
