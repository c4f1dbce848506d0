import { explainedStatement } from './explain.ts';

test.each([
  ['EXPLAIN SELECT 1', ' SELECT 1'],
  ['/* explain */ -- explain\nexplain\nSELECT 2', '\nSELECT 2'],
  ["EXPLAIN SELECT 'explain', ?", " SELECT 'explain', $1"],
  ['explain analyze select 1', ' analyze select 1'],
  ['EXPLAIN', ''],
  ['SELECT 1', null],
  ['explained', null],
  ["EXPLAIN SELECT 'open", null],
])('the statement after EXPLAIN of %j is %j (QUERY-19)', (sql, explained) => {
  expect(explainedStatement(sql)).toBe(explained);
});
