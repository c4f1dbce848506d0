import {
  batchesOf,
  countsSql,
  edgesOf,
  hasProfile,
  type Measures,
  measuresSql,
  readCounts,
  readMeasures,
} from './profile-sql.ts';

const table = { namespace: 'sales.eu', name: 'orders' };
const measured = (change: Partial<Measures>): Measures => ({
  name: 'a',
  type: 'double',
  rows: 10,
  nulls: 0,
  distinct: 10,
  min: null,
  max: null,
  axis: null,
  frequent: [],
  ...change,
});

test.each([
  ['decimal(10,2)', true],
  ['timestamptz', true],
  ['uuid', true],
  ['binary', false],
  ['list<int>', false],
  ['struct<a: int>', false],
  ['int[]', false],
  ['constructor', false],
])('a column of type %s has a profile: %s', (type, expected) => expect(hasProfile({ type })).toBe(expected));

test('many columns are profiled in several statements, those without a profile in none', () => {
  const columns = Array.from({ length: 200 }, (_, index) => ({ name: `c${index}`, type: 'int' }));
  expect(batchesOf([...columns, { name: 'raw', type: 'binary' }]).map(({ length }) => length)).toEqual(
    Array.from({ length: 5 }, () => 40),
  );
  expect(batchesOf([])).toEqual([]);
});

test('names and values are quoted', () => {
  const name = 'a" FROM x; --';
  expect(measuresSql(table, [{ name, type: 'string' }])).toContain('count("a"" FROM x; --")');
  expect(measuresSql(table, []).endsWith('FROM "sales"."eu"."orders"')).toBe(true);
  expect(countsSql(table, [measured({ name, type: 'string', frequent: ["it's"] })])).toContain(
    `left(CAST("a"" FROM x; --" AS VARCHAR), 100) = 'it''s'`,
  );
});

test('the ranges cover all values', () => {
  expect(edgesOf(measured({ type: 'int', axis: { low: 3, high: 5 } }))).toEqual([3, 4, 5, 6]);
  const edges = edgesOf(measured({ axis: { low: 0.1, high: 0.7 } }));
  expect([edges.length, edges[0], edges.at(-1)]).toEqual([11, 0.1, 0.7]);
  expect(edgesOf(measured({ type: 'int', axis: { low: 0, high: 9 } }))).toHaveLength(11);
  expect(edgesOf(measured({ axis: { low: 1, high: 1 } }))).toEqual([]);
  expect(edgesOf(measured({ axis: { low: -1.7e308, high: 1.7e308 } }))).toEqual([]);
});

test('the results are read in the order of the statements', () => {
  const columns = [
    { name: 'a', type: 'int' },
    { name: 'b', type: 'string' },
  ];
  const row = [4, 1, 3, '1', '3', 1, 3, null, 0, 2, 'x', 'y', null, null, ['x', 'y']];
  const measures = readMeasures(columns, row);
  expect(measures).toEqual([
    measured({ name: 'a', type: 'int', rows: 4, nulls: 1, distinct: 3, min: '1', max: '3', axis: { low: 1, high: 3 } }),
    measured({ name: 'b', type: 'string', rows: 4, distinct: 2, min: 'x', max: 'y', frequent: ['x', 'y'] }),
  ]);
  const [a, b] = readCounts(measures, [1, 1, 1, 1, 3]);
  expect(a?.bars).toEqual([1, 1, 1]);
  expect(b?.top).toEqual([
    { value: 'y', rows: 3 },
    { value: 'x', rows: 1 },
  ]);
  expect(countsSql(table, [measured({})])).toBeNull();
});
