import { startTestServer, type TestServer } from '../testing/index.ts';

const PASSWORD = 'correct horse battery';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { SVC_SIGN_IN__PASSWORDS: 'false' } });
  await server.call('POST', '/api/v1/principals', { body: { name: 'ann', type: 'person', password: PASSWORD } });
});
afterAll(() => server.stop());

test.each([
  ['POST', '/api/v1/sign-in'],
  ['POST', '/api/v1/session'],
])('%s %s refuses every password alike, and checks none (SSO-16)', async (method, path) => {
  for (const body of [{ name: 'ann', password: PASSWORD }, { name: 'ann', password: 'wrong' }, { name: 'nobody' }]) {
    const answer = await server.call(method, path, { body, token: null });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'passwords-off', detail: expect.stringMatching(/svc login --provider/) },
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
  expect((await server.call('GET', '/api/v1/audit-events?event_type=SIGN_IN_FAILED')).body).toEqual([]);
});

test('tokens work, and nobody changes a password that counts for nothing (SSO-16)', async () => {
  expect((await server.call('GET', '/api/v1/me')).body.name).toBe('admin');
  const { token } = (await server.call('POST', '/api/v1/principals/ann/tokens', { body: { name: 't' } })).body;
  const body = { current_password: PASSWORD, password: 'another password' };
  expect((await server.call('PUT', '/api/v1/me/password', { token, body })).body.code).toBe('passwords-off');
  expect((await server.call('GET', '/api/v1/sign-in', { token: null })).body).toEqual({
    passwords: false,
    providers: [],
  });
});
