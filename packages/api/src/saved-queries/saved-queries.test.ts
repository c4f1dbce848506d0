import { createHash, randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
const tokens: Record<string, string> = {};
const PATH = '/api/v1/environments/dev/saved-queries';

beforeAll(async () => {
  server = await startTestServer();
  for (const name of ['dev', 'other']) await server.call('POST', '/api/v1/environments', { body: { name } });
  for (const name of ['ann', 'ben', 'boss', 'nobody']) {
    await server.call('POST', '/api/v1/principals', { body: { name, type: 'person' } });
    const { body } = await server.call('POST', `/api/v1/principals/${name}/tokens`, { body: { name: 'test' } });
    tokens[name] = body.token;
  }
  const grant = (principal: string, granted: object, environment = 'dev') =>
    server.call('POST', '/api/v1/grants', { body: { principal, kind: 'ENVIRONMENT', environment, ...granted } });
  for (const name of ['ann', 'ben']) await grant(name, { action: 'SUBMIT_QUERY' });
  await grant('ann', { action: 'SUBMIT_QUERY' }, 'other');
  await grant('boss', { role: 'ADMIN' });
});
afterAll(() => server.stop());

const call = (who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: unknown) =>
  server.call(method, PATH + path, { token: tokens[who]!, ...(body === undefined ? {} : { body }) });
const save = async (who: string, name: string, fields: object = {}) =>
  (await call(who, 'POST', '', { name, sql: `SELECT '${name}'`, ...fields })).body;
const namesFor = async (who: string, query = '') =>
  (await call(who, 'GET', query)).body.map(({ name }: { name: string }) => name);

test('a query is saved with its parameters, found, changed and deleted by its owner (SAVED-1, SAVED-4)', async () => {
  const parameters = [{ name: 'day', type: 'date', default: '2026-03-01' }, { name: 'who' }];
  const created = await call('ann', 'POST', '', { name: 'a day', sql: 'SELECT $day, $who', parameters });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: expect.any(String),
    version: 1,
    environment: 'dev',
    name: 'a day',
    owner: 'ann',
    shared: false,
    description: null,
    sql_text: 'SELECT $day, $who',
    parameters: [parameters[0], { name: 'who', type: 'string', default: null }],
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const at = `/${created.body.id}`;
  expect((await call('ann', 'GET', at)).body).toEqual(created.body);
  const changed = await call('ann', 'PATCH', at, {
    name: 'one day',
    sql: 'SELECT 1',
    parameters: [],
    description: 'x',
  });
  expect(changed.body).toMatchObject({ name: 'one day', sql_text: 'SELECT 1', parameters: [], description: 'x' });
  expect((await call('ann', 'GET', at)).body).toEqual(changed.body);
  expect((await call('ann', 'DELETE', at)).status).toBe(204);
  expect((await call('ann', 'GET', at)).status).toBe(404);
});

test('of two changes of the same version one is refused, and changes nothing (SAVED-9)', async () => {
  const { id } = await save('ann', 'of two people', { shared: true });
  const events = async () =>
    (await server.call('GET', '/api/v1/audit-events?event_type=SAVED_QUERY_UPDATED&limit=200')).body.filter(
      ({ detail }: { detail: Record<string, unknown> }) => detail['saved_query_id'] === id,
    );
  const both = await Promise.all(
    ['ann', 'boss'].map((who) => call(who, 'PATCH', `/${id}`, { sql: `SELECT '${who}'`, version: 1 })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [saved, refused] = both[0]!.status === 200 ? [both[0]!, both[1]!] : [both[1]!, both[0]!];
  expect(refused.body).toMatchObject({
    code: 'version-conflict',
    detail: expect.stringMatching(/of two people has changed since you read it.* version 2.* version 1/),
    remedy: expect.stringContaining(`svc saved-query show ${id} --env dev`),
  });
  expect((await call('ann', 'GET', `/${id}`)).body).toEqual(saved.body);
  expect(saved.body.version).toBe(2);
  expect((await events()).map(({ detail }: { detail: { changed: string[] } }) => detail.changed)).toEqual([['sql']]);
  // Without a version, a change applies to any. A version alone changes nothing.
  expect((await call('ann', 'PATCH', `/${id}`, { sql: 'SELECT 3' })).body.version).toBe(3);
  for (const body of [{ version: 3 }, { sql: 'SELECT 4', version: 0 }, { sql: 'SELECT 4', version: null }])
    expect((await call('ann', 'PATCH', `/${id}`, body)).status).toBe(422);
  // Permissions are checked first.
  expect((await call('ben', 'PATCH', `/${id}`, { sql: 'SELECT 4', version: 1 })).status).toBe(403);
});

test('a name is unique among the queries of one owner in an environment (SAVED-1)', async () => {
  const first = await save('ann', 'same');
  expect((await call('ann', 'POST', '', { name: 'same', sql: 'SELECT 2' })).body.code).toBe('already-exists');
  expect((await save('ben', 'same')).owner).toBe('ben');
  const second = await save('ann', 'different');
  expect((await call('ann', 'PATCH', `/${second.id}`, { name: 'same' })).status).toBe(409);
  expect((await call('ann', 'PATCH', `/${first.id}`, { name: 'same' })).status).toBe(200);
  const body = { name: 'same', sql: 'SELECT 1' };
  const other = '/api/v1/environments/other/saved-queries';
  expect((await server.call('POST', other, { token: tokens['ann']!, body })).status).toBe(201);
  // The id of another environment is unknown.
  expect((await server.call('GET', `${other}/${first.id}`, { token: tokens['ann']! })).status).toBe(404);
});

test("a private query doesn't exist for anyone else, administrators included (SAVED-2)", async () => {
  const { id } = await save('ann', 'secret plan', { description: 'about the merger' });
  const unknown = randomUUID();
  for (const who of ['ben', 'boss'])
    for (const [method, body] of [['GET'], ['PATCH', { shared: true }], ['DELETE']] as const) {
      const [hidden, absent] = await Promise.all([
        call(who, method, `/${id}`, body),
        call(who, method, `/${unknown}`, body),
      ]);
      expect([hidden.status, hidden.body.detail.replace(id, unknown)]).toEqual([404, absent.body.detail]);
      expect(hidden.body).toEqual({ ...absent.body, ...idsOf(hidden.body), detail: hidden.body.detail });
    }
  for (const query of ['', '?search=merger', '?name=secret%20plan', '?owner=ann&search=secret'])
    for (const who of ['ben', 'boss']) expect(await namesFor(who, query)).not.toContain('secret plan');
  expect(await namesFor('ann', '?search=MERGER')).toEqual(['secret plan']);
});

const idsOf = ({ request_id, instance }: Record<string, unknown>) => ({
  ...(request_id === undefined ? {} : { request_id }),
  ...(instance === undefined ? {} : { instance }),
});

test('without SUBMIT_QUERY everything is denied alike, and recorded (SAVED-2)', async () => {
  const { id } = await save('ann', 'for all', { shared: true });
  const before = await denials();
  const paths = [
    await call('nobody', 'GET'),
    await call('nobody', 'GET', `/${id}`),
    await call('nobody', 'GET', `/${randomUUID()}`),
    await call('nobody', 'POST', '', { name: 1 }),
    await call('nobody', 'PATCH', `/${id}`, { shared: 1 }),
    await call('nobody', 'DELETE', `/${id}`),
  ];
  expect(paths.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  expect(new Set(paths.map(({ body }) => body.detail)).size).toBe(1);
  expect(await denials()).toBe(before + paths.length);
});

const denials = async () =>
  (await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=200')).body.length;

test('everyone with SUBMIT_QUERY reads a shared query; only its owner and administrators change it (SAVED-3, SAVED-4)', async () => {
  const { id } = await save('ann', 'shared one', { shared: true });
  const at = `/${id}`;
  expect((await call('ben', 'GET', at)).body.sql_text).toBe("SELECT 'shared one'");
  expect(await namesFor('ben', '?owner=ann&name=shared%20one')).toEqual(['shared one']);
  for (const [method, body] of [['PATCH', { sql: 'SELECT 2' }], ['DELETE']] as const) {
    const refused = await call('ben', method, at, body);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('only its owner')]);
  }
  expect((await call('boss', 'PATCH', at, { description: 'checked' })).body.description).toBe('checked');
  await save('ann', 'taken');
  for (const name of ['taken', 'free'])
    expect((await call('boss', 'PATCH', at, { name })).body).toMatchObject({
      status: 422,
      detail: expect.stringContaining('can only be changed by the owner'),
    });
  expect((await call('boss', 'PATCH', at, { shared: false })).body.shared).toBe(false);
  expect((await call('boss', 'GET', at)).status).toBe(404);
  await call('ann', 'PATCH', at, { shared: true });
  expect((await call('boss', 'DELETE', at)).status).toBe(204);
});

test.each([
  ['an empty statement', { sql: '' }],
  ['a long statement', { sql: `SELECT '${'x'.repeat(100_000)}'` }],
  ['an empty name', { name: '' }],
  ['a name with a line break', { name: 'a\nb' }],
  ['a long description', { description: 'x'.repeat(10_001) }],
  ['a name twice', { parameters: [{ name: 'a' }, { name: 'A' }] }],
  ['a dollar sign', { parameters: [{ name: '$a' }] }],
  ['an unknown type', { parameters: [{ name: 'a', type: 'list<int>' }] }],
  ['a long default', { parameters: [{ name: 'a', default: 'x'.repeat(10_001) }] }],
  ['too many parameters', { parameters: Array.from({ length: 1001 }, (_, n) => ({ name: `p${n}` })) }],
  ['an unknown field', { public: true }],
])('%s is refused (SAVED-5)', async (_, fields) => {
  const { status } = await call('ann', 'POST', '', { name: 'refused', sql: 'SELECT 1', ...fields });
  expect(status).toBe(422);
});

test('the list has pages in the order of names, and filters (SAVED-6)', async () => {
  for (const name of ['list b', 'list a', 'list c', 'list %_']) await save('ben', name);
  const shared = await save('ann', 'list a', { shared: true, sql: 'SELECT 42 AS answer' });
  const first = await call('ben', 'GET', '?search=LIST&limit=3');
  const cursor = encodeURIComponent(first.headers.get('x-next-cursor')!);
  const second = await call('ben', 'GET', `?search=LIST&limit=3&cursor=${cursor}`);
  expect([first, second].flatMap(({ body }) => body.map(({ name }: { name: string }) => name))).toEqual([
    'list %_',
    'list a',
    'list a',
    'list b',
    'list c',
  ]);
  expect(second.headers.get('x-next-cursor')).toBeNull();
  expect(await namesFor('ben', '?search=%25_')).toEqual(['list %_']);
  expect((await call('ben', 'GET', '?search=AS%20ANSWER')).body).toEqual([shared]);
  expect(await namesFor('ben', '?owner=nobody')).toEqual([]);
  expect((await call('ben', 'GET', `?search=other&limit=3&cursor=${cursor}`)).status).toBe(422);
});

test('events have the digest of the statement, never its text, nor the name of a private query (SAVED-7)', async () => {
  const sql = "SELECT 'confidential'";
  const { id } = await save('ann', 'audited', { sql });
  await call('ann', 'PATCH', `/${id}`, { shared: true });
  await call('boss', 'DELETE', `/${id}`);
  const { body } = await server.call('GET', '/api/v1/audit-events?limit=200');
  const events = body.filter(({ detail }: { detail: Record<string, unknown> }) => detail['saved_query_id'] === id);
  const sql_text = { sha256: createHash('sha256').update(sql).digest('hex'), length: sql.length };
  const facts = { saved_query_id: id, sql_text };
  expect(
    events.map(({ type, principal, detail }: Record<string, unknown>) => ({ type, principal, detail })),
  ).toMatchObject([
    { type: 'SAVED_QUERY_DELETED', detail: { ...facts, owner: 'ann', name: 'audited', shared: true } },
    {
      type: 'SAVED_QUERY_UPDATED',
      detail: { ...facts, owner: 'ann', name: 'audited', shared: true, changed: ['shared'] },
    },
    { type: 'SAVED_QUERY_CREATED', detail: { ...facts, name: null, shared: false } },
  ]);
  expect(JSON.stringify(body)).not.toContain('confidential');
});

test('the deletion of its owner deletes a private query, and a shared one stays (SAVED-8)', async () => {
  await server.call('POST', '/api/v1/principals', { body: { name: 'leaver', type: 'person' } });
  const { body } = await server.call('POST', '/api/v1/principals/leaver/tokens', { body: { name: 'test' } });
  tokens['leaver'] = body.token;
  const right = { principal: 'leaver', kind: 'ENVIRONMENT', environment: 'dev', action: 'SUBMIT_QUERY' };
  await server.call('POST', '/api/v1/grants', { body: right });
  const hidden = await save('leaver', 'hidden by leaver');
  const shared = await save('leaver', 'shared by leaver', { shared: true });
  expect((await server.call('DELETE', '/api/v1/principals/leaver')).status).toBe(204);
  expect(await server.db.prisma.savedQuery.count({ where: { id: hidden.id } })).toBe(0);
  expect((await call('ben', 'GET', `/${shared.id}`)).body).toEqual(shared);
  expect((await call('boss', 'DELETE', `/${shared.id}`)).status).toBe(204);
});
