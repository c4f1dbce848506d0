import { showStatement } from './index.ts';

test.each([
  ['SHOW TABLES', null, 'FROM information_schema.tables ORDER BY table_schema, table_name'],
  ['show tables from "Shop.EU" ;', null, "WHERE lower(table_schema) = lower('Shop.EU')"],
  ['SHOW TABLES FROM "it\'s"', null, "lower('it''s')"],
  ['SHOW SCHEMAS', null, 'FROM information_schema.schemata'],
  ['DESCRIBE shop.orders', { namespace: 'shop', name: 'orders' }, "lower(table_name) = lower('orders')"],
  ['-- what\nDESC TABLE a.b.c', { namespace: 'a.b', name: 'c' }, "lower(table_schema) = lower('a.b')"],
  ['SHOW COLUMNS FROM shop.orders', { namespace: 'shop', name: 'orders' }, 'ORDER BY ordinal_position'],
])('%s is a query', (sql, table, text) => {
  const shown = showStatement(sql);
  expect(shown?.table).toEqual(table);
  expect(shown?.sql).toContain(text);
});

test.each([
  'SELECT 1',
  'SHOW',
  'SHOW ALL',
  'SHOW TABLES FROM',
  'SHOW TABLES FROM a b',
  'SHOW TABLES; SELECT 1',
  'DESCRIBE orders',
  'DESCRIBE SELECT 1',
  "DESCRIBE shop.'orders'",
  'DESCRIBE shop.orders WHERE true',
  'DESCRIBE "shop',
])('%s is left to the engine', (sql) => expect(showStatement(sql)).toBeNull());
