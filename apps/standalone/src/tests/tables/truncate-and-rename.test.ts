import { userWith } from '../../testing/accounts.ts';
import { rowsOf } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
let tables = 0;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  for (const namespace of ['shop', 'archive']) await s.client.namespaces.create('dev', namespace);
});
afterAll(() => s.stop());

async function newTable(rows = 3): Promise<string> {
  const table = `shop.t${++tables}`;
  const sql = `SELECT i AS id, 'n' || i AS name FROM range(${rows}) t(i)`;
  await s.client.queries.run('dev', sql, { into: table, mode: 'create' });
  return table;
}

const ids = (table: string) => rowsOf(s.client, 'dev', `SELECT id FROM ${table} ORDER BY id`);
const get = (table: string) => s.client.tables.get('dev', table);
const reason = async (table: string) => (await s.client.tables.retention('dev', table)).kept;

describe('truncate', () => {
  test('removes all rows by metadata only, and a rollback brings them back (TABLE-18)', async () => {
    const t = await newTable();
    await s.client.queries.run('dev', `INSERT INTO ${t} VALUES (7, 'x')`);
    const [before] = await s.client.tables.snapshots('dev', t);
    const files = (await s.stored('tables')).filter((file) => file.endsWith('.parquet'));
    const done = await s.client.tables.truncate('dev', t);
    expect(done).toEqual({
      table: t,
      deleted: 4,
      snapshot_id: expect.any(Number),
      previous_snapshot_id: before!.snapshot_id,
    });
    expect(await ids(t)).toEqual([]);
    expect(await get(t)).toMatchObject({ row_count: 0, size_bytes: 0 });
    expect((await s.stored('tables')).filter((file) => file.endsWith('.parquet'))).toEqual(files);
    const [now] = await s.client.tables.snapshots('dev', t);
    const summary = { operation: 'delete', 'deleted-records': '4', 'total-records': '0' };
    expect(now).toMatchObject({ snapshot_id: done.snapshot_id, operation: 'delete', summary });
    const counts = { rows: 4, inserted: 0, updated: 0, deleted: 4 };
    expect((await s.events('TABLE_WRITE')).at(-1)?.detail).toMatchObject({
      mode: 'truncate',
      ...counts,
      snapshot_id: done.snapshot_id,
    });
    await s.client.queries.run('dev', `INSERT INTO ${t} VALUES (1, 'new')`);
    expect(await ids(t)).toEqual([[1]]);
    await s.client.tables.rollback('dev', t, done.previous_snapshot_id as number);
    expect(await ids(t)).toEqual([[0], [1], [2], [7]]);
  });

  test('is a statement too, which counts the rows (TABLE-18, QUERY-13)', async () => {
    const t = await newTable();
    const run = async (sql: string, options = {}) => {
      const { id } = await s.client.queries.submit('dev', sql, options);
      return s.client.queries.wait('dev', id);
    };
    const deleted = { inserted: 0, updated: 0, deleted: 3 };
    expect(await run(`TRUNCATE ${t}`, { dry_run: true })).toMatchObject({ status: 'SUCCEEDED', affected: deleted });
    expect((await ids(t)).length).toBe(3);
    expect(await run(`truncate table ${t};`)).toMatchObject({ status: 'SUCCEEDED', affected: deleted, row_count: 3 });
    expect(await ids(t)).toEqual([]);
    expect((await s.events('TABLE_WRITE')).at(-1)?.detail).toMatchObject({ mode: 'truncate', ...deleted, rows: 3 });
    expect(await run(`TRUNCATE ${t} WHERE id = 1`)).toMatchObject({ error: { code: 'not-supported' } });
    expect(await run(`TRUNCATE ${t}`, { params: [1] })).toMatchObject({ error: { code: 'wrong-parameters' } });
    await expect(run('TRUNCATE shop.nowhere')).resolves.toMatchObject({ error: { code: 'not-found' } });
  });

  test('an empty table stays empty, and other kinds are refused (TABLE-18)', async () => {
    await s.client.tables.create('dev', 'shop.blank', { columns: [{ name: 'id', type: 'int' }] } as never);
    expect(await s.client.tables.truncate('dev', 'shop.blank')).toMatchObject({
      deleted: 0,
      previous_snapshot_id: null,
    });
    expect(await ids('shop.blank')).toEqual([]);
  });

  test('needs WRITE_TABLE, and no policy that binds the caller (TABLE-18)', async () => {
    const t = await newTable();
    const [namespace, table] = t.split('.') as [string, string];
    const reader = await userWith(s, 'tr-reader', [{ namespace, table, action: 'READ_TABLE' }]);
    await expect(reader.tables.truncate('dev', t)).rejects.toMatchObject({ status: 403 });
    const writer = await userWith(s, 'tr-writer', [
      { namespace, table, action: 'WRITE_TABLE' },
      { namespace, table, action: 'READ_TABLE' },
      { action: 'SUBMIT_QUERY' },
    ]);
    await s.client.rowFilters.create('dev', t, { principal: 'tr-writer', predicate: 'id < 2' });
    const denied = (await s.events('AUTHORIZATION_DENIED')).length;
    await expect(writer.tables.truncate('dev', t)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('row filter or column mask'),
    });
    expect((await s.events('AUTHORIZATION_DENIED')).length).toBe(denied + 1);
    const { id } = await writer.queries.submit('dev', `TRUNCATE ${t}`);
    expect(await writer.queries.wait('dev', id)).toMatchObject({ error: { code: 'not-allowed' } });
    expect((await ids(t)).length).toBe(3);
  });

  test('concurrent writers lose nothing: each row is removed or stays whole (TABLE-18)', async () => {
    const t = await newTable(0);
    const insert = (i: number) => s.client.queries.run('dev', `INSERT INTO ${t} VALUES (${i}, 'x')`);
    const inserts = Array.from({ length: 8 }, (_, i) => insert(i));
    const truncations = Array.from({ length: 3 }, () => s.client.tables.truncate('dev', t));
    await Promise.all(inserts);
    const removed = (await Promise.all(truncations)).reduce((sum, { deleted }) => sum + deleted, 0);
    expect((await ids(t)).length + removed).toBe(8);
  });
});

describe('rename', () => {
  test('keeps id, rows, history, grants, policies and retention (TABLE-19)', async () => {
    const t = await newTable();
    const [namespace, table] = t.split('.') as [string, string];
    const reader = await userWith(s, 'rn-reader', [
      { namespace, table, action: 'READ_TABLE' },
      { action: 'SUBMIT_QUERY' },
    ]);
    await s.client.rowFilters.create('dev', t, { principal: 'rn-reader', predicate: 'id < 2' });
    await s.client.tables.setRetention('dev', t, { days: 30 });
    const before = await get(t);
    const snapshots = await s.client.tables.snapshots('dev', t);
    const after = await s.client.tables.rename('dev', t, 'archive.Orders');
    const { updated_at: _, expires_at: __, ...same } = before;
    expect(after).toMatchObject({ ...same, namespace: 'archive', name: 'Orders' });
    expect(await s.client.tables.snapshots('dev', 'archive.orders')).toEqual(snapshots);
    expect(await rowsOf(reader, 'dev', 'SELECT count(*) FROM archive.orders')).toEqual([[2]]);
    expect(await s.client.tables.retention('dev', 'archive.orders')).toMatchObject({ days: 30 });
    await expect(get(t)).rejects.toMatchObject({ status: 404 });
    const event = (await s.events('TABLE_UPDATED')).at(-1)!;
    expect(event.detail).toMatchObject({ table_id: before.id, changed: ['name'], previous_name: t });
    expect(event.object).toMatchObject({ namespace: 'archive', table: 'Orders' });
    const found = await s.client.search.find('dev', 'archive.orders', { kind: 'table' });
    expect(found.map(({ name }) => name)).toEqual(['archive.Orders']);
    await s.client.tables.rename('dev', 'archive.orders', 'archive.ORDERS');
    expect((await get('archive.orders')).name).toBe('ORDERS');
  });

  test('a name that is taken or a namespace that does not exist is refused (TABLE-19)', async () => {
    const [one, two] = [await newTable(), await newTable()];
    await expect(s.client.tables.rename('dev', one, two)).rejects.toMatchObject({ code: 'already-exists' });
    await expect(s.client.tables.rename('dev', one, 'nowhere.x')).rejects.toMatchObject({ status: 404 });
    for (const name of ['x', 'shop.', 'shop.a b', 'shop..x'])
      await expect(s.client.tables.rename('dev', one, name)).rejects.toMatchObject({
        errors: [{ pointer: '/to', message: 'must be <namespace>.<table>' }],
      });
    const races = await Promise.allSettled([one, two].map((t) => s.client.tables.rename('dev', t, 'archive.raced')));
    expect(races.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('needs DROP_TABLE on the table and CREATE_TABLE in the new namespace (TABLE-19)', async () => {
    const t = await newTable();
    const [namespace, table] = t.split('.') as [string, string];
    const dropper = await userWith(s, 'rn-dropper', [{ namespace, table, action: 'DROP_TABLE' }]);
    const creator = await userWith(s, 'rn-creator', [{ namespace: 'archive', action: 'CREATE_TABLE' }]);
    for (const user of [dropper, creator])
      for (const to of ['archive.mine', 'not a name'])
        await expect(user.tables.rename('dev', t, to)).rejects.toMatchObject({
          status: user === dropper && to === 'not a name' ? 422 : 403,
        });
    // Without the rights, a table that exists and one that doesn't get the same answer.
    const answers = await Promise.all(
      [t, 'shop.hidden'].map((from) => creator.tables.rename('dev', from, 'archive.mine').catch((e) => e.message)),
    );
    const anonymous = answers.map((text: string) => text.replaceAll(new RegExp(`\\b(${table}|hidden)\\b`, 'g'), 'T'));
    expect(anonymous[0]).toBe(anonymous[1]);
    expect((await get(t)).name).toBe(table);
  });

  test('a renamed table leaves its project, and an asset of the new name takes it over (TABLE-19, RETAIN-4)', async () => {
    await s.client.repositories.create({ name: 'shop' });
    const files = {
      'svc.yaml': '',
      'assets/shop/built.sql': 'SELECT 1 AS id',
      'assets/shop/next.sql': 'SELECT 2 AS id',
    };
    const into = { env: 'dev', repository: 'shop', folder: s.folder, dry_run: false };
    expect(await deployFiles(s.client, into, files)).toMatchObject({ status: 'succeeded' });
    const body = { repository: 'shop', select: ['shop.built'], upstream: false, downstream: false };
    await s.client.runs.wait('dev', (await s.client.runs.create('dev', body)).id);
    await s.client.tables.setRetention('dev', 'shop.built', { days: 30 });
    expect(await reason('shop.built')).toBe('project_asset');
    await s.client.tables.rename('dev', 'shop.built', 'archive.built');
    expect(await reason('archive.built')).toBeNull();
    await s.client.tables.rename('dev', 'archive.built', 'shop.next');
    expect(await reason('shop.next')).toBe('project_asset');
  });

  test('a table restored as an asset belongs to the project, and leaves it when restored under another name (DROP-5, RETAIN-4)', async () => {
    const t = await newTable();
    const [, name] = t.split('.') as [string, string];
    await s.client.tables.setRetention('dev', t, { days: 30 });
    await s.client.tables.delete('dev', t);
    await s.client.repositories.create({ name: 'restored' });
    const into = { env: 'dev', repository: 'restored', folder: s.folder, dry_run: false };
    const files = { 'svc.yaml': '', [`assets/shop/${name}.sql`]: 'SELECT 1 AS id' };
    expect(await deployFiles(s.client, into, files)).toMatchObject({ status: 'succeeded' });
    await s.client.tables.undrop('dev', t);
    expect(await reason(t)).toBe('project_asset');
    await s.client.tables.delete('dev', t);
    await s.client.tables.undrop('dev', t, { newName: 'aside' });
    expect(await reason('shop.aside')).toBeNull();
    await s.client.tables.delete('dev', 'shop.aside');
    await s.client.tables.undrop('dev', 'shop.aside', { newName: name });
    expect(await reason(t)).toBe('project_asset');
  });
});
