import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;

const send = (method: string, path: string, token: string, body?: unknown) =>
  server.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
const admin = (method: string, path: string, body?: unknown) => send(method, path, server.token, body);

async function created(path: string, body: unknown) {
  const response = await admin('POST', path, body);
  if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
  return response.body;
}

/** A token of `ann` with a scope. She has ADMIN on the instance. */
const scoped = async (scope: object): Promise<string> =>
  (await created('/principals/ann/tokens', { name: 'scoped', ...scope })).token;

const READER = ['READ_ENVIRONMENT', 'READ_NAMESPACE', 'READ_TABLE', 'SUBMIT_QUERY'];
const TABLE = '/environments/dev/namespaces/shop/tables';

beforeAll(async () => {
  server = await startTestServer();
  for (const name of ['dev', 'prod']) {
    await created('/environments', { name });
    await created(`/environments/${name}/namespaces`, { path: 'shop' });
    const columns = [{ name: 'id', type: 'long' }];
    await created(`/environments/${name}/namespaces/shop/tables`, { name: 'orders', columns });
  }
  await created('/principals', { name: 'ann', type: 'person', password: 'correct horse' });
  await created('/principals', { name: 'ci', type: 'service-account' });
  await created('/grants', { kind: 'INSTANCE', principal: 'ann', role: 'ADMIN' });
});
afterAll(() => server.stop());

test('a token carries only the actions of its scope, in its environments (TOKEN-4)', async () => {
  const token = await scoped({ environments: ['dev'], actions: READER });
  const status = async (path: string) => (await send('GET', path, token)).status;
  expect(await status(`${TABLE}/orders`)).toBe(200);
  expect(await status('/environments/dev')).toBe(200);
  expect(await status('/environments/prod')).toBe(403);
  expect(await status('/environments/prod/namespaces/shop/tables/orders')).toBe(403);
  expect(await status('/principals')).toBe(403);
  const refused = await send('DELETE', `${TABLE}/orders`, token);
  expect(refused.body).toMatchObject({ status: 403, code: 'forbidden' });
  expect(refused.body.detail).toContain('the scope of the token does not include DROP_TABLE');
  const { body } = await admin('GET', '/audit-events?event_type=AUTHORIZATION_DENIED&limit=1');
  expect(body[0].detail).toMatchObject({
    action: 'DROP_TABLE',
    reason: 'the scope of the token does not include DROP_TABLE',
  });
});

test('a token with environments carries nothing on the instance and in others (TOKEN-4)', async () => {
  const token = await scoped({ environments: ['dev'] });
  expect((await send('GET', '/environments', token)).body.map(({ name }: { name: string }) => name)).toEqual(['dev']);
  for (const [method, path, body] of [
    ['POST', '/environments', { name: 'more' }],
    ['POST', '/grants', { kind: 'ENVIRONMENT', environment: 'dev', principal: 'ci', role: 'ADMIN' }],
    ['GET', '/audit-events', undefined],
    ['GET', '/principals', undefined],
    ['GET', '/events/stream?environment=prod', undefined],
    ['GET', '/environments/prod/summary', undefined],
    ['GET', '/environments/prod/search?q=orders', undefined],
    ['GET', '/environments/prod/namespaces', undefined],
    ['GET', '/environments/prod/namespaces/shop/tables', undefined],
    ['GET', '/environments/prod/expiring-tables', undefined],
    ['POST', '/environments/prod/queries', { sql: 'SELECT 1' }],
    ['PATCH', '/environments/prod', { description: 'x' }],
  ] as const) {
    expect([path, (await send(method, path, token, body)).status]).toEqual([path, 403]);
  }
  expect(
    (await send('POST', `${TABLE}`, token, { name: 'made', columns: [{ name: 'id', type: 'long' }] })).status,
  ).toBe(201);
});

test('an environment of the same name as one of the scope is another environment (TOKEN-4)', async () => {
  await created('/environments', { name: 'passing' });
  const token = await scoped({ environments: ['passing'] });
  const { id } = (await admin('GET', '/environments/passing')).body;
  await server.db.prisma.environment.update({ where: { id }, data: { name: 'former' } });
  await created('/environments', { name: 'passing' });
  expect((await send('GET', '/environments/passing', token)).status).toBe(403);
  expect((await send('GET', '/me', token)).body.token.environments).toEqual(['former']);
});

test("what a principal may do as an owner needs the action in its token's scope (TOKEN-4)", async () => {
  await created('/grants', { kind: 'ENVIRONMENT', environment: 'dev', principal: 'ci', role: 'DATA_ENGINEER' });
  const full = (await created('/principals/ci/tokens', { name: 'full' })).token;
  const reading = (await created('/principals/ci/tokens', { name: 'reading', actions: READER })).token;
  await send('POST', TABLE, full, { name: 'owned', columns: [{ name: 'id', type: 'long' }] });
  const retain = (token: string) => send('PUT', `${TABLE}/owned/retention`, token, { days: 3 });
  expect((await retain(reading)).status).toBe(403);
  expect((await send('PATCH', `${TABLE}/owned`, reading, { description: 'x' })).status).toBe(403);
  expect((await retain(full)).status).toBe(200);
});

test('GET /me and the list of tokens show the scope; permissions are those of the principal (TOKEN-4)', async () => {
  const token = await scoped({ environments: ['prod', 'dev'], actions: ['read_table'] });
  const scope = { environments: ['dev', 'prod'], actions: ['READ_TABLE'] };
  expect((await send('GET', '/me', token)).body.token).toMatchObject(scope);
  expect((await admin('GET', '/principals/ann/tokens')).body.at(-1)).toMatchObject(scope);
  const { body } = await send('GET', '/principals/ann/permissions', token);
  expect(body.permissions[0]).toMatchObject({ action: 'MANAGE_ENVIRONMENT', allowed: true });
  const issued = await admin('GET', '/audit-events?event_type=TOKEN_ISSUED&limit=1');
  expect(issued.body[0].detail).toMatchObject(scope);
});

test.each([
  [{ environments: ['nowhere'] }, 404],
  [{ environments: [] }, 422],
  [{ actions: [] }, 422],
  [{ actions: ['FLY'] }, 422],
  [{ actions: ['MANAGE_TOKEN'] }, 422],
])('the scope %j is refused with %i (TOKEN-4)', async (scope, status) => {
  expect((await admin('POST', '/principals/ann/tokens', { name: 'x', ...scope })).status).toBe(status);
});

test('an environment that the caller must not know is refused like an unknown one (TOKEN-4)', async () => {
  await created('/principals', { name: 'eve', type: 'person' });
  const { token } = await created('/principals/eve/tokens', { name: 'own' });
  const answer = async (environment: string) => {
    const { status, body } = await send('POST', '/principals/eve/tokens', token, {
      name: 'x',
      environments: [environment],
    });
    return [status, body.detail.replaceAll(environment, 'NAME')];
  };
  expect(await answer('dev')).toEqual(await answer('nowhere'));
});

test("a token with a scope can't manage tokens, passwords and requests for access (TOKEN-7)", async () => {
  const { id, token } = await created('/principals/ann/tokens', { name: 'scoped', environments: ['dev'] });
  const other = await created('/principals/ann/tokens', { name: 'other' });
  for (const [method, path, body] of [
    ['POST', '/principals/ann/tokens', { name: 'wider' }],
    ['GET', '/principals/ann/tokens', undefined],
    ['POST', `/tokens/${id}/rotate`, {}],
    ['POST', `/tokens/${other.id}/rotate`, {}],
    ['DELETE', `/tokens/${other.id}`, undefined],
    ['PUT', '/me/password', { current_password: 'correct horse', password: 'battery staple' }],
    ['PATCH', '/principals/ann', { password: 'battery staple' }],
    ['POST', '/access-requests', { kind: 'ENVIRONMENT', environment: 'dev', role: 'ADMIN' }],
  ] as const)
    expect([path, (await send(method, path, token, body)).status]).toEqual([path, 403]);
  const wide = await scoped({ actions: ['MANAGE_PRINCIPAL'] });
  expect((await send('PATCH', '/principals/ann', wide, { password: 'battery staple' })).status).toBe(403);
  expect((await send('DELETE', `/tokens/${id}`, token)).status).toBe(204);
  expect((await send('GET', '/me', token)).status).toBe(401);
});

test('a task token of a token with a scope has the same scope (TOKEN-7)', async () => {
  const token = await scoped({ actions: ['MINT_TASK_TOKEN', 'READ_TABLE'] });
  const { body } = await send('POST', '/task-tokens', token, { environment: 'dev' });
  expect((await send('GET', `${TABLE}/orders`, body.token)).status).toBe(200);
  expect((await send('GET', '/environments/dev', body.token)).status).toBe(403);
  const issued = await admin('GET', '/audit-events?event_type=TOKEN_ISSUED&limit=1');
  expect(issued.body[0].detail).toMatchObject({
    ...{ kind: 'task', environments: null, actions: ['MINT_TASK_TOKEN', 'READ_TABLE'] },
  });
  const inDev = await scoped({ environments: ['dev'], actions: ['MINT_TASK_TOKEN', 'READ_TABLE'] });
  expect((await send('POST', '/task-tokens', inDev, {})).status).toBe(403);
});

test('the catalog for engines applies the scope (TOKEN-4)', async () => {
  const token = await scoped({ environments: ['dev'], actions: ['READ_TABLE'] });
  const catalog = async (method: string, path: string) =>
    (await server.call(method, `/catalog/v1${path}`, { token, ...(method === 'GET' ? {} : { body: {} }) })).status;
  expect(await catalog('GET', '/config?warehouse=dev')).toBe(200);
  expect(await catalog('GET', '/config?warehouse=prod')).toBe(403);
  expect(await catalog('GET', '/dev/namespaces/shop/tables/orders')).toBe(200);
  expect(await catalog('GET', '/prod/namespaces/shop/tables/orders')).toBe(403);
  expect(await catalog('DELETE', '/dev/namespaces/shop/tables/orders')).toBe(403);
});

test('a token whose scope lists actions sees only queries of tokens with the same ones (TOKEN-6)', async () => {
  const submit = async (token: string) =>
    (await send('POST', '/environments/dev/queries', token, { sql: 'SELECT 42' })).body.id;
  const [full, reading, again] = [
    await scoped({}),
    await scoped({ actions: READER }),
    await scoped({ actions: READER }),
  ];
  const [wide, narrow] = [await submit(full), await submit(reading)];
  const get = async (id: string, token: string) => (await send('GET', `/environments/dev/queries/${id}`, token)).status;
  expect([await get(wide, reading), await get(narrow, again), await get(narrow, full)]).toEqual([403, 200, 200]);
  expect((await send('GET', `/environments/dev/queries/${wide}/results`, reading)).status).toBe(403);
  const { body } = await send('GET', '/environments/dev/queries', reading);
  const texts = Object.fromEntries(body.map((query: { id: string; sql_text: unknown }) => [query.id, query.sql_text]));
  expect(texts[narrow]).toBe('SELECT 42');
  expect(texts[wide]).toMatchObject({ length: 9 });
});
