import { identifier, literal } from '../sql-text.ts';
import { PruningFixture } from '../testing/pruning-fixture.ts';

let fixture: PruningFixture;
beforeAll(async () => {
  fixture = await PruningFixture.open();
});
afterAll(() => fixture.close());

test.each(['evolved', 'position_deletes', 'equality_deletes', 'defaults'])(
  'no file of %s that has a requested row is skipped',
  async (name) => {
    expect(await fixture.wrong(name)).toEqual([]);
  },
);

test.each(['identities', 'dates'])('files of %s are left out by what they are partitioned by', async (name) => {
  const relation = await fixture.relationOf(name);
  const [field] = relation.fields.filter((f) => f.type === 'date' || f.type === 'int');
  const used = (await fixture.predicates(relation, field!)).filter((predicate) => /^"[^"]+" = /.test(predicate));
  const left = await Promise.all(
    used.map((predicate) => fixture.filesOf(relation, `SELECT * FROM t WHERE ${predicate}`)),
  );
  expect(Math.min(...left.map((files) => files.length))).toBe(1);
  expect(relation.files.length).toBeGreaterThan(2);
});

test('a file that is left out is not looked for', async () => {
  const relation = await fixture.relationOf('identities');
  const field = relation.fields.find((f) => relation.files[0]!.constants?.has(f.id) && f.type === 'string')!;
  const value = relation.files.map((file) => file.constants!.get(field.id)!).find((text) => text !== null)!;
  const sql = `SELECT count(*) FROM t WHERE ${identifier(field.name).text} = ${literal(value).text}`;
  const remaining = await fixture.filesOf(relation, sql);
  expect(remaining.length).toBeLessThan(relation.files.length);
  const whole = await fixture.rows(relation, sql);
  const broken = relation.files.map((file) =>
    remaining.includes(file) ? file : { ...file, location: `${file.location}.gone` },
  );
  expect(await fixture.rows({ ...relation, files: broken }, sql)).toEqual(whole);
  await expect(fixture.rows({ ...relation, files: broken }, 'SELECT * FROM t')).rejects.toThrow();
  // A policy applies before the condition: what is compared may be masked.
  await expect(
    fixture.rows({ ...relation, files: broken, rowFilters: [{ predicate: 'true' }] }, sql),
  ).rejects.toThrow();
});

test.each([
  ['named twice', 'SELECT * FROM t a, t b WHERE a.id = -1'],
  ['in a join', 'SELECT * FROM t LEFT JOIN (SELECT 1 AS one) o ON true WHERE t.id = -1'],
  ['the name reused for another column', 'SELECT 1 AS id FROM t WHERE id = -1'],
  ['another table meant', 'SELECT * FROM t WHERE other.id = -1'],
  ['negated', 'SELECT * FROM t WHERE NOT id = -1'],
  ['one side unknown', 'SELECT * FROM t WHERE id = -1 OR random() > 0.5'],
  ['a value that is compared otherwise', "SELECT * FROM t WHERE id = '-1'"],
  ['a sample', 'SELECT * FROM t TABLESAMPLE 10% WHERE id = -1'],
  ['columns renamed', 'SELECT * FROM t AS x(y) WHERE id = -1'],
])('all files are read where the condition may mean something else: %s', async (_, sql) => {
  const relation = await fixture.relationOf('evolved');
  expect(await fixture.filesOf(relation, 'SELECT * FROM t WHERE id = -1')).toEqual([]);
  expect((await fixture.filesOf(relation, sql)).length).toBe(relation.files.length);
});
