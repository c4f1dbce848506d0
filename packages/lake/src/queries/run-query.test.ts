import fs from 'node:fs/promises';
import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { describeQuery, openQuery, ResultReader } from './index.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
  await f.addTable(
    'sales.orders',
    [
      { name: 'id', type: 'long' },
      { name: 'customer', type: 'string' },
      { name: 'amount', type: 'decimal(10,2)' },
    ],
    `SELECT i::BIGINT AS id, 'c' || (i % 3) AS customer, (i * 1.5)::DECIMAL(10,2) AS amount FROM range(10) t(i)`,
  );
});
afterAll(() => f.close());

test('a small query', async () => {
  const outcome = await f.query('select id, amount from sales.orders where id < 2 order by id desc');
  expect(outcome).toMatchObject({
    ok: true,
    columns: [
      { name: 'id', type: 'long' },
      { name: 'amount', type: 'decimal(10,2)' },
    ],
    rowCount: 2,
    rows: [
      [1, '1.50'],
      [0, '0.00'],
    ],
    tables: [['sales', 'orders']],
  });
  expect(await fs.readdir(`${f.dir}/tmp`)).not.toContain('missing');
});

test('a result that turns out to be large is complete, also if its tables are small', async () => {
  await f.addTable('sales.numbers', [{ name: 'id', type: 'long' }], 'SELECT i::BIGINT AS id FROM range(5000) t(i)');
  const location = joinLocation(f.store.root, 'results', 'numbers.parquet');
  const outcome = await f.query('SELECT id FROM sales.numbers ORDER BY id DESC', {
    output: { kind: 'result', location },
  });
  expect(outcome).toMatchObject({ ok: true, rowCount: 5000, rows: null, stored: true });
  const last = await new ResultReader(f.store).page(location, { offset: 4998, limit: 5 });
  expect(last).toMatchObject({ rows: [[1], [0]], total: 5000 });
});

test.each([
  ['VALUES', 'SELECT a, a AS "A", b FROM (VALUES (2, 1), (1, 1)) v(a, b) ORDER BY a', [1, 1, 1]],
  ['a number of type double', 'SELECT id AS a, id AS "A", 1e10 AS b FROM sales.orders ORDER BY a DESC', [9, 9, 1e10]],
])('two columns of one name in a query with %s, which the engine cannot write as text', async (_, text, first) => {
  const outcome = await f.query(text);
  if (!outcome.ok) throw new Error(outcome.error.message);
  expect(outcome.columns.map(({ name }) => name)).toEqual(['a', 'A_1', 'b']);
  expect(outcome.rows?.[0]).toEqual(first);
});

test.each([1, 1000, 1001])('the columns and the order of a result are the same with %d rows', async (rows) => {
  const text = `SELECT id AS a, -id AS "A", 0 AS a, 1 AS a_1, id % 2 AS "ä", 2 AS "b c" FROM
    (SELECT unnest(range(${rows})) AS id FROM (SELECT 1 FROM sales.orders LIMIT 1)) ORDER BY id % 2 DESC, id DESC`;
  const location = joinLocation(f.store.root, 'results', `columns-${rows}.parquet`);
  const outcome = await f.query(text, { output: { kind: 'result', location } });
  if (!outcome.ok) throw new Error(outcome.error.message);
  expect(outcome).toMatchObject({ rowCount: rows, stored: rows > 1000 });
  expect(outcome.columns.map(({ name }) => name)).toEqual(['a', 'A_1', 'a_2', 'a_1_1', 'ä', 'b c']);
  const page = outcome.rows ?? (await new ResultReader(f.store).page(location, { offset: 0, limit: rows })).rows;
  const expected = Array.from({ length: rows }, (_, id) => [id, 0 - id, 0, 1, id % 2, 2]).toSorted(
    (x, y) => y[4]! - x[4]! || y[0]! - x[0]!,
  );
  expect(page).toEqual(expected);
});

test.each(['current_user', 'session_user', 'user', 'current_role', 'current_schema', 'current_catalog'])(
  '%s is a column, or refused',
  async (name) => {
    await f.addTable(`odd.${name}`, [{ name, type: 'int' }], `SELECT 1 AS "${name}"`);
    expect(await f.rows(`SELECT ${name} FROM odd.${name} WHERE ${name} = 1`)).toEqual([[1]]);
    const outcome = await f.query(`SELECT count(*) FROM sales.orders WHERE customer = ${name}`);
    expect(outcome.ok || outcome.error).toMatchObject({ code: 'function-not-allowed' });
  },
);

test('branches and tags whose names differ in letter case only are different versions', async () => {
  const columns = [{ name: 'id', type: 'long' }];
  await f.addTable('versions.upper', columns, 'SELECT 1::BIGINT AS id');
  await f.addTable('versions.lower', columns, 'SELECT 2::BIGINT AS id');
  const outcome = await f.query(
    "SELECT a.id, b.id FROM s.t a AT (VERSION => 'Release') JOIN s.t b AT (VERSION => 'release') ON true",
    {
      resolve: async (tables) =>
        tables.map(({ version }) => f.relations.get(`versions.${version?.text === 'Release' ? 'upper' : 'lower'}`)!),
    },
  );
  expect(outcome.ok ? outcome.rows : outcome.error).toEqual([[1, 2]]);
});

test('a missing file is reported as missing, without its path', async () => {
  await f.addTable('sales.gone', [{ name: 'id', type: 'long' }], 'SELECT 1::BIGINT AS id');
  const before = new Set(await dataFiles());
  for await (const o of f.store.list(f.store.root))
    if (/gone.*\.parquet$/.test(o.location)) await f.store.remove(o.location);
  expect((await dataFiles()).length).toBeLessThan(before.size);
  const outcome = await f.query('SELECT * FROM sales.gone');
  expect(outcome).toMatchObject({ ok: false, error: { code: 'execution-error' } });
  expect(outcome.ok || outcome.error.message).toMatch(
    /^A file that the query was reading no longer exists: .* Run the query again\.$/,
  );
});

const dataFiles = async () => {
  const found: string[] = [];
  for await (const o of f.store.list(f.store.root)) found.push(o.location);
  return found;
};

test('values JSON cannot hold are texts; odd types become ones Iceberg has (QUERY-6)', async () => {
  const outcome = await f.query(`select 9007199254740993 a, 1.50::decimal(9,2) b, 'nan'::double c, '-inf'::double d,
    'hi'::blob e, sum(9223372036854775807) f, 1::ubigint g, interval 1 day h, timestamp '2020-01-01 00:00:00.5' i,
    timestamptz '2020-01-01 00:00:00+02' j, date '2020-02-29' k, time '10:00:00' l, {'x': [1]} m, map {'k': 1} n,
    null o, true p, 1::tinyint q, uuid '00000000-0000-4000-8000-000000000001' r, 1 s, 2 s`);
  expect(outcome.ok && outcome.columns.map((c) => `${c.name} ${c.type}`)).toEqual([
    'a long',
    'b decimal(9,2)',
    'c double',
    'd double',
    'e binary',
    'f decimal(38,0)',
    'g decimal(20,0)',
    'h string',
    'i timestamp',
    'j timestamptz',
    'k date',
    'l time',
    'm struct<x: list<int>>',
    'n map<string,int>',
    'o int',
    'p boolean',
    'q int',
    'r uuid',
    's int',
    's_1 int',
  ]);
  expect(outcome.ok && outcome.rows).toEqual([
    [
      '9007199254740993',
      '1.50',
      'NaN',
      '-Infinity',
      'aGk=',
      '9223372036854775807',
      '1',
      '1 day',
      '2020-01-01T00:00:00.500',
      '2019-12-31T22:00:00Z',
      '2020-02-29',
      '10:00:00',
      { x: [1] },
      { k: 1 },
      null,
      true,
      1,
      '00000000-0000-4000-8000-000000000001',
      1,
      2,
    ],
  ]);
});

test('a page of large cells is short, and the next one continues after it', async () => {
  const location = joinLocation(f.store.root, 'results', 'wide.parquet');
  const sql = "select i, repeat('x', 1000000) t from range(30) r(i)";
  expect(await f.query(sql, { output: { kind: 'result', location } })).toMatchObject({ ok: true, rowCount: 30 });
  const reader = new ResultReader(f.store);
  const found: unknown[] = [];
  const sizes: number[] = [];
  while (found.length < 30) {
    const { rows, total } = await reader.page(location, { offset: found.length, limit: 10_000 });
    expect(total).toBe(30);
    sizes.push(rows.length);
    found.push(...rows.map(([i]) => i));
  }
  expect(found).toEqual(Array.from({ length: 30 }, (_, i) => i));
  expect(sizes).toEqual([8, 8, 8, 6]);
  const many = `select ${Array.from({ length: 1000 }, (_, i) => `i as c${i}`).join(', ')} from range(2000) r(i)`;
  const other = joinLocation(f.store.root, 'results', 'many.parquet');
  expect(await f.query(many, { output: { kind: 'result', location: other } })).toMatchObject({ rowCount: 2000 });
  expect((await reader.page(other, { offset: 0, limit: 10_000 })).rows).toHaveLength(500);
  await reader.close();
});

test('large results come in pages and as CSV', async () => {
  const location = joinLocation(f.store.root, 'results', 'large.parquet');
  const sql = "select i, case when i % 2 = 0 then 'a,' || i end t, '' e from range(5000) r(i) order by i desc";
  expect(await f.query(sql, { output: { kind: 'result', location } })).toMatchObject({
    ok: true,
    rowCount: 5000,
    rows: null,
  });
  const reader = new ResultReader(f.store);
  expect(await reader.page(location, { offset: 4998, limit: 10 })).toEqual({
    columns: [
      { name: 'i', type: 'long' },
      { name: 't', type: 'string' },
      { name: 'e', type: 'string' },
    ],
    rows: [
      [1, null, ''],
      [0, 'a,0', ''],
    ],
    total: 5000,
  });
  let csv = '';
  for await (const piece of reader.csv(location, { raw: false })) csv += piece;
  expect(csv.split('\r\n').slice(0, 3)).toEqual(['i,t,e', '4999,,""', '4998,"a,4998",""']);
  expect(csv.split('\r\n').length).toBe(5002);
  await reader.close();
});

test('creates and fills tables', async () => {
  const tableLocation = joinLocation(f.store.root, 'made');
  const made = await f.query('select id, sum(amount) as total from sales.orders group by id', {
    output: { kind: 'data-files', tableLocation, fields: null },
  });
  if (!made.ok) throw new Error(made.error.message);
  expect(made.fields.map((x) => [x.id, x.name, x.type])).toEqual([
    [1, 'id', 'long'],
    [2, 'total', 'decimal(38, 2)'],
  ]);
  expect(made.files[0]).toMatchObject({ record_count: 10n, file_format: 'PARQUET' });
  expect(made.files[0]!.lower_bounds).toHaveLength(2);
  const into = (sql: string) => f.query(sql, { output: { kind: 'data-files', tableLocation, fields: made.fields } });
  const before = await dataFiles();
  expect(await into("select 1 as ID, 'x' as total")).toMatchObject({ ok: false, error: { code: 'execution-error' } });
  expect(await into('select 1 as id, 2 as other')).toMatchObject({ ok: false, error: { code: 'column-mismatch' } });
  const required = made.fields.map((x) => ({ ...x, required: true }));
  const strict = (sql: string) => f.query(sql, { output: { kind: 'data-files', tableLocation, fields: required } });
  expect(await strict('select 1 as id')).toMatchObject({ ok: false, error: { code: 'column-mismatch' } });
  const nulls = await strict('select 1 as id, null as total');
  expect(nulls).toMatchObject({
    ok: false,
    error: { code: 'null-not-allowed', message: expect.stringContaining('"total"') },
  });
  expect(await dataFiles()).toEqual(before);
  expect(await into('select 1.5 as total, 7 as id')).toMatchObject({ ok: true, rowCount: 1 });
});

test('describes without running', async () => {
  const described = await describeQuery(f.sandbox, { sql: 'select id, 1/0 x from sales.orders', resolve: f.resolve });
  expect(described).toEqual({
    ok: true,
    parameterTypes: [],
    usesCatalog: false,
    columns: [
      { name: 'id', type: 'long' },
      { name: 'x', type: 'double' },
    ],
    tables: [['sales', 'orders']],
  });
});

test('errors name the cause and nothing inside', async () => {
  const failed = async (sql: string) => {
    const outcome = await f.query(sql);
    return outcome.ok ? null : outcome.error;
  };
  expect(await failed('select nme from sales.orders')).toMatchObject({
    code: 'binder-error',
    message: expect.stringContaining('"nme"'),
  });
  expect(await failed('selec 1')).toMatchObject({ code: 'parse-error', position: 0 });
  expect((await failed('select * from sales.hidden'))!.message).toBe(
    (await failed('select * from sales.hidden'))!.message,
  );
  expect(await failed('select customer::int from sales.orders')).toMatchObject({ code: 'execution-error' });
  for (const sql of ['select nme from sales.orders', 'select customer::int from sales.orders', 'select lake.x']) {
    expect((await failed(sql))!.message).not.toMatch(/LINE|lake\.|parquet|\/tmp|c0::/);
  }
});

test('a cancelled query stops at once and leaves no files', async () => {
  const before = await dataFiles();
  const controller = new AbortController();
  const seen: (number | null)[] = [];
  const running = f.query('select count(*) from range(100000000000) a where a.range % 7 = 3', {
    signal: controller.signal,
    limits: { timeoutMs: 120_000 },
    onProgress: (p) => {
      seen.push(p);
      controller.abort();
    },
  });
  expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(seen.length).toBeGreaterThan(0);
  expect(await dataFiles()).toEqual(before);
}, 150_000);

test('the child knows nothing of the environment', async () => {
  process.env['SVC_SECRETS__KEY'] = 'canary';
  await f.sandbox.withChild(async (child) => {
    await child.ready;
    const environ = await fs.readFile(`/proc/${child.pid}/environ`, 'utf8').catch(() => '');
    expect(environ).not.toContain('canary');
    expect(environ).not.toContain('SVC_');
  });
  delete process.env['SVC_SECRETS__KEY'];
});

test('big sorts spill to disk and keep their order', async () => {
  const limits = { memoryLimit: 600 * 1024 * 1024, tempLimit: 1024 ** 3 };
  const location = joinLocation(f.store.root, 'results', 'sorted.parquet');
  const sql = "select hash(i) h, i::varchar || repeat('x', 40) p from range(3000000) r(i) order by h";
  const outcome = await f.query(sql, { limits, output: { kind: 'result', location } });
  expect(outcome.ok ? outcome.rowCount : outcome.error).toBe(3_000_000);
  const reader = new ResultReader(f.store);
  const first = (await reader.page(location, { offset: 0, limit: 1 })).rows[0]![0];
  const later = (await reader.page(location, { offset: 2_000_000, limit: 1 })).rows[0]![0];
  expect(BigInt(String(first)) < BigInt(String(later))).toBe(true);
  await reader.close();
});

test('columns without a name show the text as written', async () => {
  const sql =
    'WITH c AS (SELECT 1 AS x) SELECT EXISTS(SELECT 1 FROM sales.orders), (SELECT max(x) FROM c), count(*), 1 + 1 FROM c';
  const outcome = await f.query(sql);
  if (!outcome.ok) throw new Error(outcome.error.message);
  const names = outcome.columns.map(({ name }) => name);
  expect(names.slice(2)).toEqual(['count_star()', '(1 + 1)']);
  expect(names[0]).toBe('EXISTS(SELECT 1 FROM sales.orders)');
  expect(names[1]).toContain('FROM c');
  expect(JSON.stringify(names)).not.toMatch(/svc_cte|lake/);
});

test('a statement with too many parts is refused, and read outside of this process', async () => {
  const values = Array.from({ length: 150_000 }, (_, i) => i).join(',');
  const outcome = await f.query(`SELECT 1 WHERE 0 IN (${values})`);
  expect(outcome).toMatchObject({ ok: false, error: { code: 'not-supported' } });
  expect(await f.rows(`SELECT count(*) FROM sales.orders WHERE id IN (${values.slice(0, 50_000)}0)`)).toHaveLength(1);
});

test('an open query writes where its columns decide, with the rows of the moment when it was opened', async () => {
  await f.addTable('s.opened', [{ name: 'n', type: 'int' }], 'SELECT 1 AS n');
  // Without preforked processes, which would start at any moment.
  const sandbox = new Sandbox({ ...f.sandbox.options, prefork: 0 });
  const opened = await openQuery(sandbox, { sql: 'SELECT n FROM s.opened', resolve: f.resolve, owner: 'ann' });
  if (!opened.ok) throw new Error(opened.error.message);
  expect(opened.columns).toEqual([{ name: 'n', type: 'int' }]);
  f.relations.delete('s.opened');
  const before = sandbox.children;
  const tableLocation = joinLocation(f.store.root, 'opened');
  expect(await opened.write({ tableLocation, fields: null })).toMatchObject({ ok: true, rowCount: 1 });
  // The process waits for its owner's next query, once.
  await Promise.all([opened.close(), opened.close()]);
  expect([before, sandbox.children]).toEqual([1, 1]);
  await expect(opened.write({ tableLocation, fields: null })).rejects.toThrow();
  await sandbox.close();
});

test('an open query claims the order of its table only for files that one thread has written', async () => {
  const { fields } = fieldsOfColumns([{ name: 'n', type: 'int' }]);
  const sort = [{ source: fields, transform: { kind: 'identity' }, descending: false, nullsFirst: false }] as const;
  const layout = { specId: 0, partition: [], sortOrderId: 1, sort };
  const sandbox = new Sandbox({ ...f.sandbox.options, threads: 2 });
  const orderOf = async (sql: string) => {
    const opened = await openQuery(sandbox, { sql, resolve: f.resolve, owner: 'ann' });
    if (!opened.ok) throw new Error(opened.error.message);
    const written = await opened.write({ tableLocation: joinLocation(f.store.root, 'ordered'), fields, layout });
    if (!written.ok) throw new Error(written.error.message);
    return written.files.map((file) => file.sort_order_id);
  };
  await f.addTable('s.ordered', [{ name: 'n', type: 'int' }], 'SELECT 1 AS n');
  try {
    expect(await orderOf('SELECT n FROM s.ordered')).toEqual([1]);
    expect(await orderOf('SELECT i::INT AS n FROM range(3) t(i)')).toEqual([0]);
  } finally {
    await sandbox.close();
  }
});

test('a query that is rejected is not opened, and one that fails writes nothing', async () => {
  const open = (sql: string) => openQuery(f.sandbox, { sql, resolve: f.resolve, owner: 'ann' });
  expect(await open('SELECT * FROM s.nothing')).toMatchObject({ ok: false, error: { code: 'table-not-found' } });
  const opened = await open("SELECT ('x' || i)::INT AS i FROM range(3) t(i)");
  if (!opened.ok) throw new Error(opened.error.message);
  const tableLocation = joinLocation(f.store.root, 'failed');
  expect(await opened.write({ tableLocation, fields: null })).toMatchObject({
    ok: false,
    error: { code: 'execution-error' },
  });
});
