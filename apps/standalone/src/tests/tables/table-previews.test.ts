import type { SvcClient } from '@svc/sdk';
import { loadInto, makeOrders } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

const ENV = 'dev';
const TABLE = 'shop.orders';
const PATH = '/environments/dev/namespaces/shop/tables/orders/previews';

let s: TestService;
const clients: Record<string, SvcClient> = {};
const tokens: Record<string, string> = {};

beforeAll(async () => {
  s = await startTestService();
  const { client } = s;
  await makeOrders(client, ENV);
  const data = 'id,buyer,amount,day\n1,Ann,10,2026-01-01\n2,Bob,20,2026-01-02\n3,Cem,30,2026-01-03\n';
  await loadInto(client, { env: ENV, table: TABLE }, { format: 'csv', data });
  await client.queries.run(ENV, `SELECT id, buyer FROM ${TABLE}`, { into: 'shop.people' });
  await client.groups.create('analysts');
  for (const name of ['ana', 'ben', 'pam', 'eve']) {
    await client.principals.create({ name, type: 'person' });
    tokens[name] = (await client.tokens.issue(name, 'test')).token;
    clients[name] = s.clientOf(tokens[name]);
  }
  await client.groups.addMember('analysts', 'ana');
  const read = { kind: 'NAMESPACE', environment: ENV, namespace: 'shop', action: 'READ_TABLE' } as const;
  for (const principal of ['ana', 'pam', 'eve']) await client.grants.create({ principal, ...read });
  const submit = { kind: 'ENVIRONMENT', environment: ENV, action: 'SUBMIT_QUERY' } as const;
  for (const principal of ['ana', 'pam', 'eve']) await client.grants.create({ principal, ...submit });
  await client.grants.create({ principal: 'pam', kind: 'INSTANCE', action: 'MANAGE_POLICY' });
  await client.rowFilters.create(ENV, TABLE, { group: 'analysts', predicate: 'id >= 2' });
  await client.columnMasks.create(ENV, TABLE, {
    principal: 'ana',
    column: 'buyer',
    expression: "left(buyer, 1) || '…'",
  });
  // Binds nobody whose view is shown here.
  await client.columnMasks.create(ENV, TABLE, { principal: 'eve', column: 'buyer', expression: 'NULL' });
});
afterAll(() => s.stop());

const preview = async (viewer: string, principal: string, table = TABLE, limit?: number) => {
  const client = clients[viewer]!;
  const { query_id: id, ...answer } = await client.tables.previewAs(ENV, table, { principal, limit });
  if (id === null) return { answer, query: null, rows: null };
  const query = await client.queries.wait(ENV, id);
  const rows = query.status === 'SUCCEEDED' ? (await client.queries.results(ENV, id)).rows : null;
  return { answer, query, rows };
};
const denials = async (name: string) =>
  (await s.events('AUTHORIZATION_DENIED')).filter(({ principal }) => principal === name).map(({ detail }) => detail);

test('someone who manages policies sees the rows and values of another principal, and the policies (ACCESS-29)', async () => {
  const { answer, rows, query } = await preview('pam', 'ana');
  expect(rows?.map((row) => row.slice(0, 2))).toEqual([
    [2, 'B…'],
    [3, 'C…'],
  ]);
  expect(answer).toMatchObject({ table: TABLE, principal: 'ana', active: true, readable: true, reason: null });
  expect(answer.row_filters.map(({ group, predicate }) => [group, predicate])).toEqual([['analysts', 'id >= 2']]);
  expect(answer.column_masks.map(({ column, expression }) => [column, expression])).toEqual([
    ['buyer', "left(buyer, 1) || '…'"],
  ]);
  expect(query).toMatchObject({ submitter: 'pam', sql_text: 'PREVIEW shop.orders AS "ana" LIMIT 100' });
  expect((await preview('pam', 'ana', TABLE, 1)).rows).toHaveLength(1);
  expect((await preview('pam', 'pam')).rows).toHaveLength(3);
  await expect(clients['ana']!.queries.results(ENV, query!.id)).rejects.toMatchObject({ status: 403 });
});

test('each preview leaves an event with the viewer and the principal, and no result is cached (ACCESS-32)', async () => {
  const before = (await s.events('TABLE_PREVIEWED')).length;
  const { query } = await preview('pam', 'ana');
  const again = await preview('pam', 'ana');
  expect([query?.cached, again.query?.cached]).toEqual([undefined, undefined]);
  expect((await preview('pam', 'pam')).rows).toHaveLength(3);
  expect((await clients['pam']!.queries.run(ENV, 'SELECT * FROM "shop"."orders" LIMIT 100')).rows).toHaveLength(3);
  const events = (await s.events('TABLE_PREVIEWED')).slice(before);
  expect(events.map(({ principal, detail }) => [principal, detail['principal'], detail['readable']])).toEqual([
    ['pam', 'ana', true],
    ['pam', 'ana', true],
    ['pam', 'pam', true],
  ]);
  expect(events[0]).toMatchObject({ object: { kind: 'TABLE' }, detail: { query_id: query!.id, limit: 100 } });
});

test('clients cannot submit the text of a preview as a statement (ACCESS-32)', async () => {
  const run = clients['pam']!.queries.run(ENV, 'PREVIEW shop.orders AS "ana" LIMIT 100');
  await expect(run).rejects.toThrow(/syntax error/i);
});

test('a principal that cannot read the table sees nothing, and no denial is recorded for it (ACCESS-31)', async () => {
  const { answer, query } = await preview('pam', 'ben');
  expect(query).toBeNull();
  expect(answer).toMatchObject({ readable: false, reason: expect.stringContaining('no grant allows READ_TABLE') });
  expect(await denials('ben')).toEqual([]);
  expect((await s.events('TABLE_PREVIEWED')).at(-1)!.detail).toMatchObject({
    principal: 'ben',
    readable: false,
    query_id: null,
  });
  await s.client.principals.create({ name: 'old', type: 'person' });
  const grant = { kind: 'NAMESPACE', environment: ENV, namespace: 'shop', action: 'READ_TABLE' } as const;
  await s.client.grants.create({ principal: 'old', ...grant });
  await s.client.principals.update('old', { active: false });
  const { answer: deactivated, rows } = await preview('pam', 'old');
  expect([deactivated.active, deactivated.readable, rows?.length]).toEqual([false, true, 3]);
});

test.each([
  ['eve', 'MANAGE_POLICY', 'no grant allows MANAGE_POLICY'],
  ['ben', 'MANAGE_POLICY', 'no grant allows MANAGE_POLICY'],
])('%s may not preview: it needs %s (ACCESS-29)', async (viewer, action, reason) => {
  const count = (await denials(viewer)).length;
  await expect(clients[viewer]!.tables.previewAs(ENV, TABLE, { principal: 'ana' })).rejects.toMatchObject({
    status: 403,
  });
  // The same for a table and a principal that don't exist.
  await expect(clients[viewer]!.tables.previewAs(ENV, 'shop.none', { principal: 'nobody' })).rejects.toMatchObject({
    status: 403,
  });
  const denied = (await denials(viewer)).slice(count);
  expect(denied.map((detail) => detail['action'])).toEqual([action, action]);
  expect(denied[0]!['reason']).toContain(reason);
});

test('managing policies without reading the table, or without submitting queries, is not enough (ACCESS-29)', async () => {
  await s.client.principals.create({ name: 'max', type: 'person' });
  const max = s.clientOf((await s.client.tokens.issue('max', 'test')).token);
  await s.client.grants.create({ principal: 'max', kind: 'INSTANCE', action: 'MANAGE_POLICY' });
  await expect(max.tables.previewAs(ENV, TABLE, { principal: 'ana' })).rejects.toThrow('may not READ_TABLE');
  const table = { kind: 'TABLE', environment: ENV, namespace: 'shop', table: 'orders' } as const;
  await s.client.grants.create({ principal: 'max', ...table, action: 'READ_TABLE' });
  await expect(max.tables.previewAs(ENV, TABLE, { principal: 'ana' })).rejects.toThrow('may not SUBMIT_QUERY');
  expect((await denials('max')).map((detail) => detail['action'])).toEqual(['READ_TABLE', 'SUBMIT_QUERY']);
});

test('a viewer whom a policy binds sees nothing through others, administrators included (ACCESS-29)', async () => {
  for (const [viewer, client] of [
    ['pam', clients['pam']!],
    ['admin', s.client],
  ] as const) {
    const filter = await s.client.rowFilters.create(ENV, TABLE, { principal: viewer, predicate: 'id = 1' });
    const refused = client.tables.previewAs(ENV, TABLE, { principal: 'ana' });
    await expect(refused).rejects.toMatchObject({ status: 403, message: expect.stringContaining('applies to you') });
    expect((await denials(viewer)).at(-1)).toMatchObject({
      action: 'READ_TABLE',
      reason: expect.stringContaining('binds'),
    });
    await s.client.rowFilters.delete(filter.id);
  }
});

test('a view shows what both may see of the tables below it (ACCESS-30)', async () => {
  const create = async (name: string, sql: string) => {
    const version = {
      'version-id': 1,
      'schema-id': 0,
      'timestamp-ms': 1,
      summary: {},
      'default-namespace': ['shop'],
      representations: [{ type: 'sql', sql, dialect: 'duckdb' }],
    };
    const fields = [{ id: 1, name: 'n', required: false, type: 'string' }];
    const body = { name, schema: { type: 'struct', 'schema-id': 0, fields }, 'view-version': version, properties: {} };
    const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/shop/views`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  };
  await create('buyers', 'SELECT buyer FROM shop.orders');
  await create('names', 'SELECT table_name FROM information_schema.tables');
  expect((await preview('pam', 'ana', 'shop.buyers')).rows).toEqual([['B…'], ['C…']]);
  // Between the request and the query, or below a view, a policy of the viewer counts too.
  const filter = await s.client.rowFilters.create(ENV, TABLE, { principal: 'pam', predicate: 'id = 1' });
  const bound = await preview('pam', 'ana', 'shop.buyers');
  expect(bound.query?.error).toMatchObject({ code: 'not-allowed', detail: expect.stringContaining('applies to you') });
  expect((await denials('pam')).at(-1)).toMatchObject({
    action: 'READ_TABLE',
    reason: expect.stringContaining('binds'),
  });
  await s.client.rowFilters.delete(filter.id);
  const view = { kind: 'TABLE', environment: ENV, namespace: 'shop', table: 'buyers' } as const;
  await s.client.grants.create({ principal: 'ben', ...view, action: 'READ_TABLE' });
  const unreadable = await preview('pam', 'ben', 'shop.buyers');
  expect(unreadable.query?.error).toMatchObject({
    code: 'not-allowed',
    detail: "ben doesn't have READ_TABLE on shop.orders.",
  });
  expect((await denials('ben')).filter(({ action }) => action === 'READ_TABLE')).toEqual([]);
  expect((await preview('pam', 'ana', 'shop.names')).query?.error).toMatchObject({ code: 'not-allowed' });
});

describe('while the query of a preview waits', () => {
  const endless = 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1';
  const grant = { kind: 'TABLE', environment: ENV, namespace: 'shop', table: 'people', action: 'READ_TABLE' } as const;
  let tom: SvcClient;

  beforeAll(async () => {
    const { client } = s;
    for (const name of ['tom', 'zoe']) await client.principals.create({ name, type: 'person' });
    tom = s.clientOf((await client.tokens.issue('tom', 'test')).token);
    await client.grants.create({ principal: 'tom', kind: 'INSTANCE', action: 'MANAGE_POLICY' });
    await client.grants.create({ principal: 'tom', kind: 'ENVIRONMENT', environment: ENV, action: 'SUBMIT_QUERY' });
    await client.environments.setQuotas(ENV, { storage_bytes: null, concurrent_queries: 1 });
  });
  afterAll(() => s.client.environments.setQuotas(ENV, { storage_bytes: null, concurrent_queries: null }));

  /** The preview of zoe's view by tom, which runs after the change. */
  const previewAfter = async (change: () => Promise<unknown>) => {
    const blocking = await s.client.queries.submit(ENV, endless);
    const { query_id: id } = await tom.tables.previewAs(ENV, 'shop.people', { principal: 'zoe' });
    expect((await tom.queries.get(ENV, id!)).status).toBe('QUEUED');
    await change();
    await s.client.queries.cancel(ENV, blocking.id);
    return tom.queries.wait(ENV, id!);
  };

  test('a grant that either of both loses counts, and a policy that the viewer gets (ACCESS-30)', async () => {
    const [own, theirs] = [
      await s.client.grants.create({ principal: 'tom', ...grant }),
      await s.client.grants.create({ principal: 'zoe', ...grant }),
    ];
    expect((await previewAfter(async () => {})).row_count).toBe(3);
    const lost = await previewAfter(() => s.client.grants.revoke(theirs.id));
    expect(lost.error).toMatchObject({ code: 'not-allowed', detail: "zoe doesn't have READ_TABLE on shop.people." });
    expect(await denials('zoe')).toEqual([]);
    await s.client.grants.create({ principal: 'zoe', ...grant });
    let filter: string | undefined;
    const bound = await previewAfter(async () => {
      filter = (await s.client.rowFilters.create(ENV, 'shop.people', { principal: 'tom', predicate: 'id = 1' })).id;
    });
    expect(bound.error?.code).toBe('not-allowed');
    await s.client.rowFilters.delete(filter!);
    const hidden = await previewAfter(() => s.client.grants.revoke(own.id));
    expect(hidden.error?.code).toBe('table-not-found');
    expect((await denials('tom')).map(({ action, reason }) => [action, reason])).toEqual([
      ['READ_TABLE', expect.stringContaining('binds')],
      ['READ_TABLE', expect.stringContaining('no grant allows')],
    ]);
  });
});

test('names, limits and kinds that do not exist are refused (ACCESS-29)', async () => {
  const call = (body: object) => s.call('POST', PATH, { body });
  expect((await call({ principal: 'nobody' })).status).toBe(404);
  expect((await call({ principal: '' })).status).toBe(422);
  expect((await call({ principal: 'ana', limit: 1001 })).status).toBe(422);
  expect((await s.call('POST', PATH.replace('orders', 'none'), { body: { principal: 'ana' } })).status).toBe(404);
});
