import type { SvcClient } from '@svc/sdk';
import { loadInto, makeOrders } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

let s: TestService;
const clients: Record<string, SvcClient> = {};
const SQL = 'SELECT id, buyer, amount FROM shop.orders ORDER BY id';

beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, 'dev');
  const data = 'id,buyer,amount,day\n1,Ann,10,2026-01-01\n2,Bob,20,2026-01-02\n3,Cem,30,2026-01-03\n';
  await loadInto(s.client, { env: 'dev', table: 'shop.orders' }, { format: 'csv', data });
  await s.client.groups.create('analysts');
  for (const name of ['ana', 'ben']) {
    await s.client.principals.create({ name, type: 'person' });
    clients[name] = s.clientOf((await s.client.tokens.issue(name, 'test')).token);
    await s.client.grants.create({ kind: 'ENVIRONMENT', principal: name, role: 'DATA_ENGINEER', environment: 'dev' });
  }
  await s.client.groups.addMember('analysts', 'ana');
});
afterAll(() => s.stop());

const rows = async (name: string, sql = SQL) =>
  (await clients[name]!.queries.run('dev', sql)).rows.map((row) => Object.values(row));
const admin = async (sql = SQL) => (await s.client.queries.run('dev', sql)).rows.map((row) => Object.values(row));

test('row filters of a principal and of its groups combine with AND, and bind nobody else (TABLE-8)', async () => {
  await s.client.rowFilters.create('dev', 'shop.orders', { group: 'analysts', predicate: 'id >= 2' });
  await s.client.rowFilters.create('dev', 'shop.orders', { principal: 'ana', predicate: 'amount < 30' });
  expect(await rows('ana')).toEqual([[2, 'Bob', '20.00']]);
  expect((await rows('ben')).length).toBe(3);
  expect(await rows('ana', 'SELECT count(*) FROM shop.orders')).toEqual([[1]]);
  expect(await rows('ana', 'WITH shop AS (SELECT 1) SELECT sum(id) FROM shop.orders')).toEqual(
    [['2']].map(() => [expect.anything()]),
  );
});

test('masks apply in the order in which they were made, and an administrator is bound like anyone (TABLE-8)', async () => {
  await s.client.columnMasks.create('dev', 'shop.orders', {
    principal: 'admin',
    column: 'buyer',
    expression: "left(buyer, 1) || '…'",
  });
  await s.client.columnMasks.create('dev', 'shop.orders', {
    group: 'analysts',
    column: 'buyer',
    expression: "'hidden'",
  });
  await s.client.columnMasks.create('dev', 'shop.orders', {
    principal: 'ana',
    column: 'buyer',
    expression: "buyer || '!'",
  });
  expect((await admin()).map((row) => row[1])).toEqual(['A…', 'B…', 'C…']);
  expect((await rows('ana')).map((row) => row[1])).toEqual(['hidden!']);
  expect(await rows('ana', "SELECT id FROM shop.orders WHERE buyer = 'Bob'")).toEqual([]);
  expect((await rows('ben')).map((row) => row[1])).toEqual(['Ann', 'Bob', 'Cem']);
});

test('counts of rows are hidden from readers with a policy', async () => {
  const counts = async (client: SvcClient) => [
    (await client.tables.get('dev', 'shop.orders')).row_count,
    (await client.tables.list('dev', 'shop')).find(({ name }) => name === 'orders')!.size_bytes,
    (await client.tables.snapshots('dev', 'shop.orders')).map(({ summary }) => summary['added-records']),
  ];
  expect(await counts(clients['ana']!)).toEqual([null, null, [undefined]]);
  expect(await counts(clients['ben']!)).toEqual([3, expect.any(Number), ['3']]);
  const { row_count, file_count, snapshots } = await clients['ana']!.tables.health('dev', 'shop.orders');
  expect([row_count, file_count, snapshots]).toEqual([null, null, null]);
});

test("records of other people's loads quote no values to readers with a policy, also once the table is dropped (TABLE-8)", async () => {
  const table = 'shop.wages';
  const columns = [{ name: 'id', type: 'int' }];
  await s.client.tables.create('dev', table, { columns });
  await s.client.columnMasks.create('dev', table, { group: 'analysts', column: 'id', expression: 'NULL' });
  const load = (data: string) => loadInto(s.client, { env: 'dev', table }, { format: 'csv', data });
  const failed = await load('id\n5000x\n');
  const loaded = await load('id\n1\n2\n');
  const { id: compaction } = await s.client.tables.maintain('dev', table, { compact: true });
  await s.client.maintenance.wait('dev', compaction);
  const seen = async (client: SvcClient) => [
    (await client.writes.get('dev', failed.id)).error?.detail,
    (await client.writes.get('dev', loaded.id)).rows,
    (await client.maintenance.get('dev', compaction)).result?.compacted_files,
  ];
  const quoted = expect.stringContaining('5000x');
  const hidden = [expect.stringContaining('Only the requester'), null, undefined];
  expect(await seen(clients['ben']!)).toEqual([quoted, 2, expect.any(Number)]);
  expect(await seen(clients['ana']!)).toEqual(hidden);
  await s.client.columnMasks.create('dev', table, { principal: 'admin', column: 'id', expression: 'NULL' });
  expect((await seen(s.client)).slice(0, 2)).toEqual([quoted, 2]);
  await s.client.tables.delete('dev', table);
  expect(await seen(clients['ana']!)).toEqual(hidden);
});

test('they also apply to what a query writes to another table', async () => {
  await clients['ana']!.queries.run('dev', 'SELECT * FROM shop.orders', { into: 'shop.copied', mode: 'create' });
  expect(await rows('ben', 'SELECT id, buyer FROM shop.copied')).toEqual([[2, 'hidden!']]);
});

test('a policy is replaced in one moment, or stays if the new one is refused (TABLE-25)', async () => {
  const before = await s.client.rowFilters.list('dev', 'shop.orders');
  const [group] = before;
  const replaced = { group: 'analysts', replaces: group!.id };
  await expect(
    s.client.rowFilters.create('dev', 'shop.orders', { ...replaced, predicate: 'nope = 1' }),
  ).rejects.toMatchObject({ status: 422 });
  await expect(
    s.client.rowFilters.create('dev', 'shop.copied', { ...replaced, predicate: 'id >= 2' }),
  ).rejects.toMatchObject({ status: 404 });
  // The other filter of ana stays, so this one is refused after the old one is deleted.
  const other = { principal: 'ana', replaces: group!.id, predicate: 'id >= 3' };
  await expect(s.client.rowFilters.create('dev', 'shop.orders', other)).rejects.toMatchObject({ status: 409 });
  expect(await s.client.rowFilters.list('dev', 'shop.orders')).toEqual(before);
  const made = await s.client.rowFilters.create('dev', 'shop.orders', { ...replaced, predicate: 'id >= 3' });
  expect(await rows('ana', 'SELECT id FROM shop.orders')).toEqual([]);
  await s.client.rowFilters.create('dev', 'shop.orders', { ...replaced, replaces: made.id, predicate: 'id >= 2' });
  expect(await rows('ana', 'SELECT id FROM shop.orders')).toEqual([[2]]);
  const masks = await s.client.columnMasks.list('dev', 'shop.orders');
  const mask = masks.find(({ principal }) => principal === 'admin')!;
  const body = { principal: 'admin', column: 'buyer', expression: "'x'", replaces: mask.id };
  await s.client.columnMasks.create('dev', 'shop.orders', body);
  expect((await admin()).map((row) => row[1])).toEqual(['x', 'x', 'x']);
  expect((await s.events('ROW_FILTER_DELETED')).length).toBe(2);
});

test('a removed policy binds no more from the next query on', async () => {
  for (const filter of await s.client.rowFilters.list('dev', 'shop.orders'))
    await s.client.rowFilters.delete(filter.id);
  expect((await rows('ana')).length).toBe(3);
  expect((await s.events('ROW_FILTER_DELETED')).slice(-2).map((event) => event.detail['predicate'])).toEqual([
    'amount < 30',
    'id >= 2',
  ]);
});

test.each([
  ['no such column', 'nope = 1', 'nope'],
  ['another table', 'id IN (SELECT id FROM shop.copied)', ''],
  ['a function that reads files', "id = (SELECT count(*) FROM read_csv('/etc/passwd'))", 'read_csv'],
  ['no expression', 'id >=', 'syntax'],
  ['a query as its text', 'SELECT true', 'without a subquery'],
  ['two statements', 'true); DROP TABLE x; --', ''],
])('a predicate with %s is refused, naming the error', async (_, predicate, named) => {
  const body = { principal: 'ana', predicate };
  const response = await s.call('POST', '/environments/dev/namespaces/shop/tables/orders/row-filters', { body });
  expect(response.status).toBe(422);
  expect(response.body.errors[0].pointer).toBe('/predicate');
  expect(response.body.detail.length).toBeGreaterThan(20);
  expect(response.body.detail).toContain(named);
});

test.each([
  ['row-filters', { predicate: 'id' }, '/predicate', 'is long'],
  ['row-filters', { predicate: 'count(*) > 1' }, '/predicate', 'count'],
  ['column-masks', { column: 'buyer', expression: '*' }, '/expression', 'several columns'],
  ['column-masks', { column: 'buyer', expression: "unnest(['a', 'b'])" }, '/expression', 'several rows'],
  ['column-masks', { column: 'amount', expression: "'***'" }, '/expression', 'CAST(… AS DECIMAL(10,2))'],
])('%s with %p is refused at %s', async (path, policy, pointer, named) => {
  const body = { principal: 'ben', ...policy };
  const response = await s.call('POST', `/environments/dev/namespaces/shop/tables/orders/${path}`, { body });
  expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer]);
  expect(response.body.detail).toContain(named);
});

describe('a writer who renames another column to the name of a masked one', () => {
  const TABLE = { env: 'dev', table: 'shop.people' };
  const columns = ['id', 'ssn'].map((name) => ({ name, type: 'varchar', nullable: true, description: null }));
  /** Makes these the columns of the table, as an engine does through the catalog interface. */
  const alter = async (...fields: [id: number, name: string][]) => {
    const commit = {
      requirements: [],
      updates: [
        {
          action: 'add-schema',
          'last-column-id': 9,
          schema: {
            type: 'struct',
            'schema-id': 0,
            fields: fields.map(([id, name]) => ({ id, name, required: false, type: 'string' })),
          },
        },
        { action: 'set-current-schema', 'schema-id': -1 },
      ],
    };
    const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/shop/tables/people`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(commit),
    });
    expect(response.status).toBe(200);
  };
  const read = () => rows('ben', 'SELECT * FROM shop.people');
  const broken = async () =>
    (await s.events('POLICY_BROKEN')).map(({ principal, detail }) => ({ principal, ...detail }));
  let mask: { id: string };

  beforeAll(async () => {
    await s.client.tables.create('dev', 'shop.people', { kind: 'managed', columns });
    await loadInto(s.client, TABLE, { format: 'csv', data: 'id,ssn\n1,secret\n' });
    mask = await s.client.columnMasks.create('dev', 'shop.people', {
      principal: 'ben',
      column: 'ssn',
      expression: "'hidden'",
    });
    await s.client.rowFilters.create('dev', 'shop.people', { principal: 'ben', predicate: "id = '1'" });
  });

  test('unmasks nothing: the query is refused, and one event names who made the mask (TABLE-8)', async () => {
    expect(await read()).toEqual([['1', 'hidden']]);
    expect(await broken()).toEqual([]);
    await alter([1, 'id'], [2, 'x'], [9, 'ssn']);
    for (let i = 0; i < 2; i++)
      await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('"ssn"') });
    const { id: table_id } = await s.client.tables.get('dev', 'shop.people');
    expect(await broken()).toEqual([
      {
        principal: null,
        policy: 'column_mask',
        policy_id: mask.id,
        table_id,
        column: 'ssn',
        reason: expect.any(String),
        created_by: 'admin',
      },
    ]);
  });

  test('once the column has its name again the mask applies, and another failure has an event of its own', async () => {
    await alter([1, 'id'], [2, 'ssn']);
    expect(await read()).toEqual([['1', 'hidden']]);
    await alter([1, 'x'], [2, 'ssn'], [9, 'id']);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('"id"') });
    await alter([1, 'id'], [9, 'ssn']);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('"ssn"') });
    expect((await broken()).map((detail) => detail['column' as keyof typeof detail])).toEqual(['ssn', 'id', 'ssn']);
    await alter([1, 'id'], [2, 'ssn']);
  });

  test('a policy of an earlier version is bound when it is used first', async () => {
    const { prisma } = s.database.db;
    await prisma.$executeRaw`UPDATE column_masks SET fields = NULL WHERE id = ${mask.id}::uuid`;
    expect(await read()).toEqual([['1', 'hidden']]);
    expect(await prisma.columnMask.findUnique({ where: { id: mask.id } })).toMatchObject({
      fields: [{ path: ['ssn'], id: 2 }],
      broken_at: null,
    });
    await prisma.$executeRaw`UPDATE column_masks SET fields = NULL WHERE id = ${mask.id}::uuid`;
    await alter([1, 'id'], [2, 'x'], [9, 'ssn']);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('"x"') });
    await alter([1, 'id'], [2, 'ssn']);
  });

  test('a table that was dropped and restored is bound as before', async () => {
    await s.client.tables.delete('dev', 'shop.people');
    await s.client.tables.undrop('dev', 'shop.people');
    expect(await read()).toEqual([['1', 'hidden']]);
  });
});

test('the rest of the contract: unknown targets, columns, ids, doubles, rights (TABLE-8)', async () => {
  const post = (path: string, body: unknown) =>
    s.call('POST', `/environments/dev/namespaces/shop/tables/orders/${path}`, { body });
  expect((await post('row-filters', { predicate: 'true' })).status).toBe(422);
  expect((await post('row-filters', { principal: 'nobody', predicate: 'true' })).status).toBe(404);
  expect((await post('column-masks', { principal: 'ana', column: 'nope', expression: '1' })).status).toBe(422);
  expect((await post('column-masks', { principal: 'ana', column: 'buyer', expression: "'x'" })).status).toBe(409);
  expect((await s.call('DELETE', '/row-filters/nothing')).status).toBe(404);
  await expect(clients['ben']!.rowFilters.list('dev', 'shop.orders')).rejects.toMatchObject({ status: 403 });
});

test('policies of a deleted group or principal end with it, so a later one of the same name has none (ACCESS-23)', async () => {
  await s.client.groups.create('leavers');
  await s.client.principals.create({ name: 'lea', type: 'person' });
  const filters = [];
  for (const target of [{ group: 'leavers' }, { principal: 'lea' }])
    filters.push(await s.client.rowFilters.create('dev', 'shop.orders', { ...target, predicate: 'id = 1' }));
  const mask = await s.client.columnMasks.create('dev', 'shop.orders', {
    group: 'leavers',
    column: 'buyer',
    expression: "'hidden'",
  });
  await s.client.groups.delete('leavers');
  await s.client.principals.delete('lea');
  const ids = async () =>
    [
      ...(await s.client.rowFilters.list('dev', 'shop.orders')),
      ...(await s.client.columnMasks.list('dev', 'shop.orders')),
    ].map(({ id }) => id);
  for (const { id } of [...filters, mask]) expect(await ids()).not.toContain(id);
  const deleted = async (event_type: string) =>
    (await s.client.audit.list({ event_type, limit: 2 })).map(({ detail }) => detail);
  expect(await deleted('ROW_FILTER_DELETED')).toEqual([
    expect.objectContaining({ row_filter_id: filters[1]!.id, principal: 'lea', group: null, predicate: 'id = 1' }),
    expect.objectContaining({ row_filter_id: filters[0]!.id, principal: null, group: 'leavers' }),
  ]);
  expect((await deleted('COLUMN_MASK_DELETED'))[0]).toMatchObject({ column_mask_id: mask.id, group: 'leavers' });
});

test('table health counts readers, shows them to principals that maintain the table, and records the read (AUDIT-6, AUDIT-7, TABLE-9)', async () => {
  const health = await clients['ben']!.tables.health('dev', 'shop.orders', { days: 1 });
  expect(health).toMatchObject({
    table: 'shop.orders',
    days: 1,
    row_count: 3,
    file_count: 1,
    small_files: 1,
    snapshots: 1,
  });
  expect(health.readers!.map((reader) => reader.principal).sort()).toEqual(['admin', 'ana', 'ben']);
  const [event] = (await s.events('ACTIVITY_VIEWED')).filter(({ principal }) => principal === 'ben');
  expect(event!.object).toEqual({ kind: 'TABLE', environment: 'dev', namespace: 'shop', table: 'orders' });
  expect(event!.detail).toMatchObject({
    view: 'table_readers',
    filters: { days: 1 },
    rows_shown: 3,
    others_shown: 2,
    distinct_others: 2,
    targeting_key: null,
  });
  await s.client.principals.create({ name: 'eve', type: 'person' });
  await s.client.grants.create({
    kind: 'TABLE',
    principal: 'eve',
    action: 'READ_TABLE',
    environment: 'dev',
    namespace: 'shop',
    table: 'orders',
  });
  const eve = s.clientOf((await s.client.tokens.issue('eve', 'test')).token);
  const readers = async () => (await eve.tables.health('dev', 'shop.orders')).readers;
  expect(await readers()).toBeNull();
  await s.client.tables.update('dev', 'shop.orders', { owner: 'eve' });
  expect(await readers()).toHaveLength(3);
});
