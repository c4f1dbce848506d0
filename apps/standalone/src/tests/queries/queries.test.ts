import { readFileSync } from 'node:fs';
import { bytesOf, loadInto, makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const ROWS = 25_000;
/** Runs for minutes unless it is stopped. */
const ENDLESS = 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1';
let s: TestService;

beforeAll(async () => {
  s = await startTestService({ SVC_WORKER__CONCURRENCY: '1' });
  await makeOrders(s.client, 'dev');
  const lines = Array.from({ length: ROWS }, (_, i) => `${i + 1},"Ann, the ${i}th",${i}.25,2026-01-01`);
  const data = `id,buyer,amount,day\n${lines.join('\n')}\n`;
  await loadInto(s.client, { env: 'dev', table: 'shop.orders' }, { format: 'csv', data });
});
afterAll(() => s.stop());

const state = async () => ({
  snapshots: (await s.client.tables.snapshots('dev', 'shop.orders')).length,
  files: (await s.stored('tables')).length,
});

describe('cached results', () => {
  const sql = 'SELECT count(*) AS n, max(amount) AS most FROM shop.orders';
  const run = async (options: { cache?: boolean } = {}) => {
    const { id } = await s.client.queries.submit('dev', sql, options);
    const query = await s.client.queries.wait('dev', id);
    return { query, rows: (await s.client.queries.results('dev', id)).rows };
  };

  test('QUERY-8: the same query over the same data returns the cached result, with its event and reads', async () => {
    const first = await run();
    const second = await run();
    expect(first.query.cached).toBeUndefined();
    expect(second).toMatchObject({ query: { status: 'SUCCEEDED', cached: true, row_count: 1 }, rows: first.rows });
    expect(second.query.columns).toEqual(first.query.columns);
    const details = (await s.events('QUERY_COMPLETED')).map(({ detail }) => detail);
    const of = (id: string) => details.find(({ query_id }) => query_id === id);
    expect(of(second.query.id)).toEqual({ ...of(first.query.id), query_id: second.query.id });
    expect(of(second.query.id)!['tables']).toHaveLength(1);
  });

  test('QUERY-9: with cache false it runs', async () => {
    expect((await run({ cache: false })).query.cached).toBeUndefined();
  });

  test('QUERY-8: after a commit, the result is that of the new rows', async () => {
    await run();
    const data = `id,buyer,amount,day\n${ROWS + 1},Zoe,99999999.25,2026-01-02\n`;
    await loadInto(s.client, { env: 'dev', table: 'shop.orders' }, { format: 'csv', data });
    const { query, rows } = await run();
    expect([query.cached, rows]).toEqual([undefined, [[ROWS + 1, '99999999.25']]]);
    await s.client.queries.run('dev', `SELECT * FROM shop.orders WHERE id <= ${ROWS}`, {
      into: 'shop.orders',
      mode: 'replace',
    });
  });
});

describe('results', () => {
  let id: string;
  beforeAll(async () => {
    const sql = 'SELECT id, buyer, amount FROM shop.orders ORDER BY id';
    ({ id } = await s.client.queries.submit('dev', sql));
    expect(await s.client.queries.wait('dev', id)).toMatchObject({
      status: 'SUCCEEDED',
      row_count: ROWS,
      submitter: 'admin',
      columns: [
        { name: 'id', type: 'long' },
        { name: 'buyer', type: 'string' },
        { name: 'amount', type: 'decimal(10,2)' },
      ],
    });
  });

  test('JSON comes in pages: every row once and in order', async () => {
    const sizes: number[] = [];
    const ids: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await s.client.queries.results('dev', id, { limit: 10_000, ...(cursor ? { cursor } : {}) });
      sizes.push(page.rows.length);
      ids.push(...page.rows.map((row) => row[0]));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(sizes).toEqual([10_000, 10_000, 5000]);
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, i) => i + 1));
  });

  test('CSV is whole, quoted where it must be, with one header row (QUERY-6)', async () => {
    const lines = (await bytesOf(await s.client.queries.download('dev', id, 'csv'))).toString().split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['id,buyer,amount', '1,"Ann, the 0th",0.25']);
    expect(lines).toHaveLength(ROWS + 2);
  });

  test('Parquet is whole', async () => {
    const parquet = await bytesOf(await s.client.queries.download('dev', id, 'parquet'));
    expect(parquet.subarray(0, 4).toString()).toBe('PAR1');
    expect(parquet.subarray(-4).toString()).toBe('PAR1');
  });

  test('a wrong format, limit or cursor is refused by name', async () => {
    const path = `/environments/dev/queries/${id}/results`;
    expect((await s.call('GET', `${path}?format=xml`)).body.errors[0].parameter).toBe('format');
    expect((await s.call('GET', `${path}?limit=10001`)).body.errors[0].parameter).toBe('limit');
    expect((await s.call('GET', `${path}?cursor=made-up`)).body.code).toBe('invalid-cursor');
  });

  test('they show to the submitter alone (QUERY-1)', async () => {
    await s.client.principals.create({ name: 'bob', type: 'person' });
    await s.client.grants.create({ kind: 'INSTANCE', principal: 'bob', role: 'ADMIN' });
    const bob = s.clientOf((await s.client.tokens.issue('bob', 'e2e')).token);
    await expect(bob.queries.results('dev', id)).rejects.toMatchObject({ status: 403 });
    expect(await bob.queries.get('dev', id)).toMatchObject({ sql_text: { length: 53 }, columns: null });
  });

  test('what a failure quotes shows to the submitter, and with READ_QUERY_TEXT', async () => {
    const { body } = await s.call('POST', '/environments/dev/queries', {
      body: { sql: `SELECT 'my secret'::INT AS x` },
    });
    const path = `/environments/dev/queries/${body.id}?wait=60`;
    expect((await s.call('GET', path)).body.error.detail).toContain('my secret');
    await s.client.principals.create({ name: 'eva', type: 'person' });
    await s.client.grants.create({
      kind: 'ENVIRONMENT',
      environment: 'dev',
      principal: 'eva',
      action: 'MANAGE_ENVIRONMENT',
    });
    await s.client.grants.create({ kind: 'ENVIRONMENT', environment: 'dev', principal: 'eva', action: 'SUBMIT_QUERY' });
    const { token } = await s.client.tokens.issue('eva', 'e2e');
    const shown = await s.call('GET', path, { token });
    expect(shown.body).toMatchObject({ status: 'FAILED', error: { code: 'execution-error', remedy: null } });
    expect(shown.bytes.toString()).not.toContain('my secret');
    const listed = await s.call('GET', '/environments/dev/queries?status=failed', { token });
    expect(listed.body[0].id).toBe(body.id);
    expect(listed.bytes.toString()).not.toContain('my secret');
    await s.client.grants.create({ kind: 'INSTANCE', principal: 'eva', action: 'READ_QUERY_TEXT' });
    expect((await s.call('GET', path, { token })).body.error.detail).toContain('my secret');
  });
});

describe('a query that is waited for', () => {
  const submit = async (sql: string, wait: number) =>
    (await s.call('POST', `/environments/dev/queries?wait=${wait}`, { body: { sql } })).body;

  test('starts as soon as it is stored if a worker has a slot, whatever its outcome (QUERY-2)', async () => {
    const good = await submit('SELECT count(*) AS n FROM shop.orders', 60);
    expect(good).toMatchObject({ status: 'SUCCEEDED', started_at: good.created_at, result: { rows: [[ROWS]] } });
    const bad = await submit('SELECT nothing FROM shop.orders', 60);
    expect([bad.status, 'result' in bad]).toEqual(['FAILED', false]);
    const body = { sql: 'SELECT 1 AS id', into: 'shop.waited' };
    const written = (await s.call('POST', '/environments/dev/queries?wait=60', { body })).body;
    expect(written).toMatchObject({ status: 'SUCCEEDED', into: 'shop.waited', row_count: 1 });
    const finished = (await s.events('QUERY_COMPLETED')).filter(({ detail }) => detail['query_id'] === good.id);
    expect(finished).toHaveLength(1);
  });

  test('waits in the queue while all slots are taken (HTTP-9, SERVICE-5)', async () => {
    const long = await submit(ENDLESS, 1);
    expect(long.status).toBe('RUNNING');
    const next = submit('SELECT 1 AS a', 60);
    while ((await s.client.queries.list('dev', { status: ['queued'] })).length === 0) await new Promise(setImmediate);
    await s.client.queries.cancel('dev', long.id);
    expect(await next).toMatchObject({ status: 'SUCCEEDED', result: { rows: [[1]] } });
    expect((await s.client.queries.wait('dev', long.id)).status).toBe('CANCELLED');
  });
});

describe('into', () => {
  test('creates, appends and replaces, each with one snapshot and one event (QUERY-7)', async () => {
    const into = 'shop.big';
    const run = (mode: 'create' | 'append' | 'replace', limit: number) =>
      s.client.queries.run('dev', `SELECT id, amount FROM shop.orders ORDER BY id LIMIT ${limit}`, { into, mode });
    expect((await run('create', 3)).query).toMatchObject({ into, row_count: 3, status: 'SUCCEEDED' });
    await run('append', 2);
    expect(await rowsOf(s.client, 'dev', 'SELECT id FROM shop.big ORDER BY id')).toEqual([[1], [1], [2], [2], [3]]);
    await run('replace', 1);
    expect(await rowsOf(s.client, 'dev', 'SELECT id, amount FROM shop.big')).toEqual([[1, '0.25']]);
    expect(await s.client.tables.snapshots('dev', into)).toHaveLength(3);
    const events = (await s.events('TABLE_WRITE')).filter(({ object }) => object.table === 'big');
    expect(events.map(({ detail }) => [detail['mode'], detail['rows']])).toEqual([
      ['create', 3],
      ['append', 2],
      ['replace', 1],
    ]);
    expect((await s.events('TABLE_CREATED')).filter(({ object }) => object.table === 'big')).toHaveLength(1);
    await expect(run('create', 1)).rejects.toMatchObject({ code: 'already-exists' });
  });

  test('a statement that fails leaves the table as it was', async () => {
    const before = await state();
    const failing = `SELECT id, CASE WHEN id < ${ROWS} THEN '2026-01-01' ELSE 'never' END::DATE AS day FROM shop.orders`;
    const failed = s.client.queries.run('dev', failing, { into: 'shop.orders', mode: 'append' });
    await expect(failed).rejects.toMatchObject({ message: expect.not.stringContaining('file:') });
    const wrong = s.client.queries.run('dev', 'SELECT 1 AS id, 2 AS colour', { into: 'shop.orders', mode: 'append' });
    await expect(wrong).rejects.toMatchObject({ message: expect.stringContaining('colour') });
    expect(await state()).toEqual(before);
  });
});

describe('what is refused', () => {
  test.each([
    ['SELECT * FROM shop.nothing', 'shop.nothing'],
    ['SELECT wrong FROM shop.orders', 'wrong'],
    ['SELEC 1', 'SELEC'],
    ["SELECT * FROM read_csv('/etc/passwd')", 'read_csv'],
    ['DROP TABLE shop.orders', 'SELECT'],
  ])('%s', async (sql, named) => {
    const { id } = await s.client.queries.submit('dev', sql);
    const query = await s.client.queries.wait('dev', id);
    expect(query).toMatchObject({ status: 'FAILED', error: { detail: expect.stringContaining(named) } });
    expect(query.error?.detail).not.toContain(s.folder);
    expect((await s.call('GET', `/environments/dev/queries/${id}/results`)).status).toBe(404);
  });
});

describe('cancelling', () => {
  test('running and queued queries can be cancelled; a second cancel is rejected (QUERY-2)', async () => {
    const running = await s.client.queries.submit('dev', ENDLESS);
    const hasStarted = async () => (await s.client.queries.get('dev', running.id)).status === 'RUNNING';
    while (!(await hasStarted()));
    const queued = await s.client.queries.submit('dev', 'SELECT 1');
    expect((await s.call('GET', `/environments/dev/queries/${running.id}/results`)).body.code).toBe('not-ended');
    expect(await s.client.queries.cancel('dev', queued.id)).toMatchObject({ status: 'CANCELLED', started_at: null });
    await s.client.queries.cancel('dev', running.id);
    expect(await s.client.queries.wait('dev', running.id)).toMatchObject({
      status: 'CANCELLED',
      error: { code: 'cancelled' },
    });
    await expect(s.client.queries.cancel('dev', running.id)).rejects.toMatchObject({ code: 'already-ended' });
    const events = await s.events('QUERY_COMPLETED');
    for (const { id } of [running, queued])
      expect(events.filter(({ detail }) => detail['query_id'] === id)).toMatchObject([
        { detail: { status: 'CANCELLED' } },
      ]);
    expect(await rowsOf(s.client, 'dev', 'SELECT 2')).toEqual([[2]]);
  });
});

describe('a protected environment', () => {
  beforeAll(async () => {
    await makeOrders(s.client, 'prod');
    await s.client.environments.update('prod', { protected: true });
  });

  test('refuses changes outside runs, each recorded, and answers reads (ENV-5)', async () => {
    const table = '/environments/prod/namespaces/shop/tables';
    const attempts: [string, string, object][] = [
      ['POST', '/environments/prod/namespaces', { body: { path: 'more' } }],
      ['POST', table, { body: { name: 't', columns: [{ name: 'a', type: 'int' }] } }],
      ['PATCH', `${table}/orders`, { body: { description: 'x' } }],
      ['POST', `${table}/orders/writes`, { raw: { type: 'text/csv', data: 'id\n1\n' } }],
      ['POST', '/environments/prod/queries', { body: { sql: 'SELECT 1 AS id', into: 'shop.x' } }],
    ];
    const before = (await s.events('AUTHORIZATION_DENIED')).length;
    for (const [method, path, options] of attempts) {
      const response = await s.call(method, path, options);
      expect([path, response.status, response.body.code]).toEqual([path, 409, 'environment-protected']);
      expect(response.body.remedy).toContain('--break-glass');
    }
    const denied = (await s.events('AUTHORIZATION_DENIED')).slice(before);
    expect(denied.map(({ detail }) => detail['reason'])).toEqual(attempts.map(() => 'environment prod is protected'));
    expect(await rowsOf(s.client, 'prod', 'SELECT count(*) FROM shop.orders')).toEqual([[0]]);
  });

  test('lets a change through with a reason, which the events keep (ENV-5)', async () => {
    const breakGlass = 'repair of 12 May – ticket 7';
    const write = await s.client.tables.load('prod', 'shop.orders', Buffer.from('id\n7\n'), {
      format: 'csv',
      breakGlass,
    });
    expect(await s.client.writes.wait('prod', write.id)).toMatchObject({ status: 'succeeded' });
    await s.client.queries.run('prod', 'SELECT 8 AS id', { into: 'shop.orders', mode: 'append', breakGlass });
    await s.client.queries.run('prod', 'SELECT 9 AS id', { into: 'shop.fresh', mode: 'create', breakGlass });
    const of = async (type: string) => (await s.events(type)).filter(({ object }) => object.environment === 'prod');
    const reasons = async (type: string) => (await of(type)).map(({ detail }) => detail['break_glass']);
    expect(await reasons('TABLE_WRITE')).toEqual(Array(3).fill({ reason: breakGlass }));
    expect((await reasons('TABLE_CREATED')).at(-1)).toEqual({ reason: breakGlass });
  });

  test("the reason doesn't replace a missing permission (ENV-5)", async () => {
    await s.client.principals.create({ name: 'reader', type: 'person' });
    await s.client.grants.create({
      kind: 'ENVIRONMENT',
      environment: 'prod',
      principal: 'reader',
      action: 'READ_TABLE',
    });
    const reader = s.clientOf((await s.client.tokens.issue('reader', 'e2e')).token);
    const load = reader.tables.load('prod', 'shop.orders', 'id\n1\n', { format: 'csv', breakGlass: 'please' });
    await expect(load).rejects.toMatchObject({ status: 403 });
  });
});

describe('a drop while queries read the table', () => {
  const table = (name: string) => `shop.${name}`;
  const read = async (name: string) => {
    const { id } = await s.client.queries.submit('dev', `SELECT count(*) AS n, max(id) AS m FROM ${table(name)}`);
    const finished = await s.client.queries.wait('dev', id);
    return finished.status === 'SUCCEEDED'
      ? (await s.client.queries.results('dev', id)).rows[0]
      : (finished.error as { code: string }).code;
  };

  test.each([[false], [true]])(
    "with purge %s: each returns all rows or reports that the table doesn't exist",
    async (purge) => {
      for (let i = 0; i < 4; i++) {
        const name = `raced_${purge}_${i}`;
        await s.client.tables.create('dev', table(name), { columns: [{ name: 'id', type: 'long' }] });
        const file = { format: 'csv' as const, data: 'id\n1\n2\n3\n' };
        await loadInto(s.client, { env: 'dev', table: table(name) }, file);
        const reads = [read(name), read(name)];
        const [first, second] = await Promise.all([...reads, s.client.tables.delete('dev', table(name), { purge })]);
        for (const outcome of [first, second]) expect([[3, 3], 'table-not-found']).toContainEqual(outcome);
        expect(await read(name)).toBe('table-not-found');
        if (purge) continue;
        await s.client.tables.undrop('dev', table(name));
        expect(await read(name)).toEqual([3, 3]);
      }
    },
  );
});

test('an artifact has no rows; readers learn how to fetch it', async () => {
  const columns = [{ name: 'id', type: 'long' }];
  const { id: table } = await s.client.tables.create('dev', 'shop.report', { kind: 'managed', columns });
  await s.database.db.prisma.table.update({ where: { id: table }, data: { kind: 'artifact' } });
  const { id } = await s.client.queries.submit('dev', 'SELECT * FROM shop.report');
  expect((await s.client.queries.wait('dev', id)).error).toMatchObject({
    code: 'not-supported',
    detail: expect.stringContaining(
      'shop.report is an artifact: a single file without rows. Download it with: svc table',
    ),
    remedy: 'svc table download shop.report --env dev',
  });
});

test('the dashboard and the alerts use metrics that server and worker export', async () => {
  const metrics = await (await fetch(`${s.url}/metrics`)).text();
  const watched = ['dashboard.json', 'alerts.yaml'].map((file) =>
    readFileSync(new URL(`../../../../../deploy/monitoring/${file}`, import.meta.url), 'utf8'),
  );
  const exposed = [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  // Two metrics of the same name: Prometheus would reject the whole response.
  expect(new Set(exposed.map(([, name]) => name)).size).toBe(exposed.length);
  const there = new Set(
    exposed.flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const named = watched.flatMap((text) => text.match(/\b(svc|nodejs|process)_[a-z0-9_]+\b/g) ?? []);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !there.has(name))).toEqual([]);
  expect(metrics).toMatch(/^svc_work_claimed_total\{kind="queries"\} [1-9]/m);
});
