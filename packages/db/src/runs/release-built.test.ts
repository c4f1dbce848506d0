import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { finishRun } from './index.ts';

let test_: TestDatabase;
const now = new Date('2026-01-01T00:00:00Z');

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

/** Finishes a run that built the assets; returns the project that each of the tables then belongs to. */
async function finished(assets: string[], active: { assets: string[]; repository?: string } | null) {
  const { prisma } = test_.db;
  const [id, repository] = [randomUUID(), randomUUID()];
  const version = randomUUID();
  await prisma.namespace.create({ data: { id, environment_id: id, path: 'Shop', path_key: 'shop', created_at: now } });
  for (const name of assets) {
    const table = { id: randomUUID(), environment_id: id, namespace_id: id, name, name_key: name, kind: 'managed' };
    const built = { built_by_repository: repository, columns: [], created_at: now, updated_at: now };
    await prisma.table.create({ data: { ...table, ...built } });
  }
  if (active !== null) {
    const of = { id, environment_id: id, repository_id: active.repository ?? repository };
    const jobs = { location: '', name: 'shop', jobs: [] };
    const names = active.assets.map((name) => ({ name: `Shop.${name}` }));
    const by = { created_at: now, created_by: id };
    await prisma.projectVersion.create({ data: { ...of, deploy_id: id, assets: names, ...jobs, ...by } });
    await prisma.deployment.create({ data: { ...of, project_version_id: id, updated_at: now, ...by } });
  }
  const run = { id, environment_id: id, repository_id: repository, project_version_id: version, principal_id: id };
  await prisma.run.create({ data: { ...run, select: [], status: 'running', lease_fence: 1n, created_at: now } });
  for (const [position, name] of assets.entries()) {
    const task = { id: randomUUID(), run_id: id, position, asset: `Shop.${name}`, depends_on: [] };
    await prisma.runTask.create({ data: { ...task, status: 'succeeded' } });
  }
  await finishRun(prisma, { claim: { id, fence: 1n }, outcome: { status: 'succeeded', error: null }, now });
  const tables = await prisma.table.findMany({ where: { environment_id: id }, orderBy: { name: 'asc' } });
  return { repository, builders: tables.map((table) => table.built_by_repository) };
}

test('a run that undeploy did not stop leaves tables that can expire (RETAIN-4)', async () => {
  expect(await finished(['days'], null)).toMatchObject({ builders: [null] });
});

test('a run of an earlier version leaves tables that can expire, except those of assets of the active one (RETAIN-4)', async () => {
  const { repository, builders } = await finished(['days', 'weeks'], { assets: ['weeks'] });
  expect(builders).toEqual([null, repository]);
});

test('the tables of assets that another project has taken over become its tables (RETAIN-4)', async () => {
  const other = randomUUID();
  const { builders } = await finished(['days', 'weeks'], { assets: ['days'], repository: other });
  expect(builders).toEqual([other, null]);
});
