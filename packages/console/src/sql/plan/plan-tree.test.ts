import { type PlanRow, planText, planTree } from './plan-tree.ts';

const row = (depth: number, operator: string, more: Partial<PlanRow> = {}): PlanRow => ({
  ...{ depth, operator, table: null, details: null, estimated_rows: null },
  ...more,
});
const ROWS = [
  row(0, 'PROJECTION', { estimated_rows: 1 }),
  row(1, 'HASH_JOIN', { details: 'Join Type: INNER\nConditions: a = b', estimated_rows: 1200 }),
  row(2, 'SCAN', { table: 's.a' }),
  row(2, 'FILTER'),
  row(3, 'SCAN', { table: 's.b' }),
];

test('the rows of a plan become a tree', () => {
  const names = (nodes: ReturnType<typeof planTree>): unknown[] =>
    nodes.map(({ operator, table, children }) => [table ?? operator, ...names(children)]);
  expect(names(planTree(ROWS))).toEqual([['PROJECTION', ['HASH_JOIN', ['s.a'], ['FILTER', ['s.b']]]]]);
  expect(planTree([])).toEqual([]);
  // A row can't be deeper than a child of the row before.
  expect(names(planTree([row(0, 'A'), row(7, 'B')]))).toEqual([['A', ['B']]]);
});

test('a plan is copied as indented text', () => {
  expect(planText(ROWS)).toBe(`PROJECTION · about 1 row
  HASH_JOIN · about 1,200 rows
      Join Type: INNER
      Conditions: a = b
    SCAN · s.a
    FILTER
      SCAN · s.b`);
});
