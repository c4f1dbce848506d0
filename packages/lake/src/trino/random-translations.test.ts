import { foreignParts } from './testing/foreign-parts.ts';
import { RandomTranslations } from './testing/random-translations.ts';

let translations: RandomTranslations;
beforeAll(async () => {
  translations = await RandomTranslations.open();
});
afterAll(() => translations.close());

// More of them in the long test.
test('a statement for Trino names the tables that it was bound to, its own parts, and nothing that its author chose', async () => {
  const { foreign, printed, refused } = await translations.run(7, 400);
  expect(foreign).toEqual([]);
  expect(printed).toBeGreaterThan(100);
  // Names without a table, WITH RECURSIVE, and what else Trino doesn't run alike.
  expect([...refused.keys()].toSorted()).toEqual(['not-supported', 'table-not-found']);
});

const TABLE = 'SELECT t.v0 AS c0 FROM (SELECT "x" AS v0 FROM "c"."s"."t" FOR VERSION AS OF 42) t';

test.each([
  ['', TABLE],
  ['', `WITH x0 AS (${TABLE}) SELECT t.* FROM (SELECT t.c0 AS c0 FROM x0 t) t`],
  ['', `SELECT 'FROM a', U&'\\00e4 "b"' AS c0 FROM (${TABLE}) l WHERE l.c0 IS NOT DISTINCT FROM 'x'`],
  ['the table "c"."s"."u"', TABLE.replace('"t" ', '"u" ')],
  ['the table "system"."runtime"."nodes"', 'SELECT 1 AS c0 FROM "system"."runtime"."nodes" FOR VERSION AS OF 42'],
  ['the table "c"."s"."t"', 'SELECT 1 AS c0 FROM "c"."s"."t"'],
  ['the name "t"', 'SELECT 1 AS c0 FROM "t"'],
  ['the name "y"', TABLE.replace('"x"', '"y"')],
  ['reading orders, the word orders', 'SELECT 1 AS c0 FROM orders'],
  ['reading t', 'SELECT 1 AS c0 FROM t'],
  ['the part x1', 'SELECT 1 AS c0 FROM x1 t'],
  ['the word session_user', 'SELECT session_user AS c0'],
  ['reading TABLE', 'SELECT 1 AS c0 FROM TABLE(x0)'],
  ['an unknown token', 'SELECT 1 AS c0 -- b;'],
  ['an unknown token', "SELECT 'a AS c0"],
])('found in a statement: %s', (expected, sql) => {
  const found = foreignParts(sql, new Set(['"c"."s"."t"']), new Set(['"x"'])).join(', ');
  if (expected === '') expect(found).toBe('');
  else expect(found).toContain(expected);
});
