import type { SvcClient } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
let rita: SvcClient;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  for (const namespace of ['shop', 'shop.eu', 'hr']) await s.client.namespaces.create('dev', namespace);
  const create = (table: string, columns: object[], description: string | null = null) =>
    s.client.tables.create('dev', table, { columns, description } as never);
  const price = { name: 'price', type: 'decimal(9,2)', description: "it's in euro" };
  await create('shop.orders', [{ name: 'id', type: 'long', nullable: false }, price], 'all orders');
  await create('shop.eu.tags', [{ name: 'tags', type: 'list<string>' }]);
  await create('hr.salaries', [{ name: 'secret', type: 'int' }]);
  await s.client.principals.create({ name: 'rita', type: 'service-account' });
  rita = s.clientOf((await s.client.tokens.issue('rita', 'test')).token);
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'rita', action: 'SUBMIT_QUERY', environment: 'dev' });
  const shop = { kind: 'NAMESPACE', principal: 'rita', environment: 'dev', namespace: 'shop' };
  await s.client.grants.create({ ...shop, role: 'ANALYST' } as never);
});
afterAll(() => s.stop());

const rows = (sql: string, client = s.client) => rowsOf(client, 'dev', sql);

test('SHOW TABLES, SHOW SCHEMAS and DESCRIBE list what the caller may see (QUERY-17)', async () => {
  expect(await rows('SHOW TABLES')).toEqual([
    ['hr', 'salaries', 'BASE TABLE', null],
    ['shop', 'orders', 'BASE TABLE', 'all orders'],
    ['shop.eu', 'tags', 'BASE TABLE', null],
  ]);
  expect(await rows('show tables from SHOP;', rita)).toEqual([['shop', 'orders', 'BASE TABLE', 'all orders']]);
  expect(await rows('SHOW SCHEMAS', rita)).toEqual([['shop'], ['shop.eu']]);
  expect(await rows('DESCRIBE Shop.Orders', rita)).toEqual([
    ['id', 'BIGINT', 'NO', null],
    ['price', 'DECIMAL(9,2)', 'YES', "it's in euro"],
  ]);
  expect(await rows('DESC shop.eu.tags')).toEqual([['tags', 'VARCHAR[]', 'YES', null]]);
});

test('information_schema is filtered by rights, and can be joined (QUERY-17)', async () => {
  const names = `SELECT table_schema || '.' || table_name FROM information_schema.tables ORDER BY ALL`;
  expect(await rows(names, rita)).toEqual([['shop.eu.tags'], ['shop.orders']]);
  expect(await rows('SELECT count(*) FROM information_schema.columns', rita)).toEqual([[3]]);
  expect(await rows("SELECT count(*) FROM information_schema.columns WHERE column_name = 'secret'", rita)).toEqual([
    [0],
  ]);
  const joined = `SELECT t.table_name, c.column_name, c.ordinal_position FROM information_schema.tables t
    JOIN INFORMATION_SCHEMA.COLUMNS c USING (table_schema, table_name) WHERE t.table_schema = 'shop' ORDER BY ALL`;
  expect(await rows(joined, rita)).toEqual([
    ['orders', 'id', 1],
    ['orders', 'price', 2],
  ]);
  await s.client.tables.update('dev', 'shop.orders', { description: 'changed' });
  expect((await rows('SHOW TABLES FROM shop', rita))[0]?.[3]).toBe('changed');
});

test('a description is a text, whatever it contains (QUERY-17)', async () => {
  const description = String.raw`a\u0000", "table_name": "orders2", "x": "`;
  await s.client.tables.update('dev', 'shop.orders', { description });
  const listed = 'SELECT table_name, table_comment FROM information_schema.tables ORDER BY table_name LIMIT 1';
  expect(await rows(listed, rita)).toEqual([['orders', description]]);
});

test('a table that is hidden is described like one that does not exist, with a denial (QUERY-17)', async () => {
  const failed = async (sql: string) =>
    rita.queries.run('dev', sql).then(
      () => null,
      (error: unknown) => error as { code: string; message: string },
    );
  const [hidden, missing] = [await failed('DESCRIBE hr.salaries'), await failed('DESCRIBE hr.nothing')];
  expect(hidden).toMatchObject({ code: 'table-not-found' });
  expect(hidden?.message.replaceAll('salaries', 'nothing')).toBe(missing?.message);
  expect((await s.events('AUTHORIZATION_DENIED')).length).toBe(2);
  for (const sql of [
    'SHOW ALL TABLES',
    'SELECT * FROM information_schema.views',
    'SELECT * FROM pg_catalog.pg_class',
    'SHOW hr.salaries',
  ])
    expect((await failed(sql))?.code).toMatch(/not-a-select|table-not-found|parse-error|not-supported/);
});
