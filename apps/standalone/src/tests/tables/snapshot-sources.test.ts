import type { Snapshot, SvcClient } from '@svc/sdk';
import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const PROJECT = {
  'svc.yaml': 'name: shop\n',
  'assets/shop/days.sql': 'SELECT 1 AS day',
  'assets/shop/checked.sql': '/* svc\nchecks:\n  - row_count: { min: 10 }\n*/\nSELECT day FROM shop.days',
  'assets/shop/shown.sql': '/* svc\nkind: view\n*/\nSELECT day FROM shop.days',
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

type Grant = readonly [action: string, table?: string];

async function signIn(name: string, grants: readonly Grant[]): Promise<SvcClient> {
  await s.client.principals.create({ name, type: 'person' });
  for (const [action, table] of grants) {
    const on = table === undefined ? { kind: 'ENVIRONMENT' } : { kind: 'TABLE', namespace: 'shop', table };
    await s.client.grants.create({ ...on, principal: name, action, environment: 'dev' } as never);
  }
  return s.clientOf((await s.client.tokens.issue(name, 'test')).token);
}

const madeBy = async (table: string, client = s.client): Promise<Snapshot['made_by'][]> =>
  (await client.tables.snapshots('dev', table)).map((snapshot) => snapshot.made_by);

const NOTHING = { run_id: null, asset: null, query_id: null, write_id: null };

test('the snapshot of a task names the run, and the task its snapshot (TABLE-26, RUN-15)', async () => {
  const [snapshot] = await s.client.tables.snapshots('dev', 'shop.days');
  expect(snapshot!.made_by).toEqual({ ...NOTHING, principal: 'admin', run_id: run, asset: 'shop.days' });
  const { tasks } = await s.client.runs.get('dev', run);
  expect(tasks.map(({ asset, snapshot_id }) => [asset, snapshot_id])).toEqual([
    ['shop.days', snapshot!.snapshot_id],
    ['shop.checked', null],
    ['shop.shown', null],
  ]);
  const [listed] = await s.client.runs.list('dev');
  expect(listed!.tasks[0]).not.toHaveProperty('snapshot_id');
});

test('queries, loads, truncation and maintenance name their work (TABLE-26)', async () => {
  const { client } = s;
  const { query: created } = await client.queries.run('dev', 'SELECT 1 AS n', { into: 'shop.made' });
  const { query: inserted } = await client.queries.run('dev', 'INSERT INTO shop.made VALUES (2)');
  const { query: changed } = await client.queries.run('dev', 'DELETE FROM shop.made WHERE n = 1');
  const load = await client.tables.load('dev', 'shop.made', 'n\n3\n', { format: 'csv' });
  await client.writes.wait('dev', load.id);
  await client.tables.truncate('dev', 'shop.made');
  const by = { ...NOTHING, principal: 'admin' };
  expect(await madeBy('shop.made')).toEqual([
    by,
    { ...by, write_id: load.id },
    { ...by, query_id: changed.id },
    { ...by, query_id: inserted.id },
    { ...by, query_id: created.id },
  ]);
});

test('what made a snapshot is shown as far as the caller may see it (TABLE-26)', async () => {
  const reader: Grant = ['READ_TABLE', 'made'];
  expect(await madeBy('shop.made', await signIn('rita', [reader]))).toEqual([null, null, null, null, null]);
  const ofDays = await signIn('days', [['READ_TABLE', 'days']]);
  expect(await madeBy('shop.days', ofDays)).toEqual([null]);
  const watcher = await signIn('watcher', [['READ_ENVIRONMENT'], ['READ_TABLE', 'days']]);
  expect(await madeBy('shop.days', watcher)).toMatchObject([{ principal: 'admin', run_id: run, asset: 'shop.days' }]);
  const maintainer = await signIn('mia', [reader, ['MAINTAIN_TABLE', 'made']]);
  expect(await madeBy('shop.made', maintainer)).toEqual(Array(5).fill({ ...NOTHING, principal: 'admin' }));
  const manager = await signIn('max', [reader, ['MANAGE_ENVIRONMENT']]);
  expect((await madeBy('shop.made', manager)).filter((work) => work?.query_id != null)).toHaveLength(3);
  const writer = await signIn('will', [reader, ['WRITE_TABLE', 'made'], ['SUBMIT_QUERY']]);
  const { query } = await writer.queries.run('dev', 'INSERT INTO shop.made VALUES (4)');
  expect((await madeBy('shop.made', writer)).slice(0, 2)).toEqual([
    { ...NOTHING, principal: 'will', query_id: query.id },
    null,
  ]);
});

test('a task has its snapshot only for callers who can read the table (RUN-15)', async () => {
  const watcher = await signIn('runner', [['READ_ENVIRONMENT']]);
  const { tasks } = await watcher.runs.get('dev', run);
  expect(tasks.map(({ snapshot_id }) => snapshot_id)).toEqual([null, null, null]);
});

test('expired snapshots are forgotten (TABLE-26)', async () => {
  const { prisma } = s.database.db;
  const { id } = await s.client.tables.get('dev', 'shop.made');
  const before = await prisma.snapshotSource.count({ where: { table_id: id } });
  // Older than the shortest period.
  await prisma.snapshotSource.create({ data: { table_id: id, snapshot_id: 1n, created_at: new Date(0) } });
  await s.client.queries.run('dev', 'INSERT INTO shop.made VALUES (5)');
  const work = await s.client.tables.maintain('dev', 'shop.made', { compact: true });
  await s.client.maintenance.wait('dev', work.id);
  expect(await prisma.snapshotSource.count({ where: { table_id: id } })).toBe(before + 2);
  expect(await prisma.snapshotSource.count({ where: { table_id: id, snapshot_id: 1n } })).toBe(0);
});
