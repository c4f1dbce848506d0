import { clonedTable, parseClone } from './index.ts';

test.each([
  ['CREATE TABLE shop.copy CLONE shop.orders', 'shop.orders'],
  ['-- a copy\ncreate table "shop".copy clone a.b.orders;', 'a.b.orders'],
  ['CREATE TABLE shop.copy CLONE "a.b"."orders"', 'a.b.orders'],
  ['CREATE TABLE shop.copy CLONE shop.clone', 'shop.clone'],
])('%s', (sql, full) => {
  const at = full.lastIndexOf('.');
  const source = { namespace: full.slice(0, at), table: full.slice(at + 1) };
  const target = { namespace: 'shop', table: 'copy' };
  expect(clonedTable(sql)).toEqual(target);
  expect(parseClone(sql)).toEqual({ ok: true, clone: { target, source } });
});

test('a table may be called like the keyword', () => {
  expect(parseClone('CREATE TABLE clone.clone CLONE clone.table')).toEqual({
    ok: true,
    clone: { target: { namespace: 'clone', table: 'clone' }, source: { namespace: 'clone', table: 'table' } },
  });
});

test.each([
  'SELECT 1',
  'CREATE TABLE shop.copy AS SELECT 1',
  'CREATE TABLE shop.copy (clone int)',
  'CREATE TABLE shop.copy AS SELECT clone FROM shop.orders',
  'CREATE VIEW shop.copy CLONE shop.orders',
  'CREATE OR REPLACE TABLE shop.copy CLONE shop.orders',
  'CREATE TABLE IF NOT EXISTS shop.copy CLONE shop.orders',
  'CREATE TABLE shop."co',
])('%s clones no table', (sql) => {
  expect(clonedTable(sql)).toBeNull();
  expect(parseClone(sql)).toBeNull();
});

test.each([
  ['CREATE TABLE shop.copy CLONE', 'The statement ends where the table to clone is expected'],
  ['CREATE TABLE shop.copy CLONE orders', 'Found orders where the table'],
  ['CREATE TABLE shop.copy CLONE shop.orders WHERE id = 1', 'Found shop . orders WHERE id = 1 where the table'],
  ['CREATE TABLE shop.copy CLONE shop.orders; SELECT 1', 'Found shop . orders ; SELECT 1 where'],
])('%s is refused', (sql, message) => {
  expect(clonedTable(sql)).toEqual({ namespace: 'shop', table: 'copy' });
  expect(parseClone(sql)).toEqual({ ok: false, message: expect.stringContaining(message) });
});

test.each(['copy', '"shop x".copy'])('the name %s for the new table is refused', (name) => {
  const sql = `CREATE TABLE ${name} CLONE shop.orders`;
  expect(clonedTable(sql)).toBeNull();
  expect(parseClone(sql)).toEqual({ ok: false, message: expect.stringContaining('where the new table is expected') });
});
