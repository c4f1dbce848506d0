import { startTestServer, type TestServer } from '../testing/index.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(NOW + hours * HOUR);

let s: TestServer;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  s = await startTestServer({ clock: () => new Date(NOW) });
  const { prisma } = s.db;
  const environment = await made('/environments', { name: 'dev' });
  await made('/environments', { name: 'prod' });
  for (const path of ['sales', 'hr']) await made('/environments/dev/namespaces', { path });
  const columns = [{ name: 'id', type: 'long' }];
  for (const table of ['sales.orders', 'sales.dropped', 'sales.purged', 'sales.expiring', 'hr.people', 'hr.left']) {
    const [path = '', name = ''] = table.split('.');
    await made(`/environments/dev/namespaces/${path}/tables`, { name, columns });
    await prisma.table.updateMany({ where: { name }, data: { last_read_at: at(-name.length) } });
  }
  for (const [path, query] of [
    ['sales/tables/dropped', ''],
    ['sales/tables/purged', '?purge=true'],
    ['hr/tables/left', ''],
  ])
    await call(null, 'DELETE', `/environments/dev/namespaces/${path}${query}`);
  await call(null, 'PUT', '/environments/dev/namespaces/sales/tables/expiring/retention', { days: 1 });
  const admin = await prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
  const project = { environment_id: environment.id, principal_id: admin.id, select: ['*'] };
  for (const [i, [status, created]] of RUNS.entries()) {
    const repository = await made('/repositories', { name: `r${i}` });
    const ended_at = status === 'queued' || status === 'running' ? null : at(created);
    const ids = { id: crypto.randomUUID(), repository_id: repository.id, project_version_id: crypto.randomUUID() };
    await prisma.run.create({ data: { ...project, ...ids, status, created_at: at(created), ended_at } });
  }
  await principal('engineer', { kind: 'ENVIRONMENT', environment: 'dev', role: 'DATA_ENGINEER' });
  await principal('viewer', { kind: 'ENVIRONMENT', environment: 'dev', action: 'READ_ENVIRONMENT' });
  await principal('analyst', { kind: 'NAMESPACE', environment: 'dev', namespace: 'hr', action: 'READ_TABLE' });
  const table = { kind: 'TABLE', environment: 'dev', namespace: 'sales', table: 'orders' };
  await principal('reader', { ...table, action: 'READ_TABLE' });
  await principal('stranger', { kind: 'ENVIRONMENT', environment: 'prod', role: 'DATA_ENGINEER' });
});
afterAll(() => s.stop());

/** Status, and the hours at which it was created. */
const RUNS = [
  ['queued', -30],
  ['running', -1],
  ['succeeded', -2],
  ['failed', -23],
  ['failed', -25],
] as const;

const call = (who: string | null, method: string, path: string, body?: unknown) =>
  s.call(method, `/api/v1${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(who === null ? {} : { token: tokens[who]! }),
  });
async function made(path: string, body: unknown) {
  const response = await call(null, 'POST', path, body);
  if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
  return response.body;
}
async function principal(name: string, right: object) {
  await made('/principals', { name, type: 'person' });
  tokens[name] = (await made(`/principals/${name}/tokens`, { name: 't' })).token;
  await made('/grants', { principal: name, ...right });
}

/** The names of the tables in each list, and which parts are there. */
async function summaryFor(who: string | null) {
  const { status, body } = await call(who, 'GET', '/environments/dev/summary');
  expect(status).toBe(200);
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  return {
    tables: body.tables,
    recent: names(body.recent_tables),
    expiring: names(body.expiring_tables),
    dropped: names(body.dropped_tables),
    runs: body.runs,
    quotas: body.quotas !== null,
    workers: body.workers,
  };
}

const runs = { queued: 1, running: 1, succeeded: 1, failed: 1, cancelled: 0 };

test('an administrator sees every part (ENV-8)', async () =>
  expect(await summaryFor(null)).toEqual({
    tables: 3,
    recent: ['sales.orders', 'hr.people', 'sales.expiring'],
    expiring: ['expiring'],
    dropped: expect.arrayContaining(['dropped', 'left']),
    runs,
    quotas: true,
    workers: 0,
  }));

test('an engineer of the environment sees no workers (ENV-8)', async () =>
  expect(await summaryFor('engineer')).toMatchObject({ tables: 3, runs, quotas: true, workers: null }));

test('without READ_TABLE there are no tables, without READ_ENVIRONMENT no runs and quotas (ENV-8)', async () => {
  const nothing = { tables: 0, recent: [], expiring: [], dropped: [] };
  expect(await summaryFor('viewer')).toEqual({ ...nothing, runs, quotas: true, workers: null });
  const parts = { runs: null, quotas: false, workers: null };
  const hr = { tables: 1, recent: ['hr.people'], expiring: [], dropped: ['left'] };
  expect(await summaryFor('analyst')).toEqual({ ...hr, ...parts });
});

test('a grant on a table does not show what was dropped beside it (ENV-8, DROP-14)', async () =>
  expect(await summaryFor('reader')).toEqual({
    tables: 1,
    recent: ['sales.orders'],
    expiring: [],
    dropped: [],
    runs: null,
    quotas: false,
    workers: null,
  }));

test('without a grant in the environment, it is refused like one that does not exist', async () => {
  const answers = await Promise.all(
    ['dev', 'none'].map((env) => call('stranger', 'GET', `/environments/${env}/summary`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  const [denied] = (await call(null, 'GET', '/audit-events?event_type=AUTHORIZATION_DENIED')).body;
  expect(denied.principal).toBe('stranger');
  expect((await call(null, 'GET', '/environments/none/summary')).status).toBe(404);
});
