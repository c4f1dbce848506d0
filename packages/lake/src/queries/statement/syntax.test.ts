import { QueryFixture } from '../testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

test('the text of a statement is remembered, and not what it meant', async () => {
  await f.addTable('s.a', [{ name: 'n', type: 'int' }], 'SELECT 7 AS n');
  await f.addTable('s.b', [{ name: 'n', type: 'string' }], "SELECT 'x' AS n");
  const asked = 'select n from s.a order by n';
  expect(await f.rows(asked)).toEqual([[7]]);
  f.relations.set('s.a', f.relations.get('s.b')!);
  expect(await f.rows(asked)).toEqual([['x']]);
  f.relations.delete('s.a');
  expect(await f.query(asked)).toMatchObject({ ok: false, error: { code: 'table-not-found' } });
});

test('what is refused is refused again', async () => {
  const asked = "select * from read_csv('/etc/passwd')";
  const [first, second] = [await f.query(asked), await f.query(asked)];
  expect(first).toMatchObject({ ok: false });
  expect(second).toEqual(first);
});

test('a text is asked for once, and what takes too much is let go', async () => {
  await f.sandbox.withChild(async (child) => {
    const asked: string[] = [];
    const counted = Object.assign(Object.create(child) as typeof child, {
      ask: (request: { op: 'read'; sql: string }) => {
        asked.push(request.sql.slice(0, 10));
        return child.ask(request);
      },
    });
    const { syntax } = f.sandbox;
    const long = `select '${'x'.repeat(3_000_000)}'`;
    for (const sql of ['select 1', 'select 1', long, 'select 1', long, 'select 2', 'select 1'])
      await syntax.statement(counted, sql);
    expect(asked).toEqual(['select 1', "select 'xx", 'select 2']);
    await syntax.statement(counted, `${long} x`);
    await syntax.statement(counted, long);
    expect(asked.slice(3)).toEqual(["select 'xx", "select 'xx"]);
  });
});
