import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

const RUNS = '/api/v1/environments/dev/runs';
const SECRET = 'the customer 4711';
let server: TestServer;
let runId: string;
const tokens: Record<string, string> = {};

const call = (method: string, path: string, body?: unknown, name = 'admin') =>
  server.call(method, path, { ...(body === undefined ? {} : { body }), token: tokens[name]! });
const post = async (path: string, body: unknown) => {
  const answer = await call('POST', `/api/v1${path}`, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
};
const grant = (principal: string, action: string, names: object = {}) =>
  post('/grants', {
    kind: 'table' in names ? 'TABLE' : 'ENVIRONMENT',
    principal,
    action,
    environment: 'dev',
    ...names,
  });

/** The tasks of the run whose content the caller sees: in the record, in its attempts, in the list and in the log. */
async function seen(name: string): Promise<string[]> {
  const { body: run } = await call('GET', `${RUNS}/${runId}`, undefined, name);
  const { body: listed } = await call('GET', RUNS, undefined, name);
  const { text: log } = await call('GET', `${RUNS}/${runId}/logs`, undefined, name);
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const shown = run.tasks.map((task: { asset: string }, i: number) => [
    JSON.stringify({ ...task, attempts: [] }),
    JSON.stringify(run.tasks[i].attempts),
    JSON.stringify(listed[0].tasks[i]),
    JSON.stringify(lines.filter(({ asset, stream }) => asset === task.asset && stream === 'stdout')),
    JSON.stringify(lines.filter(({ asset, stream }) => asset === task.asset && stream === 'service')),
  ]);
  expect(lines.map(({ line }) => line)).toEqual(expect.arrayContaining(['building table', 'the run has started']));
  return run.tasks.flatMap(({ asset }: { asset: string }, i: number) => {
    const found = shown[i].map((text: string) => text.includes(SECRET));
    // Never in one place only.
    expect([name, asset, new Set(found).size]).toEqual([name, asset, 1]);
    return found[0] ? [asset] : [];
  });
}

beforeAll(async () => {
  server = await startTestServer();
  tokens['admin'] = server.token;
  const environment = await post('/environments', { name: 'dev' });
  await post('/environments/dev/namespaces', { path: 'shop' });
  for (const name of ['orders', 'Totals'])
    await post('/environments/dev/namespaces/shop/tables', { name, columns: [{ name: 'id', type: 'long' }] });
  const repository = await post('/repositories', { name: 'shop' });
  const people = ['ann', 'bob', 'eve', 'kim', 'lea', 'max'];
  for (const name of [...people, 'nightly']) {
    const type = name === 'nightly' ? 'service-account' : 'person';
    await post('/principals', { name, type });
    tokens[name] = (await post(`/principals/${name}/tokens`, { name: 't' })).token;
    await grant(name, 'READ_ENVIRONMENT');
  }
  const { prisma } = server.db;
  const nightly = await prisma.principal.findFirstOrThrow({ where: { name: 'nightly' } });
  const eve = await prisma.principal.findFirstOrThrow({ where: { name: 'eve' } });
  const versionId = randomUUID();
  runId = randomUUID();
  const at = new Date('2026-03-01T08:00:00Z');
  const project = { environment_id: environment.id, repository_id: repository.id };
  const assets = [
    { name: 'shop.orders', dependsOn: [] },
    { name: 'shop.totals', dependsOn: ['shop.Orders'] },
  ];
  await prisma.projectVersion.create({
    data: {
      ...{ id: versionId, ...project, assets, jobs: [], commit: 'a'.repeat(40), dirty: false, name: 'shop' },
      ...{ deploy_id: versionId, location: 'versions/1', created_by: versionId, created_at: at },
    },
  });
  await prisma.run.create({
    data: {
      ...{ id: runId, ...project, project_version_id: versionId, principal_id: nightly.id, requested_by: eve.id },
      ...{ select: ['*'], status: 'failed', created_at: at, ended_at: at },
    },
  });
  const error = { code: 'execution-error', detail: `Could not convert ${SECRET}`, remedy: null };
  for (const [position, asset] of ['shop.orders', 'shop.totals'].entries()) {
    await prisma.runTask.create({
      data: {
        ...{ id: randomUUID(), run_id: runId, position, asset, depends_on: [], status: 'failed', error, attempts: 2 },
        ...{ started_at: at, ended_at: at },
        past_attempts: [{ number: 1, status: 'failed', started_at: at, ended_at: at, error }],
      },
    });
  }
  const line = (asset: string | null, stream: string, text: string) =>
    prisma.runLog.create({ data: { run_id: runId, asset, stream, time: at, line: text } });
  await line(null, 'service', 'the run has started');
  for (const asset of ['shop.orders', 'shop.totals']) {
    await line(asset, 'service', 'building table');
    await line(asset, 'stdout', SECRET);
    await line(asset, 'service', `failed after 0.1 s: Could not convert ${SECRET}`);
  }
});
afterAll(() => server.stop());

test('what tasks print and quote is visible to readers of the table and of its inputs (RUN-21)', async () => {
  expect(await seen('admin')).toEqual(['shop.orders', 'shop.totals']);
  // The run acts as this account, and it reads nothing.
  expect(await seen('nightly')).toEqual(['shop.orders', 'shop.totals']);
  // Requesting a run that acts as someone else doesn't show its content.
  expect(await seen('eve')).toEqual([]);
  await grant('ann', 'READ_TABLE', { namespace: 'shop', table: 'totals' });
  expect(await seen('ann')).toEqual([]);
  await grant('bob', 'READ_TABLE', { namespace: 'shop', table: 'orders' });
  expect(await seen('bob')).toEqual(['shop.orders']);
  await grant('bob', 'READ_TABLE', { namespace: 'shop', table: 'totals' });
  expect(await seen('bob')).toEqual(['shop.orders', 'shop.totals']);
  await grant('kim', 'READ_TABLE');
  expect(await seen('kim')).toEqual(['shop.orders', 'shop.totals']);
  await post('/grants', { kind: 'INSTANCE', principal: 'max', action: 'READ_QUERY_TEXT' });
  expect(await seen('max')).toEqual(['shop.orders', 'shop.totals']);
});

test("a token without READ_TABLE in its scope doesn't see the content of its principal's runs (RUN-21, TOKEN-4)", async () => {
  const scoped = async (actions: string[]) =>
    (await post('/principals/nightly/tokens', { name: 'scoped', actions })).token;
  tokens['blind'] = await scoped(['READ_ENVIRONMENT']);
  expect(await seen('blind')).toEqual([]);
  tokens['reading'] = await scoped(['READ_ENVIRONMENT', 'READ_TABLE']);
  expect(await seen('reading')).toEqual(['shop.orders', 'shop.totals']);
});

test('a row filter or column mask hides what its table, and what is built from it, can quote (RUN-21)', async () => {
  await grant('lea', 'READ_TABLE');
  expect(await seen('lea')).toEqual(['shop.orders', 'shop.totals']);
  await post('/groups', { name: 'filtered' });
  await call('PUT', '/api/v1/groups/filtered/members/lea');
  const filters = '/environments/dev/namespaces/shop/tables/totals/row-filters';
  await post(filters, { group: 'filtered', predicate: 'id > 1' });
  expect(await seen('lea')).toEqual(['shop.orders']);
  const masks = '/environments/dev/namespaces/shop/tables/orders/column-masks';
  await post(masks, { principal: 'lea', column: 'id', expression: 'NULL' });
  expect(await seen('lea')).toEqual([]);
  // What runs have read of a table remains when it is dropped.
  for (const table of ['orders', 'totals'])
    await call('DELETE', `/api/v1/environments/dev/namespaces/shop/tables/${table}`);
  expect(await seen('lea')).toEqual([]);
  expect(await seen('kim')).toEqual(['shop.orders', 'shop.totals']);
});

test('the number of rows that a task wrote is hidden from callers whom a policy of its table binds (TABLE-8)', async () => {
  const written = (rows: number | null) =>
    server.db.prisma.runTask.updateMany({ where: { asset: 'shop.totals' }, data: { rows } });
  const counts = async (name: string) => {
    const { body: run } = await call('GET', `${RUNS}/${runId}`, undefined, name);
    const { body: listed } = await call('GET', RUNS, undefined, name);
    return [run, listed[0]].map(({ tasks }) => tasks[1].rows);
  };
  await written(7);
  for (const name of ['kim', 'eve', 'nightly']) expect([name, await counts(name)]).toEqual([name, [7, 7]]);
  expect(await counts('lea')).toEqual([null, null]);
  await written(null);
});

describe('a task that reads a table through another name', () => {
  const ORDERS = { name: 'shop.orders', dependsOn: ['base.Rows'] };
  const TOTALS = { name: 'shop.totals', dependsOn: ['shop.Top'] };
  const TOP = { name: 'Shop.top', kind: 'view', dependsOn: ['shop.middle'] };
  const MIDDLE = { name: 'shop.middle', kind: 'view', dependsOn: ['base.rows', 'shop.top'] };
  const deployed = (assets: object[], devNamespace: string | null = null) =>
    server.db.prisma.projectVersion.updateMany({ data: { assets, dev_namespace: devNamespace } });
  /** What the one whom a mask of base.rows binds sees, and another reader of everything. */
  const bothSee = async () => [await seen('una'), await seen('ulf')];

  beforeAll(async () => {
    await post('/environments/dev/namespaces', { path: 'base' });
    const columns = [{ name: 'id', type: 'long' }];
    await post('/environments/dev/namespaces/base/tables', { name: 'rows', columns });
    for (const name of ['una', 'ulf']) {
      await post('/principals', { name, type: 'person' });
      tokens[name] = (await post(`/principals/${name}/tokens`, { name: 't' })).token;
      await grant(name, 'READ_ENVIRONMENT');
      await grant(name, 'READ_TABLE');
    }
    const masks = '/environments/dev/namespaces/base/tables/rows/column-masks';
    await post(masks, { principal: 'una', column: 'id', expression: 'NULL' });
  });

  test('shows nothing of it to a caller bound by a policy of the table behind views of the project (RUN-21)', async () => {
    await deployed([ORDERS, TOTALS, TOP, MIDDLE]);
    expect(await bothSee()).toEqual([[], ['shop.orders', 'shop.totals']]);
    await deployed([ORDERS, TOTALS, TOP, { ...MIDDLE, dependsOn: [] }]);
    expect(await seen('una')).toEqual(['shop.totals']);
  });

  test('shows nothing of it if the view belongs to another project, or to none (RUN-21)', async () => {
    await deployed([{ ...ORDERS, dependsOn: [] }, TOTALS]);
    expect(await seen('una')).toEqual(['shop.orders', 'shop.totals']);
    const { prisma } = server.db;
    const { id: namespace_id, environment_id } = await prisma.namespace.findFirstOrThrow({ where: { path: 'shop' } });
    const at = new Date();
    await prisma.table.create({
      data: {
        ...{ id: randomUUID(), environment_id, namespace_id, kind: 'view', columns: [], name: 'Top', name_key: 'top' },
        ...{ view_sql: 'SELECT * FROM base.rows', created_at: at, updated_at: at },
      },
    });
    expect(await bothSee()).toEqual([['shop.orders'], ['shop.orders', 'shop.totals']]);
    const project = await prisma.projectVersion.findFirstOrThrow();
    const versionId = randomUUID();
    const about = { name: 'other', commit: 'b'.repeat(40), dirty: false, location: 'versions/2', jobs: [] };
    const { id: repository_id } = await post('/repositories', { name: 'other' });
    await prisma.projectVersion.create({
      data: {
        ...{ ...about, id: versionId, environment_id, repository_id, deploy_id: versionId, created_at: at },
        ...{ created_by: project.created_by, assets: [{ ...TOP, dependsOn: ['shop.orders'] }] },
      },
    });
    await prisma.deployment.create({
      data: {
        ...{ id: randomUUID(), environment_id, repository_id, project_version_id: versionId },
        ...{ created_at: at, created_by: project.created_by, updated_at: at },
      },
    });
    expect(await seen('una')).toEqual(['shop.orders', 'shop.totals']);
  });

  test('shows nothing of it if a check reads it, or if it is unknown what the checks read (RUN-21)', async () => {
    const checks = [{ name: 'known', sql: 'SELECT * FROM base.rows' }];
    const checked = { name: 'shop.orders', dependsOn: [], checks };
    await deployed([
      { ...checked, checkReads: ['shop.orders', 'base.rows'] },
      { name: 'shop.totals', dependsOn: [] },
    ]);
    expect(await bothSee()).toEqual([['shop.totals'], ['shop.orders', 'shop.totals']]);
    await deployed([checked, { name: 'shop.totals', dependsOn: [], checks: [] }]);
    expect(await seen('una')).toEqual(['shop.totals']);
    await deployed([
      { ...checked, checkReads: ['shop.orders'] },
      { name: 'shop.totals', dependsOn: [] },
    ]);
    expect(await seen('una')).toEqual(['shop.orders', 'shop.totals']);
  });

  test('shows nothing of it in a run of svc dev that reads the table of the environment (RUN-21)', async () => {
    const inside = (name: string) => `dev_kim.${name}`;
    const { prisma } = server.db;
    const rename = async (from: (name: string) => string, to: (name: string) => string) => {
      for (const asset of ['shop.orders', 'shop.totals']) {
        await prisma.runTask.updateMany({ where: { asset: from(asset) }, data: { asset: to(asset) } });
        await prisma.runLog.updateMany({ where: { asset: from(asset) }, data: { asset: to(asset) } });
      }
    };
    await rename(String, inside);
    const assets = [
      { name: inside('base.rows'), kind: 'table', dependsOn: [] },
      { name: inside('shop.orders'), kind: 'table', dependsOn: [inside('base.rows')] },
      { name: inside('shop.totals'), kind: 'table', dependsOn: [] },
    ];
    await deployed(assets, 'dev_kim');
    expect(await bothSee()).toEqual([[inside('shop.totals')], [inside('shop.orders'), inside('shop.totals')]]);
    await rename(inside, String);
    await deployed([ORDERS, TOTALS]);
  });
});

test('a log that is followed hides content as soon as the grant is revoked (RUN-21)', async () => {
  await post('/principals', { name: 'ida', type: 'person' });
  tokens['ida'] = (await post('/principals/ida/tokens', { name: 't' })).token;
  await grant('ida', 'READ_ENVIRONMENT');
  const { id } = await post('/grants', { kind: 'INSTANCE', principal: 'ida', action: 'READ_QUERY_TEXT' });
  const { prisma } = server.db;
  await prisma.run.update({ where: { id: runId }, data: { status: 'running', ended_at: null } });
  const headers = { authorization: `Bearer ${tokens['ida']}` };
  const response = await fetch(`${server.url}${RUNS}/${runId}/logs?follow=true`, { headers });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (lines: number) => {
    while (text.split('\n').length <= lines) text += (await reader.read()).value!;
    return text.split('\n')[lines - 1];
  };
  expect(await until(3)).toContain(SECRET);
  const before = await prisma.runLog.count({ where: { run_id: runId } });
  await until(before);
  await call('DELETE', `/api/v1/grants/${id}`);
  const line = { run_id: runId, asset: 'shop.orders', stream: 'stdout', time: new Date(), line: `again ${SECRET}` };
  await prisma.runLog.create({ data: line });
  expect(await until(before + 1)).toContain('(hidden: ');
  await prisma.run.update({ where: { id: runId }, data: { status: 'failed', ended_at: new Date() } });
  await reader.cancel();
});

test('the hidden error keeps its code, and errors that quote nothing stay as they are (RUN-21)', async () => {
  const { body } = await call('GET', `${RUNS}/${runId}`, undefined, 'eve');
  expect(body.tasks[0].error).toEqual({
    code: 'execution-error',
    detail: expect.stringContaining('without row filters'),
    remedy: null,
  });
  const harmless = { code: 'timeout', detail: 'The task took longer than 5 s.', remedy: null };
  await server.db.prisma.runTask.updateMany({ where: { run_id: runId }, data: { error: harmless } });
  const again = await call('GET', `${RUNS}/${runId}`, undefined, 'eve');
  expect(again.body.tasks[0].error).toEqual(harmless);
});
