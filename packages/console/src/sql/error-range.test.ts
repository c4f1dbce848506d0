import { errorRange } from './error-range.ts';

test.each([
  ['selec 1', `The query can't be parsed: syntax error at or near "selec".`, { from: 0, to: 5 }],
  ['select 1 +\n', `The query can't be parsed: syntax error at end of input.`, { from: 9, to: 10 }],
  ['select nope from t', 'Binder Error: Referenced column "nope" not found in FROM clause!', { from: 7, to: 11 }],
  ['select nope, nope from t', 'Binder Error: Referenced column "nope" not found in FROM clause!', null],
  ['select no from nope', 'Binder Error: Referenced column "no" not found in FROM clause!', { from: 7, to: 9 }],
  [
    'select * from Sales.Ordrs',
    "The table sales.ordrs doesn't exist, or you don't have READ_TABLE on it.",
    { from: 14, to: 25 },
  ],
  ['select 1', 'The query was cancelled.', null],
  ['', `syntax error at end of input`, null],
])('%j: %s', (sql, message, range) => expect(errorRange(sql, message)).toEqual(range));
