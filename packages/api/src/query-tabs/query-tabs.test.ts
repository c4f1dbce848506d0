import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
const tokens: Record<string, string> = {};
const PATH = '/api/v1/environments/dev/query-tabs';

beforeAll(async () => {
  server = await startTestServer();
  for (const name of ['dev', 'other']) await server.call('POST', '/api/v1/environments', { body: { name } });
  for (const name of ['ann', 'ben', 'boss', 'nobody', 'leaver', 'many']) await addPrincipal(name);
  for (const name of ['ann', 'ben', 'leaver', 'many'])
    for (const environment of ['dev', 'other']) await grant(name, { action: 'SUBMIT_QUERY' }, environment);
  await grant('boss', { role: 'ADMIN' });
});
afterAll(() => server.stop());

async function addPrincipal(name: string): Promise<void> {
  await server.call('POST', '/api/v1/principals', { body: { name, type: 'person' } });
  const { body } = await server.call('POST', `/api/v1/principals/${name}/tokens`, { body: { name: 'test' } });
  tokens[name] = body.token;
}

const grant = (principal: string, granted: object, environment = 'dev') =>
  server.call('POST', '/api/v1/grants', { body: { principal, kind: 'ENVIRONMENT', environment, ...granted } });
const call = (who: string, method: 'GET' | 'PUT' | 'DELETE', path = '', body?: unknown) =>
  server.call(method, PATH + path, { token: tokens[who]!, ...(body === undefined ? {} : { body }) });
const save = (who: string, id: string, body: object = {}) =>
  call(who, 'PUT', `/${id}`, { version: 0, sql: 'SELECT 1', ...body });
const idsOf = async (who: string) => (await call(who, 'GET')).body.map(({ id }: { id: string }) => id);

test('a tab is created with the id of the client, read, replaced and deleted (TAB-1, TAB-3)', async () => {
  const [id, query_id, saved_query_id] = [randomUUID(), randomUUID(), randomUUID()];
  const parameters = [
    { name: 'day', type: 'date', value: '2026-03-01' },
    { name: 'who', value: null },
  ];
  const chart = { kind: 'line', x: 'day', y: 'sum' };
  const saved = { saved_query_id, saved_query_version: 3 };
  const created = await save('ann', id, { title: ' orders ', sql: '', parameters, query_id, ...saved, chart });
  expect(created).toMatchObject({ status: 200 });
  expect(created.body).toEqual({
    ...{ id, version: 1, title: 'orders', sql_text: '', query_id, ...saved, chart },
    parameters: [parameters[0], { name: 'who', type: 'string', value: null }],
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await call('ann', 'GET', `/${id}`)).body).toEqual(created.body);
  // What isn't named is removed.
  const replaced = await save('ann', id, { version: 1, sql: 'SELECT 2' });
  expect(replaced.body).toMatchObject({ version: 2, title: null, sql_text: 'SELECT 2', parameters: [], chart: null });
  expect((await call('ann', 'DELETE', `/${id}?version=2`)).status).toBe(204);
  for (const gone of [
    await call('ann', 'GET', `/${id}`),
    await call('ann', 'DELETE', `/${id}?version=2`),
    await save('ann', id, { version: 2 }),
    await call('ann', 'GET', '/nothing'),
  ])
    expect(gone.body).toMatchObject({ status: 404, code: 'not-found' });
});

test('of two changes of the same version one is refused, and changes nothing (TAB-3)', async () => {
  const id = randomUUID();
  await save('ann', id);
  const both = await Promise.all(['SELECT 2', 'SELECT 3'].map((sql) => save('ann', id, { version: 1, sql })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [saved, refused] = both[0]!.status === 200 ? [both[0]!, both[1]!] : [both[1]!, both[0]!];
  expect(refused.body.code).toBe('version-conflict');
  expect((await call('ann', 'GET', `/${id}`)).body).toEqual(saved.body);
  for (const outdated of [await save('ann', id), await call('ann', 'DELETE', `/${id}?version=1`)])
    expect(outdated.body.code).toBe('version-conflict');
  expect((await call('ann', 'GET', `/${id}`)).body).toEqual(saved.body);
  expect((await call('ann', 'DELETE', `/${id}`)).status).toBe(422);
});

test("a tab doesn't exist for anyone else, administrators included (TAB-2)", async () => {
  const id = randomUUID();
  const { body: own } = await save('ann', id, { sql: "SELECT 'confidential'" });
  for (const who of ['ben', 'boss']) {
    expect(await idsOf(who)).not.toContain(id);
    const requests = (named: string) => [
      call(who, 'GET', `/${named}`),
      call(who, 'DELETE', `/${named}?version=1`),
      save(who, named, { version: 1 }),
    ];
    const unknown = randomUUID();
    const [hidden, absent] = await Promise.all([Promise.all(requests(id)), Promise.all(requests(unknown))]);
    expect(hidden.map(({ status, body }) => [status, body.detail.replace(id, unknown)])).toEqual(
      absent.map(({ body }) => [404, body.detail]),
    );
  }
  // The same id is another tab.
  expect((await save('ben', id, { sql: 'SELECT 5' })).body).toMatchObject({ version: 1, sql_text: 'SELECT 5' });
  const other = `/api/v1/environments/other/query-tabs`;
  expect((await server.call('GET', `${other}/${id}`, { token: tokens['ann']! })).status).toBe(404);
  expect((await call('ann', 'GET', `/${id}`)).body).toEqual(own);
});

test('without SUBMIT_QUERY everything is denied alike (TAB-2)', async () => {
  const id = randomUUID();
  await save('ann', id);
  const denied = [
    await call('nobody', 'GET'),
    await call('nobody', 'GET', `/${id}`),
    await call('nobody', 'PUT', `/${id}`, { version: 'x' }),
    await call('nobody', 'DELETE', `/${id}`),
  ];
  expect(denied.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(new Set(denied.map(({ body }) => body.detail)).size).toBe(1);
});

test('the number of tabs is limited, also if they are created at the same time (TAB-4, TAB-7)', async () => {
  const created = await Promise.all(Array.from({ length: 35 }, () => save('many', randomUUID())));
  expect(created.filter(({ status }) => status === 200)).toHaveLength(30);
  expect(new Set(created.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
    new Set(['limit-reached']),
  );
  const { body } = await call('many', 'GET');
  const order = body.map(({ created_at, id }: Record<string, string>) => `${created_at} ${id}`);
  expect(order).toEqual(order.toSorted());
  expect(order).toHaveLength(30);
  const { id } = body[0];
  expect((await save('many', id, { version: 1, sql: 'SELECT 2' })).status).toBe(200);
  expect((await save('many', id)).body.code).toBe('version-conflict');
  await call('many', 'DELETE', `/${id}?version=2`);
  expect((await save('many', randomUUID())).status).toBe(200);
});

test.each([
  ['a long statement', { sql: 'x'.repeat(100_001) }],
  ['an empty title', { title: ' ' }],
  ['a long title', { title: 'x'.repeat(201) }],
  [
    'a parameter twice',
    {
      parameters: [
        { name: 'a', value: '' },
        { name: 'A', value: '' },
      ],
    },
  ],
  ['long values', { parameters: ['a', 'b'].map((name) => ({ name, value: 'x'.repeat(60_000) })) }],
  ['an unknown type', { parameters: [{ name: 'a', type: 'list<int>', value: null }] }],
  ['a query without an id', { query_id: 'last' }],
  ['an unknown field', { shared: true }],
  ['no version', { version: undefined }],
])('%s is refused (TAB-4)', async (_, body) => {
  expect((await save('ann', randomUUID(), body)).status).toBe(422);
});

test('an id other than a UUID is refused (TAB-3)', async () => {
  expect((await save('ann', 'mine')).status).toBe(422);
});

test('no event records a tab (TAB-5)', async () => {
  const events = async () =>
    (await server.call('GET', '/api/v1/audit-events?limit=200')).body.filter(
      ({ principal }: { principal: string | null }) => principal === 'ann',
    );
  const before = await events();
  const id = randomUUID();
  await save('ann', id, { sql: "SELECT 'confidential text'", title: 'confidential title' });
  await save('ann', id, { version: 1, sql: "SELECT 'confidential again'" });
  await call('ann', 'DELETE', `/${id}?version=2`);
  expect(await events()).toEqual(before);
  // A refusal records nothing of the tab.
  await call('nobody', 'PUT', `/${id}`, { version: 0, sql: "SELECT 'confidential'" });
  const { body } = await server.call('GET', '/api/v1/audit-events?limit=200');
  expect(body.map(({ type }: { type: string }) => type)).toContain('AUTHORIZATION_DENIED');
  expect(JSON.stringify(body)).not.toContain('confidential');
});

test('the deletion of a principal deletes its tabs (TAB-6)', async () => {
  await save('leaver', randomUUID());
  const { environment_id, owner_id } = (
    await server.db.prisma.queryTab.findMany({ orderBy: { created_at: 'desc' } })
  )[0]!;
  const tabs = () => server.db.prisma.queryTab.count({ where: { environment_id, owner_id } });
  expect(await tabs()).toBe(1);
  await server.call('DELETE', '/api/v1/principals/leaver');
  expect(await tabs()).toBe(0);
});
