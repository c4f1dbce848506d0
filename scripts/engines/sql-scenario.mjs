// One history of tables for every engine that speaks SQL: what it writes is read here, what is written here it reads.
import { checker, serviceSide } from './checks.mjs';

/** How many checks failed. */
export async function sqlScenario(dialect, engine, service) {
  const it = { ...dialect, ...serviceSide(service.url), run: engine.run, check: checker(dialect.name) };
  await it.run(`CREATE SCHEMA ${it.namespace}`);
  await changes(it);
  await evolution(it);
  await transforms(it);
  await types(it);
  await views(it);
  await dropping(it);
  return it.check.end();
}

const everything = (ns) => `SELECT id, name, n FROM ${ns}.orders ORDER BY id`;

async function changes(it) {
  const { namespace: ns, run, sql, check } = it;
  const partitioned = it.partitioned([it.transform.bucket(4, 'id'), it.transform.by('day', 'at')]);
  await run(`CREATE TABLE ${ns}.orders (id BIGINT, name ${it.text}, n INT, at ${it.timestamp}) ${partitioned}`);
  const at = (day) => `CAST('2026-01-0${day} 10:00:00' AS ${it.timestamp})`;
  await run(
    `INSERT INTO ${ns}.orders VALUES (1, 'a', 1, ${at(1)}), (2, 'b', 2, ${at(2)}), (3, NULL, 3, ${at(3)}), (4, 'ø', 4, ${at(3)})`,
  );
  const first = [
    ['1', 'a', '1'],
    ['2', 'b', '2'],
    ['3', null, '3'],
    ['4', 'ø', '4'],
  ];
  await check.equal('rows of the engine, read here', () => sql(everything(ns)), first);
  const [{ snapshot_id: id }] = await it.call('GET', `/environments/dev/namespaces/${ns}/tables/orders/snapshots`);
  await run(`UPDATE ${ns}.orders SET name = 'B' WHERE id = 2`);
  await run(`DELETE FROM ${ns}.orders WHERE id = 1`);
  await check.equal('UPDATE and DELETE', () => sql(everything(ns)), [
    ['2', 'B', '2'],
    ['3', null, '3'],
    ['4', 'ø', '4'],
  ]);
  await it.query(`SELECT 5::BIGINT AS id, 'here' AS name, 5::INTEGER AS n, TIMESTAMP '2026-01-05 00:00:00' AS at`, {
    into: `${ns}.orders`,
    mode: 'append',
  });
  await run(`MERGE INTO ${ns}.orders t USING (SELECT 5 AS id, 'merged' AS name UNION ALL SELECT 6, 'new') s ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT (id, name, n, at) VALUES (s.id, s.name, 6, ${at(6)})`);
  const merged = [
    ['2', 'B', '2'],
    ['3', null, '3'],
    ['4', 'ø', '4'],
    ['5', 'merged', '5'],
    ['6', 'new', '6'],
  ];
  await check.equal('MERGE over rows of both', () => sql(everything(ns)), merged);
  await check.equal('the same in the engine', () => run(everything(ns)), merged);
  await check.equal(
    'time travel here',
    () => sql(`SELECT id, name, n FROM ${ns}.orders AT (VERSION => ${id}) ORDER BY id`),
    first,
  );
  await check.equal(
    'time travel in the engine',
    () => run(`SELECT id, name, n FROM ${ns}.orders ${it.version(id)} ORDER BY id`),
    first,
  );
  const health = await it.call('POST', `/environments/dev/namespaces/${ns}/tables/orders/maintenance`, {
    compact: true,
  });
  await it.call('GET', `/environments/dev/maintenance/${health.id}?wait=60`);
  await check.equal('compaction here, read by the engine', () => run(everything(ns)), merged);
}

async function evolution(it) {
  const { namespace: ns, run, sql, check } = it;
  await run(`ALTER TABLE ${ns}.orders RENAME COLUMN name TO label`);
  await run(`ALTER TABLE ${ns}.orders ADD COLUMN extra DOUBLE`);
  await run(it.widen(`${ns}.orders`, 'n'));
  await run(
    `INSERT INTO ${ns}.orders (id, label, n, at, extra) VALUES (7, 'g', 5000000000, CAST('2026-01-07 00:00:00' AS ${it.timestamp}), 0.5)`,
  );
  const rows = `SELECT id, label, n, extra FROM ${ns}.orders WHERE id >= 6 ORDER BY id`;
  await check.equal('renamed, added and widened columns', () => sql(rows), [
    ['6', 'new', '6', null],
    ['7', 'g', '5000000000', '0.5'],
  ]);
  await run(`ALTER TABLE ${ns}.orders DROP COLUMN extra`);
  await check.equal('dropped columns', () => sql(`SELECT count(*) FROM ${ns}.orders`), [['6']]);
}

/** Each partition transform: rows of both sides in one table, filtered by both. */
async function transforms(it) {
  const { namespace: ns, run, sql, query, check } = it;
  const { bucket, truncate, by } = it.transform;
  const all = {
    identity: 's',
    bucket: bucket(3, 's'),
    truncate: truncate(2, 's'),
    year: by('year', 'd'),
    month: by('month', 'd'),
    day: by('day', 'd'),
    hour: by('hour', 't'),
  };
  for (const [name, transform] of Object.entries(all)) {
    const table = `${ns}.by_${name}`;
    await run(`CREATE TABLE ${table} (s ${it.text}, d DATE, t ${it.timestamp}) ${it.partitioned([transform])}`);
    await run(
      `INSERT INTO ${table} VALUES ('abc', DATE '1969-12-31', CAST('1969-12-31 23:59:59' AS ${it.timestamp})), (NULL, NULL, NULL)`,
    );
    await query(`SELECT 'ä/ö' AS s, DATE '2026-02-28' AS d, TIMESTAMP '2026-02-28 12:30:00' AS t`, {
      into: table,
      mode: 'append',
    });
    const filters = [
      `s = 'abc'`,
      `s = 'ä/ö'`,
      's IS NULL',
      `d < DATE '1970-01-01'`,
      `d >= DATE '2026-01-01'`,
      `t >= TIMESTAMP '2026-02-28 12:00:00'`,
    ];
    const counts = async (request) => {
      const found = [];
      for (const filter of filters) found.push((await request(`SELECT count(*) FROM ${table} WHERE ${filter}`))[0][0]);
      return found.join(' ');
    };
    await check.equal(`partitioned by ${name}: here and there`, async () => [await counts(sql), await counts(run)], [
      '1 1 1 1 1 1',
      '1 1 1 1 1 1',
    ]);
  }
}

/** Every type with nulls, extremes and NaN, written here: the engine holds each value against its own literal. */
async function types(it) {
  const { namespace: ns, run, query, sql, check } = it;
  const columns = `true AS b, (-2147483648)::INTEGER AS i, 9223372036854775807::BIGINT AS l, 'nan'::FLOAT AS f, '-infinity'::DOUBLE AS d,
    99999999999999999999999999999999999999::DECIMAL(38,0) AS m, DATE '0001-01-01' AS day, TIMESTAMP '2026-01-01 00:00:00.123456' AS t,
    TIMESTAMPTZ '2026-01-01 00:00:00.123456+00' AS tz, 'ß😀' AS s, '\\x00\\xFF'::BLOB AS x, [1, NULL, 3]::INTEGER[] AS a, MAP {'k': 1::BIGINT} AS mp, {'in': 'side'} AS st`;
  await query(`SELECT 1 AS id, ${columns}`, { into: `${ns}.kinds`, mode: 'create' });
  const nulls = ['b', 'i', 'l', 'f', 'd', 'm', 'day', 't', 'tz', 's', 'x', 'a', 'mp', 'st'];
  await query(`SELECT 2 AS id, ${nulls.map((name) => `NULL AS ${name}`).join(', ')} FROM ${ns}.kinds`, {
    into: `${ns}.kinds`,
    mode: 'append',
  });
  const conditions = [
    'b',
    'i = -2147483648',
    'l = 9223372036854775807',
    `${it.isNan ?? 'isnan'}(f)`,
    `d = ${it.minusInfinity ?? "double('-infinity')"}`,
    "m = CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))",
    "day = DATE '0001-01-01'",
    `t = CAST('2026-01-01 00:00:00.123456' AS ${it.timestamp})`,
    `tz = ${it.instantOf ?? `CAST('2026-01-01 00:00:00.123456Z' AS ${it.instant})`}`,
    "s = 'ß😀'",
    "x = X'00FF'",
    `${it.size ?? 'size'}(a) = 3`,
    `${it.at ?? 'element_at'}(mp, 'k') = 1`,
    'st."in" = \'side\''.replaceAll('"', it.quote ?? '`'),
  ];
  const values = `SELECT ${conditions.join(', ')} FROM ${ns}.kinds WHERE id = 1`;
  await check.equal('every type, written here', async () => (await run(values)).map(String), [
    conditions.map(() => 'true').join(),
  ]);
  await check.equal(
    'every type null',
    async () => run(`SELECT count(*) FROM ${ns}.kinds WHERE ${nulls.map((n) => `${n} IS NULL`).join(' AND ')}`),
    [['1']],
  );
  await run(`CREATE TABLE ${ns}.copied ${it.plain} AS SELECT * FROM ${ns}.kinds`);
  const both = (table) => sql(`SELECT b, i, l, f, d, m, day, t, tz, s, x, a, st FROM ${ns}.${table} ORDER BY id`);
  await check.equal('every type, written by the engine', () => both('copied'), both('kinds'));
}

async function views(it) {
  const { namespace: ns, run, sql, check } = it;
  await run(`CREATE VIEW ${ns}.big AS SELECT id FROM ${ns}.orders WHERE id > 5`);
  await check.equal('a view of the engine, in the engine', () => run(`SELECT * FROM ${ns}.big ORDER BY id`), [
    ['6'],
    ['7'],
  ]);
  await check.equal('the same here', () => sql(`SELECT * FROM ${ns}.big ORDER BY id`), [['6'], ['7']]);
  await run(`DROP VIEW ${ns}.big`);
}

async function dropping(it) {
  const { namespace: ns, run, sql, check } = it;
  await run(`DROP TABLE ${ns}.orders`);
  const dropped = () => it.call('GET', `/environments/dev/namespaces/${ns}/dropped-tables`);
  await check.equal(
    'a drop of the engine',
    async () => (await dropped()).find(({ name }) => name === 'orders').restorable,
    it.canUndrop,
  );
  if (!it.canUndrop) return;
  await it.call('POST', `/environments/dev/namespaces/${ns}/tables/orders/undrop`, {});
  await check.equal('undone, in the engine', () => run(`SELECT count(*) FROM ${ns}.orders`), [['6']]);
  await check.equal('and here', () => sql(`SELECT count(*) FROM ${ns}.orders`), [['6']]);
}
