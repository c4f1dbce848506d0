import { startTestServer, type TestServer } from '../testing/index.ts';

const PATH = '/api/v1/sql-endpoint';
let server: TestServer;
afterEach(() => server.stop());

test('the address has the port that the endpoint listens on, and needs a sign-in only (SERVICE-8)', async () => {
  server = await startTestServer({ env: { SVC_SQL__LISTEN: '127.0.0.1:0' } });
  const { status, body } = await server.call('GET', PATH);
  expect({ status, body }).toEqual({
    status: 200,
    body: { address: { host: '127.0.0.1', port: expect.any(Number), tls: false } },
  });
  expect(body.address.port).toBeGreaterThan(0);
  const task = await server.call('POST', '/api/v1/task-tokens', { body: {} });
  expect((await server.call('GET', PATH, { token: task.body.token })).status).toBe(200);
  expect((await server.call('GET', PATH, { token: null })).status).toBe(401);
});

test('an endpoint on all interfaces has the host that the request names', async () => {
  server = await startTestServer({ env: { SVC_SQL__LISTEN: '0.0.0.0:0' } });
  const { hostname } = new URL(server.url);
  expect((await server.call('GET', PATH)).body.address.host).toBe(hostname);
});

test('an endpoint that is off has no address', async () => {
  server = await startTestServer();
  expect((await server.call('GET', PATH)).body).toEqual({ address: null });
});
