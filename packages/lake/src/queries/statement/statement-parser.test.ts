import type { EngineChild } from '../sandbox/child-process.ts';
import { QueryFixture } from '../testing/query-fixture.ts';
import { nodesOf } from './nodes.ts';
import type { ReadStatement } from './read-statement.ts';
import { StatementParser } from './statement-parser.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

test('the text of a statement is remembered, and not what it meant', async () => {
  await f.addTable('s.a', [{ name: 'n', type: 'int' }], 'SELECT 7 AS n');
  await f.addTable('s.b', [{ name: 'n', type: 'string' }], "SELECT 'x' AS n");
  const requests = 'select n from s.a order by n';
  expect(await f.rows(requests)).toEqual([[7]]);
  f.relations.set('s.a', f.relations.get('s.b')!);
  expect(await f.rows(requests)).toEqual([['x']]);
  f.relations.delete('s.a');
  expect(await f.query(requests)).toMatchObject({ ok: false, error: { code: 'table-not-found' } });
});

test('what is refused is refused again', async () => {
  const requests = "select * from read_csv('/etc/passwd')";
  const [first, second] = [await f.query(requests), await f.query(requests)];
  expect(first).toMatchObject({ ok: false });
  expect(second).toEqual(first);
});

test.each([
  ['SELECT sum(1)', 1],
  ['SELECT 1 LIMIT 5', 5],
  ['SELECT sum(1), unnest([1, 2, 3])', null],
  ['SELECT sum(1), 1 + Unnest([1, 2, 3])', null],
  ['SELECT sum(1), generate_subscripts([1, 2, 3], 1)', null],
  ['SELECT sum(1), unnest([1, 2, 3]) LIMIT 2', 2],
])('the maximum number of rows of %s is %p', async (sql, maxRows) => {
  await f.sandbox.withChild(async (child) => {
    expect(await f.sandbox.syntax.statement(child, sql)).toMatchObject({ ok: true, maxRows });
  });
});

/** The requests that reach the child, by the start of their text. */
function counting(child: EngineChild): { readonly child: EngineChild; readonly requests: string[] } {
  const requests: string[] = [];
  const send = (request: { op: 'read'; sql: string }) => {
    requests.push(request.sql.slice(0, 10));
    return child.send(request);
  };
  return { child: Object.assign(Object.create(child), { send }), requests };
}

test('a text is parsed once, and large entries are evicted', async () => {
  await f.sandbox.withChild(async (child) => {
    const { child: counted, requests } = counting(child);
    const { syntax } = f.sandbox;
    const long = `select '${'x'.repeat(3_000_000)}'`;
    for (const sql of ['select 1', 'select 1', long, 'select 1', long, 'select 2', 'select 1'])
      await syntax.statement(counted, sql);
    expect(requests).toEqual(['select 1', "select 'xx", 'select 2']);
    await syntax.statement(counted, `${long} x`);
    await syntax.statement(counted, long);
    expect(requests.slice(3)).toEqual(["select 'xx", "select 'xx"]);
  }, 'ann');
});

test('a process without an owner leaves nothing in the cache', async () => {
  const syntax = new StatementParser();
  for (let i = 0; i < 2; i++) {
    await f.sandbox.withChild(async (child) => {
      const { child: counted, requests } = counting(child);
      await syntax.statement(counted, 'select 1');
      await syntax.statement(counted, 'select 1');
      expect(requests).toEqual(['select 1', 'select 1']);
    });
  }
});

test('results of a process about a statement or a policy are used for its owner only', async () => {
  await f.addTable('s.own', [{ name: 'n', type: 'int' }], 'SELECT 1 AS n');
  await f.addTable('s.hidden', [{ name: 'n', type: 'int' }], 'SELECT 42 AS n', {
    rowFilters: [{ predicate: 'n < 0' }],
  });
  const { syntax } = f.sandbox;
  const [sql, predicate] = ['select n from s.own', 'n < 0'];
  await f.sandbox.withChild(async (child) => {
    const planted: ReadStatement = {
      ok: true,
      sql: 'SELECT 666',
      maxRows: 1,
      isDeterministic: true,
      usesCatalog: false,
      tables: [],
      columns: [],
      requested: [],
    };
    const expression = { ok: false, reason: 'planted' };
    const send = async ({ op }: { op: string }) => (op === 'read' ? planted : expression);
    const takenOver: EngineChild = Object.assign(Object.create(child), { send });
    await syntax.statement(takenOver, sql);
    await syntax.policy(takenOver, predicate);
    expect(await syntax.statement(child, sql)).toBe(planted);
    expect(await syntax.policy(child, predicate)).toBe(expression);
  }, 'eve');
  for (const owner of ['ann', undefined]) {
    const as = owner === undefined ? {} : { owner };
    expect(await f.query(sql, as)).toMatchObject({ ok: true, rows: [[1]] });
    expect(await f.query('select n from s.hidden', as)).toMatchObject({ ok: true, rows: [] });
  }
  expect(await f.query(sql, { owner: 'eve' })).toMatchObject({ ok: true, rows: [[666]] });
});

test("a text that starts like the cache key of an engine's view is not used instead of it", async () => {
  const [owner, view] = ['ann', { namespace: 's', catalog: null }];
  const { syntax } = f.sandbox;
  await f.sandbox.withChild(async (child) => {
    const ofView = await syntax.statement(child, 'select n from t', { view });
    expect(ofView).toMatchObject({ ok: true, tables: [{ name: ['s', 't'] }] });
    const keys = [
      `${JSON.stringify(view)}\0`,
      '\0',
      JSON.stringify([owner, { view }]),
      JSON.stringify([owner, {}]),
      JSON.stringify(['eve', {}]),
    ];
    for (const key of keys) {
      expect(await syntax.statement(child, `${key}select n from t`)).toMatchObject({ ok: false });
      expect(await syntax.statement(child, `${key}select n from t`, { view })).toMatchObject({ ok: false });
    }
    expect(await syntax.statement(child, 'select n from t', { view })).toBe(ofView);
    expect(await syntax.statement(child, 'select n from t')).toMatchObject({ ok: true, tables: [{ name: ['t'] }] });
  }, owner);
});

test('a list longer than a call may have arguments is walked like any other', async () => {
  const list = (count: number, part: string) => Array.from({ length: count }, () => part).join();
  expect(await f.query(`with a(${list(127_000, 'a')}) as (select 1) select 7 as n`)).toMatchObject({ rows: [[7]] });
  const constants = { children: Array.from({ length: 200_000 }, (_, i) => ({ class: 'CONSTANT', value: String(i) })) };
  expect(nodesOf(constants)).toHaveLength(200_001);
  // The tree of that many constants is larger than a tree may be.
  expect(await f.query(`select 1 where 1 in (${list(127_000, '1')})`)).toMatchObject({
    error: { code: 'not-supported', message: expect.stringContaining('too complex') },
  });
});
