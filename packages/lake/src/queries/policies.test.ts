import { joinLocation } from '../storage/index.ts';
import type { Relation } from './index.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
let base: Extract<Relation, { kind: 'managed' }>;
beforeAll(async () => {
  f = await QueryFixture.create();
  const columns = [
    { name: 'id', type: 'long' },
    { name: 'team', type: 'string' },
    { name: 'salary', type: 'string' },
  ];
  const rows =
    "SELECT * FROM (VALUES (1::BIGINT, 'a', '100'), (2, 'b', 'secret-200'), (3, 'a', '300')) v(id, team, salary)";
  await f.addTable('hr.people', columns, rows);
  base = f.relations.get('hr.people') as typeof base;
});
afterAll(() => f.close());

const bind = (policies: object) => f.relations.set('hr.people', { ...base, ...policies });
const failed = async (sql: string) => {
  const outcome = await f.query(sql);
  if (outcome.ok) throw new Error(`${sql} ran`);
  return outcome.error;
};

test('filters combine with AND, masks apply in order', async () => {
  bind({ rowFilters: ["team = 'a'", 'id > 1'] });
  expect(await f.rows('select id from hr.people')).toEqual([[3]]);
  bind({
    masks: [
      { column: 'salary', expression: 'left(salary, 1)' },
      { column: 'salary', expression: "salary || '**'" },
      { column: 'TEAM', expression: 'null' },
    ],
  });
  expect(await f.rows('select * from hr.people order by id limit 1')).toEqual([[1, null, '1**']]);
  bind({ rowFilters: ["salary = '100'"], masks: [{ column: 'salary', expression: "'x'" }] });
  expect(await f.rows("select id, salary from hr.people where salary <> '100'")).toEqual([[1, 'x']]);
});

test('neither errors nor conditions tell about hidden rows', async () => {
  bind({ rowFilters: ["team = 'a'"] });
  expect(await f.rows('select sum(salary::int) from hr.people')).toEqual([['400']]);
  const probe =
    "select id from hr.people where case when salary like 'secret%' then cast('boom' as int) = 1 else true end";
  expect(await f.rows(`${probe} order by id`)).toEqual([[1], [3]]);
  expect(await f.rows("select count(*) from hr.people where salary like 'secret%'")).toEqual([[0]]);
});

test('a mask whose column is gone stops the query: the column may have been renamed', async () => {
  bind({ masks: [{ column: 'pay', expression: 'NULL' }] });
  expect(await failed('select id from hr.people')).toMatchObject({
    code: 'policy-invalid',
    message: expect.stringContaining('"pay"'),
  });
  bind({ masks: [{ column: 'SALARY', expression: 'NULL' }] });
  expect(await f.rows('select salary from hr.people where id = 1')).toEqual([[null]]);
});

test('error texts of a filtered or masked table hold no value', async () => {
  bind({ masks: [{ column: 'team', expression: "'t'" }] });
  const error = await failed('select salary::int from hr.people');
  expect(error.code).toBe('execution-error');
  expect(error.message).not.toContain('secret');
  bind({});
  expect((await failed('select salary::int from hr.people')).message).toContain('secret-200');
});

test.each([
  '1) OR (1=1',
  'id in (select id from hr.people)',
  'id = 1; drop table x',
  "(select content from read_text('/etc/passwd')) is null",
  "getvariable('x') = 1",
  'id = 1 --',
  'id = 1 order by 1',
  'id = 1 from hr.people',
  'missing_column = 1',
  'sum(id) > 1',
  '',
])('the policy %p either holds as one expression or stops the query', async (predicate) => {
  bind({ rowFilters: [predicate] });
  if (predicate === 'id = 1 --') {
    expect(await f.rows('select id from hr.people')).toEqual([[1]]);
    return;
  }
  const error = await failed('select * from hr.people');
  expect(error.code).toBe('policy-invalid');
  bind({ masks: [{ column: 'id', expression: predicate }] });
  expect((await failed('select * from hr.people')).code).toBe('policy-invalid');
});

test('views run with the rights and policies of their reader', async () => {
  bind({ rowFilters: ["team = 'a'"] });
  f.relations.set('v.one', { kind: 'view', sql: 'select id, salary from hr.people' });
  f.relations.set('v.two', {
    kind: 'view',
    sql: 'select * from v.one order by id desc',
    masks: [{ column: 'salary', expression: "'m'" }],
  });
  expect(await f.rows('select * from v.two')).toEqual([
    [3, 'm'],
    [1, 'm'],
  ]);
  const outcome = await f.query('select * from v.two');
  expect(outcome.ok && outcome.tables.map((t) => t.join('.')).sort()).toEqual(['hr.people', 'v.one', 'v.two']);
  f.relations.set('v.hidden', { kind: 'view', sql: 'select * from hr.secrets' });
  expect((await failed('select * from v.hidden')).code).toBe('table-not-found');
  f.relations.set('v.bad', { kind: 'view', sql: "select * from read_text('/etc/passwd')" });
  expect((await failed('select * from v.bad')).code).toBe('view-invalid');
  f.relations.set('v.old', { kind: 'view', sql: 'select gone from hr.people' });
  expect((await failed('select * from v.old')).code).toBe('view-invalid');
  f.relations.set('v.a', { kind: 'view', sql: 'select * from v.b' });
  f.relations.set('v.b', { kind: 'view', sql: 'select * from v.a' });
  f.relations.set('v.over', { kind: 'view', sql: 'select * from v.one, v.a' });
  f.relations.set('v.self', { kind: 'view', sql: 'select * from V.Self' });
  f.relations.set('v.pair', { kind: 'view', sql: 'select a.id from v.one a join v.one b using (id)' });
  for (const [view, told] of [
    ['v.a', 'The view v.a has no rows, for it reads v.b, which reads v.a again: give one'],
    ['v.over', 'The view v.a has no rows, for it reads v.b, which reads v.a again: give one'],
    ['v.self', 'has no rows, for it reads itself: give it another statement.'],
  ] as const) {
    const error = await failed(`select * from ${view}`);
    expect(error).toMatchObject({ code: 'view-invalid', message: expect.stringContaining(told) });
  }
  expect(await f.rows('select id from v.pair order by id')).toEqual([[1], [3]]);
});

test('renamed and added columns are read by field id, deletes are applied', async () => {
  const fields = [
    { id: 2, name: 'squad', required: false, type: 'string' },
    { id: 1, name: 'number', required: false, type: 'long' },
    { id: 9, name: 'added', required: false, type: 'date' },
  ];
  const file = { ...base.files[0]!, sequence: 1n };
  f.relations.set('hr.renamed', { kind: 'managed', fields, files: [file] });
  expect(await f.rows('select * from hr.renamed order by number limit 1')).toEqual([['a', 1, null]]);
  await f.addTable(
    'positions',
    [
      { name: 'file_path', type: 'string' },
      { name: 'pos', type: 'long' },
    ],
    `SELECT '${file.location}' AS file_path, 1::BIGINT AS pos UNION ALL SELECT 'file:///other', 0`,
  );
  const at = (name: string) => joinLocation(f.store.root, name, 'data', 'f.parquet');
  const positions = { kind: 'position' as const, location: at('positions') };
  f.relations.set('hr.deleted', { kind: 'managed', fields, files: [{ ...file, deletes: [positions] }] });
  expect(await f.rows('select number from hr.deleted order by 1')).toEqual([[1], [3]]);
  // More pairs of delete and data files than are written out one by one.
  const many = Array.from({ length: 101 }, () => ({ ...file, deletes: Array.from({ length: 100 }, () => positions) }));
  f.relations.set('hr.many', { kind: 'managed', fields, files: many });
  expect(await f.rows('select number, count(*) from hr.many group by 1 order by 1')).toEqual([
    [1, 101],
    [3, 101],
  ]);
  await f.addTable('equal', [{ name: 'id', type: 'long' }], 'SELECT 3::BIGINT AS id');
  const equality = { kind: 'equality' as const, location: at('equal'), fieldIds: [1], sequence: 2n, scope: null };
  f.relations.set('hr.both', { kind: 'managed', fields, files: [{ ...file, deletes: [positions, equality] }, file] });
  expect(await f.rows('select number from hr.both order by 1')).toEqual([[1], [1], [2], [3]]);
  f.relations.set('hr.empty', { kind: 'managed', fields, files: [] });
  expect(await f.rows('select * from hr.empty')).toEqual([]);
});
