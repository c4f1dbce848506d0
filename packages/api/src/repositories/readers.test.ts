import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
const tokens: Record<string, string> = {};
const PRINCIPALS = {
  nobody: null,
  'table-reader': { kind: 'ENVIRONMENT', action: 'READ_TABLE', environment: 'dev' },
  'environment-reader': { kind: 'ENVIRONMENT', action: 'READ_ENVIRONMENT', environment: 'dev' },
  manager: { kind: 'INSTANCE', action: 'MANAGE_REPOSITORY' },
};

beforeAll(async () => {
  server = await startTestServer();
  const post = (path: string, body: unknown) => server.call('POST', `/api/v1/${path}`, { body });
  await post('environments', { name: 'dev' });
  await post('repositories', { name: 'shop' });
  for (const [name, grant] of Object.entries(PRINCIPALS)) {
    await post('principals', { name, type: 'person' });
    tokens[name] = (await post(`principals/${name}/tokens`, { name: 't' })).body.token;
    if (grant !== null) await post('grants', { principal: name, ...grant });
  }
});
afterAll(() => server.stop());

test.each([
  ['nobody', 403, 403],
  ['table-reader', 403, 403],
  ['environment-reader', 403, 403],
  ['manager', 200, 404],
])('only callers with MANAGE_REPOSITORY see repositories: %s', async (name, known, unknown) => {
  const get = (path: string) => server.call('GET', `/api/v1/repositories${path}`, { token: tokens[name]! });
  expect([(await get('')).status, (await get('/shop')).status, (await get('/other')).status]).toEqual([
    known,
    known,
    unknown,
  ]);
});
