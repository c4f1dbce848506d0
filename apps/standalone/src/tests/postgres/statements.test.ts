import { makeOrders } from '../../testing/orders.ts';
import { connectPostgres, errorOf, SQL_ON, withPostgres } from '../../testing/postgres-client.ts';
import { message, text, WireClient } from '../../testing/postgres-wire.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  await makeOrders(s.client, 'dev');
  await s.client.queries.run('dev', "INSERT INTO shop.orders (id, buyer) VALUES (1, 'Ann')");
  await s.client.queries.run('dev', 'SELECT i::INT AS id, i * 2 AS twice FROM range(5000) t(i)', {
    into: 'shop.numbers',
  });
});
afterAll(() => s.stop());

const run = (sql: string, values?: unknown[]) => withPostgres(s, (client) => client.query(sql, values));
const warningsOf = (sql: string) =>
  withPostgres(s, async (client) => {
    const warnings: (string | undefined)[] = [];
    client.on('notice', ({ message }) => warnings.push(message));
    await client.query(sql);
    return warnings;
  });

test('values of parameters have the types that the statement needs (POSTGRES-6)', async () => {
  const { rows } = await run('SELECT twice FROM shop.numbers WHERE id = $1 OR id = $2 ORDER BY id', [3, '7']);
  expect(rows).toEqual([{ twice: '6' }, { twice: '14' }]);
  expect(
    (await run("SELECT $1::DATE AS d, $2 || 'x' AS t, $3::BOOLEAN AS b", ['2026-03-01', "it's", true])).rows,
  ).toEqual([{ d: new Date(2026, 2, 1), t: "it'sx", b: true }]);
  expect(
    (await run('SELECT count(*)::INT AS n FROM shop.numbers WHERE id = ANY($1::INT[])', [[1, 2, 3]])).rows,
  ).toEqual([{ n: 3 }]);
  expect(await errorOf(run('SELECT id FROM shop.numbers WHERE id = $1', ['x']))).toMatchObject({ code: /^22|^42/ });
});

test('a text may have several statements, and none runs after one that fails (POSTGRES-5)', async () => {
  const results = (await run('SELECT 1 AS a; SELECT 2 AS b;')) as unknown as { rows: unknown[] }[];
  expect(results.map(({ rows }) => rows)).toEqual([[{ a: 1 }], [{ b: 2 }]]);
  expect(await errorOf(run("SELECT 1; SELECT nothing; INSERT INTO shop.orders VALUES (9, 'x')"))).toMatchObject({
    code: '42703',
  });
  expect((await run('SELECT count(*)::INT AS n FROM shop.orders')).rows).toEqual([{ n: 1 }]);
  expect((await run('')).rows).toEqual([]);
});

test('changes are committed at once, and their tags count rows (POSTGRES-10)', async () => {
  const tagOf = async (sql: string) => {
    const { command, rowCount } = await run(sql);
    return [command, rowCount];
  };
  expect(await tagOf('CREATE TABLE shop.made AS SELECT 1 AS id, 10 AS v UNION ALL SELECT 2, 20')).toEqual([
    'SELECT',
    2,
  ]);
  expect(await tagOf('INSERT INTO shop.made VALUES (3, 30)')).toEqual(['INSERT', 1]);
  expect(await tagOf('UPDATE shop.made SET v = v + 1 WHERE id >= 2')).toEqual(['UPDATE', 2]);
  expect(await tagOf('DELETE FROM shop.made WHERE id = 1')).toEqual(['DELETE', 1]);
  expect((await run('SELECT * FROM shop.made ORDER BY id')).rows).toEqual([
    { id: 2, v: 21 },
    { id: 3, v: 31 },
  ]);
  expect(await errorOf(run('CREATE TABLE shop.made AS SELECT 1 AS id'))).toMatchObject({ code: '42P07' });
});

test('a table is created where its name says, or in the search path (POSTGRES-9)', async () => {
  await withPostgres(s, async (client) => {
    for (const name of ['DEV.shop.named', 'dev."shop"."quoted"', 'shop.plain'])
      await client.query(`CREATE TABLE ${name} AS SELECT 1 AS id`);
    expect(await errorOf(client.query('CREATE TABLE unnamed AS SELECT 1 AS id'))).toMatchObject({ code: '3F000' });
    await client.query('SET search_path = nothing, shop');
    await client.query('CREATE TABLE found AS SELECT 1 AS id');
    expect(await errorOf(client.query('CREATE TABLE dev.nothing.made AS SELECT 1 AS id'))).toMatchObject({
      message: "The namespace nothing doesn't exist.",
    });
    for (const name of ['named', 'quoted', 'plain', 'found'])
      expect((await client.query(`SELECT id FROM shop.${name}`)).rows).toEqual([{ id: 1 }]);
  });
});

test('CREATE TABLE IF NOT EXISTS … AS leaves a table that exists as it is (POSTGRES-17)', async () => {
  const sql = (value: number) => `CREATE TABLE IF NOT EXISTS shop.once AS SELECT ${value} AS id`;
  expect(await run(sql(1))).toMatchObject({ command: 'SELECT', rowCount: 1 });
  expect(await run(sql(2))).toMatchObject({ command: 'CREATE', rowCount: null });
  expect(await warningsOf(sql(2))).toEqual(['The table shop.once already exists.']);
  expect((await run('SELECT id FROM shop.once')).rows).toEqual([{ id: 1 }]);
  expect(await errorOf(run('CREATE TABLE shop.typed (id INTEGER)'))).toMatchObject({
    code: '0A000',
    hint: expect.stringContaining('svc table create'),
  });
});

test('CREATE SCHEMA and TABLE IF NOT EXISTS do nothing for what exists (POSTGRES-17)', async () => {
  for (const [sql, name] of [
    ['CREATE SCHEMA IF NOT EXISTS shop', 'shop'],
    ['CREATE SCHEMA IF NOT EXISTS "shop" AUTHORIZATION admin', 'shop'],
    ['CREATE SCHEMA IF NOT EXISTS dev.shop', 'dev.shop'],
    ['CREATE TABLE IF NOT EXISTS shop.orders (id INTEGER, other TEXT)', 'shop.orders'],
    ['CREATE TABLE IF NOT EXISTS dev.shop.orders (id INTEGER)', 'dev.shop.orders'],
  ])
    expect(await warningsOf(sql!)).toEqual([`${name} already exists.`]);
  for (const sql of [
    'CREATE SCHEMA IF NOT EXISTS nothing',
    'CREATE SCHEMA IF NOT EXISTS',
    'CREATE SCHEMA shop',
    'CREATE TABLE IF NOT EXISTS shop.nothing (id INTEGER)',
    'CREATE TABLE shop.orders (id INTEGER)',
  ])
    expect(await errorOf(run(sql))).toMatchObject({
      code: '0A000',
      hint: expect.stringMatching(/svc (ns|table) create/),
    });
});

test('conditions mean the same in statements that read and that change rows (POSTGRES-17)', async () => {
  await run("CREATE TABLE shop.forms AS SELECT * FROM (VALUES (1, 'ab'), (2, 'b'), (3, 'c')) t(id, v) WHERE v ~ 'b'");
  const rowsOf = async () => (await run('SELECT id, v FROM shop.forms ORDER BY id')).rows;
  expect(await rowsOf()).toEqual([
    { id: 1, v: 'ab' },
    { id: 2, v: 'b' },
  ]);
  expect(await run("DELETE FROM shop.forms WHERE v !~ 'b'")).toMatchObject({ rowCount: 0 });
  expect(await run("UPDATE shop.forms SET v = 'longer'::varchar(4) WHERE v ~ 'a'")).toMatchObject({ rowCount: 1 });
  expect(await run("INSERT INTO shop.forms SELECT id + 10, v FROM shop.forms WHERE v ~ 'ong'")).toMatchObject({
    rowCount: 1,
  });
  const merge = `MERGE INTO shop.forms t USING (SELECT 2 AS id) s ON t.id = s.id AND t.v SIMILAR TO '(a|b)'
    WHEN MATCHED THEN UPDATE SET v = btrim(' x ') WHEN NOT MATCHED THEN INSERT (id, v) VALUES (99, btrim(' y '))`;
  expect(await run(merge)).toMatchObject({ rowCount: 1 });
  expect(await rowsOf()).toEqual([
    { id: 1, v: 'long' },
    { id: 2, v: 'x' },
    { id: 11, v: 'long' },
  ]);
});

test('a transaction only reads, because nothing could roll its changes back (POSTGRES-10)', async () => {
  await withPostgres(s, async (client) => {
    await client.query('BEGIN');
    expect((await client.query('SELECT count(*)::INT AS n FROM shop.orders')).rows).toEqual([{ n: 1 }]);
    expect(await errorOf(client.query("INSERT INTO shop.orders VALUES (9, 'x')"))).toMatchObject({
      code: '25006',
      hint: expect.stringMatching(/autocommit/),
    });
    expect(await errorOf(client.query('SELECT 1'))).toMatchObject({ code: '25P02' });
    expect((await client.query('COMMIT')).command).toBe('ROLLBACK');
    expect((await client.query('SELECT count(*)::INT AS n FROM shop.orders')).rows).toEqual([{ n: 1 }]);
  });
  expect(await warningsOf('BEGIN ISOLATION LEVEL SERIALIZABLE; COMMIT')).toEqual([
    expect.stringMatching(/each statement reads the versions/),
  ]);
  expect(await warningsOf('ROLLBACK')).toEqual(['there is no transaction in progress']);
});

test('a cursor and COPY read rows, so they change nothing in a transaction either (POSTGRES-10)', async () => {
  await withPostgres(s, async (client) => {
    for (const sql of [
      'DECLARE c CURSOR WITH HOLD FOR DELETE FROM shop.orders',
      'COPY (DELETE FROM shop.orders) TO STDOUT',
      'COPY (CREATE TABLE shop.copied CLONE shop.orders) TO STDOUT',
      'DECLARE c CURSOR FOR WITH x AS (SELECT 1) DELETE FROM shop.orders',
    ]) {
      await client.query('BEGIN');
      expect(await errorOf(client.query(sql))).toMatchObject({ code: '42601', message: expect.stringMatching(/rows/) });
      await client.query('ROLLBACK');
    }
    expect((await client.query('SELECT count(*)::INT AS n FROM shop.orders')).rows).toEqual([{ n: 1 }]);
  });
});

test('cursors return rows in parts, forwards (POSTGRES-13)', async () => {
  await withPostgres(s, async (client) => {
    expect(await errorOf(client.query('DECLARE c CURSOR FOR SELECT 1'))).toMatchObject({ code: '25P01' });
    await client.query('BEGIN');
    await client.query('DECLARE "My Cursor" NO SCROLL CURSOR FOR SELECT id FROM shop.numbers ORDER BY id');
    expect((await client.query('FETCH 2 FROM "My Cursor"')).rows).toEqual([{ id: 0 }, { id: 1 }]);
    expect((await client.query('MOVE FORWARD 1000 IN "My Cursor"')).command).toBe('MOVE');
    expect((await client.query('FETCH NEXT FROM "My Cursor"')).rows).toEqual([{ id: 1002 }]);
    expect((await client.query('FETCH ALL FROM "My Cursor"')).rows).toHaveLength(3997);
    expect((await client.query('FETCH "My Cursor"')).rows).toEqual([]);
    expect(await errorOf(client.query('FETCH BACKWARD 1 FROM "My Cursor"'))).toMatchObject({ code: '0A000' });
    await client.query('ROLLBACK');
    expect(await errorOf(client.query('FETCH 1 FROM "My Cursor"'))).toMatchObject({ code: '34000' });
  });
});

test('names without a namespace are looked up in the search path, and the name of the environment may come first (POSTGRES-9)', async () => {
  await withPostgres(s, async (client) => {
    expect(await errorOf(client.query('SELECT * FROM orders'))).toMatchObject({ code: '42P01' });
    await client.query('SET search_path = nothing, "shop"');
    expect((await client.query('SELECT count(*)::INT AS n FROM ORDERS')).rows).toEqual([{ n: 1 }]);
    expect((await client.query('SELECT count(*)::INT AS n FROM dev.shop.orders')).rows).toEqual([{ n: 1 }]);
    expect((await client.query('SHOW search_path')).rows).toEqual([{ search_path: 'nothing, "shop"' }]);
  });
  await withPostgres(s, async (client) => client.query('SELECT * FROM orders'), { options: '-c search_path=shop' });
});

test('so are the names of tables whose rows change (POSTGRES-9)', async () => {
  await withPostgres(s, async (client) => {
    const changed = async (sql: string, ...values: unknown[]) => (await client.query(sql, values)).rowCount;
    const insert = 'INSERT INTO orders (id, buyer) VALUES ($1, $2)';
    expect(await errorOf(changed(insert, 1, 'x'))).toMatchObject({
      code: '42P01',
      message: expect.stringContaining('public.orders'),
    });
    await client.query('SET search_path = nothing, shop');
    expect(await changed(insert, 801, 'Ann')).toBe(1);
    expect(await changed('UPDATE "orders" SET buyer = orders.buyer || $1 WHERE orders.id = 801', '!')).toBe(1);
    expect(
      await changed(
        'MERGE INTO ORDERS o USING (SELECT 801 AS id) n ON o.id = n.id WHEN MATCHED THEN UPDATE SET buyer = $1',
        'Bo',
      ),
    ).toBe(1);
    expect((await client.query('SELECT buyer FROM orders WHERE id = 801')).rows).toEqual([{ buyer: 'Bo' }]);
    expect(await changed('DELETE FROM dev.shop.orders WHERE id = $1', 801)).toBe(1);
    expect(await errorOf(changed('DELETE FROM missing'))).toMatchObject({ code: '42P01' });
  });
});

test('settings that would change results have a warning or are refused (POSTGRES-15)', async () => {
  expect(await warningsOf("SET TIME ZONE 'Europe/Berlin'")).toEqual([expect.stringMatching(/stays UTC/)]);
  expect(await warningsOf("SET extra_float_digits = 3; SET client_encoding TO 'UTF8'; RESET ALL")).toEqual([]);
  expect(await errorOf(run("SET client_encoding = 'LATIN1'"))).toMatchObject({ code: '22023' });
  expect(await errorOf(run('SET no_such_setting = 1'))).toMatchObject({ code: '42704' });
  expect(await errorOf(run('SHOW no_such_setting'))).toMatchObject({ code: '42704' });
  for (const value of ['"', "'", 'a, "b', '/* x'])
    for (const form of ['SET search_path = ?', "SELECT set_config('search_path', ?, false)"]) {
      const sql = form.replace('?', `'${value.replaceAll("'", "''")}'`);
      expect([sql, await errorOf(run(sql))]).toEqual([sql, expect.objectContaining({ code: '22023' })]);
      expect((await run('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    }
  expect((await run('SHOW server_version')).rows[0].server_version).toMatch(/^16\.\d+ \(svc /);
  expect((await run('SHOW TABLES FROM shop')).rows.map(({ name }) => name)).toContain('orders');
});

test('a pool can reset a connection with the statements of its driver (POSTGRES-15)', async () => {
  await withPostgres(s, async (client) => {
    // Npgsql, if there are prepared statements.
    const reset = `SET SESSION AUTHORIZATION DEFAULT;RESET ALL;CLOSE ALL;UNLISTEN *;SELECT pg_advisory_unlock_all();
      DISCARD SEQUENCES;DISCARD TEMP`;
    await client.query(reset);
    for (const sql of ['SET ROLE NONE', 'SET LOCAL ROLE DEFAULT', 'RESET ROLE', 'RESET SESSION AUTHORIZATION'])
      await client.query(sql);
    for (const sql of ['SET ROLE admin', "SET SESSION AUTHORIZATION 'ann'", 'SET SESSION AUTHORIZATION "default"'])
      expect(await errorOf(client.query(sql))).toMatchObject({ code: '0A000' });
  });
});

test('a setting of a transaction ends with it, as in PostgreSQL (POSTGRES-15)', async () => {
  await withPostgres(s, async (client) => {
    const searchPath = async () => (await client.query('SHOW search_path')).rows[0].search_path;
    const isLocal = "SELECT set_config('search_path', 'local', true)";
    await client.query('SET search_path = a');
    await client.query('BEGIN');
    await client.query('SET LOCAL search_path = shop');
    expect((await client.query('SELECT count(*)::INT AS n FROM orders')).rows).toEqual([{ n: 1 }]);
    await client.query('COMMIT');
    expect(await searchPath()).toBe('a');
    await client.query('BEGIN');
    await client.query('SET search_path = b');
    await client.query(isLocal);
    expect(await searchPath()).toBe('local');
    await client.query('COMMIT');
    expect(await searchPath()).toBe('b');
    await client.query('BEGIN');
    await client.query('SET search_path = c');
    await client.query('ROLLBACK');
    expect(await searchPath()).toBe('b');
    await client.query('BEGIN');
    await client.query('SET search_path = c');
    await errorOf(client.query('SELECT nothing'));
    await client.query('COMMIT');
    expect(await searchPath()).toBe('b');
    // The statements of one message are a transaction.
    await client.query('SET LOCAL search_path = shop; SELECT * FROM orders');
    await errorOf(client.query('SET search_path = c; SELECT nothing'));
    await client.query(isLocal);
    expect(await searchPath()).toBe('b');
  });
  expect(await warningsOf('SET LOCAL search_path = shop')).toEqual([
    'SET LOCAL can only be used in transaction blocks',
  ]);
  expect(await warningsOf("SELECT set_config('search_path', 'shop', true)")).toEqual([]);
});

test('a read-only session changes nothing (POSTGRES-15)', async () => {
  const count = async () => (await run('SELECT count(*)::INT AS n FROM shop.orders')).rows;
  const before = await count();
  for (const options of ['-c default_transaction_read_only=on', '-c default_transaction_read_only=true'])
    await withPostgres(
      s,
      async (client) => {
        expect((await client.query('SELECT count(*)::INT AS n FROM shop.orders')).rows).toEqual(before);
        for (const sql of [
          "INSERT INTO shop.orders VALUES (9, 'x')",
          'CREATE TABLE shop.copied AS SELECT 1 AS id',
          'COPY shop.orders FROM STDIN',
        ])
          expect(await errorOf(client.query(sql))).toMatchObject({ code: '25006', hint: expect.any(String) });
        expect((await client.query('SHOW transaction_read_only')).rows).toEqual([{ transaction_read_only: 'on' }]);
      },
      { options },
    );
  await withPostgres(s, async (client) => {
    await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED READ ONLY');
    expect(await errorOf(client.query('DELETE FROM shop.orders'))).toMatchObject({ code: '25006' });
    await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE');
    expect((await client.query('DELETE FROM shop.orders WHERE id = 99')).rowCount).toBe(0);
    expect(await errorOf(client.query('SET default_transaction_read_only = maybe'))).toMatchObject({ code: '22023' });
  });
  expect(await count()).toEqual(before);
});

test('set_config changes a setting like SET, or fails like it (POSTGRES-15)', async () => {
  await withPostgres(s, async (client) => {
    const searchPath = async () => (await client.query('SHOW search_path')).rows[0].search_path;
    await client.query("SELECT pg_catalog.set_config('search_path', 'shop', false)");
    expect(await searchPath()).toBe('shop');
    expect((await client.query('SELECT count(*)::INT AS n FROM orders')).rows).toEqual([{ n: 1 }]);
    await client.query("SELECT set_config('search_path', 'other', false) FROM pg_settings WHERE name = 'nothing'");
    expect(await searchPath()).toBe('shop');
    const call = 'SELECT set_config($1, CAST($2 AS text), $3::boolean) AS path';
    expect((await client.query(call, ['search_path', 'shop, "other"', 'false'])).rows).toEqual([
      { path: 'shop, "other"' },
    ]);
    expect((await client.query('SHOW search_path')).rows).toEqual([{ search_path: 'shop, "other"' }]);
    expect(await errorOf(client.query(call, ['role', 'admin', 'false']))).toMatchObject({ code: '55P02' });
    await client.query("SELECT set_config('search_path', NULL, false)");
    expect(await searchPath()).toBe('public');
    expect(await errorOf(client.query("SELECT set_config('role', 'admin', false)"))).toMatchObject({ code: '55P02' });
    expect(await errorOf(client.query("SELECT set_config('a' || 'b', 'c', false)"))).toMatchObject({ code: '0A000' });
  });
});

test.each([
  ['DROP TABLE shop.orders', /svc table delete,/],
  ['GRANT SELECT ON shop.orders TO ann', /svc grant create\./],
  ['REVOKE SELECT ON shop.orders FROM ann', /svc grant revoke\./],
  ["COMMENT ON TABLE shop.orders IS 'x'", /svc table update\./],
  ['LISTEN x', /svc audit list/],
  ['EXPLAIN ANALYZE SELECT 1', /ANALYZE/],
  ['CREATE VIEW shop.v AS SELECT 1', /INSERT/],
  ['LOCK TABLE shop.orders', /locks/],
])('%s is refused with the remedy (POSTGRES-5)', async (sql, hint) => {
  expect(await errorOf(run(sql))).toMatchObject({ code: '0A000', hint: expect.stringMatching(hint) });
});

test('EXPLAIN returns the plan as lines of text, with the permissions of its statement (POSTGRES-18)', async () => {
  const plan = await run('EXPLAIN (COSTS) SELECT count(*) FROM shop.numbers WHERE id > $1', ['4000']);
  expect(plan).toMatchObject({ command: 'EXPLAIN', fields: [{ name: 'QUERY PLAN', dataTypeID: 25 }] });
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toMatch(/^ +-> {2}.* on shop\.numbers {2}\(rows=\d+\)$/m);
  expect(text).toMatch(/^ +Filters: .*4000/m);
  // It runs nothing.
  const endless = 'EXPLAIN SELECT count(*) FROM range(100000000000) a, range(1000) b';
  expect((await run(endless)).rows.length).toBeGreaterThan(1);
  await withPostgres(s, async (client) => {
    const prepared = { name: 'plan', text: 'EXPLAIN SELECT id FROM shop.numbers WHERE id = $1' };
    for (const value of [1, 2])
      expect((await client.query({ ...prepared, values: [value] })).rows.length).toBeGreaterThan(0);
  });
  const { client } = s;
  await client.principals.create({ name: 'eve', type: 'person' });
  await client.grants.create({ principal: 'eve', kind: 'ENVIRONMENT', environment: 'dev', action: 'SUBMIT_QUERY' });
  const eve = { user: 'eve', password: (await client.tokens.issue('eve', 'test')).token };
  const refused = withPostgres(s, (connection) => connection.query('EXPLAIN SELECT * FROM shop.numbers'), eve);
  expect(await errorOf(refused)).toMatchObject({ code: '42P01' });
  expect(await errorOf(run('EXPLAIN SELECT nothing FROM shop.numbers'))).toMatchObject({
    code: '42703',
    position: '16',
  });
  expect(await errorOf(run('EXPLAIN DELETE FROM shop.numbers'))).toMatchObject({ code: '0A000' });
});

test('a statement is cancelled by its client, by its timeout and by a client that leaves (POSTGRES-14)', async () => {
  const endless = 'SELECT count(*) FROM range(100000000000) a, range(1000) b';
  const statusOf = async () => (await s.client.queries.list('dev', { include_ended: true }))[0]!.status;
  await withPostgres(s, async (client) => {
    await client.query('SET statement_timeout = 300');
    expect(await errorOf(client.query(endless))).toMatchObject({
      code: '57014',
      message: expect.stringMatching(/timeout/),
    });
    await client.query('RESET statement_timeout');
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
    const cancelled = errorOf(client.query(endless));
    while ((await statusOf()) !== 'RUNNING');
    await cancel(processID, secretKey + 1);
    expect(await statusOf()).toBe('RUNNING');
    await cancel(processID, secretKey);
    expect(await cancelled).toMatchObject({ code: '57014', message: /user request/ });
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
  const leaving = await connectPostgres(s);
  leaving.query(endless).catch(() => undefined);
  while ((await statusOf()) !== 'RUNNING');
  (leaving as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
  while ((await statusOf()) !== 'CANCELLED');
});

async function cancel(pid: number, key: number): Promise<void> {
  const { connect } = await import('node:net');
  const bytes = Buffer.alloc(16);
  for (const [i, value] of [16, 80_877_102, pid, key].entries()) bytes.writeInt32BE(value | 0, 4 * i);
  await new Promise<void>((resolve) => {
    const socket = connect(s.sqlPort!, '127.0.0.1', () => socket.end(bytes));
    socket.on('close', () => resolve()).resume();
  });
}

test('a statement about the catalog is cancelled, too (POSTGRES-14)', async () => {
  const endless = 'SELECT count(*) FROM pg_type a, pg_type b, pg_type c, pg_type d, pg_type e, pg_type f';
  await withPostgres(s, async (client) => {
    await client.query('SET statement_timeout = 50');
    expect(await errorOf(client.query(endless))).toMatchObject({
      code: '57014',
      message: expect.stringMatching(/timeout/),
    });
    expect((await client.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '50' }]);
  });
  // More than can run at once: each has released its slot.
  for (let i = 0; i < 20; i++) {
    await withPostgres(s, async (client) => {
      await client.query('SET statement_timeout = 20');
      await errorOf(client.query(endless));
    });
  }
  expect((await run('SELECT count(*)::INT AS n FROM pg_am')).rows).toEqual([{ n: expect.any(Number) }]);
});

test('relations without rows have columns of every type (POSTGRES-8)', async () => {
  expect((await run('SELECT * FROM pg_prepared_statements')).rows).toEqual([]);
});

test('a result has any number of rows, and waits for its reader (POSTGRES-7)', async () => {
  const client = await WireClient.signedIn(s.sqlPort!);
  client.pause();
  client.send(message('Q', text("SELECT i, repeat('x', 1000) FROM range(300000) t(i)")));
  const isFinished = async () => (await s.client.queries.list('dev', { include_ended: true }))[0]!.ended_at !== null;
  while (!(await isFinished()));
  // The query is done, but its rows wait for the client. Other sessions are served.
  for (let i = 0; i < 5; i++) expect((await run('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  client.resume();
  const { rows, tag } = await client.countRows();
  expect([rows, tag]).toEqual([300_000, 'SELECT 300000']);
  client.close();
});

test('forms of PostgreSQL that tools send are translated (POSTGRES-17)', async () => {
  const one = async (expression: string) => Object.values((await run(`SELECT ${expression}`)).rows[0])[0];
  expect(await one("to_char(TIMESTAMP '2026-03-01 14:05:09', 'YYYY-MM-DD HH24:MI:SS')")).toBe('2026-03-01 14:05:09');
  expect(await one("EXTRACT(EPOCH FROM TIMESTAMP '1970-01-02')::int8")).toBe('86400');
  expect(await one("'abc' OPERATOR(pg_catalog.~) '^a' AND 'x' ILIKE ANY (ARRAY['X'])")).toBe(true);
  expect(await one('(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id) FROM shop.numbers)::float8')).toBe(2499.5);
  expect((await run('SELECT count(*), max(id) FROM shop.numbers')).fields.map(({ name }) => name)).toEqual([
    'count',
    'max',
  ]);
});
