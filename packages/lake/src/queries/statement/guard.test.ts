import { DuckDBInstance } from '@duckdb/node-api';
import {
  AGGREGATE_FUNCTIONS,
  DISPATCHING_FUNCTIONS,
  isAllowedFunction,
  REFUSED_FAMILIES,
  REFUSED_FUNCTIONS,
  SCALAR_FUNCTIONS,
  VOLATILE_FUNCTIONS,
} from './functions.ts';
import { guard } from './guard.ts';

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const parse = async (sql: string) =>
  String((await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql])).getRows()[0]![0]);
const tables = async (sql: string) => {
  const result = guard(await parse(sql));
  return result.ok ? result.tables.map((t) => t.join('.')) : result;
};

test.each([
  ['select * from a, b.c, d.e.f, "x.y".z', ['a', 'b.c', 'd.e.f', 'x.y.z']],
  ['select * from t, T, "t"', ['t']],
  ['with t as (select * from u) select * from t', ['u']],
  ['with t as (select * from t) select * from t', ['t']],
  ['with t as (select 1), u as (select * from t) select * from u, v', ['v']],
  ['with u as (select * from t), t as (select 1) select * from u', ['t']],
  ['with recursive t as (select 1 union select * from t) select * from t', []],
  ['select * from (with t as (select 1) select * from t), t', ['t']],
  ['with t as (select 1) select * from s.t', ['s.t']],
  ['with t as (select 1) select (select count(*) from t), exists (select 1 from u)', ['u']],
  ['with T as (select 1) select * from t', []],
  ["select * from 'x.csv'", ['x.csv']],
])('%s names %p', async (sql, expected) => {
  const found = await tables(sql);
  expect(Array.isArray(found) ? [...found].sort() : found).toEqual([...expected].sort());
});

test('every function of the engine is decided on', async () => {
  const rows = (
    await connection.runAndReadAll(
      "select distinct lower(function_name) from duckdb_functions() where function_type in ('scalar', 'aggregate', 'macro')",
    )
  ).getRows();
  const names = rows.map((r) => String(r[0]));
  const known = (n: string) =>
    SCALAR_FUNCTIONS.has(n) || AGGREGATE_FUNCTIONS.has(n) || DISPATCHING_FUNCTIONS.has(n) || REFUSED_FUNCTIONS.has(n);
  expect(names.filter((n) => !known(n) && !REFUSED_FAMILIES.test(n))).toEqual([]);
  const allowed = [...SCALAR_FUNCTIONS, ...AGGREGATE_FUNCTIONS].filter((n) => n !== 'unnest');
  expect(allowed.filter((n) => !names.includes(n))).toEqual([]);
  expect(allowed.filter((n) => REFUSED_FUNCTIONS.has(n))).toEqual([]);
});

test('every function that the engine calls volatile is on the list', async () => {
  const rows = (
    await connection.runAndReadAll(
      "select distinct lower(function_name) from duckdb_functions() where stability <> 'CONSISTENT'",
    )
  ).getRows();
  const allowed = rows.map((row) => String(row[0])).filter(isAllowedFunction);
  expect(allowed.length).toBeGreaterThan(5);
  expect(allowed.filter((name) => !VOLATILE_FUNCTIONS.has(name))).toEqual([]);
  expect([...VOLATILE_FUNCTIONS].filter((name) => !isAllowedFunction(name))).toEqual([]);
});

test('unknown nodes and fields are rejected wherever they are', async () => {
  const tree = JSON.parse(await parse('select a + 1 from t where b group by c order by d limit 1'));
  const node = tree.statements[0].node;
  const changes: (() => void)[] = [
    () => Object.assign(node, { new_clause: { anything: 1 } }),
    () => Object.assign(node, { type: 'NEW_NODE' }),
    () => Object.assign(node.from_table, { type: 'NEW_REF' }),
    () => Object.assign(node.select_list[0], { class: 'NEW_CLASS' }),
    () => Object.assign(node.select_list[0], { hidden: [{ class: 'COLUMN_REF' }] }),
    () => Object.assign(node.modifiers[0], { type: 'NEW_MODIFIER' }),
    () => Object.assign(node.where_clause, { alias: { class: 'SUBQUERY' } }),
    () => Object.assign(node.from_table, { at_clause: { unit: 'x' } }),
    () => Object.assign(tree.statements[0], { named_param_map: [{ key: 'a', value: 1 }] }),
    () => Object.assign(node.select_list[0], { class: 'constructor' }),
  ];
  const whole = JSON.stringify(tree);
  expect(guard(whole).ok).toBe(true);
  for (const change of changes) {
    const before = structuredClone(tree);
    change();
    expect(guard(JSON.stringify(tree))).toMatchObject({ ok: false });
    Object.assign(tree, before);
    Object.assign(node, before.statements[0].node);
    tree.statements[0].node = node;
    for (const key of Object.keys(node)) if (!(key in before.statements[0].node)) delete node[key];
  }
});

test('a number that is too large is a parse error', async () => {
  expect(guard(await parse('select -1e400'))).toEqual({
    ok: false,
    code: 'parse-error',
    message: 'The query contains a number that is too large for a double.',
  });
});

test('a parse error has a position', async () => {
  expect(guard(await parse('select * frm t'))).toMatchObject({
    ok: false,
    code: 'parse-error',
    position: expect.any(Number),
  });
});
