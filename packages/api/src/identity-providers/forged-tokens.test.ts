import { createHmac } from 'node:crypto';
import { CLIENT, type ForgingProvider, startForgingProvider } from '../testing/identity-provider/index.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let forger: ForgingProvider;
let offsetMs = 0;
beforeAll(async () => {
  const clock = () => new Date(Date.now() + offsetMs);
  server = await startTestServer({ clock, env: { SVC_LIMITS__TRUSTED_PROXIES: '127.0.0.1' } });
  forger = await startForgingProvider();
  const body = { name: 'forger', issuer: forger.issuer, ...CLIENT, create_people: true };
  expect((await server.call('POST', '/api/v1/identity-providers', { body })).status).toBe(201);
});
afterAll(async () => {
  await server.stop();
  await forger.stop();
});

const now = () => Math.floor((Date.now() + offsetMs) / 1000);
const valid = (nonce: string): Record<string, unknown> => ({
  iss: forger.issuer,
  aud: CLIENT.client_id,
  sub: 's-fay',
  iat: now(),
  exp: now() + 60,
  nonce,
  preferred_username: 'fay',
});

let addresses = 0;
/** The failure of a sign-in whose token `forge` makes, and the reason that is recorded; nulls if it succeeds. */
async function signIn(forge: ForgingProvider['forge']): Promise<[string | null, string | null]> {
  forger.forge = forge;
  const headers = { 'X-Forwarded-For': `10.1.${addresses++ % 250}.1` };
  const started = await server.call('GET', '/console/sign-in/forger', { token: null });
  const { searchParams } = new URL(started.headers.get('location')!);
  const cookie = started.headers.get('set-cookie')!.split(';')[0]!;
  const query = new URLSearchParams({ code: searchParams.get('nonce')!, state: searchParams.get('state')! });
  const answer = await server.call('GET', `/console/sign-in/forger/callback?${query}`, {
    token: null,
    headers: { cookie, ...headers },
  });
  const failure = new URL(answer.headers.get('location')!, server.url).searchParams.get('failure');
  if (failure === null) return [null, null];
  const events = await server.call('GET', '/api/v1/audit-events?event_type=SIGN_IN_FAILED&limit=1');
  return [failure, events.body[0].detail.reason];
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token with the right claims and signature is accepted (SSO-6)', async () => {
  expect(await signIn(valid)).toEqual([null, null]);
});

test.each<[string, (nonce: string) => Record<string, unknown> | string | Promise<string>]>([
  ['of another issuer', (nonce) => ({ ...valid(nonce), iss: 'https://evil.example' })],
  ['for another client', (nonce) => ({ ...valid(nonce), aud: 'other' })],
  ['for several clients without saying which', (nonce) => ({ ...valid(nonce), aud: [CLIENT.client_id, 'other'] })],
  ['for another authorized party', (nonce) => ({ ...valid(nonce), azp: 'other' })],
  ['with another nonce', () => valid('another')],
  ['without a nonce', (nonce) => ({ ...valid(nonce), nonce: undefined })],
  ['that has expired', (nonce) => ({ ...valid(nonce), exp: now() - 40 })],
  ['that is not valid yet', (nonce) => ({ ...valid(nonce), nbf: now() + 100 })],
  ['without an expiry', (nonce) => ({ ...valid(nonce), exp: undefined })],
  ['without a subject', (nonce) => ({ ...valid(nonce), sub: undefined })],
  ['with an empty subject', (nonce) => ({ ...valid(nonce), sub: '' })],
  ['with a subject that is too long', (nonce) => ({ ...valid(nonce), sub: 'x'.repeat(256) })],
  ['with a subject that cannot be stored', (nonce) => ({ ...valid(nonce), sub: 's-fay\0' })],
  ['signed by somebody else', (nonce) => forger.sign(valid(nonce), { ownKey: false })],
  ['without a signature', (nonce) => `${encoded({ alg: 'none' })}.${encoded(valid(nonce))}.`],
  [
    'signed with the secret of the client',
    (nonce) => {
      const signed = `${encoded({ alg: 'HS256' })}.${encoded(valid(nonce))}`;
      return `${signed}.${createHmac('sha256', CLIENT.client_secret).update(signed).digest('base64url')}`;
    },
  ],
  ['that is not one', () => 'none'],
])('a token %s is refused (SSO-6)', async (_, forge) => {
  expect(await signIn(forge)).toEqual(['invalid', 'token-invalid']);
});

test('an answer counts once, also if the provider accepts its code again (SSO-5)', async () => {
  forger.forge = valid;
  const started = await server.call('GET', '/console/sign-in/forger', { token: null });
  const { searchParams } = new URL(started.headers.get('location')!);
  const cookie = started.headers.get('set-cookie')!.split(';')[0]!;
  const query = new URLSearchParams({ code: searchParams.get('nonce')!, state: searchParams.get('state')! });
  const finish = async () => {
    const answer = await server.call('GET', `/console/sign-in/forger/callback?${query}`, {
      token: null,
      headers: { cookie, 'X-Forwarded-For': '10.9.0.1' },
    });
    return answer.headers.get('location')!.replace(/&.*/, '');
  };
  const both = await Promise.all([finish(), finish()]);
  expect([...both.sort(), await finish()]).toEqual([
    '/console/',
    '/console/sign-in?failure=expired',
    '/console/sign-in?failure=expired',
  ]);
});

test('keys that cannot be fetched are an error of the provider (SSO-6)', async () => {
  const before = forger.keyRequests;
  forger.hasKeys = false;
  const withUnknownKey = (nonce: string) => {
    const [, claims] = ['', encoded(valid(nonce))];
    return `${encoded({ alg: 'RS256', kid: 'unknown' })}.${claims}.${Buffer.alloc(256).toString('base64url')}`;
  };
  expect(await signIn(withUnknownKey)).toEqual(['unavailable', 'provider-unavailable']);
  forger.hasKeys = true;
  expect(await signIn(withUnknownKey)).toEqual(['invalid', 'token-invalid']);
  // One request for each sign-in with a key that isn't known.
  expect(forger.keyRequests - before).toBe(2);
  expect(await signIn(valid)).toEqual([null, null]);
  expect(forger.keyRequests - before).toBe(2);
});

/** Signs in on a device whose token `forge` makes. Returns a function that polls. */
async function startDevice(forge: ForgingProvider['forge']): Promise<() => Promise<[number, string | null]>> {
  forger.forge = forge;
  const post = (path: string, body: object) =>
    server.call('POST', `/api/v1/sign-in/device${path}`, {
      ...{ token: null, body, headers: { 'X-Forwarded-For': `10.3.${addresses++ % 250}.1` } },
    });
  const { handle } = (await post('', { provider: 'forger' })).body;
  return async () => {
    offsetMs += 2000;
    const { status, body } = await post('/poll', { handle });
    return [status, body.status === 401 ? body.code : body.status];
  };
}
const onDevice = (more: object = {}) => ({ ...valid(''), nonce: undefined, ...more });

test.each<[string, () => Record<string, unknown> | string | Promise<string>]>([
  ['of another issuer', () => onDevice({ iss: 'https://evil.example' })],
  ['for several clients without saying which', () => onDevice({ aud: [CLIENT.client_id, 'other'] })],
  ['for another authorized party', () => onDevice({ azp: 'other' })],
  ['that has expired', () => onDevice({ exp: now() - 40 })],
  ['without a subject', () => onDevice({ sub: undefined })],
  ['signed by somebody else', () => forger.sign(onDevice(), { ownKey: false })],
  ['without a signature', () => `${encoded({ alg: 'none' })}.${encoded(onDevice())}.`],
])('on a device, a token %s is refused (SSO-6)', async (_, forge) => {
  const poll = await startDevice(forge);
  expect(await poll()).toEqual([401, 'sign-in-refused']);
});

test('a handle opens one session, also if the provider accepts its code again (SSO-14)', async () => {
  const poll = await startDevice(() => onDevice());
  expect([await poll(), await poll()]).toEqual([
    [200, 'complete'],
    [401, 'sign-in-refused'],
  ]);
});
