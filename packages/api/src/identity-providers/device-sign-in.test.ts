import { CLIENT, startIdentityProvider, type TestIdentityProvider } from '../testing/identity-provider/index.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

const PROVIDERS = '/api/v1/identity-providers';
const START = '/api/v1/sign-in/device';

let server: TestServer;
let idp: TestIdentityProvider;
let offsetMs = 0;
beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(Date.now() + offsetMs),
    env: { SVC_LIMITS__TRUSTED_PROXIES: '127.0.0.1' },
  });
  idp = await startIdentityProvider({ redirectUris: [`${server.url}/console/sign-in/corp/callback`] });
  idp.accounts.set('s-dee', { preferred_username: 'dee' });
  const body = { name: 'corp', issuer: idp.issuer, ...CLIENT, create_people: true };
  expect((await server.call('POST', PROVIDERS, { body })).status).toBe(201);
});
afterAll(async () => {
  await server.stop();
  await idp.stop();
});

afterEach(() => {
  offsetMs = 0;
});

let addresses = 0;
const post = (path: string, body: unknown, address = `10.2.${addresses++ % 250}.1`) =>
  server.call('POST', path, { body, token: null, headers: { 'X-Forwarded-For': address } });
const start = async () => (await post(START, { provider: 'corp' })).body;

/** Polls after the interval. */
async function poll(handle: string) {
  offsetMs += 5000;
  return post(`${START}/poll`, { handle });
}
const failedEvent = async (requestId: string) =>
  (await server.call('GET', `/api/v1/audit-events?event_type=SIGN_IN_FAILED&request_id=${requestId}`)).body[0];

test('a person signs in on another device, and the session is like that of a password (SSO-13, SSO-14)', async () => {
  const started = await post(START, { provider: 'corp' });
  expect(started.status).toBe(200);
  expect(started.headers.get('cache-control')).toBe('no-store');
  const { handle, user_code, verification_uri, verification_uri_complete, interval, expires_at } = started.body;
  expect([user_code, verification_uri, interval]).toEqual([
    expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    `${idp.issuer}/device`,
    5,
  ]);
  expect(verification_uri_complete).toContain(user_code);
  expect(new Date(expires_at).getTime()).toBeGreaterThan(Date.now() + 60_000);
  expect(started.text).not.toContain(CLIENT.client_secret);
  const pending = { status: 'pending', interval: 5, token: null, expires_at: null };
  expect((await poll(handle)).body).toEqual(pending);
  await idp.approve(verification_uri_complete, 's-dee');
  const { status, body } = await poll(handle);
  expect([status, body]).toEqual([
    200,
    { status: 'complete', interval: 5, token: expect.stringMatching(/^svc_ses_/), expires_at: expect.any(String) },
  ]);
  const me = await server.call('GET', '/api/v1/me', { token: body.token });
  expect(me.body).toMatchObject({ name: 'dee', token: { kind: 'session' } });
  const events = await server.call('GET', '/api/v1/audit-events?event_type=SIGNED_IN&limit=1');
  expect(events.body[0]).toMatchObject({ principal: 'dee', detail: { provider: 'corp' } });
  // A handle opens one session.
  const again = await poll(handle);
  expect([again.status, again.body.code]).toEqual([401, 'sign-in-refused']);
});

test('polls that come too early do not reach the provider (SSO-14)', async () => {
  const { handle, verification_uri_complete } = await start();
  expect((await poll(handle)).body.status).toBe('pending');
  await idp.approve(verification_uri_complete, 's-dee');
  const early = await Promise.all([1, 2, 3].map(() => post(`${START}/poll`, { handle })));
  expect(early.map(({ body }) => [body.status, body.token])).toEqual(Array(3).fill(['slow_down', null]));
  offsetMs += 5000;
  const both = await Promise.all([1, 2].map(() => post(`${START}/poll`, { handle })));
  expect(both.map(({ body }) => body.status).sort()).toEqual(['complete', 'slow_down']);
});

test('another spelling of a handle does not allow more polls (SSO-14)', async () => {
  const { handle, verification_uri_complete } = await start();
  const [header, key, iv, text, tag] = handle.split('.');
  const spellings = ['', '\n', ' ', '\n\n'].map((space) => [header, key, iv, `${text}${space}`, tag].join('.'));
  expect((await poll(handle)).body.status).toBe('pending');
  await idp.approve(verification_uri_complete, 's-dee');
  for (const spelling of spellings) {
    const { body } = await post(`${START}/poll`, { handle: spelling });
    expect([body.token ?? null, body.status ?? body.code]).toEqual([null, 'slow_down']);
  }
  expect((await poll(handle)).body.status).toBe('complete');
});

test('a sign-in that is declined or has expired fails, and is recorded (SSO-14)', async () => {
  const { handle, verification_uri_complete } = await start();
  await idp.approve(verification_uri_complete, null);
  const declined = await poll(handle);
  expect(declined).toMatchObject({
    status: 401,
    body: { code: 'sign-in-refused', detail: expect.stringMatching(/cancelled/) },
  });
  expect((await failedEvent(declined.body.request_id)).detail).toMatchObject({ provider: 'corp', reason: 'cancelled' });
  const late = await start();
  offsetMs += 3_600_000;
  expect(await poll(late.handle)).toMatchObject({
    status: 401,
    body: { detail: expect.stringMatching(/took too long/) },
  });
});

test('only handles of this service are polled (SSO-14)', async () => {
  const { handle } = await start();
  const cookie = (await server.call('GET', '/console/sign-in/corp', { token: null })).headers.get('set-cookie')!;
  const sealed = cookie.split(';')[0]!.split('=')[1]!;
  for (const wrong of ['', 'x', `${handle.slice(0, -2)}AA`, sealed]) {
    const answer = await poll(wrong);
    expect([answer.status, answer.body.code]).toEqual([401, 'sign-in-refused']);
  }
  expect((await post(`${START}/poll`, { handle: 'x'.repeat(9000) })).status).toBe(422);
  expect((await post(`${START}/poll`, {})).status).toBe(422);
});

test('a deactivated person is refused as in a browser (SSO-11, SSO-14)', async () => {
  const { handle, verification_uri_complete } = await start();
  await idp.approve(verification_uri_complete, 's-dee');
  await server.call('PATCH', '/api/v1/principals/dee', { body: { active: false } });
  const answer = await poll(handle);
  expect(answer).toMatchObject({ status: 401, body: { detail: expect.stringMatching(/^You have no access here/) } });
  expect((await failedEvent(answer.body.request_id)).detail).toMatchObject({ name: 'dee', reason: 'deactivated' });
});

test('a provider that is unknown, inactive or down starts nothing (SSO-13)', async () => {
  for (const provider of ['nobody', 'a\u0000b', '']) {
    const answer = await post(START, { provider });
    expect([answer.status === 404 || answer.status === 422, provider]).toEqual([true, provider]);
  }
  expect((await post(START, { provider: 'nobody' })).body.detail).toMatch(/Use corp/);
  const down = { name: 'down', issuer: 'http://127.0.0.1:9', client_id: 'svc' };
  await server.call('POST', PROVIDERS, { body: down });
  expect((await post(START, { provider: 'down' })).body).toMatchObject({ status: 503, code: 'provider-unavailable' });
  await server.call('PATCH', `${PROVIDERS}/down`, { body: { active: false } });
  expect((await post(START, { provider: 'down' })).status).toBe(404);
});

test('a provider without device authorization says what to do (SSO-13)', async () => {
  const plain = await startIdentityProvider({ redirectUris: ['http://127.0.0.1/x'], hasDevices: false });
  try {
    const body = { name: 'plain', issuer: plain.issuer, ...CLIENT };
    await server.call('POST', PROVIDERS, { body });
    const answer = await post(START, { provider: 'plain' });
    expect(answer).toMatchObject({ status: 401, body: { detail: expect.stringMatching(/svc login --with-token/) } });
    expect((await failedEvent(answer.body.request_id)).detail.reason).toBe('device-unsupported');
  } finally {
    await plain.stop();
  }
});

test('polls that fail are limited like other failures (SSO-14)', async () => {
  const { handle, verification_uri_complete } = await start();
  await idp.approve(verification_uri_complete, null);
  const statuses: number[] = [];
  for (let i = 0; i < 52; i++) {
    offsetMs += 5000;
    statuses.push((await post(`${START}/poll`, { handle }, '192.0.2.30')).status);
  }
  expect(statuses).toEqual([...Array(50).fill(401), 429, 429]);
});

test('an address starts at most 50 sign-ins that are not completed (SSO-13)', async () => {
  const statuses = [];
  for (let i = 0; i < 51; i++) statuses.push((await post(START, { provider: 'corp' }, '192.0.2.9')).status);
  expect(statuses).toEqual([...Array(50).fill(200), 429]);
  expect((await post(START, { provider: 'corp' }, '192.0.2.10')).status).toBe(200);
});
