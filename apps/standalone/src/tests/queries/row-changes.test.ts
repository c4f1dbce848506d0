import { DuckDBInstance } from '@duckdb/node-api';
import type { Query, SubmitOptions, SvcClient } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
});
afterAll(() => s.stop());

const START = `SELECT * FROM (VALUES (1, 'a', 1.50), (2, 'b', 2.50), (3, NULL, 3.00)) v(id, name, price)`;
let tables = 0;

/** A new table with the rows above or of another SELECT. */
async function newTable(
  sql = `SELECT id::INTEGER AS id, name, price::DECIMAL(10,2) AS price FROM (${START})`,
): Promise<string> {
  const table = `shop.t${++tables}`;
  await s.client.queries.run('dev', sql, { into: table, mode: 'create' });
  return table;
}

/** Runs a statement and returns its record, whether it succeeds or fails. */
async function run(sql: string, options: SubmitOptions = {}, client: SvcClient = s.client): Promise<Query> {
  const { id } = await client.queries.submit('dev', sql, options);
  return client.queries.wait('dev', id);
}

const rows = (table: string) => rowsOf(s.client, 'dev', `SELECT * FROM ${table} ORDER BY ALL`);
const affected = (inserted: number, updated: number, deleted: number) => ({
  status: 'SUCCEEDED',
  row_count: inserted + updated + deleted,
  affected: { inserted, updated, deleted },
});

test('INSERT, UPDATE and DELETE change rows, and the record counts them (QUERY-13)', async () => {
  const t = await newTable();
  expect(await run(`INSERT INTO ${t} VALUES (4, 'd', 4), (5, 'e', NULL)`)).toMatchObject({
    ...affected(2, 0, 0),
    into: t,
  });
  expect(await run(`INSERT INTO ${t} (price, id) SELECT 6.5, 6`)).toMatchObject(affected(1, 0, 0));
  expect(await run(`INSERT INTO ${t} BY NAME SELECT 7 AS id`)).toMatchObject(affected(1, 0, 0));
  expect(await run(`UPDATE ${t} SET price = price * 1.1, name = upper(name) WHERE id <= 2`)).toMatchObject(
    affected(0, 2, 0),
  );
  expect(await run(`DELETE FROM ${t} AS x WHERE x.name IS NULL`)).toMatchObject(affected(0, 0, 3));
  expect(await rows(t)).toEqual([
    [1, 'A', '1.65'],
    [2, 'B', '2.75'],
    [4, 'd', '4.00'],
    [5, 'e', null],
  ]);
  expect(await run(`DELETE FROM ${t} WHERE id = 77`)).toMatchObject(affected(0, 0, 0));
  const [last] = await s.client.tables.snapshots('dev', t);
  expect(last).toMatchObject({ operation: 'overwrite', summary: { 'total-records': '4' } });
});

test('MERGE updates, deletes and inserts by its first clause that applies (QUERY-13)', async () => {
  const t = await newTable();
  const merge = `MERGE INTO ${t} AS t
    USING (SELECT * FROM (VALUES (1, 'one', 10.0), (3, 'three', 0.0), (7, 'seven', 7.0), (8, NULL, 0)) v(id, name, price)) AS s
    ON t.id = s.id
    WHEN MATCHED AND s.price > $least THEN UPDATE SET name = s.name, price = s.price
    WHEN MATCHED THEN DELETE
    WHEN NOT MATCHED AND s.price > $least THEN INSERT (id, name, price) VALUES (s.id, s.name, s.price)`;
  expect(await run(merge, { params: { least: 1 } })).toMatchObject(affected(1, 1, 1));
  const expected = [
    [1, 'one', '10.00'],
    [2, 'b', '2.50'],
    [7, 'seven', '7.00'],
  ];
  expect(await rows(t)).toEqual(expected);
  const detail = { mode: 'merge', rows: 3, inserted: 1, updated: 1, deleted: 1, snapshot_id: expect.any(Number) };
  expect((await s.events('TABLE_WRITE')).at(-1)?.detail).toMatchObject(detail);
  const twice = `MERGE INTO ${t} AS t USING (SELECT 1 AS id UNION ALL SELECT 1) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET price = 0`;
  expect(await run(twice)).toMatchObject({ status: 'FAILED', error: { code: 'ambiguous-change' } });
  const from = `UPDATE ${t} AS t SET price = s.p FROM (SELECT 1 AS id, 5 AS p UNION ALL SELECT 1, 6) AS s WHERE t.id = s.id`;
  expect(await run(from)).toMatchObject({ status: 'FAILED', error: { code: 'ambiguous-change' } });
  expect(await rows(t)).toEqual(expected);
});

test('a dry run counts the rows and changes none, also in a protected environment (QUERY-14)', async () => {
  const t = await newTable();
  const before = await s.client.tables.snapshots('dev', t);
  expect(await run(`DELETE FROM ${t} WHERE id > 1`, { dry_run: true })).toMatchObject({
    ...affected(0, 0, 2),
    dry_run: true,
  });
  expect(await run(`INSERT INTO ${t} SELECT id + 10, name, price FROM ${t}`, { dry_run: true })).toMatchObject(
    affected(3, 0, 0),
  );
  const merge = `MERGE INTO ${t} AS t USING (SELECT 9 AS id) AS s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)`;
  expect(await run(merge, { dry_run: true })).toMatchObject(affected(1, 0, 0));
  expect(await s.client.tables.snapshots('dev', t)).toEqual(before);
  await s.client.environments.update('dev', { protected: true });
  try {
    const remove = `DELETE FROM ${t} WHERE id = 1`;
    await expect(run(remove)).rejects.toMatchObject({ code: 'environment-protected' });
    expect(await run(remove, { dry_run: true })).toMatchObject(affected(0, 0, 1));
    expect(await run(remove, { breakGlass: 'a test' })).toMatchObject(affected(0, 0, 1));
  } finally {
    await s.client.environments.update('dev', { protected: false });
  }
  const refused = {
    errors: [{ pointer: '/dry_run', message: 'is only valid with INSERT, UPDATE, DELETE, MERGE or TRUNCATE' }],
  };
  await expect(run('SELECT 1', { dry_run: true })).rejects.toMatchObject(refused);
  await expect(run(`DELETE FROM ${t}`, { into: t })).rejects.toMatchObject({ errors: [{ pointer: '/into' }] });
});

test('a change needs WRITE_TABLE, and READ_TABLE if it reads the table; a filter or mask of the caller forbids it (QUERY-15)', async () => {
  const t = await newTable();
  await s.client.principals.create({ name: 'wim', type: 'service-account' });
  const wim = s.clientOf((await s.client.tokens.issue('wim', 'test')).token);
  const grant = (action: string, table?: string) => {
    const on =
      table === undefined ? { kind: 'ENVIRONMENT' } : { kind: 'TABLE', namespace: 'shop', table: table.split('.')[1] };
    return s.client.grants.create({ ...on, principal: 'wim', action, environment: 'dev' } as never);
  };
  await grant('SUBMIT_QUERY');
  const remove = `DELETE FROM ${t} WHERE id = 1`;
  await expect(run(remove, {}, wim)).rejects.toMatchObject({ status: 403 });
  expect((await s.events('AUTHORIZATION_DENIED')).at(-1)?.detail).toMatchObject({ action: 'WRITE_TABLE' });
  await grant('WRITE_TABLE', t);
  expect(await run(`INSERT INTO ${t} (id) VALUES (9)`, {}, wim)).toMatchObject(affected(1, 0, 0));
  expect(await run(remove, {}, wim)).toMatchObject({ status: 'FAILED', error: { code: 'table-not-found' } });
  expect(await run(`INSERT INTO ${t} SELECT * FROM ${t}`, {}, wim)).toMatchObject({
    error: { code: 'table-not-found' },
  });
  await grant('READ_TABLE', t);
  expect(await run(remove, {}, wim)).toMatchObject(affected(0, 0, 1));
  await s.client.rowFilters.create('dev', t, { principal: 'wim', predicate: 'id < 3' });
  const bound = await run(`UPDATE ${t} SET price = 0`, {}, wim);
  expect(bound).toMatchObject({ status: 'FAILED', error: { code: 'not-allowed' } });
  expect(bound.error?.detail).toContain('A row filter or column mask on');
  expect((await s.events('AUTHORIZATION_DENIED')).at(-1)?.detail).toMatchObject({
    action: 'WRITE_TABLE',
    reason: 'a row filter or column mask on the table binds the caller',
  });
  expect(await run(`INSERT INTO ${t} (id) VALUES (10)`, {}, wim)).toMatchObject(affected(1, 0, 0));
  expect((await rows(t)).map(([id]) => id)).toEqual([2, 3, 9, 10]);
});

test.each([
  ['DELETE FROM T WHERE nope = 1', 'binder-error', 'The column "nope" doesn\'t exist'],
  ['UPDATE T SET nope = 1', 'column-mismatch', 'no column "nope". Available columns: id, name, price.'],
  ["UPDATE T SET id = 'x'", 'execution-error', "Could not convert string 'x'"],
  ['INSERT INTO T VALUES (1)', 'binder-error', ''],
  ['INSERT INTO T (id, other) VALUES (1, 2)', 'column-mismatch', 'no column "other"'],
  ['DELETE FROM T WHERE id = 1) OR (true', 'parse-error', 'syntax error at or near'],
  ['UPDATE T SET price = (SELECT secret FROM hidden.table)', 'table-not-found', 'hidden.table'],
  ["DELETE FROM T WHERE id IN (SELECT 1 FROM read_csv('/etc/passwd'))", 'function-not-allowed', 'read_csv'],
  ['DELETE FROM svc_change.target', 'not-found', 'svc_change.target'],
  ['DELETE FROM T WHERE id = $missing', 'wrong-parameters', '$missing'],
])('%s fails and changes nothing (QUERY-13)', async (sql, code, detail) => {
  const t = await newTable();
  const failed = await run(sql.replace(/\bT\b/, t), sql.includes('$') ? { params: { other: 1 } } : {});
  expect(failed).toMatchObject({ status: 'FAILED', error: { code } });
  expect(failed.error?.detail).toContain(detail);
  expect((await rows(t)).length).toBe(3);
});

test('DELETE … USING deletes nothing if it is unclear which table a name means, and counts each row once (QUERY-13)', async () => {
  const t = await newTable();
  const returns = await newTable('SELECT unnest([1, 1, 3])::INTEGER AS id, 2::INTEGER AS other');
  const before = await rows(t);
  for (const statement of [
    `DELETE FROM ${t} AS t USING ${returns} AS r WHERE id = r.id`,
    `DELETE FROM ${t} AS t USING ${returns} AS t WHERE t.id = t.id`,
    `DELETE FROM ${t} USING ${t} WHERE price > 2`,
  ])
    expect(await run(statement)).toMatchObject({ status: 'FAILED', error: { code: 'binder-error' } });
  expect(await rows(t)).toEqual(before);
  expect(await run(`DELETE FROM ${t} AS t USING ${returns} AS r WHERE t.id = r.id`)).toMatchObject(affected(0, 0, 2));
  expect(await rows(t)).toEqual([[2, 'b', '2.50']]);
});

test('INSERT refuses a query with other columns than it names (QUERY-13)', async () => {
  const t = await newTable();
  const before = await rows(t);
  for (const statement of [
    `INSERT INTO ${t} (id) SELECT 7, 'x' AS name`,
    `INSERT INTO ${t} (id, name) SELECT 7`,
    `INSERT INTO ${t} (id) VALUES (7, 'x')`,
    `INSERT INTO ${t} SELECT 7, 'x', 1.5, 8`,
    `INSERT INTO ${t} (id, ID) SELECT 7, 8`,
    `INSERT INTO ${t} SELECT id AS price, price AS id, name, name AS n FROM ${t}`,
  ])
    expect({ statement, ...(await run(statement)) }).toMatchObject({ statement, status: 'FAILED' });
  expect(await rows(t)).toEqual(before);
});

test('a subquery on the same table sees all of its rows, as they were (QUERY-13)', async () => {
  const t = await newTable('SELECT range::INTEGER AS id, range % 10 AS k FROM range(10)');
  await run(`INSERT INTO ${t} SELECT id + 10, k FROM ${t}`);
  expect(await run(`DELETE FROM ${t} WHERE id NOT IN (SELECT max(id) FROM ${t} GROUP BY k)`)).toMatchObject(
    affected(0, 0, 10),
  );
  expect(await run(`UPDATE ${t} SET k = (SELECT sum(k) FROM ${t}) WHERE id = 19`)).toMatchObject(affected(0, 1, 0));
  expect((await rows(t)).at(-1)).toEqual([19, 45]);
});

test('twenty writers at once lose nothing and double nothing (QUERY-16)', async () => {
  const t = await newTable('SELECT 1 AS id, 0 AS n');
  const writers = Array.from({ length: 20 }, (_, i) => i);
  const all = await Promise.all([
    ...writers.map(() => run(`UPDATE ${t} SET n = n + 1`)),
    ...writers.map((i) =>
      run(`MERGE INTO ${t} AS t USING (SELECT ${2 + (i % 4)} AS id) AS s ON t.id = s.id
        WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, 1000)`),
    ),
    ...writers.map((i) => run(`INSERT INTO ${t} VALUES (${100 + i}, 1000)`)),
  ]);
  const failures = all.filter(({ status }) => status !== 'SUCCEEDED').map(({ error }) => error);
  expect(failures).toEqual([]);
  const found = await rows(t);
  expect(found.map(([id]) => id)).toEqual([1, 2, 3, 4, 5, ...writers.map((i) => 100 + i)]);
  expect(found[0]).toEqual([1, 20]);
}, 120_000);

const MODES = ['write.delete.mode', 'write.update.mode', 'write.merge.mode'];

/** A commit of an external engine that sets how changes of the table are written. */
async function setMode(table: string, mode: string): Promise<void> {
  const updates = Object.fromEntries(MODES.map((property) => [property, mode]));
  const [namespace, name] = table.split('.');
  const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/${namespace}/tables/${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ requirements: [], updates: [{ action: 'set-properties', updates }] }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

test('with merge-on-read, files stay and their changed rows are marked as deleted, until compaction (QUERY-18)', async () => {
  const t = await newTable('SELECT range::INTEGER AS id, 0 AS n FROM range(1000)');
  await setMode(t, 'merge-on-read');
  expect(await run(`DELETE FROM ${t} WHERE id < 10`)).toMatchObject(affected(0, 0, 10));
  expect(await run(`UPDATE ${t} SET n = 1 WHERE id < 30`)).toMatchObject(affected(0, 20, 0));
  expect(await run(`DELETE FROM ${t} WHERE n = 1 AND id % 2 = 0`)).toMatchObject(affected(0, 0, 10));
  const state = `SELECT count(*), sum(n), min(id) FROM ${t}`;
  expect(await rowsOf(s.client, 'dev', state)).toEqual([[980, '10', 11]]);
  const [last, second] = await s.client.tables.snapshots('dev', t);
  expect(last!.summary).toMatchObject({ 'added-position-deletes': '10', 'total-position-deletes': '40' });
  expect(second!.summary).toMatchObject({ 'added-data-files': '1', 'added-records': '20', 'deleted-data-files': '0' });
  expect(await s.client.tables.get('dev', t)).toMatchObject({ row_count: 980 });
  const { id } = await s.client.tables.maintain('dev', t, { compact: true });
  expect(await s.client.maintenance.wait('dev', id)).toMatchObject({ status: 'succeeded' });
  expect(await rowsOf(s.client, 'dev', state)).toEqual([[980, '10', 11]]);
  const [compacted] = await s.client.tables.snapshots('dev', t);
  expect(compacted!.summary).toMatchObject({ 'total-records': '980', 'total-position-deletes': '0' });
  await setMode(t, 'copy-on-write');
  await run(`DELETE FROM ${t} WHERE id < 100`);
  expect((await s.client.tables.snapshots('dev', t))[0]!.summary).toMatchObject({ 'total-position-deletes': '0' });
});

test('position deletes are in order, also with several threads and row groups (QUERY-18)', async () => {
  const several = await startTestService({ SVC_QUERY__THREADS: '4' });
  try {
    await several.client.environments.create('dev');
    await several.client.namespaces.create('dev', 'shop');
    const sql = 'SELECT range AS id FROM range(16000000)';
    await several.client.queries.run('dev', sql, { into: 'shop.large', mode: 'create' });
    await several.client.queries.run('dev', 'DELETE FROM shop.large WHERE id % 107 = 0');
    const [last] = await several.client.tables.snapshots('dev', 'shop.large');
    expect(last!.summary).toMatchObject({ 'added-position-deletes': '149533' });
    const files = (await several.stored('tables')).filter((file) => file.endsWith('.parquet'));
    const peer = await DuckDBInstance.create(':memory:');
    const connection = await peer.connect();
    const inversions = `SELECT count(*) FROM (SELECT pos < lag(pos) OVER (ORDER BY file_row_number) AS x
      FROM read_parquet($1, file_row_number = true, union_by_name = true) WHERE pos IS NOT NULL) WHERE x`;
    const found: unknown[] = [];
    for (const file of files) {
      const names = (await connection.runAndReadAll(`SELECT name FROM parquet_schema('${file}')`)).getRows().flat();
      if (names.includes('pos'))
        found.push((await connection.runAndReadAll(inversions.replace('$1', `'${file}'`))).getRows());
    }
    expect(found).toEqual([[[0n]]]);
    connection.closeSync();
    peer.closeSync();
  } finally {
    await several.stop();
  }
}, 120_000);

test('twenty writers at once lose nothing with merge-on-read either (QUERY-16)', async () => {
  const t = await newTable('SELECT range AS id, 0 AS n FROM range(100)');
  await setMode(t, 'merge-on-read');
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) => run(`UPDATE ${t} SET n = n + 1 WHERE id <= ${i}`)),
  );
  expect(all.filter(({ status }) => status !== 'SUCCEEDED').map(({ error }) => error)).toEqual([]);
  expect(await rowsOf(s.client, 'dev', `SELECT count(*), sum(n), max(n) FROM ${t}`)).toEqual([[100, '210', 20]]);
}, 120_000);

/** Creates a table as an external engine does: partitioned by `k`, in a version of Iceberg's format. */
async function partitionedTable(version: 2 | 3, mode: string): Promise<string> {
  const name = `partitioned_${version}_${mode.replaceAll('-', '_')}`;
  const field = (id: number, name: string, type: string) => ({ id, name, type, required: false });
  const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/shop/tables`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name,
      schema: {
        type: 'struct',
        'schema-id': 0,
        fields: [field(1, 'id', 'int'), field(2, 'k', 'string'), field(3, 'n', 'long')],
      },
      'partition-spec': {
        'spec-id': 0,
        fields: [{ name: 'k', 'source-id': 2, 'field-id': 1000, transform: 'identity' }],
      },
      properties: { 'format-version': String(version), ...Object.fromEntries(MODES.map((one) => [one, mode])) },
    }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  return `shop.${name}`;
}

test.each([
  [2, 'copy-on-write'],
  [2, 'merge-on-read'],
  [3, 'merge-on-read'],
] as const)(
  'tables of external engines, format version %i, %s: rows move between partitions (QUERY-13)',
  async (version, mode) => {
    const t = await partitionedTable(version, mode);
    const merge = `MERGE INTO ${t} AS t USING (SELECT range::INTEGER AS id, 'k' || range % 3 AS k FROM range(6)) AS s ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET n = t.n + 1 WHEN NOT MATCHED THEN INSERT (id, k, n) VALUES (s.id, s.k, 0)`;
    expect(await run(merge)).toMatchObject(affected(6, 0, 0));
    expect(await run(`${merge.replace('range(6)', 'range(4, 8)')}`)).toMatchObject(affected(2, 2, 0));
    expect(await run(`UPDATE ${t} SET k = 'k0' WHERE k = 'k2'`)).toMatchObject(affected(0, 2, 0));
    expect(await run(`DELETE FROM ${t} WHERE k = 'k1' AND n = 0`)).toMatchObject(affected(0, 0, 2));
    expect(await rows(t)).toEqual([
      [0, 'k0', 0],
      [2, 'k0', 0],
      [3, 'k0', 0],
      [4, 'k1', 1],
      [5, 'k0', 1],
      [6, 'k0', 0],
    ]);
    expect(await s.client.tables.get('dev', t)).toMatchObject({ row_count: 6 });
  },
);

/** Statements of all kinds with random conditions, the same for every run. */
function* statements(seed: number): Generator<string> {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const condition = () =>
    [
      'id % 3 = 1',
      'k IS NULL',
      `k < ${random(8)}`,
      `id > ${random(60)} AND k <> 2`,
      "name LIKE '%1%'",
      'k NOT IN (SELECT max(k) FROM T)',
    ][random(6)]!;
  const source = () =>
    `(SELECT range::INTEGER AS id, range % 5 AS k, 'm' || range AS name FROM range(${random(30)}, ${30 + random(40)}))`;
  for (let i = 0; i < 25; i++) {
    yield [
      `INSERT INTO T SELECT id + ${100 + i}, k, name FROM T WHERE ${condition()} AND id < 100`,
      `DELETE FROM T WHERE ${condition()} AND id % 4 = ${random(4)}`,
      `UPDATE T SET k = k + ${random(5)}, name = name || '-' WHERE ${condition()}`,
      `UPDATE T SET k = NULL WHERE ${condition()} AND id % 5 = 0`,
      `UPDATE T AS t SET name = s.name FROM ${source()} AS s WHERE t.id = s.id AND s.k = ${random(5)}`,
      `DELETE FROM T AS t USING ${source()} AS s WHERE t.id = s.id AND t.k = s.k`,
      `MERGE INTO T AS t USING ${source()} AS s ON t.id = s.id WHEN MATCHED AND t.k > 3 THEN DELETE
         WHEN MATCHED THEN UPDATE SET k = s.k WHEN NOT MATCHED AND s.k <> 1 THEN INSERT (id, k, name) VALUES (s.id, s.k, s.name)`,
    ][random(7)]!;
  }
}

test.each([
  [1, 'copy-on-write'],
  [2, 'copy-on-write'],
  [3, 'merge-on-read'],
  [4, 'merge-on-read'],
])(
  'random statements have the same effect as in DuckDB (QUERY-13), seed %i, %s',
  async (seed, mode) => {
    const start = `SELECT range::INTEGER AS id, (range * 7 % 10)::BIGINT AS k, 'n' || range AS name FROM range(60)`;
    const t = await newTable(`${start} WHERE id < 30`);
    await run(`INSERT INTO ${t} ${start} WHERE id >= 30`);
    await setMode(t, mode);
    const peer = await DuckDBInstance.create(':memory:');
    const connection = await peer.connect();
    await connection.run(`CREATE SCHEMA shop; CREATE TABLE ${t} AS ${start}`);
    for (const sql of statements(seed)) {
      const text = sql.replaceAll(/\bT\b/g, t);
      const [ours, theirs] = [await run(text), await connection.runAndReadAll(text)];
      const count = Number(theirs.getRowsJson()[0]?.[0]);
      expect({ text, status: ours.status, error: ours.error, rows: ours.row_count }).toEqual({
        text,
        status: 'SUCCEEDED',
        error: null,
        rows: count,
      });
      const expected = await connection.runAndReadAll(`SELECT id, k::INTEGER, name FROM ${t} ORDER BY ALL`);
      expect(await rows(t)).toEqual(expected.getRows());
    }
    connection.closeSync();
    peer.closeSync();
  },
  60_000,
);
