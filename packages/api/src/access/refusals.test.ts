import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let bob: string;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  await server.call('POST', '/api/v1/principals', { body: { name: 'bob', type: 'person' } });
  bob = (await server.call('POST', '/api/v1/principals/bob/tokens', { body: { name: 't' } })).body.token;
});
afterAll(() => server.stop());

const create = (path: string, body: unknown) => server.call('POST', path, { body });

test.each([
  [{ principal: 'bob' }, 'svc grant create --kind INSTANCE --principal bob --action READ_QUERY_TEXT'],
  [{ group: "o'hara" }, "svc grant create --kind INSTANCE --group 'o'\\''hara' --action READ_QUERY_TEXT"],
])('READ_QUERY_TEXT below the instance is refused with the command for %j', async (to, remedy) => {
  const grant = { ...to, kind: 'ENVIRONMENT', action: 'read_query_text', environment: 'dev' };
  const answer = await create('/api/v1/grants', grant);
  expect([answer.status, answer.body.remedy]).toEqual([422, remedy]);
  expect(answer.body.detail).toContain(remedy);
});

test.each([
  '/api/v1/grants?principal_name=',
  '/api/v1/grants?environment=',
  '/api/v1/principals/admin/permissions?environment=dev&namespace=&table=t',
  '/api/v1/environments/dev/runs?job=',
  '/api/v1/environments/dev/queries?submitter=',
  '/api/v1/environments/dev/deploys?repository=',
])('%s is 422: an empty name is none', async (path) => {
  const answer = await server.call('GET', path);
  expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining('must not be empty')]);
});

test('a name has one spelling', async () => {
  const decomposed = 'rene\u0301';
  const answer = await create('/api/v1/principals', { name: decomposed, type: 'person' });
  expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining('NFC')]);
  expect((await create('/api/v1/principals', { name: decomposed.normalize('NFC'), type: 'person' })).status).toBe(201);
  expect((await create('/api/v1/repositories', { name: decomposed })).status).toBe(422);
});

test('a result shows to its submitter alone, and no grant is offered that would not open it', async () => {
  await create('/api/v1/grants', {
    kind: 'ENVIRONMENT',
    principal: 'bob',
    action: 'MANAGE_ENVIRONMENT',
    environment: 'dev',
  });
  const { id } = (await create('/api/v1/environments/dev/queries', { sql: 'SELECT 1' })).body;
  const path = `/api/v1/environments/dev/queries/${id}`;
  expect((await server.call('GET', path, { token: bob })).status).toBe(200);
  const answer = await server.call('GET', `${path}/results`, { token: bob });
  expect([answer.status, answer.body.remedy]).toEqual([403, undefined]);
  expect(answer.body.detail).toContain('to its submitter alone');
});
