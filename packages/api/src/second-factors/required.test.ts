import { Secret, TOTP } from 'otpauth';
import { openEventStream, startTestServer, type TestServer } from '../testing/index.ts';

const PASSWORD = 'correct horse battery';
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

let server: TestServer;
afterEach(() => server.stop());

async function start(mode: string, env: Record<string, string> = {}) {
  server = await startTestServer({ env: { SVC_SIGN_IN__SECOND_FACTOR: mode, ...env } });
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
}
const person = async (name: string, token?: string) => {
  const body = { name, type: 'person', password: PASSWORD };
  expect((await server.call('POST', '/api/v1/principals', { body, ...(token && { token }) })).status).toBe(201);
};
const signIn = async (name: string, password = PASSWORD): Promise<string> =>
  (await server.call('POST', '/api/v1/sign-in', { body: { name, password }, token: null })).body.token;
const get = async (path: string, token: string) => {
  const { status, body } = await server.call('GET', path, { token });
  return status === 403 ? body.code : status;
};
const denials = async () =>
  (await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=200')).body;

async function addFactor(token: string) {
  const own = (path: string, body?: object) =>
    server.call('POST', `/api/v1/me/second-factors${path}`, { token, ...(body && { body }) });
  const { enrolment, secret } = (await own('/totp')).body;
  expect((await own('', { enrolment, name: 'phone', code: codeOf(secret) })).status).toBe(201);
}

test('where a second factor is required, a session without one can only add one (FACTOR-9)', async () => {
  await start('required');
  await person('ann');
  const token = await signIn('ann');
  expect(await get('/api/v1/me', token)).toBe(200);
  for (const path of ['environments', 'principals/ann/tokens', 'sql-endpoint', 'events/nothing'])
    expect([path, await get(`/api/v1/${path}`, token)]).toEqual([
      path,
      path === 'events/nothing' ? 404 : 'second-factor-setup-required',
    ]);
  expect(await get('/catalog/v1/config?warehouse=dev', token)).not.toBe(200);
  const issue = await server.call('POST', '/api/v1/principals/ann/tokens', { body: { name: 't' }, token });
  expect(issue.body.code).toBe('second-factor-setup-required');
  expect((await denials())[0]).toMatchObject({
    principal: 'ann',
    detail: { action: null, reason: 'a second factor must be added first' },
  });
  expect((await server.call('GET', '/api/v1/me/second-factors', { token })).body.required).toBe(true);
  await addFactor(token);
  expect(await get('/api/v1/principals/ann/tokens', token)).toBe(200);
  const { id } = (await server.call('GET', '/api/v1/me/second-factors', { token })).body.factors[0];
  expect((await server.call('DELETE', `/api/v1/me/second-factors/${id}`, { token })).status).toBe(204);
  expect(await get('/api/v1/principals/ann/tokens', token)).toBe('second-factor-setup-required');
});

test('a session without one can end itself, and no other one (FACTOR-9)', async () => {
  await start('required');
  await person('ann');
  const [token, other] = [await signIn('ann'), await signIn('ann')];
  const idOf = async (of: string) => (await server.call('GET', '/api/v1/me', { token: of })).body.token.id;
  const end = async (id: string) => (await server.call('DELETE', `/api/v1/tokens/${id}`, { token })).status;
  expect([await end(await idOf(other)), await get('/api/v1/me', other)]).toEqual([403, 200]);
  expect([await end(await idOf(token)), await get('/api/v1/me', token)]).toEqual([204, 401]);
});

test('where administrators need one, a person becomes limited with the grant (FACTOR-9)', async () => {
  await start('administrators');
  await person('bob');
  const token = await signIn('bob');
  expect(await get('/api/v1/principals/bob/tokens', token)).toBe(200);
  const grant = { kind: 'INSTANCE', principal: 'bob', role: 'ADMIN' };
  await server.call('POST', '/api/v1/grants', {
    body: { kind: 'ENVIRONMENT', environment: 'dev', principal: 'bob', role: 'ANALYST' },
  });
  const stream = await openEventStream(server.url, { headers: { authorization: `Bearer ${token}` } });
  await stream.until('ready');
  await server.call('POST', '/api/v1/grants', { body: grant });
  expect(await get('/api/v1/principals', token)).toBe('second-factor-setup-required');
  // An open stream is closed as well.
  await server.call('POST', '/api/v1/environments/dev/namespaces', { body: { path: 'shop' } });
  for (let message = await stream.next(); message !== null; message = await stream.next())
    expect(message.kind).not.toContain('namespace');
  await addFactor(token);
  expect(await get('/api/v1/principals', token)).toBe(200);
  // Tokens are not affected.
  expect((await server.call('GET', '/api/v1/principals')).status).toBe(200);
});

test('a person whose creator is not an administrator must replace the password before anything else (ACCESS-39)', async () => {
  await start('optional');
  await person('clerk');
  const grant = { kind: 'INSTANCE', principal: 'clerk', action: 'MANAGE_PRINCIPAL' };
  await server.call('POST', '/api/v1/grants', { body: grant });
  await person('cem', await signIn('clerk'));
  const created = (await server.call('GET', '/api/v1/audit-events?event_type=PRINCIPAL_CREATED&limit=1')).body;
  expect(created[0].detail).toMatchObject({ name: 'cem', must_change_password: true });
  const token = await signIn('cem');
  expect(await get('/api/v1/principals/cem/tokens', token)).toBe('password-change-required');
  expect((await server.call('POST', '/api/v1/me/second-factors/totp', { token })).body.code).toBe(
    'password-change-required',
  );
  const change = (password: string) =>
    server.call('PUT', '/api/v1/me/password', { token, body: { current_password: PASSWORD, password } });
  expect((await change(PASSWORD)).status).toBe(422);
  expect((await change('what only cem knows')).status).toBe(204);
  expect(await get('/api/v1/principals/cem/tokens', token)).toBe(200);
  expect(await get('/api/v1/principals/cem/tokens', await signIn('cem', 'what only cem knows'))).toBe(200);
  // An administrator's choice needs no change.
  await person('dan');
  expect(await get('/api/v1/principals/dan/tokens', await signIn('dan'))).toBe(200);
});

test('a browser learns what its session must do first (FACTOR-9)', async () => {
  await start('required');
  await person('eve');
  const opened = await server.call('POST', '/api/v1/session', {
    body: { name: 'eve', password: PASSWORD },
    token: null,
  });
  expect([opened.status, opened.body.limit]).toEqual([201, 'add-second-factor']);
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  const session = await server.call('GET', '/api/v1/session', { token: null, headers: { cookie } });
  expect(session.body.limit).toBe('add-second-factor');
});

test('a security key is bound to the host name of the service, and to its own enrolment (FACTOR-10)', async () => {
  await start('optional', { SVC_PUBLIC_URL: 'https://svc.example.com/data' });
  await person('fay');
  const own = { token: await signIn('fay') };
  const started = await server.call('POST', '/api/v1/me/second-factors/security-key', own);
  const { enrolment, options } = started.body;
  expect(options).toMatchObject({ rp: { id: 'svc.example.com' }, attestation: 'none' });
  for (const proof of [{ credential: { id: 'x', response: {} } }, { code: '123456' }]) {
    const body = { enrolment, name: 'key', ...proof };
    expect((await server.call('POST', '/api/v1/me/second-factors', { ...own, body })).status).toBe(422);
  }
});

test('an IP address can not have security keys (FACTOR-10)', async () => {
  await start('optional');
  await person('gil');
  const own = { token: await signIn('gil') };
  const { status, body } = await server.call('POST', '/api/v1/me/second-factors/security-key', own);
  expect([status, body.detail]).toEqual([422, expect.stringContaining('SVC_PUBLIC_URL')]);
});
