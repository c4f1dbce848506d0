import { nextOrder, sortedIndexes } from './sort-rows.ts';
import { tsvOf } from './tsv.ts';

test('a click changes the order: ascending, descending, none', () => {
  const ascending = nextOrder(null, 1);
  const descending = nextOrder(ascending, 1);
  expect([ascending, descending, nextOrder(descending, 1), nextOrder(descending, 0)]).toEqual([
    { column: 1, isDescending: false },
    { column: 1, isDescending: true },
    null,
    { column: 0, isDescending: false },
  ]);
});

test.each([
  ['long', [10, 9, null, '9007199254740993', '9007199254740992'], [1, 0, 4, 3, 2]],
  ['decimal(10,2)', ['10.00', '9.50', '-1'], [2, 1, 0]],
  [
    'decimal(38,2)',
    ['90071992547409931.10', '90071992547409930.20', null, '-0.01', '-1.00', '0.00'],
    [4, 3, 5, 1, 0, 2],
  ],
  ['double', ['NaN', 1, '-Infinity'], [2, 1, 0]],
  ['string', ['b', null, 'B', 'a'], [2, 3, 0, 1]],
  ['boolean', [true, false], [1, 0]],
])('values of %s: %j', (type, values, ascending) => {
  const rows = values.map((value) => [value]);
  const isNull = (index: number) => values[index] === null || values[index] === 'NaN';
  const descending = [...ascending.filter((at) => !isNull(at)).reverse(), ...ascending.filter(isNull)];
  expect(sortedIndexes(rows, type, { column: 0, isDescending: false })).toEqual(ascending);
  expect(sortedIndexes(rows, type, { column: 0, isDescending: true })).toEqual(descending);
});

test('equal values stay in their order', () =>
  expect(sortedIndexes([[1], [0], [1]], 'int', { column: 0, isDescending: true })).toEqual([0, 2, 1]));

test('cells with tabs, lines or quotes are quoted', () =>
  expect(
    tsvOf({
      columns: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'long' },
      ],
      rows: [
        ['x\ty', 1],
        ['say "hi"\n', null],
        [{ a: 1 }, false],
      ],
    }),
  ).toBe('a\tb\n"x\ty"\t1\n"say ""hi""\n"\t\n"{""a"":1}"\tfalse'));

test('a spreadsheet runs no pasted text as a formula (QUERY-22)', () =>
  expect(
    tsvOf({
      columns: [
        { name: '=a', type: 'string' },
        { name: 'b', type: 'decimal(3,1)' },
      ],
      rows: [
        ['=1+1', '-1.5'],
        [null, null],
      ],
    }),
  ).toBe("'=a\tb\n'=1+1\t-1.5\n\t"));
