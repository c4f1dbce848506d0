import { errorPosition } from './error-position.ts';

test.each<[string, string, number | undefined]>([
  ['SELECT nothing FROM shop.orders', 'The column "nothing" doesn\'t exist.', 8],
  ["SELECT '😀', nothing FROM t", 'The column "nothing" doesn\'t exist.', 13],
  ['SELECT "No" FROM t', 'The column "No" doesn\'t exist.', 8],
  ['SELECT * FROM shop.order', "The table shop.order doesn't exist, or you don't have READ_TABLE on it.", 15],
  ['SELECT order FROM shop."order"', "The table shop.order doesn't exist, or you don't have READ_TABLE on it.", 19],
  ['SELECT foo(1)', 'The function "foo" isn\'t available in queries.', 8],
  ['SELECT 1 frm t', 'The query can\'t be parsed: syntax error at or near "t".', 14],
  ['SELECT a, a FROM t', 'The column "a" doesn\'t exist.', undefined],
  ['SELECT /* a */ a FROM t', 'The column "a" doesn\'t exist.', undefined],
  ['SELECT 1', 'Out of memory', undefined],
])('%s', (sql, message, position) => {
  expect(errorPosition(sql, message)).toBe(position);
});
