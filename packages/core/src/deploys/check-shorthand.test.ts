import { expandCheck } from './check-shorthand.ts';

const sqlOf = (raw: Record<string, unknown>) => {
  const expanded = expandCheck(raw, 'core.eu.orders');
  if (!expanded.ok) throw new Error(`${expanded.message}: ${expanded.remedy}`);
  return expanded.check;
};
const TABLE = '"core.eu"."orders"';

test.each([
  [
    { unique: 'id' },
    'unique(id)',
    `SELECT "id", count(*) AS "rows" FROM ${TABLE} WHERE "id" IS NOT NULL GROUP BY "id" HAVING count(*) > 1`,
  ],
  [
    { unique: ['a', 'b "c'] },
    'unique(a, b "c)',
    `SELECT "a", "b ""c", count(*) AS "rows" FROM ${TABLE} WHERE "a" IS NOT NULL AND "b ""c" IS NOT NULL GROUP BY "a", "b ""c" HAVING count(*) > 1`,
  ],
  [{ not_null: ['a', 'b'] }, 'not_null(a, b)', `SELECT * FROM ${TABLE} WHERE "a" IS NULL OR "b" IS NULL`],
  [
    { accepted_values: { column: 's', values: ["it's", 1, true] } },
    'accepted_values(s)',
    `SELECT "s", count(*) AS "rows" FROM ${TABLE} WHERE "s" NOT IN ('it''s', 1, true) GROUP BY "s"`,
  ],
  [
    { relationships: { column: 'shop', to: 'core.shops', field: 'id' } },
    'relationships(shop)',
    `SELECT child."shop" FROM ${TABLE} AS child WHERE child."shop" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "core"."shops" AS parent WHERE parent."id" = child."shop")`,
  ],
  [
    { row_count: { min: 1, max: 9 } },
    'row_count',
    `SELECT count(*) AS "rows" FROM ${TABLE} HAVING count(*) < 1 OR count(*) > 9`,
  ],
  [
    { freshness: { column: 'at', within: '2 days' }, name: 'fresh' },
    'fresh',
    `SELECT max("at") AS newest FROM ${TABLE} HAVING max("at") IS NULL OR CAST(max("at") AS TIMESTAMPTZ) < now() - INTERVAL 2 day`,
  ],
])('%j is a SELECT of the rows that fail (DEPLOY-15)', (raw, name, sql) => expect(sqlOf(raw)).toEqual({ name, sql }));

test('a warning keeps its severity (DEPLOY-15)', () => {
  expect(sqlOf({ unique: 'id', severity: 'warn' }).severity).toBe('warn');
  expect('severity' in sqlOf({ unique: 'id', severity: 'error' })).toBe(false);
});

test.each([
  [{ unique: [] }, 'unique: [column, …]'],
  [{ unique: { a: 1 } }, 'unique: [column, …]'],
  [{ unique: 'a', not_null: 'b' }, 'an item of its own'],
  [{ row_count: {} }, 'row_count: { min: 1, max: 1000 }'],
  [{ row_count: { min: -1 } }, 'row_count: { min: 1, max: 1000 }'],
  [{ row_count: { min: 2, max: 1 } }, 'row_count: { min: 1, max: 1000 }'],
  [{ accepted_values: { column: 'a', values: [] } }, 'accepted_values:'],
  [{ accepted_values: { column: 'a', values: [null] } }, 'accepted_values:'],
  [{ relationships: { column: 'a', to: 'shops', field: 'id' } }, 'relationships:'],
  [{ freshness: { column: 'a', within: '2 weeks; DROP' } }, 'freshness:'],
  [{ unique: 'a', severity: 'info' }, 'severity: warn'],
  [{ unique: 'a', name: '' }, 'leave the name out'],
])('%j is refused (DEPLOY-15)', (raw, remedy) => {
  const expanded = expandCheck(raw, 'core.orders');
  expect(expanded).toMatchObject({ ok: false, remedy: expect.stringContaining(remedy) });
});
