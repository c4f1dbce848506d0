import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Relation, tableKey } from './index.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
let tables: (readonly [string, Relation])[];
/** The engines that were opened or used again, in order. */
let requested: string[] = [];

beforeAll(async () => {
  f = await QueryFixture.create();
  await f.addTable('s.t', [{ name: 'n', type: 'int' }], 'SELECT unnest([1, 2, 3]) AS n');
  await f.addTable('s.u', [{ name: 'n', type: 'int' }], 'SELECT 7 AS n');
  tables = [...f.relations];
  const { take } = f.sandbox;
  const watched = new WeakSet();
  f.sandbox.take = async (...args) => {
    const child = await take.apply(f.sandbox, args);
    if (watched.has(child)) return child;
    watched.add(child);
    const { send } = child;
    child.send = (request) => {
      if (['confine', 'use', 'renew', 'result'].includes(request.op)) requested.push(request.op);
      return send.call(child, request) as never;
    };
    return child;
  };
});
afterAll(() => f.close());
beforeEach(() => {
  for (const [name, relation] of tables) f.relations.set(name, relation);
  requested = [];
});

let owners = 0;
const newOwner = () => `owner-${++owners}`;

async function rowsFor(owner: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const outcome = await f.query(sql, { owner });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.rows!;
}

const SUM = 'SELECT sum(n)::INT AS s FROM s.t';

test('queries of one owner over the same snapshots are run by one engine', async () => {
  const ann = newOwner();
  expect(await rowsFor(ann, SUM)).toEqual([[6]]);
  expect(requested).toEqual(['confine', 'result']);
  requested = [];
  expect(await rowsFor(ann, SUM)).toEqual([[6]]);
  expect(await rowsFor(ann, 'SELECT n FROM s.t ORDER BY n LIMIT 1')).toEqual([[1]]);
  expect(await rowsFor(ann, 'SELECT n FROM s.t ORDER BY n')).toEqual([[1], [2], [3]]);
  expect(requested.filter((op) => op !== 'renew' && op !== 'use')).toEqual(['result', 'result', 'result']);
});

test('another owner never gets that engine, nor its process', async () => {
  const [ann, bob] = [newOwner(), newOwner()];
  await rowsFor(ann, SUM);
  requested = [];
  expect(await rowsFor(bob, SUM)).toEqual([[6]]);
  expect(requested).toContain('confine');
});

test('other tables, another snapshot and another policy each get another engine, and an engine serves its own again', async () => {
  const ann = newOwner();
  const stored = f.relations.get('s.t')!;
  expect(await rowsFor(ann, SUM)).toEqual([[6]]);
  expect(await rowsFor(ann, 'SELECT n FROM s.u LIMIT 5')).toEqual([[7]]);
  f.relations.set('s.t', { ...stored, rowFilters: [{ predicate: 'n > 1' }] } as never);
  expect(await rowsFor(ann, SUM)).toEqual([[5]]);
  f.relations.set('s.t', { ...stored, masks: [{ column: 'n', expression: '0' }] } as never);
  expect(await rowsFor(ann, SUM)).toEqual([[0]]);
  await f.addTable('s.later', [{ name: 'n', type: 'int' }], 'SELECT 40 AS n');
  f.relations.set('s.t', f.relations.get('s.later')!);
  expect(await rowsFor(ann, SUM)).toEqual([[40]]);
  expect(requested.filter((op) => op === 'confine')).toHaveLength(5);
  requested = [];
  f.relations.set('s.t', stored);
  expect(await rowsFor(ann, SUM)).toEqual([[6]]);
  expect(await rowsFor(ann, 'SELECT max(n) AS m FROM s.u')).toEqual([[7]]);
  expect(requested.filter((op) => op === 'confine')).toEqual([]);
});

test("a table whose rights are gone can't be read, although an engine can still read its files", async () => {
  const ann = newOwner();
  await rowsFor(ann, SUM);
  await rowsFor(ann, 'SELECT n FROM s.u LIMIT 5');
  f.relations.delete(tableKey(['s', 't']));
  for (const sql of [SUM, 'SELECT count(*) FROM s.t, s.u', 'SELECT (SELECT max(n) FROM s.t) FROM s.u']) {
    expect(await f.query(sql, { owner: ann })).toMatchObject({ ok: false, error: { code: 'table-not-found' } });
  }
  // Whatever a statement that the guard let through named, its engine has only the views of its own plan.
  expect(await rowsFor(ann, 'SELECT n FROM s.u LIMIT 5')).toEqual([[7]]);
});

test('an engine whose query failed runs no other query', async () => {
  const ann = newOwner();
  await rowsFor(ann, SUM);
  const failing = "SELECT sum(n + CAST('x' || n AS INT)) AS s FROM s.t";
  expect(await f.query(failing, { owner: ann })).toMatchObject({ ok: false });
  requested = [];
  expect(await rowsFor(ann, SUM)).toEqual([[6]]);
  expect(requested).toContain('confine');
});

test('more engines than a child retains: the oldest are closed', async () => {
  const ann = newOwner();
  const names = Array.from({ length: 12 }, (_, i) => `s.many${i}`);
  for (const [i, name] of names.entries())
    await f.addTable(name, [{ name: 'n', type: 'int' }], `SELECT ${i}::INT AS n`);
  for (let round = 0; round < 2; round++)
    for (const [i, name] of names.entries())
      expect(await rowsFor(ann, `SELECT max(n) AS m FROM ${name}`)).toEqual([[i]]);
});

test('many queries of one owner at once, over changing tables, never mix', async () => {
  const ann = newOwner();
  const sums = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const [table, expected] = i % 3 === 0 ? ['s.u', 7 + i] : ['s.t', 6 + i];
      const [[value]] = (await rowsFor(
        i % 2 === 0 ? ann : 'other',
        `SELECT (sum(n) + ${i})::INT AS s FROM ${table}`,
      )) as [[unknown]];
      return [value, expected];
    }),
  );
  for (const [value, expected] of sums) expect(value).toBe(expected);
});

test('a child whose folder for results is gone is replaced, and one that could not be made is made later', async () => {
  const ann = newOwner();
  const sql = 'SELECT n, n + 1 AS m FROM s.t ORDER BY n';
  const rows = await rowsFor(ann, sql);
  const stages = path.join(f.warehouse, '.stages');
  await rm(stages, { recursive: true });
  expect(await rowsFor(ann, sql)).toEqual(rows);

  const bob = newOwner();
  await rm(stages, { recursive: true });
  await writeFile(stages, 'in the way');
  await expect(f.query(sql, { owner: bob })).rejects.toThrow();
  await rm(stages);
  await rowsFor(bob, sql);
});
