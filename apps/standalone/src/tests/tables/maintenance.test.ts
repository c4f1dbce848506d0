import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { submitMaintenance } from '@svc/db/maintenance';
import { queueDueMaintenance } from '@svc/worker/maintenance';
import { loadInto, makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const at = { env: 'dev', table: 'shop.orders' };
let s: TestService;

beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, 'dev');
});
afterAll(() => s.stop());

const load = (data: string, mode: 'append' | 'replace' = 'append') =>
  loadInto(s.client, at, { format: 'csv', mode, data: `id,buyer\n${data}\n` });
const history = () => s.client.tables.snapshots('dev', 'shop.orders');
const ids = async (from: string) => (await rowsOf(s.client, 'dev', `SELECT id FROM ${from} ORDER BY id`)).flat();

async function failure(sql: string) {
  const { id } = await s.client.queries.submit('dev', sql);
  return (await s.client.queries.wait('dev', id)).error;
}

async function maintain(options: { compact?: boolean; expireSnapshotsOlderThanDays?: number }) {
  const { id } = await s.client.tables.maintain('dev', 'shop.orders', options);
  return s.client.maintenance.wait('dev', id);
}

describe('older versions', () => {
  test('are read by snapshot, by branch and by time', async () => {
    await load('1,Ann');
    await load('2,Bob');
    await load('3,Cem', 'replace');
    const [third, second, first] = await history();
    expect(third).toMatchObject({ current: true, refs: ['main'], parent_id: second!.snapshot_id });
    expect(await ids('shop.orders')).toEqual([3]);
    expect(await ids(`shop.orders AT (VERSION => ${first!.snapshot_id})`)).toEqual([1]);
    expect(await ids(`shop.orders AT (TIMESTAMP => TIMESTAMPTZ '${second!.committed_at}')`)).toEqual([1, 2]);
    expect(await ids("shop.orders AT (VERSION => 'main')")).toEqual([3]);
    const both = `shop.orders o JOIN shop.orders p AT (VERSION => ${second!.snapshot_id}) ON o.id > p.id`;
    expect(await rowsOf(s.client, 'dev', `SELECT o.id, p.id FROM ${both} ORDER BY ALL`)).toEqual([
      [3, 1],
      [3, 2],
    ]);
  });

  test.each([
    ['AT (VERSION => 12)', 'no snapshot 12'],
    ["AT (VERSION => 'nowhere')", 'no branch or tag "nowhere"'],
    ["AT (TIMESTAMP => TIMESTAMP '1999-01-01')", 'no version from 1999'],
    ["AT (TIMESTAMP => 'yesterday')", 'write it as'],
  ])('%s is refused with how to find what exists', async (clause, what) => {
    const error = await failure(`SELECT * FROM shop.orders ${clause}`);
    expect(error).toMatchObject({ code: 'version-not-found', detail: expect.stringContaining(what) });
    expect(error?.detail).toContain('svc table history shop.orders');
  });

  test('come back by a rollback, and go again by another', async () => {
    const [third, second] = await history();
    const back = await s.client.tables.rollback('dev', 'shop.orders', second!.snapshot_id);
    expect(back.row_count).toBe(2);
    expect(await ids('shop.orders')).toEqual([1, 2]);
    expect((await s.events('TABLE_ROLLED_BACK')).at(-1)).toMatchObject({
      detail: { snapshot_id: second!.snapshot_id, previous_snapshot_id: third!.snapshot_id },
    });
    await s.client.tables.rollback('dev', 'shop.orders', String(third!.snapshot_id));
    expect(await ids('shop.orders')).toEqual([3]);
    expect(
      await s.call('POST', '/environments/dev/namespaces/shop/tables/orders/rollback', { body: { snapshot_id: 5 } }),
    ).toMatchObject({
      status: 422,
    });
  });

  test('of a protected environment come back with break glass alone', async () => {
    await s.client.environments.update('dev', { protected: true });
    const [, second] = await history();
    const body = { snapshot_id: second!.snapshot_id };
    const url = '/environments/dev/namespaces/shop/tables/orders/rollback';
    expect(await s.call('POST', url, { body })).toMatchObject({ status: 409, body: { code: 'environment-protected' } });
    await s.client.environments.update('dev', { protected: false });
  });
});

describe('maintenance', () => {
  test('joins small files, forgets old snapshots, and keeps every row', async () => {
    for (let i = 10; i < 15; i++) await load(`${i},x`);
    expect((await s.client.tables.health('dev', 'shop.orders')).file_count).toBe(6);
    const before = await history();
    expect(await maintain({ compact: true, expireSnapshotsOlderThanDays: 0 })).toMatchObject({
      status: 'succeeded',
      error: null,
      result: { compacted_files: 6, new_files: 1, expired_snapshots: before.length, removed_files: 0 },
    });
    expect(await ids('shop.orders')).toEqual([3, 10, 11, 12, 13, 14]);
    expect((await history()).map((h) => h.operation)).toEqual(['replace']);
    expect(await s.client.tables.get('dev', 'shop.orders')).toMatchObject({ row_count: 6 });
    expect((await s.events('TABLE_MAINTAINED')).at(-1)).toMatchObject({ principal: 'admin', detail: { new_files: 1 } });
    expect(await maintain({ compact: true })).toMatchObject({ result: { compacted_files: 0, snapshot_id: null } });
  });

  test('loses to nobody and loses nothing while others write', async () => {
    for (let i = 20; i < 24; i++) await load(`${i},x`);
    const work = [maintain({ compact: true }), load('30,y'), maintain({ compact: true }), load('31,y'), load('32,y')];
    const finished = await Promise.all<{ status: string }>(work);
    expect(finished.map(({ status }) => status)).toEqual(work.map(() => 'succeeded'));
    expect(await ids('shop.orders')).toEqual([3, 10, 11, 12, 13, 14, 20, 21, 22, 23, 30, 31, 32]);
  });

  test('goes by itself where the environment has a rule, once until the table is written again', async () => {
    const { db } = s.database;
    const queueAfter = (hours: number) => {
      const clock = () => new Date(Date.now() + hours * 3_600_000);
      return queueDueMaintenance({ db, clock, newId: randomUUID }, new AbortController().signal);
    };
    expect(await queueAfter(48)).toEqual({ queued: 0 });
    const rule = { compact: true, expire_snapshots_older_than_days: 30 };
    expect(await s.client.environments.update('dev', { maintenance: rule })).toMatchObject({ maintenance: rule });
    await load('33,y');
    await load('34,y');
    expect(await queueAfter(0)).toEqual({ queued: 0 });
    expect(await queueAfter(48)).toEqual({ queued: 1 });
    const { id } = await db.prisma.maintenance.findFirstOrThrow({ orderBy: { created_at: 'desc' } });
    expect(await s.client.maintenance.wait('dev', id)).toMatchObject({ status: 'succeeded', result: { new_files: 1 } });
    expect((await s.events('TABLE_MAINTAINED')).at(-1)).toMatchObject({ principal: null });
    expect(await queueAfter(96)).toEqual({ queued: 0 });
    expect(await s.client.environments.update('dev', { maintenance: null })).toMatchObject({ maintenance: null });
  });

  test('removes no snapshot and no file of a table under a legal hold (DROP-15)', async () => {
    const { db } = s.database;
    const at = 'shop.held';
    const location = (await s.client.tables.create('dev', at, { columns: [{ name: 'id', type: 'long' }] })).location!;
    for (const mode of ['append', 'append', 'replace'] as const)
      await loadInto(s.client, { env: 'dev', table: at }, { format: 'csv', mode, data: 'id\n1\n' });
    const snapshots = (await s.client.tables.snapshots('dev', at)).length;
    await s.client.tables.hold('dev', at, { reason: 'case 15' });
    const expire = { compact: false, expireSnapshotsOlderThanDays: 0 };
    await expect(s.client.tables.maintain('dev', at, expire)).rejects.toMatchObject({
      status: 409,
      code: 'table-held',
    });
    // As the rule of an environment does.
    const ofRule = { environmentId: (await db.prisma.environment.findFirstOrThrow({ where: { name: 'dev' } })).id };
    const { id: tableId } = await s.client.tables.get('dev', at);
    const byRule = async () => {
      const id = randomUUID();
      const rest = { requestedBy: null, requestId: null, now: new Date(), compact: false, expireDays: 0 };
      await submitMaintenance(db.prisma, { id, ...ofRule, tableId, ...rest });
      return s.client.maintenance.wait('dev', id);
    };
    expect(await byRule()).toMatchObject({ status: 'succeeded', result: { expired_snapshots: 0 } });
    expect(await s.client.tables.snapshots('dev', at)).toHaveLength(snapshots);
    const left = join(fileURLToPath(location), 'data', 'unreferenced.parquet');
    await writeFile(left, 'x');
    await utimes(left, 1, 1);
    expect(await byRule()).toMatchObject({ result: { removed_files: 0 } });
    await s.client.tables.release('dev', at);
    expect(await byRule()).toMatchObject({ result: { expired_snapshots: snapshots - 1, removed_files: 1 } });
  });

  test('of a table whose files something else removed says so, and removes nothing', async () => {
    await s.client.tables.create('dev', 'shop.broken', { kind: 'managed', columns: [{ name: 'id', type: 'long' }] });
    await loadInto(s.client, { env: 'dev', table: 'shop.broken' }, { format: 'csv', mode: 'append', data: 'id\n1\n' });
    const { location } = await s.client.tables.get('dev', 'shop.broken');
    const files = async () => (await readdir(fileURLToPath(location!), { recursive: true })).sort();
    const before = await files();
    const list = before.find((file) => /snap-.*\.avro$/.test(file))!;
    await rm(join(fileURLToPath(location!), list));
    const { id } = await s.client.tables.maintain('dev', 'shop.broken', { compact: true });
    expect(await s.client.maintenance.wait('dev', id)).toMatchObject({
      status: 'failed',
      error: { code: 'files-gone', remedy: expect.stringContaining('svc table rollback') },
    });
    expect(await files()).toEqual(before.filter((file) => file !== list));
  });

  test('of a table that was dropped in between reports that', async () => {
    const { id } = await s.client.tables.maintain('dev', 'shop.orders', { compact: true });
    await s.client.tables.delete('dev', 'shop.orders');
    const finished = await s.client.maintenance.wait('dev', id);
    expect(['succeeded', 'failed']).toContain(finished.status);
    await s.client.tables.undrop('dev', 'shop.orders');
    expect((await ids('shop.orders')).length).toBe(15);
  });

  test('that finds nothing to do counts as activity if somebody requested it (RETAIN-3)', async () => {
    const { db } = s.database;
    const columns = [{ name: 'id', type: 'long' }];
    const { id: table } = await s.client.tables.create('dev', 'shop.idle', { kind: 'managed', columns });
    const longAgo = new Date(Date.now() - 86_400_000);
    await db.prisma.table.update({ where: { id: table }, data: { last_write_at: longAgo, updated_at: longAgo } });
    const activity = async () => (await s.client.tables.retention('dev', 'shop.idle')).last_activity_at;
    const before = await activity();
    const rule = { compact: true, expire_snapshots_older_than_days: null };
    await s.client.environments.update('dev', { maintenance: rule });
    const finished = async (id: string) => (await s.client.maintenance.wait('dev', id)).result;
    const nothing = { compacted_files: 0, snapshot_id: null };
    const clock = () => new Date(Date.now() + 48 * 3_600_000);
    const due = () => queueDueMaintenance({ db, clock, newId: randomUUID }, new AbortController().signal);
    const byRule = () => db.prisma.maintenance.findFirst({ where: { table_id: table, requested_by: null } });
    await due();
    expect(await finished((await byRule())!.id)).toMatchObject(nothing);
    expect(await activity()).toBe(before);
    const { id } = await s.client.tables.maintain('dev', 'shop.idle', { compact: true });
    expect(await finished(id)).toMatchObject(nothing);
    expect(new Date(await activity()).getTime()).toBeGreaterThan(new Date(before).getTime());
    await s.client.environments.update('dev', { maintenance: null });
  });
});
