import { excerptOf } from './error-excerpt.ts';

test.each<[string, string, string[]]>([
  ['selct 1', 'syntax error at or near "selct"', ['  selct 1', '  ^']],
  [
    "SELECT id,\n  '😀', nme\nFROM shop.orders\n",
    'The column "nme" doesn\'t exist.',
    ["  line 2:   '😀', nme", '                 ^'],
  ],
  ['SELECT nme, nme FROM shop.orders', 'The column "nme" doesn\'t exist.', []],
  ['SELECT 1', 'Out of memory', []],
])('the place of an error in %p', (sql, message, lines) => {
  expect(excerptOf(sql, message)).toEqual(lines);
});
