import type { SvcClient, TableLineage } from '@svc/sdk';
import { loadInto, makeOrders } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const PROJECT = {
  'svc.yaml': 'name: shop\n',
  'assets/staging/orders.sql': 'SELECT id, amount FROM shop.orders WHERE buyer IS NOT NULL',
  'assets/marts/doubled.sql': '/* svc\nkind: view\n*/\nSELECT id, amount * 2 AS twice FROM staging.orders',
  'assets/marts/total.sql':
    'SELECT o.day, sum(v.twice) AS total FROM marts.doubled v JOIN shop.orders o USING (id) GROUP BY o.day',
  'assets/marts/report.sql': 'SELECT total FROM marts.total',
};

let s: TestService;
const clients: Record<string, SvcClient> = {};

const table = (principal: string, namespace: string, name: string) => ({
  ...{ kind: 'TABLE', principal, action: 'READ_TABLE' },
  ...{ environment: 'dev', namespace, table: name },
});
const GRANTS: Record<string, Parameters<SvcClient['grants']['create']>[0][]> = {
  total: [table('total', 'marts', 'total')],
  ends: [table('ends', 'marts', 'total'), table('ends', 'shop', 'orders')],
  operator: [
    table('operator', 'marts', 'total'),
    { kind: 'ENVIRONMENT', principal: 'operator', action: 'READ_ENVIRONMENT', environment: 'dev' },
  ],
  nobody: [],
};

async function deploy(files: Record<string, string>, repository = 'shop') {
  const done = await deployFiles(s.client, { env: 'dev', repository, folder: s.folder }, files);
  expect(done.error).toBeNull();
  return done;
}

async function build(select: string, more: { full_refresh?: boolean; repository?: string } = {}) {
  const { id } = await s.client.runs.create('dev', { repository: 'shop', select: [select], upstream: true, ...more });
  const run = await s.client.runs.wait('dev', id);
  expect(run.tasks.map(({ error }) => error).filter((error) => error !== null)).toEqual([]);
  return run;
}

beforeAll(async () => {
  s = await startTestService();
  clients['admin'] = s.client;
  await makeOrders(s.client, 'dev');
  const data = 'id,buyer,amount,day\n1,ann,10,2026-01-01\n2,bob,20,2026-01-01\n';
  await loadInto(s.client, { env: 'dev', table: 'shop.orders' }, { format: 'csv', data });
  await s.client.repositories.create({ name: 'shop' });
  await deploy(PROJECT);
});
afterAll(() => s.stop());

const lineage = (name: string, options: Parameters<SvcClient['lineage']['get']>[2] = {}, as = 'admin') =>
  clients[as]!.lineage.get('dev', name, options);

const names = (tables: TableLineage['upstream']) => tables.map(({ name, depth }) => `${name} ${depth}`);
const pairs = ({ edges }: TableLineage) => edges.map(({ input, output }) => `${input} > ${output}`);
const edgeOf = ({ edges }: TableLineage, input: string, output: string) =>
  edges.find((edge) => edge.input === input && edge.output === output);

test('before a build, the lineage is what deployed assets declare (LINEAGE-2, LINEAGE-7)', async () => {
  const found = await lineage('MARTS.total');
  expect(found).toMatchObject({ table: 'marts.total', kind: null, repository: 'shop', truncated: false });
  expect(names(found.upstream)).toEqual(['marts.doubled 1', 'shop.orders 1', 'staging.orders 2']);
  expect(names(found.downstream)).toEqual(['marts.report 1']);
  expect(edgeOf(found, 'shop.orders', 'marts.total')).toEqual({
    ...{ input: 'shop.orders', output: 'marts.total', declared: true, read: false, input_snapshot_id: null },
    ...{ columns: null, run_id: null, project_version_id: null, built_at: null },
  });
});

describe('after a build', () => {
  let run: Awaited<ReturnType<typeof build>>;
  beforeAll(async () => {
    run = await build('marts.total');
    for (const [name, grants] of Object.entries(GRANTS)) {
      await s.client.principals.create({ name, type: 'person' });
      clients[name] = s.clientOf((await s.client.tokens.issue(name, 'test')).token);
      for (const grant of grants) await s.client.grants.create(grant);
    }
  });

  test('edges have what it read, with snapshot, run, version and columns (LINEAGE-1, LINEAGE-2, LINEAGE-5)', async () => {
    const found = await lineage('marts.total');
    expect(found).toMatchObject({ kind: 'managed', repository: 'shop' });
    expect(found.upstream).toEqual([
      { name: 'marts.doubled', kind: 'view', repository: 'shop', depth: 1 },
      { name: 'shop.orders', kind: 'managed', repository: null, depth: 1 },
      { name: 'staging.orders', kind: 'managed', repository: 'shop', depth: 1 },
    ]);
    expect(found.downstream).toEqual([{ name: 'marts.report', kind: null, repository: 'shop', depth: 1 }]);
    const snapshot = async (name: string) =>
      (await s.client.tables.snapshots('dev', name)).find(({ current }) => current)!.snapshot_id;
    const built = { run_id: run.id, project_version_id: run.project_version_id, built_at: expect.any(String) };
    expect(found.edges).toEqual([
      {
        ...{ input: 'marts.doubled', output: 'marts.total', declared: true, read: true, input_snapshot_id: null },
        ...{ columns: [{ input: 'twice', output: 'total' }], ...built },
      },
      { ...NOT_BUILT, input: 'marts.total', output: 'marts.report', declared: true },
      {
        ...{ input: 'shop.orders', output: 'marts.total', declared: true, read: true },
        ...{ input_snapshot_id: await snapshot('shop.orders'), columns: [{ input: 'day', output: 'day' }], ...built },
      },
      {
        ...{ input: 'shop.orders', output: 'staging.orders', declared: true, read: true, ...built },
        input_snapshot_id: await snapshot('shop.orders'),
        columns: [
          { input: 'id', output: 'id' },
          { input: 'amount', output: 'amount' },
        ],
      },
      {
        ...{ input: 'staging.orders', output: 'marts.doubled', declared: true, read: true, ...built },
        input_snapshot_id: await snapshot('staging.orders'),
        columns: [
          { input: 'id', output: 'id' },
          { input: 'amount', output: 'twice' },
        ],
      },
      {
        // Behind the view.
        ...{ input: 'staging.orders', output: 'marts.total', declared: false, read: true, ...built },
        ...{ input_snapshot_id: await snapshot('staging.orders'), columns: [{ input: 'amount', output: 'total' }] },
      },
    ]);
  });

  test('direction and depth limit what is shown, and truncated says so (LINEAGE-3)', async () => {
    const down = await lineage('shop.orders', { direction: 'downstream' });
    expect(down.upstream).toEqual([]);
    expect(names(down.downstream)).toEqual(['marts.total 1', 'staging.orders 1', 'marts.doubled 2', 'marts.report 2']);
    expect(down.truncated).toBe(false);
    const near = await lineage('shop.orders', { depth: 1 });
    expect(names(near.downstream)).toEqual(['marts.total 1', 'staging.orders 1']);
    expect(near.truncated).toBe(true);
    expect(pairs(near)).toEqual([
      'shop.orders > marts.total',
      'shop.orders > staging.orders',
      'staging.orders > marts.total',
    ]);
    const up = await lineage('marts.report', { direction: 'upstream' });
    expect(names(up.upstream)).toEqual(['marts.total 1', 'marts.doubled 2', 'shop.orders 2', 'staging.orders 2']);
  });

  test('tables that the caller may not read are neither shown nor followed (LINEAGE-4)', async () => {
    const alone = await lineage('marts.total', {}, 'total');
    expect(alone).toEqual({
      ...{ table: 'marts.total', kind: 'managed', repository: null },
      ...{ upstream: [], downstream: [], edges: [], truncated: false },
    });
    expect((await lineage('marts.total', { depth: 1 }, 'total')).truncated).toBe(false);
    const ends = await lineage('marts.total', {}, 'ends');
    expect(pairs(ends)).toEqual(['shop.orders > marts.total']);
    expect(ends.edges[0]).toMatchObject({ declared: false, read: true, run_id: null, project_version_id: null });
    expect(ends.edges[0]!.columns).toEqual([{ input: 'day', output: 'day' }]);
    expect((await lineage('shop.orders', { depth: 1 }, 'ends')).truncated).toBe(false);
  });

  test('READ_ENVIRONMENT shows the assets, but neither snapshots nor columns of their tables (LINEAGE-4)', async () => {
    const found = await lineage('marts.total', {}, 'operator');
    expect(names(found.upstream)).toEqual(['marts.doubled 1', 'staging.orders 1']);
    expect(names(found.downstream)).toEqual(['marts.report 1']);
    expect(pairs(found).join()).not.toContain('shop.orders');
    expect(edgeOf(found, 'staging.orders', 'marts.total')).toMatchObject({
      ...{ read: true, run_id: run.id, input_snapshot_id: null, columns: null },
    });
  });

  test('a denied caller learns nothing, and the denial is recorded (LINEAGE-4, LINEAGE-7)', async () => {
    const { token } = await s.client.tokens.issue('nobody', 'denied');
    const request = async (name: string, more = '') => {
      const { status, body } = await s.call('GET', `/environments/dev/lineage?table=marts.${name}${more}`, { token });
      return [status, body.code, body.detail.replaceAll(name, 'T')];
    };
    expect(await request('total')).toEqual([
      403,
      'forbidden',
      expect.stringContaining('READ_TABLE on table dev/marts/T'),
    ]);
    expect(await request('nope')).toEqual(await request('total'));
    expect(await request('nope', '&depth=x')).toEqual(await request('total', '&depth=x'));
    expect((await request('total', '&depth=x'))[0]).toBe(403);
    expect(await s.events('AUTHORIZATION_DENIED')).toContainEqual(expect.objectContaining({ principal: 'nobody' }));
    for (const name of ['marts.doubled', 'marts.nope']) {
      await expect(lineage(name, {}, 'total')).rejects.toMatchObject({ status: 403 });
      const last = (await s.events('AUTHORIZATION_DENIED')).at(-1)!;
      expect(last).toMatchObject({ principal: 'total', detail: { action: 'READ_TABLE' } });
    }
    await expect(lineage('marts.nope')).rejects.toMatchObject({ status: 404 });
  });

  test('a read leaves no event (LINEAGE-7)', async () => {
    const newest = async () => (await s.client.audit.list({ limit: 1 }))[0]!.id;
    await newest();
    const before = await newest();
    await lineage('marts.total');
    expect(await newest()).toBe(before);
  });

  test('a mask on the run hides which columns it uses (LINEAGE-5)', async () => {
    await s.client.principals.create({ name: 'robot', type: 'service-account' });
    await s.client.grants.create({
      kind: 'ENVIRONMENT',
      principal: 'robot',
      role: 'DATA_ENGINEER',
      environment: 'dev',
    });
    await s.client.deployments.setRunAs('dev', 'shop', 'robot');
    const mask = { principal: 'robot', column: 'amount', expression: 'CAST(amount + id AS DECIMAL(10,2))' };
    const { id } = await s.client.columnMasks.create('dev', 'shop.orders', mask);
    await build('staging.orders');
    const masked = edgeOf(await lineage('staging.orders'), 'shop.orders', 'staging.orders');
    expect(masked).toMatchObject({ read: true, columns: null });
    await s.client.columnMasks.delete(id);
    await build('staging.orders');
    expect(edgeOf(await lineage('staging.orders'), 'shop.orders', 'staging.orders')?.columns).toHaveLength(2);
  });

  test('a rename keeps it, a drop hides it, an undrop brings it back (LINEAGE-6)', async () => {
    await s.client.tables.rename('dev', 'shop.orders', 'shop.orders2');
    const renamed = await lineage('staging.orders', { direction: 'upstream' });
    // Assets refer to names.
    expect(renamed.edges).toMatchObject([
      { input: 'shop.orders', declared: true, read: false },
      { input: 'shop.orders2', declared: false, read: true },
    ]);
    await s.client.tables.delete('dev', 'shop.orders2');
    expect(pairs(await lineage('staging.orders', { direction: 'upstream' }))).toEqual(['shop.orders > staging.orders']);
    await s.client.tables.undrop('dev', 'shop.orders2', { newName: 'orders' } as never);
    expect((await lineage('staging.orders', { direction: 'upstream' })).edges).toMatchObject([
      { input: 'shop.orders', declared: true, read: true },
    ]);
  });
});

const NOT_BUILT = {
  ...{ declared: false, read: false, input_snapshot_id: null },
  ...{ columns: null, run_id: null, project_version_id: null, built_at: null },
};

test('a table that is also behind a view has columns only if all of them are known (LINEAGE-5)', async () => {
  await s.client.repositories.create({ name: 'both' });
  await s.client.tables.create('dev', 'shop.base', { columns: [{ name: 'n', type: 'int' }] } as never);
  const view = (sql: string) => `/* svc\nkind: view\n*/\n${sql}`;
  await deploy(
    {
      'svc.yaml': 'name: both\n',
      'assets/mixed/known.sql': view('SELECT n + 1 AS m FROM shop.base'),
      'assets/mixed/unknown.sql': view('SELECT n IN (SELECT n FROM shop.base) AS m FROM shop.base'),
      'assets/mixed/one.sql': 'SELECT b.n, k.m FROM shop.base b, mixed.known k',
      'assets/mixed/two.sql': 'SELECT b.n, u.m FROM shop.base b, mixed.unknown u',
    },
    'both',
  );
  await build('mixed.*', { repository: 'both' });
  const columns = async (name: string) =>
    (await lineage(name, { direction: 'upstream', depth: 1 })).edges
      .filter(({ output }) => output === name)
      .map((edge) => [edge.input, edge.columns?.map(({ input, output }) => `${output}: ${input}`) ?? null]);
  expect(await columns('mixed.one')).toEqual([
    ['mixed.known', ['m: m']],
    ['shop.base', ['n: n', 'm: n']],
  ]);
  expect(await columns('mixed.two')).toEqual([
    ['mixed.unknown', ['m: m']],
    ['shop.base', null],
  ]);
});

test('an incremental build adds to the inputs of the rows that it keeps, a full refresh replaces them (LINEAGE-1)', async () => {
  await s.client.repositories.create({ name: 'log' });
  for (const name of ['shop.a', 'shop.b'])
    await s.client.tables.create('dev', name, { columns: [{ name: 'n', type: 'int' }] } as never);
  const append = (from: string) =>
    deploy(
      { 'svc.yaml': 'name: log\n', 'assets/log/all.sql': `/* svc\nmode: append\n*/\nSELECT n FROM ${from}` },
      'log',
    );
  const read = async () =>
    (await lineage('log.all')).edges.map(({ input, declared, read }) => ({ input, declared, read }));
  await append('shop.a');
  await build('log.all', { repository: 'log' });
  await append('shop.b');
  await build('log.all', { repository: 'log' });
  expect(await read()).toEqual([
    { input: 'shop.a', declared: false, read: true },
    { input: 'shop.b', declared: true, read: true },
  ]);
  await build('log.all', { repository: 'log', full_refresh: true });
  expect(await read()).toEqual([{ input: 'shop.b', declared: true, read: true }]);
});

test.each([
  ['', 'parameter table: is required'],
  ['?table=orders', 'parameter table: must be <namespace>.<table>'],
  ['?table=shop..orders', 'parameter table: must be <namespace>.<table>'],
  ["?table=shop.o'rders", 'parameter table: must be <namespace>.<table>'],
  ['?table=shop.orders&depth=0', 'parameter depth'],
  ['?table=shop.orders&depth=51', 'parameter depth'],
  ['?table=shop.orders&direction=up', 'parameter direction: must be both, upstream or downstream'],
  ['?table=shop.orders&table=a.b', 'parameter table'],
  ['?table=shop.orders&columns=1', 'parameter columns: unknown parameter'],
])('lineage%s is refused with a message (LINEAGE-3)', async (query, message) => {
  const { status, body } = await s.call('GET', `/environments/dev/lineage${query}`);
  expect([status, body.detail]).toEqual([422, expect.stringContaining(message)]);
});
