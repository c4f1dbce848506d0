import { errorPosition } from './error-position.ts';

test.each<[string, string, number | undefined]>([
  ['SELECT nothing FROM shop.orders', 'Binder Error: Referenced column "nothing" not found in FROM clause!', 8],
  ["SELECT '😀', nothing FROM t", 'Binder Error: Referenced column "nothing" not found in FROM clause!', 13],
  ['SELECT "No" FROM t', 'Binder Error: Referenced column "No" not found in FROM clause!', 8],
  ['SELECT * FROM shop.order', "The table shop.order doesn't exist, or you don't have READ_TABLE on it.", 15],
  ['SELECT order FROM shop."order"', "The table shop.order doesn't exist, or you don't have READ_TABLE on it.", 19],
  ['SELECT foo(1)', 'The function "foo" isn\'t available in queries.', 8],
  ['SELECT 1 frm t', 'The query can\'t be parsed: syntax error at or near "t".', 14],
  ['SELECT a, a FROM t', 'Binder Error: Referenced column "a" not found in FROM clause!', undefined],
  ['SELECT /* a */ a FROM t', 'Binder Error: Referenced column "a" not found in FROM clause!', undefined],
  ['SELECT 1', 'Out of memory', undefined],
])('%s', (sql, message, position) => {
  expect(errorPosition(sql, message)).toBe(position);
});
