import { readStatements } from './index.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

const read = async (sql: string) => (await readStatements(f.sandbox, { statements: [sql] }))[0]!;

describe('the tables a SELECT reads', () => {
  test.each([
    ['select * from a.b', ['a.b']],
    ['with t as (select * from a.b) select * from t join c.d on true', ['a.b', 'c.d']],
    ['select * from a.b x, "C"."d e" y where x.n = y.m', ['a.b', 'C.d e']],
    ["select 'from q.r' as t, x.y -- from z.z\nfrom a.b /* join n.n */ x", ['a.b']],
    ['select extract(year from t.started) from a.b t', ['a.b']],
    ['select * from (select * from a.b, a.c) s, lateral (select 1 from n.m.o) x', ['a.b', 'a.c', 'n.m.o']],
    ['select * from a.b where id in (select id from A.B) union all from c.d', ['a.b', 'A.B', 'c.d']],
    ['select a.b is distinct from c.d from e.f', ['e.f']],
    ["select $$ from x.y $$, E'it\\'s from x.y' from a.b", ['a.b']],
    ['select * from (a.b join c.d using (x)) order by 1', ['a.b', 'c.d']],
    ['select 1', []],
  ])('%s', async (sql, expected) => {
    const outcome = await read(sql);
    expect(outcome.ok && outcome.tables.map(({ name }) => name.join('.'))).toEqual(expected);
  });
});

test('names and errors are found at their position, whatever precedes it', async () => {
  const sql = "select 'äöü€𝄞' as x, amout from a.b";
  expect(await read(sql)).toEqual({
    ok: true,
    tables: [{ name: ['a', 'b'], position: sql.indexOf('a.b') }],
    columns: [{ name: ['amout'], position: sql.indexOf('amout') }],
  });
  const broken = "select '€𝄞' as x\nfrom a.b were 1";
  expect(await read(broken)).toMatchObject({
    ok: false,
    error: { code: 'parse-error', position: broken.indexOf('1', broken.indexOf('were')) },
  });
  const refused = "select '€', read_text('x')";
  expect(await read(refused)).toMatchObject({
    ok: false,
    error: { code: 'function-not-allowed', position: refused.indexOf('read_text') },
  });
});

test('several statements are read at once, each by itself', async () => {
  const reads = await readStatements(f.sandbox, { statements: ['select 1', 'select 1 +', 'drop table x', 'select 2'] });
  expect(reads.map((one) => (one.ok ? null : one.error.code))).toEqual([null, 'parse-error', 'not-a-select', null]);
});

test('a cancelled reading ends with the reason', async () => {
  const reads = await readStatements(f.sandbox, { statements: ['select 11'], signal: AbortSignal.abort() });
  expect(reads).toMatchObject([{ ok: false, error: { code: 'cancelled' } }]);
});

describe('a statement of another system names what to use instead', () => {
  test.each([
    ['create table a.b (id int)', 'svc table create'],
    ['create or replace table a.b as select 1', 'svc sql with --into'],
    ['-- a view\nCREATE OR REPLACE MATERIALIZED VIEW a.v AS SELECT 1', '`kind: view`'],
    ['create schema if not exists a', 'svc ns create'],
    ['drop table a.b', 'svc table delete'],
    ['alter table a.b add column c int', 'svc table alter'],
    ['use a', 'svc sql --env'],
    ['grant select on a.b to ann', 'svc grant create'],
    ["copy into a.b from '@stage/x.csv'", 'svc table load'],
    ['optimize a.b zorder by (id)', 'svc table maintain'],
    ['undrop table a.b', 'svc table undrop'],
  ])('%s', async (sql, instead) => {
    expect(await read(sql)).toMatchObject({
      ok: false,
      error: { code: 'not-a-select', message: expect.stringContaining(instead) },
    });
  });

  test('but not one that only contains such words', async () => {
    expect(await read('select 1 as use')).toMatchObject({ ok: true });
    expect(await read('selec 1 -- use a')).toMatchObject({ error: { code: 'parse-error' } });
    expect(await read('"grant" select')).toMatchObject({ error: { code: 'parse-error' } });
  });
});
