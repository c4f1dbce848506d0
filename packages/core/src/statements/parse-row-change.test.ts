import { changedName, changedTable, parseRowChange } from './index.ts';

/** The parts of a statement that parses. */
function parts(sql: string): Record<string, unknown> {
  const parsed = parseRowChange(sql);
  if (!parsed.ok) throw new Error(parsed.message);
  return { ...parsed.change };
}

const orders = { namespace: 'shop', table: 'orders', alias: 'orders', with: '' };

test.each([
  [
    "INSERT INTO shop.orders VALUES (1, 'a')",
    { kind: 'insert', columns: null, byName: false, query: "VALUES (1, 'a')" },
  ],
  ['insert into shop.orders (id, "My Name") SELECT 1, 2;', { columns: ['id', 'My Name'], query: 'SELECT 1, 2' }],
  ['INSERT INTO shop.orders BY NAME SELECT 1 AS id', { byName: true, query: 'SELECT 1 AS id' }],
  ['INSERT INTO shop.orders (SELECT 1)', { columns: null, query: '(SELECT 1)' }],
  ['TRUNCATE shop.orders;', { kind: 'truncate' }],
  ['/* all */ truncate table shop.orders', { kind: 'truncate' }],
  ['DELETE FROM shop.orders', { kind: 'delete', using: null, condition: null }],
  ['DELETE FROM shop.orders o WHERE o.id = 1 -- one', { alias: 'o', condition: 'o.id = 1' }],
  [
    'DELETE FROM shop.orders WHERE shop.orders.id = 1 AND "shop".Orders."a" > (SELECT max(o.shop.orders.id) FROM shop.orders.t)',
    { condition: 'orders.id = 1 AND Orders."a" > (SELECT max(o.shop.orders.id) FROM shop.orders.t)' },
  ],
  ['DELETE FROM shop.orders AS o WHERE shop.orders.id = 1', { alias: 'o', condition: 'shop.orders.id = 1' }],
  ['DELETE FROM shop.orders USING shop.gone AS g WHERE g.id = orders.id', { using: 'shop.gone AS g' }],
  [
    'UPDATE shop.orders SET a = 1, "b c" = f(2, 3), orders.d = CASE WHEN x THEN 1 ELSE 2 END WHERE e',
    {
      kind: 'update',
      set: [
        { column: 'a', expression: '1' },
        { column: 'b c', expression: 'f(2, 3)' },
        { column: 'd', expression: 'CASE WHEN x THEN 1 ELSE 2 END' },
      ],
      from: null,
      condition: 'e',
    },
  ],
  [
    'UPDATE shop.orders SET a = b IS NOT DISTINCT FROM c, d = extract(year FROM e) FROM shop.new n WHERE n.id = orders.id',
    {
      set: [
        { column: 'a', expression: 'b IS NOT DISTINCT FROM c' },
        { column: 'd', expression: 'extract(year FROM e)' },
      ],
      from: 'shop.new n',
      condition: 'n.id = orders.id',
    },
  ],
  [
    'WITH k AS (SELECT 1 AS id) DELETE FROM shop.orders USING k WHERE k.id = orders.id',
    { with: 'WITH k AS (SELECT 1 AS id)', using: 'k' },
  ],
])('%s', (sql, expected) => {
  expect(parts(sql)).toMatchObject({ ...orders, ...expected });
  expect(changedTable(sql)).toEqual({ namespace: 'shop', table: 'orders' });
});

test.each(['UPDATE shop.orders SET shop.Orders.a = 1', 'UPDATE shop.orders AS o SET O.a = 1'])('%s', (sql) =>
  expect(parts(sql)).toMatchObject({ set: [{ column: 'a', expression: '1' }] }),
);

test.each<[string, string[] | undefined]>([
  ['WITH a AS (SELECT 1) INSERT INTO orders SELECT * FROM a', ['orders']],
  ['DELETE FROM /* all */ "Or""ders"', ['Or"ders']],
  ['TRUNCATE TABLE dev.shop.orders;', ['dev', 'shop', 'orders']],
  ['UPDATE "sales.eu" . orders SET a = 1', ['sales.eu', 'orders']],
  ['SELECT * FROM orders', undefined],
  ['DELETE FROM', undefined],
])('%s changes the table %j', (sql, parts) => {
  const named = changedName(sql);
  expect(named?.parts).toEqual(parts);
  if (named !== null) expect(changedTable(named.around.join('"a"."b"'))).toEqual({ namespace: 'a', table: 'b' });
});

test('MERGE has its clauses in order', () => {
  const sql = `MERGE INTO "a.b".orders AS t USING (SELECT * FROM x WHERE y) AS s ON t.id = s.id AND t.k = s.k
    WHEN MATCHED AND CASE WHEN s.gone THEN true END THEN DELETE
    WHEN MATCHED THEN UPDATE SET a = s.a, b = s.b
    WHEN NOT MATCHED BY TARGET AND s.id > 0 THEN INSERT (id, a) VALUES (s.id, coalesce(s.a, 0))
    WHEN NOT MATCHED THEN DO NOTHING`;
  expect(parts(sql)).toEqual({
    kind: 'merge',
    namespace: 'a.b',
    table: 'orders',
    alias: 't',
    with: '',
    source: '(SELECT * FROM x WHERE y) AS s',
    on: 't.id = s.id AND t.k = s.k',
    clauses: [
      { kind: 'delete', isMatched: true, condition: 'CASE WHEN s.gone THEN true END' },
      {
        kind: 'update',
        condition: null,
        set: [
          { column: 'a', expression: 's.a' },
          { column: 'b', expression: 's.b' },
        ],
      },
      { kind: 'insert', condition: 's.id > 0', columns: ['id', 'a'], values: ['s.id', 'coalesce(s.a, 0)'] },
      { kind: 'nothing', isMatched: false, condition: null },
    ],
  });
});

test.each([
  'SELECT 1',
  '',
  '-- only a comment',
  'WITH x AS (DELETE FROM shop.orders) SELECT * FROM x',
  'WITH x AS (SELECT 1) SELECT * FROM x',
  'EXPLAIN DELETE FROM shop.orders',
  'DELETE FROM orders',
  'TRUNCATE orders',
  'WITH truncate AS (SELECT 1) SELECT * FROM truncate',
  'INSERT shop.orders VALUES (1)',
  'DELETE FROM "shop', // no end
  'DELETE FROM shop."or ders"',
  "SELECT 'DELETE FROM shop.orders'",
])('%s changes no table', (sql) => expect(changedTable(sql)).toBeNull());

test.each([
  ['DELETE FROM shop.orders WHERE a) OR (b', 'A ) has no matching opening bracket.'],
  ['DELETE FROM shop.orders WHERE (a', 'A ( has no end.'],
  ['DELETE FROM shop.orders WHERE [a)', 'A ) has no matching opening bracket.'],
  ['DELETE FROM shop.orders WHERE', 'The statement ends where a condition after WHERE is expected.'],
  ['DELETE FROM shop.orders; DELETE FROM shop.orders', 'Run one statement at a time: it contains a ";".'],
  ['TRUNCATE shop.orders WHERE a', 'Expected the end of the statement, found WHERE.'],
  ['DELETE FROM shop.orders LIMIT 3', 'Expected WHERE or the end of the statement, found 3.'],
  ["DELETE FROM shop.orders WHERE a = 'x", "A text that starts with ' has no end."],
  ['DELETE FROM shop.orders /* WHERE', 'A comment that starts with /* has no end.'],
  ['UPDATE shop.orders SET a WHERE b', 'Expected = after the column "a", found WHERE.'],
  [
    'UPDATE shop.orders SET address.city = 1',
    "address.city can't be assigned: name a column of the table, not a field of a struct.",
  ],
  [
    'MERGE INTO shop.orders t USING s ON a WHEN MATCHED THEN UPDATE SET s.a = 1',
    "s.a can't be assigned: name a column of the table, not a field of a struct.",
  ],
  ['UPDATE shop.orders SET a = DEFAULT', 'DEFAULT is not supported. Write the value.'],
  ['UPDATE shop.orders SET a = 1, A = 2', 'The column "A" is set twice.'],
  ['UPDATE shop.orders SET (a, b) = (1, 2)', 'Assign one column at a time: column = value.'],
  ['UPDATE shop.orders SET a = 1 RETURNING a', 'RETURNING is not supported. Query the table after the change.'],
  ['INSERT INTO shop.orders', 'The statement ends where a query or VALUES is expected.'],
  ['INSERT INTO shop.orders DEFAULT VALUES', 'DEFAULT VALUES is not supported. Write the values.'],
  ['INSERT INTO shop.orders VALUES (1) ON CONFLICT DO NOTHING', 'ON CONFLICT is not supported. Use MERGE.'],
  ['MERGE INTO shop.orders USING s ON a', 'The statement ends where WHEN MATCHED or WHEN NOT MATCHED is expected.'],
  [
    'MERGE INTO shop.orders USING s ON a WHEN NOT MATCHED BY SOURCE THEN DELETE',
    'WHEN NOT MATCHED BY SOURCE is not supported. Delete these rows in a second statement.',
  ],
  [
    'MERGE INTO shop.orders USING s ON a WHEN NOT MATCHED THEN INSERT (x, y) VALUES (1)',
    'INSERT names 2 columns and has 1 values.',
  ],
])('%s is refused', (sql, message) => expect(parseRowChange(sql)).toEqual({ ok: false, message }));

test('texts, quoted names and comments hide keywords and brackets', () => {
  const condition = `a = ')' AND "where(" = E'\\'(' AND b = $q$ -- WHERE ( $q$ AND c$d = 1 AND t.case = t.end`;
  expect(parts(`DELETE /* FROM x */ FROM shop.orders WHERE ${condition} -- )`)).toMatchObject({ condition });
  expect(parts("DELETE FROM shop.orders WHERE a = 'it''s' /* /* nested */ ( */")).toMatchObject({
    condition: "a = 'it''s'",
  });
});

test('parameters keep their number, wherever their part of the statement is used', () => {
  const change = parts("UPDATE shop.orders SET a = ?, b = '?' WHERE c = ? AND d = ?");
  expect(change).toMatchObject({ set: [{ expression: '$1' }, { expression: "'?'" }], condition: 'c = $2 AND d = $3' });
});
