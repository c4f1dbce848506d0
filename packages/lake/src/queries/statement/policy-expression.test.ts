import { DuckDBInstance } from '@duckdb/node-api';
import { isAggregate, SCALAR_FUNCTIONS, SET_FUNCTIONS } from './functions.ts';
import { readPolicyTrees } from './policy-expression.ts';

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const parse = async (sql: string) =>
  String((await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql])).getRows()[0]![0]);
const read = async (text: string) =>
  readPolicyTrees(await parse(`SELECT\n${text}`), await parse(`SELECT (\n${text}\n)`));

test.each([
  ['*', '*'],
  ['columns(*)', '*'],
  ["columns('sal.*')", '*'],
  ['*columns(*)', '*'],
  ['salary.*', '*'],
  ['unnest([1, 2])', 'unnest'],
  ["regexp_split_to_table(salary, '')", 'regexp_split_to_table'],
  ['generate_subscripts([1, 2], 1)', 'generate_subscripts'],
  ['max(salary)', 'max'],
  ['json_group_array(salary)', 'json_group_array'],
  ['geomean(salary)', 'geomean'],
  ['count(*) filter (where id > 1)', 'count'],
  ['lower(distinct salary)', 'lower'],
  ['lag(salary) over (order by id)', 'lag'],
  ['first_value(salary) over ()', 'first_value'],
  ['(select 1)', 'query'],
  ['exists (select 1)', 'query'],
  ['id in (select 1)', 'query'],
  ['id = any([1])', 'query'],
  ['#1', 'POSITIONAL'],
  ['grouping(id)', 'GROUPING'],
  ['list_transform([1], x -> max(x))', 'max'],
  ['1 as one', 'single expression'],
  ['1, 2', 'single expression'],
  ['1 from people', 'single expression'],
  ['1 order by 1', 'single expression'],
  ['1) + (1', 'single expression'],
  ['salary >=', 'syntax'],
])('%p is not one scalar', async (text, named) => {
  for (const spelling of [text, `(${text}) is not null`].slice(0, /^1|=$/.test(text) ? 1 : 2)) {
    expect(await read(spelling)).toMatchObject({ ok: false });
  }
  expect(await read(text)).toMatchObject({ ok: false, reason: expect.stringContaining(named) });
});

test.each([
  ["case when id > 1 then left(salary, 1) else coalesce(salary, '?') end", ['id', 'salary'], []],
  ["list_transform(string_split(salary, '0'), x -> upper(x) || team)", ['salary', 'team'], ['x']],
  ['[x for x in tags if x > y]', ['tags', 'y'], ['x', 'elem']],
  ["payload -> 'a'", [], ['payload']],
  ['(salary || team).upper()', ['salary', 'team'], []],
  ['address.city.upper()', ['address'], []],
  ["(address).city in ('a', 'b') and address['city'] is not null", ['address'], []],
  ["{'a': salary}.a", ['salary'], []],
  ["list_aggregate([salary], 'max')", ['salary'], []],
  ['try(salary::int) between 1 and 2', ['salary'], []],
  ['day < current_date', ['day'], ['current_date']],
  ['salary -- a comment', ['salary'], []],
])('%p names %p, and perhaps %p', async (text, columns, otherNames) => {
  const found = await read(text);
  if (!found.ok) throw new Error(found.reason);
  expect([...found.columns].sort()).toEqual([...columns].sort());
  expect([...found.possibleNames].sort()).toEqual([...otherNames].sort());
});

test.each([
  ['NULL', 'null', false],
  ['-1', expect.objectContaining({ text: '-1' }), false],
  ['0.50', expect.objectContaining({ text: '0.50' }), false],
  ["'x'", null, false],
  ['true', null, false],
  ['a::int', null, true],
  ["DATE '2000-01-01'", null, true],
  ['a::int + 1', null, false],
])('%p is the literal %p, states its type: %p', async (text, literal, statesType) => {
  expect(await read(text)).toMatchObject({ ok: true, literal, statesType });
});

test('every macro of the engine that returns several rows, or one for many, is known', async () => {
  const rows = await connection.runAndReadAll(
    "select distinct lower(function_name), macro_definition from duckdb_functions() where function_type = 'macro'",
  );
  const aggregates = await connection.runAndReadAll(
    "select distinct lower(function_name) from duckdb_functions() where function_type = 'aggregate'",
  );
  const names = new Set(aggregates.getRows().map(([name]) => String(name)));
  const calls = (text: string) => [...text.matchAll(/([a-z_0-9]+)\(/g)].map((match) => match[1]!);
  const known = (name: string) => SET_FUNCTIONS.has(name) || isAggregate(name) || !SCALAR_FUNCTIONS.has(name);
  const missed = rows
    .getRows()
    .map(([name, definition]) => [String(name), String(definition)] as const)
    .filter(([name, text]) => calls(text).some((call) => names.has(call) || SET_FUNCTIONS.has(call)) && !known(name))
    .map(([name]) => name);
  expect(missed).toEqual([]);
});
