import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let now = Date.parse('2026-03-01T08:00:00Z');
let token: string;

const call = (method: string, path: string, body?: unknown, as?: string) =>
  server.call(method, `/api/v1${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(as === undefined ? {} : { token: as }),
  });
const post = async (path: string, body: unknown) => {
  const answer = await call('POST', path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
};
const grant = (body: object) => post('/grants', { kind: 'ENVIRONMENT', environment: 'prod', ...body });
const onDay = (day: string) => {
  now = Date.parse(`2026-${day}T08:00:00Z`);
};
/** When each of ann's and her group's grants was last used. */
async function lastUsed(query = ''): Promise<Record<string, string | null>> {
  const { body } = await call('GET', `/grants?environment=prod${query}`);
  return Object.fromEntries(
    body.map((each: { action: string; last_used_at: string | null }) => [
      each.action,
      each.last_used_at?.slice(0, 10) ?? null,
    ]),
  );
}

beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) });
  await post('/environments', { name: 'prod' });
  await post('/principals', { name: 'ann', type: 'person' });
  await post('/principals', { name: 'bot', type: 'service-account' });
  token = (await post('/principals/bot/tokens', { name: 't' })).token;
  await post('/groups', { name: 'readers' });
  await call('PUT', '/groups/readers/members/bot');
  await grant({ group: 'readers', action: 'READ_ENVIRONMENT' });
  await grant({ principal: 'bot', action: 'CREATE_NAMESPACE' });
  await grant({ principal: 'bot', action: 'RUN' });
});
afterAll(() => server.stop());

test('a grant shows when it last allowed something, to the day (ACCESS-48)', async () => {
  expect(await lastUsed()).toEqual({ READ_ENVIRONMENT: null, CREATE_NAMESPACE: null, RUN: null });
  onDay('03-02');
  expect((await call('GET', '/environments/prod', undefined, token)).status).toBe(200);
  // A denied request uses no grant.
  expect((await call('POST', '/environments/prod/secrets', { name: 's', values: {} }, token)).status).toBe(403);
  onDay('03-05');
  expect((await call('POST', '/environments/prod/namespaces', { path: 'a' }, token)).status).toBe(201);
  expect(await lastUsed()).toEqual({ READ_ENVIRONMENT: '2026-03-02', CREATE_NAMESPACE: '2026-03-05', RUN: null });
});

test('grants that allowed nothing since a time, for reviews of access (ACCESS-48)', async () => {
  onDay('06-01');
  expect(await lastUsed('&unused_since=2026-03-04T00:00:00Z')).toEqual({ READ_ENVIRONMENT: '2026-03-02', RUN: null });
  expect(await lastUsed('&unused_since=2026-03-01T00:00:00Z')).toEqual({});
  await grant({ principal: 'ann', action: 'DEPLOY' });
  // A new grant had no time to be used.
  expect(Object.keys(await lastUsed('&unused_since=2026-05-31T00:00:00Z'))).not.toContain('DEPLOY');
  expect((await call('GET', '/grants?unused_since=90d')).status).toBe(422);
});

test('lists and engines use grants, too (ACCESS-48)', async () => {
  onDay('07-01');
  await grant({ principal: 'bot', action: 'READ_NAMESPACE' });
  await grant({ principal: 'bot', action: 'CREATE_TABLE' });
  expect(await lastUsed()).toMatchObject({ READ_NAMESPACE: null, CREATE_TABLE: null });
  expect((await call('GET', '/environments/prod/namespaces', undefined, token)).status).toBe(200);
  const body = { name: 't', schema: { type: 'struct', fields: [] } };
  const created = await server.call('POST', '/catalog/v1/prod/namespaces/a/tables', { body, token });
  expect(created.status).toBe(200);
  expect(await lastUsed()).toMatchObject({ READ_NAMESPACE: '2026-07-01', CREATE_TABLE: '2026-07-01' });
});
