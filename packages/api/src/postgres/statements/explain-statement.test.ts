import { parseStatement } from './parse-statement.ts';
import { splitStatements } from './split.ts';

const parsed = (sql: string) => parseStatement(splitStatements(sql)[0]!);

test.each([
  ['EXPLAIN SELECT 1', ' SELECT 1'],
  ['explain verbose select 1;', '         select 1'],
  ['EXPLAIN (SELECT 1)', ' (SELECT 1)'],
  ['EXPLAIN ((SELECT 1))', ' ((SELECT 1))'],
  ['EXPLAIN (VERBOSE, COSTS off) SELECT 1', '                      SELECT 1'],
  ["EXPLAIN (FORMAT 'text', ANALYZE false) (SELECT $1)", `${' '.repeat(32)}(SELECT $1)`],
  ['EXPLAIN FROM sales.orders', ' FROM sales.orders'],
  ['EXPLAIN', ''],
  ['EXPLAIN (VERBOSE)', ''],
])('the query of %j (POSTGRES-18)', (sql, query) => expect(parsed(sql)).toEqual({ kind: 'explain', sql: query }));

test.each([
  ['EXPLAIN ANALYZE SELECT 1', 'EXPLAIN ANALYZE'],
  ['EXPLAIN VERBOSE ANALYZE SELECT 1', 'EXPLAIN ANALYZE'],
  ['EXPLAIN (VERBOSE, ANALYSE) SELECT 1', 'EXPLAIN ANALYZE'],
  ['EXPLAIN (ANALYZE on) SELECT 1', 'EXPLAIN ANALYZE'],
  ['EXPLAIN (FORMAT json) SELECT 1', 'EXPLAIN with FORMAT JSON'],
  ["EXPLAIN (COSTS, FORMAT 'xml') SELECT 1", 'EXPLAIN with FORMAT XML'],
])('%j is refused with the remedy (POSTGRES-18)', (sql, what) =>
  expect(parsed(sql)).toEqual({ kind: 'unsupported', what, hint: expect.stringContaining('Leave out') }),
);
