import { QueryFixture } from '../../testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
  const columns = [
    { name: 'id', type: 'int' },
    { name: 'name', type: 'string' },
    { name: 'ts', type: 'timestamp' },
    { name: 'amount', type: 'decimal(10,2)' },
    { name: 'tags', type: 'list<string>' },
    { name: 'doc', type: 'string' },
  ];
  await f.addTable(
    'shop.orders',
    columns,
    `SELECT i::INTEGER AS id, 'Name ' || i AS name, TIMESTAMP '2026-02-03 04:05:06.789' + to_days(i - 1) AS ts,
      (i * 1234.5)::DECIMAL(10,2) AS amount, ['a', 'b' || i] AS tags, '{"a":{"b":[' || i || ']}}' AS doc
      FROM range(1, 4) t(i)`,
  );
});
afterAll(() => f.close());

const one = (expression: string) => `SELECT ${expression} FROM shop.orders WHERE id = 1`;

/** Forms of PostgreSQL, and the first value of their result. */
test.each([
  [one(`name::name`), 'Name 1'],
  [one(`name::"char"`), 'Name 1'],
  [one(`id::oid`), 1],
  [one(`id::pg_catalog.text`), '1'],
  [one(`CAST(id AS pg_catalog.int4)`), 1],
  [one(`pg_catalog.lower(name)`), 'name 1'],
  [one(`name OPERATOR(pg_catalog.~) '^(Name 1)$'`), true],
  [one(`name OPERATOR(pg_catalog.=) 'Name 1'`), true],
  [one(`name OPERATOR(pg_catalog.~) '^(Name 1)$' COLLATE pg_catalog.default`), true],
  [one(`name ~ 'ame'`), true],
  [one(`name !~ 'ame'`), false],
  [one(`name ~* 'NAME'`), true],
  [one(`name !~* 'NAME'`), false],
  [one(`regexp_full_match(name, 'ame')`), false],
  [one(`name COLLATE "C"`), 'Name 1'],
  [`SELECT name FROM shop.orders ORDER BY name COLLATE "C" LIMIT 1`, 'Name 1'],
  [one(`'{a,b}'::char[]`), ['a', 'b']],
  [one(`'{1,NULL,3}'::int[]`), [1, null, 3]],
  [one(`'{"a,b","c\\"d"}'::text[]`), ['a,b', 'c"d']],
  [one(`'{}'::text[]`), []],
  [one(`id = ANY (ARRAY[1, 2])`), true],
  [one(`id = ANY ('{1,2}')`), true],
  [one(`id = ANY ('{1,2}'::int[])`), true],
  [one(`'b1' = ANY (tags)`), true],
  [one(`id <> ALL (ARRAY[2, 3])`), true],
  [one(`id < ANY (ARRAY[1, 2])`), true],
  [one(`id = ANY (SELECT id FROM shop.orders)`), true],
  [one(`name LIKE ANY (ARRAY['x', 'Na%'])`), true],
  [one(`name ILIKE ANY (ARRAY['na%'])`), true],
  [one(`name ILIKE ANY ('{na%,x}')`), true],
  [one(`name NOT LIKE ALL (ARRAY['x', 'y'])`), true],
  [one(`name LIKE ALL (ARRAY['N%', 'x'])`), false],
  [one(`name ~ ANY (ARRAY['ame'])`), true],
  [one(`name ~~* 'NAME%'`), true],
  [one(`name SIMILAR TO 'Na(x|m)e _'`), true],
  [one(`name SIMILAR TO 'N%'`), true],
  [one(`name NOT SIMILAR TO 'Name.'`), true],
  [one(`EXTRACT(EPOCH FROM ts)`), 1770091506.789],
  [one(`EXTRACT(YEAR FROM ts)`), 2026],
  [one(`to_char(ts, 'YYYY-MM-DD HH24:MI:SS')`), '2026-02-03 04:05:06'],
  [one(`to_char(ts, 'Mon DD, YYYY')`), 'Feb 03, 2026'],
  [one(`to_char(ts, 'FMDD.FMMM.YY HH12:MI AM')`), '3.2.26 04:05 AM'],
  [one(`to_char(ts, 'FMMonth')`), 'February'],
  [one(`to_char(ts, 'Month') || '|'`), 'February |'],
  [one(`to_char(ts, 'MON dy Q ID D IYYY-IW WW DDD MS US "at"')`), 'FEB tue 1 2 3 2026-06 05 034 789 789000 at'],
  [one(`to_char(ts::date, 'YYYY"Q"Q')`), '2026Q1'],
  [one(`to_char(amount, '999,999.99')`), '   1,234.50'],
  [one(`to_char(amount, 'FM999,999.00')`), '1,234.50'],
  [one(`to_char(-amount, '99999')`), ' -1235'],
  [one(`to_char(id, '0000')`), ' 0001'],
  [one(`to_char(id, 'FM0000')`), '0001'],
  [one(`to_char(0.5, 'FM990.0')`), '0.5'],
  [one(`to_char(0.5, '9.99')`), '  .50'],
  [one(`to_char(amount, '99')`), ' ##'],
  [one(`to_char(0, '99')`), '  0'],
  [one(`to_timestamp('2026-01-02 03:04', 'YYYY-MM-DD HH24:MI')`), '2026-01-02T03:04:00Z'],
  [one(`to_timestamp(0)`), '1970-01-01T00:00:00Z'],
  [one(`to_date('03.02.2026', 'DD.MM.YYYY')`), '2026-02-03'],
  [one(`date_trunc('day', ts)`), '2026-02-03T00:00:00'],
  [one(`date_trunc('day', ts AT TIME ZONE 'UTC', 'Europe/Berlin')`), '2026-02-02T23:00:00Z'],
  [one(`ts AT TIME ZONE 'UTC'`), '2026-02-03T04:05:06.789Z'],
  [one(`timezone('UTC', ts)`), '2026-02-03T04:05:06.789Z'],
  [one(`amount::float / 3`), 411.5],
  [one(`CAST(16777217 AS float)`), 16777217],
  [one(`name::char`), 'N'],
  [one(`3 = ANY (ARRAY[id, NULL])`), null],
  [one(`(doc::jsonb || '{"z":1}') ->> 'z'`), '1'],
  [one(`(doc::jsonb - 'a') ->> 'a'`), null],
  [one(`doc::json -> 'a' -> 'b' -> -1`), '1'],
  [one(`doc::jsonb -> 'x' IS NULL`), true],
  [one(`list_transform(tags, x -> 'k' || x)`), ['ka', 'kb1']],
  [one(`list_transform(tags, (x) -> 'k' || x)`), ['ka', 'kb1']],
  [one(`coalesce(NULL, (doc::json) -> 'a' ->> 'b')`), '[1]'],
  [one(`concat(id = 1, amount::float, name)`), 't1234.5Name 1'],
  [one(`(id::float)::text`), '1'],
  [one(`tags::text[]::text`), '{a,b1}'],
  [one(`ts + make_interval(days => id)`), '2026-02-04T04:05:06.789'],
  [one(`date_bin('1 hour', ts, TIMESTAMP '2026-01-01')`), '2026-02-03T04:00:00'],
  [`SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id) FROM shop.orders`, 2],
  [`SELECT string_agg(name, ',' ORDER BY id DESC) FROM shop.orders`, 'Name 3,Name 2,Name 1'],
  [`SELECT json_agg(id ORDER BY id) FROM shop.orders`, '[1,2,3]'],
  [`SELECT count(*) FILTER (WHERE id > 1) FROM shop.orders`, 2],
  [`SELECT every(id > 0) FROM shop.orders`, true],
  [one(`1.23456::numeric`), '1.2345600000'],
  [one(`id::numeric(10,2)`), '1.00'],
  [one(`CAST('1.5' AS decimal)`), '1.5000000000'],
  [one(`id::text`), '1'],
  [one(`name::varchar(3)`), 'Nam'],
  [one(`CAST(name AS character varying(3))`), 'Nam'],
  [one(`'ab'::char(3)`), 'ab '],
  [one(`id::float8`), 1],
  [one(`'1'::int4`), 1],
  [one(`'2026-01-01'::timestamptz`), '2026-01-01T00:00:00Z'],
  [one(`'2026-01-01'::timestamp(6) with time zone`), '2026-01-01T00:00:00Z'],
  [one(`'{"a":1}'::jsonb->>'a'`), '1'],
  [one(`doc::json#>>'{a,b,0}'`), '1'],
  [one(`jsonb_array_length('[1,2]'::jsonb)`), 2],
  [one(`json_build_object('a', id)`), '{"a":1}'],
  [one(`E'a\\nb'`), 'a\nb'],
  [one(`$$it's$$`), "it's"],
  [one(`$x$a$x$`), 'a'],
  [one(`ts + INTERVAL '1 day'`), '2026-02-04T04:05:06.789'],
  [one(`now() - interval '7 days' < now()`), true],
  [one(`clock_timestamp() >= now()`), true],
  [
    `SELECT * FROM generate_series(TIMESTAMP '2026-01-01', TIMESTAMP '2026-01-03', INTERVAL '1 day') LIMIT 1 OFFSET 2`,
    '2026-01-03T00:00:00',
  ],
  [`SELECT d FROM generate_series(1, 3) AS d ORDER BY d DESC`, 3],
  [`SELECT max(x) FROM shop.orders o, generate_series(1, o.id) AS g(x)`, 3],
  [`SELECT generate_series(1, 3) ORDER BY 1 DESC`, 3],
  [`SELECT t FROM shop.orders o, unnest(o.tags) AS t ORDER BY t DESC LIMIT 1`, 'b3'],
  [`SELECT x || n FROM unnest(ARRAY['a', 'b']) WITH ORDINALITY AS u(x, n) ORDER BY n DESC LIMIT 1`, 'b2'],
  [`SELECT id FROM shop.orders ORDER BY id LIMIT ALL`, 1],
  [`SELECT id FROM shop.orders ORDER BY id OFFSET 1 ROWS FETCH FIRST 1 ROWS ONLY`, 2],
  [`SELECT DISTINCT ON (id % 2) id FROM shop.orders ORDER BY id % 2, id DESC`, 2],
  [`SELECT a.id FROM shop.orders a JOIN shop.orders b USING (id) JOIN shop.orders c ON c.id = b.id WHERE a.id = 3`, 3],
  [one(`array_upper(tags, 1)`), 2],
  [one(`array_lower(tags, 1)`), 1],
  [one(`cardinality(tags)`), 2],
  [one(`array_remove(tags, 'a')`), ['b1']],
  [one(`array_to_string(tags, ',')`), 'a,b1'],
  [one(`btrim('  x ')`), 'x'],
  [one(`initcap('hello wORLD')`), 'Hello World'],
  [one(`overlay('abcdef' placing 'XX' from 2 for 3)`), 'aXXef'],
  [one(`substring(name from '[0-9]')`), '1'],
  [one(`substring(name from 'N(.)')`), 'a'],
  [one(`substring(name from 2 for 3)`), 'ame'],
  [one(`substring(name, -1, 3)`), 'N'],
  [one(`substring(name, id - 1)`), 'Name 1'],
  [one(`substr(name, 0, 2)`), 'N'],
  [one(`substring(name, -9, 3)`), ''],
  [one(`substring(name, NULL::int, 3)`), null],
  // A backslash in a pattern is an escape.
  [one(String.raw`'a_c' LIKE 'a\_c'`), true],
  [one(String.raw`'abc' LIKE 'a\_c'`), false],
  [one(String.raw`'abc' NOT LIKE 'a' || '\_c'`), true],
  [one(String.raw`'A_C' ILIKE 'a\_c'`), true],
  [one(String.raw`'ABC' NOT ILIKE 'a\_c'`), true],
  [one(String.raw`'a_c' LIKE ANY (ARRAY['a\_c'])`), true],
  [String.raw`SELECT count(*) FROM (VALUES ('a_c', 'a\_c'), ('abc', 'a\_c')) t(x, p) WHERE x LIKE p`, 1],
  [one(`'10%' LIKE '10!%' ESCAPE '!'`), true],
  // A dot matches a line break.
  [one(`E'a\\nb' ~ 'a.b'`), true],
  [one(`E'a\\nb' !~ 'a.b'`), false],
  [one(`E'a\\nb' ~* 'A.B'`), true],
  [one(`E'a\\nb' ~ ANY (ARRAY['a.b'])`), true],
  [one(`E'a\\nb' SIMILAR TO 'a%'`), true],
  [`SELECT x ~ p FROM (VALUES (E'a\\nb', 'a.b')) t(x, p)`, true],
  [one(`regexp_replace(E'a\\nb', 'a.', '')`), 'b'],
  [one(`regexp_replace(E'a\\na\\nb', 'A.', 'x', 'gi')`), 'xxb'],
  [one(`regexp_replace(name, 'a', 'o')`), 'Nome 1'],
  [one(`substring(E'a\\nb' from 'a(.)b')`), '\n'],
  [one(`regexp_count(E'a\\na\\n', 'a.')`), 2],
  [one(`extract(second FROM ts)`), 6.789],
  [one(`date_part('seconds', ts)`), 6.789],
  [one(`extract(milliseconds FROM ts + INTERVAL '1 microsecond')`), 6789.001],
  [one(`extract(second FROM INTERVAL '1 minute 1.5 seconds')`), 1.5],
  [one(`extract(minute FROM ts)`), 5],
  [one(`quote_ident('A"b')`), '"A""b"'],
  [one(`parse_ident('"Sales.eu" . Orders')`), ['Sales.eu', 'orders']],
  [one(`parse_ident('"A""b"')`), ['A"b']],
  [one(`quote_literal('it''s')`), "'it''s'"],
  [one(`encode('a'::bytea, 'hex')`), '61'],
  [one(`encode('\\x00ff27'::bytea, 'hex')`), '00ff27'],
  [one(`octet_length(CAST('\\x' AS bytea))`), 0],
  [one(`name IS NOT DISTINCT FROM 'Name 1'`), true],
  [one(`CASE WHEN tags @> ARRAY['a'] THEN 'yes' ELSE 'no' END`), 'yes'],
  // Functions that rewrites use under the same name.
  [one(`concat('a', NULL)`), 'a'],
  [one(`concat('a', 'b')`), 'ab'],
  [one(`quarter(ts) + 1`), 2],
  [one(`weekday(ts)`), 2],
  [one(`week(ts)`), 6],
  // An array without elements, and one with nulls.
  [one(`name LIKE ANY ('{}'::text[])`), false],
  [one(`name LIKE ALL ('{}'::text[])`), true],
  [one(`name LIKE ANY (ARRAY['x', NULL])`), null],
  [one(`name LIKE ALL (ARRAY['N%', NULL])`), null],
  [one(`name LIKE ANY (ARRAY['N%', NULL])`), true],
  [one(`name LIKE ALL (ARRAY['x', NULL])`), false],
  [one(`NULL::text LIKE ANY (ARRAY['x'])`), null],
  [one(`name NOT ILIKE ALL (NULL::text[])`), null],
  [one(`id = ANY (ARRAY[1, NULL])`), true],
  [one(`NULL::int = ANY (ARRAY[1, NULL])`), null],
  [one(`array_length(ARRAY[]::int[], 1)`), null],
  [one(`array_length(tags, 1)`), 2],
  [
    one(
      `concat_ws(',', json_typeof('"x"'), json_typeof('1.5'), json_typeof('-1'), json_typeof('7'), jsonb_typeof('[1]'))`,
    ),
    'string,number,number,number,array',
  ],
  [`SELECT string_agg(x, '') FROM jsonb_array_elements_text('["a", "b"]') x`, 'ab'],
  [one(`CAST(date_trunc('month', ts) + INTERVAL '1 month - 1 day' AS VARCHAR)`), '2026-02-28 00:00:00'],
  [one(`lpad(name, 8)`), '  Name 1'],
  [one(`rpad(name, 4)`), 'Name'],
  [one(`to_hex(255)`), 'ff'],
  [one(`array_to_string(ARRAY['a', NULL], '-', '?')`), 'a-?'],
  [one(`regexp_count(name, '[ae]')`), 2],
  [one(`regexp_substr(name, '\\d')`), '1'],
  [one(`regexp_substr(name, 'x')`), null],
  [one(`regexp_like(name, 'NAME', 'i')`), true],
  [`SELECT string_agg(k, '' ORDER BY k) FROM jsonb_object_keys('{"b": 1, "a": 2}') k`, 'ab'],
  [one(`ARRAY(SELECT width_bucket(x, 0, 10, 4) FROM (VALUES (-1), (0), (3.5), (10)) t(x) ORDER BY x)`), [0, 1, 2, 5]],
  [one(`width_bucket(9, 10, 0, 5)`), 1],
  [`SELECT svc_p LIKE ANY (ARRAY['a']) FROM (SELECT 'b' AS svc_p)`, false],
  [`SELECT array_remove([1, 2], svc_e) FROM (SELECT 2 AS svc_e)`, [1]],
  [`SELECT t."SVC_P" LIKE ANY (ARRAY['a', 'b']) FROM (SELECT 'b' AS svc_p) t`, true],
  // Rows of VALUES.
  [String.raw`SELECT hex(b) FROM (VALUES ('a'::bytea), ('\x00ff'::bytea)) v(b) WHERE octet_length(b) = 2`, '00FF'],
  [`SELECT n::text FROM (VALUES (1, 2::numeric)) v(i, n)`, '2.0000000000'],
  [`VALUES ('abc'::varchar(2)), ('x')`, 'ab'],
  [`SELECT x FROM (VALUES (1), (2)) a(i) JOIN (VALUES (2, to_char(DATE '2026-02-03', 'MM'))) b(i, x) USING (i)`, '02'],
  [`SELECT x FROM (VALUES ((SELECT max(y) FROM (VALUES ('{1,3}'::int[])) w(y)))) v(x)`, [1, 3]],
])('%s', async (sql, value) => {
  const outcome = await f.query(sql, { dialect: 'postgres' });
  expect(outcome.ok || outcome.error.message).toBe(true);
  expect(outcome.ok && outcome.rows?.[0]?.[0]).toEqual(value);
});

test.each<[string, unknown[][]]>([
  [
    `SELECT a, b FROM unnest(ARRAY[1, 2, 3], ARRAY['x', NULL]) AS t(a, b) ORDER BY a`,
    [
      [1, 'x'],
      [2, null],
      [3, null],
    ],
  ],
  [
    `SELECT * FROM unnest('{1,2}'::int[], '{a}'::text[]) WITH ORDINALITY AS t(a, b, n) ORDER BY n`,
    [
      [1, 'a', 1],
      [2, null, 2],
    ],
  ],
  [`SELECT count(*) FROM unnest(NULL::int[], '{}'::text[], ARRAY[]::date[])`, [[0]]],
  [
    `SELECT o.id, u.tag, u.n FROM shop.orders o, unnest(o.tags, ARRAY[o.id * 10]) AS u(tag, n) WHERE o.id < 3 ORDER BY 1, 2`,
    [
      [1, 'a', 10],
      [1, 'b1', null],
      [2, 'a', 20],
      [2, 'b2', null],
    ],
  ],
])('several lists in FROM become columns: %s', async (sql, rows) => {
  const outcome = await f.query(sql, { dialect: 'postgres' });
  expect(outcome.ok || outcome.error.message).toBe(true);
  expect(outcome.ok && outcome.rows).toEqual(rows);
});

test('unnamed columns have the names that they have in PostgreSQL', async () => {
  const sql = `SELECT count(*), max(id), 1, 'x'::text, id::text, now()::date, CASE WHEN true THEN 1 END, coalesce(1, 2),
    EXISTS (SELECT 1), ARRAY[1], (SELECT 2 AS two), extract(year FROM now()), lower('A') || 'b', row_number() OVER ()
    FROM shop.orders GROUP BY id`;
  const outcome = await f.query(sql, { dialect: 'postgres' });
  expect(outcome.ok && outcome.columns.map(({ name }) => name)).toEqual([
    ...['count', 'max', '?column?', 'text', 'id', 'now', 'case', 'coalesce', 'exists', 'array', 'two', 'extract'],
    ...['?column?_1', 'row_number'],
  ]);
});

test('a time without parentheses means the same inside a cast and after it', async () => {
  const sql = 'SELECT current_timestamp::date, localtimestamp::date AS d, current_timestamp, current_date';
  const outcome = await f.query(sql, { dialect: 'postgres' });
  expect(outcome.ok || outcome.error.message).toBe(true);
  expect(outcome.ok && outcome.columns.map(({ type }) => type)).toEqual(['date', 'date', 'timestamptz', 'date']);
});

test.each([
  ['SELECT CAST(NULL AS INTEGER)::SMALLINT', 'int2'],
  ['SELECT id::BIGINT::TEXT FROM shop.orders', 'id'],
  ['SELECT CASE WHEN true THEN 1 ELSE 2::BIGINT END', 'case'],
  ['SELECT (CASE WHEN true THEN 1 END)::TEXT', 'text'],
  ['SELECT CASE WHEN true THEN 1 ELSE id END FROM shop.orders', 'id'],
])('of nested casts and CASE, PostgreSQL names the column by the outermost: %s is %s', async (sql, name) => {
  const outcome = await f.query(sql, { dialect: 'postgres' });
  expect(outcome.ok && outcome.columns.map((column) => column.name)).toEqual([name]);
});

test.each([
  ['SELECT * FROM shop.orders FOR UPDATE', /FOR UPDATE isn't available/],
  ['SELECT * FROM shop.orders FOR NO KEY UPDATE', /FOR NO KEY UPDATE isn't available/],
  ['SELECT * FROM shop.orders FOR SHARE', /FOR SHARE isn't available/],
  ["SELECT x'1f'", /0x1f/],
  ["SELECT B'101'", /Bit strings/],
  ["SELECT concat(VARIADIC ARRAY['a', 'b'])", /array_to_string/],
  ["SELECT to_char(ts, 'SSSS') FROM shop.orders", /SSSS/],
  ["SELECT to_char(ts, 'IDDD') FROM shop.orders", /IDDD/],
  ['SELECT id BETWEEN SYMMETRIC 2 AND 1 FROM shop.orders', /least\(a, b\)/],
  [`SELECT to_char(ts, 'YYYY TZ') FROM shop.orders`, /to_char doesn't support the format 'YYYY TZ'/],
  [`SELECT to_char(ts, 'DDth') FROM shop.orders`, /'DDth'/],
  [`SELECT to_char(id, '9EEEE') FROM shop.orders`, /'9EEEE'/],
  [`SELECT to_char(id, name) FROM shop.orders`, /constant/],
  [`SELECT to_date(name, 'YYYY Q') FROM shop.orders`, /to_date doesn't support/],
  [`SELECT format('%10s', name) FROM shop.orders`, /doesn't support %10s/],
  [`SELECT '03/05/2026'::date`, /"03\/05\/2026"/],
  [`SELECT name SIMILAR TO name FROM shop.orders`, /constant/],
  [`SELECT name LIKE ANY (SELECT name FROM shop.orders) FROM shop.orders`, /array instead of a query/],
  [`SELECT '{{1}}'::int[]`, /array of one dimension/],
  [`SELECT current_setting('x')`, /isn't available/],
  ['SELECT * FROM pg_catalog.pg_class', /doesn't exist/],
])('%s is refused', async (sql, message) => {
  const outcome = await f.query(sql, { dialect: 'postgres' });
  expect(outcome).toMatchObject({ ok: false });
  expect(!outcome.ok && outcome.error.message).toMatch(message);
});

test('statements in the engine’s own dialect mean what they meant', async () => {
  expect(await f.rows(one(`name ~ 'ame'`))).toEqual([[false]]);
  expect(await f.query(one(`to_char(ts, 'YYYY')`))).toMatchObject({ ok: false });
});
