import { errorRange } from './error-range.ts';

test.each([
  ['selec 1', `The query can't be parsed: syntax error at or near "selec".`, { from: 0, to: 5 }],
  ['select 1 +\n', `The query can't be parsed: syntax error at end of input.`, { from: 9, to: 10 }],
  ['select nope from t', 'The column "nope" doesn\'t exist.', { from: 7, to: 11 }],
  ['select nope, nope from t', 'The column "nope" doesn\'t exist.', null],
  ['select no from nope', 'The column "no" doesn\'t exist.', { from: 7, to: 9 }],
  [
    'select * from Sales.Ordrs',
    "The table sales.ordrs doesn't exist, or you don't have READ_TABLE on it.",
    { from: 14, to: 25 },
  ],
  ['select 1', 'The query was cancelled.', null],
  ['', `syntax error at end of input`, null],
])('%j: %s', (sql, message, range) => expect(errorRange(sql, message)).toEqual(range));
