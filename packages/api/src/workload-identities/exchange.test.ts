import { createHmac, createPublicKey } from 'node:crypto';
import { type ForgingProvider, startForgingProvider } from '../testing/identity-provider/index.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

const AUDIENCE = 'https://svc.example.com';
const SUBJECT = 'repo:shop/pipelines:ref:refs/heads/main';
let server: TestServer;
let forger: ForgingProvider;
let other: ForgingProvider;
let identityId: string;

const admin = async (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1${path}`, body === undefined ? {} : { body });
const trust = (principal: string, more: object = {}) =>
  admin('POST', `/principals/${principal}/workload-identities`, {
    ...{ issuer: forger.issuer, audience: AUDIENCE, subject: SUBJECT },
    ...more,
  });

beforeAll(async () => {
  server = await startTestServer({ env: { SVC_LIMITS__TRUSTED_PROXIES: '127.0.0.1' } });
  [forger, other] = await Promise.all([startForgingProvider(), startForgingProvider()]);
  for (const name of ['dev', 'prod']) await admin('POST', '/environments', { name });
  for (const name of ['ci', 'two', 'limited']) await admin('POST', '/principals', { name, type: 'service-account' });
  for (const principal of ['ci', 'limited'])
    await admin('POST', '/grants', { kind: 'INSTANCE', principal, role: 'DATA_ENGINEER' });
  identityId = (await trust('ci')).body.id;
});
afterAll(async () => {
  await server.stop();
  await Promise.all([forger.stop(), other.stop()]);
});

const now = () => Math.floor(Date.now() / 1000);
const valid = () => ({ iss: forger.issuer, aud: AUDIENCE, sub: SUBJECT, iat: now(), exp: now() + 300, jti: 'j-1' });

let addresses = 0;
async function exchange(token: string, more: object = {}) {
  const headers = { 'X-Forwarded-For': `10.2.${addresses++ % 250}.1` };
  const body = { subject_token: token, ...more };
  return server.call('POST', '/api/v1/token-exchange', { token: null, body, headers });
}
const lastReason = async () =>
  (await admin('GET', '/audit-events?event_type=SIGN_IN_FAILED&limit=1')).body[0].detail.reason;

test('a token of a trusted issuer is exchanged for one of the service account, for an hour (TOKEN-9)', async () => {
  const { status, body, headers } = await exchange(await forger.sign(valid()));
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({
    access_token: expect.stringMatching(/^svc_sat_/),
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: 3600,
    principal: 'ci',
  });
  const token = body.access_token;
  const me = await server.call('GET', '/api/v1/me', { token });
  expect(me.body).toMatchObject({
    name: 'ci',
    token: { name: SUBJECT, kind: 'service-account', expires_at: body.expires_at },
  });
  const [event] = (await admin('GET', '/audit-events?event_type=TOKEN_EXCHANGED&limit=1')).body;
  expect(event).toMatchObject({
    principal: 'ci',
    detail: { workload_identity_id: identityId, issuer: forger.issuer, subject: SUBJECT, jti: 'j-1' },
  });
  expect(JSON.stringify(event)).not.toContain(token);
});

test('fields without a value can be null, as in other requests', async () => {
  const body = {
    subject_token: await forger.sign(valid()),
    grant_type: null,
    subject_token_type: null,
    principal: null,
  };
  const { status } = await server.call('POST', '/api/v1/token-exchange', { token: null, body });
  expect(status).toBe(200);
});

test('a token that was exchanged issues no tokens that outlive it (TOKEN-7)', async () => {
  const token = (await exchange(await forger.sign(valid()))).body.access_token;
  const issued = await server.call('POST', '/api/v1/principals/ci/tokens', { token, body: { name: 'x' } });
  expect(issued.status).toBe(403);
  const { id } = (await server.call('GET', '/api/v1/me', { token })).body.token;
  expect((await admin('POST', `/tokens/${id}/rotate`, {})).status).toBe(422);
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (header: object, claims: object) => `${encoded(header)}.${encoded(claims)}`;

describe('forged tokens are refused alike (TOKEN-9)', () => {
  const cases: [string, () => Promise<string> | string, string][] = [
    ['of an unknown issuer', () => forger.sign({ ...valid(), iss: 'https://evil.example' }), 'unknown-workload'],
    [
      'of another issuer with the same subject',
      () => other.sign({ ...valid(), iss: other.issuer }),
      'unknown-workload',
    ],
    ['signed by another issuer', () => other.sign(valid()), 'token-invalid'],
    ['signed by somebody else under a known key id', () => forger.sign(valid(), { ownKey: false }), 'token-invalid'],
    ['for another audience', () => forger.sign({ ...valid(), aud: 'https://other.example' }), 'token-invalid'],
    ['without an audience', () => forger.sign({ ...valid(), aud: undefined }), 'token-invalid'],
    ['of another subject', () => forger.sign({ ...valid(), sub: `${SUBJECT}2` }), 'unknown-workload'],
    ['without a subject', () => forger.sign({ ...valid(), sub: undefined }), 'token-invalid'],
    ['that has expired', () => forger.sign({ ...valid(), exp: now() - 60 }), 'token-invalid'],
    ['without an expiry', () => forger.sign({ ...valid(), exp: undefined }), 'token-invalid'],
    ['of the future', () => forger.sign({ ...valid(), iat: now() + 600, exp: now() + 900 }), 'token-invalid'],
    ['that is not valid yet', () => forger.sign({ ...valid(), nbf: now() + 600 }), 'token-invalid'],
    ['without a time of issue', () => forger.sign({ ...valid(), iat: undefined }), 'token-invalid'],
    ['that was issued long ago', () => forger.sign({ ...valid(), iat: now() - 90_000 }), 'token-invalid'],
    ['without a signature', () => `${unsigned({ alg: 'none' }, valid())}.`, 'token-invalid'],
    ['with an unknown key id', () => `${unsigned({ alg: 'RS256', kid: 'x' }, valid())}.AAAA`, 'token-invalid'],
    ['that is not one', () => 'no token', 'unknown-workload'],
    [
      'whose issuer cannot be stored',
      () => `${unsigned({ alg: 'RS256' }, { ...valid(), iss: `${forger.issuer}\0` })}.AAAA`,
      'unknown-workload',
    ],
    ['with claims in a list', () => `${encoded({ alg: 'RS256' })}.${encoded([])}.AAAA`, 'unknown-workload'],
    [
      'signed with the public key as a secret',
      async () => {
        const { keys } = (await (await fetch(`${forger.issuer}/jwks`)).json()) as { keys: { kid: string }[] };
        const pem = createPublicKey({ key: keys[0]! as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
        const text = unsigned({ alg: 'HS256', kid: keys[0]!.kid }, valid());
        return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
      },
      'token-invalid',
    ],
  ];
  test.each(cases)('%s', async (_, token, reason) => {
    const { status, body } = await exchange(await token());
    expect([status, body.code, body.detail]).toEqual([
      401,
      'token-exchange-refused',
      'The token is not valid, or no active service account trusts its issuer, audience, subject and claims. An administrator finds the reason in the audit log, under the request id.',
    ]);
    expect(await lastReason()).toBe(reason);
  });

  test('one that is huge is rejected before it is read', async () => {
    expect((await exchange('x'.repeat(12_001))).status).toBe(422);
    expect((await exchange('x'.repeat(40_000))).status).toBe(413);
  });
});

test('keys of an issuer that are not known yet are fetched, at most twice a minute (TOKEN-9)', async () => {
  await exchange(await forger.sign(valid()));
  const before = forger.keyRequests;
  for (let i = 0; i < 5; i++) await exchange(`${unsigned({ alg: 'RS256', kid: `k${i}` }, valid())}.AAAA`);
  expect(forger.keyRequests - before).toBeLessThanOrEqual(1);
});

test('an issuer that does not respond is an error of the issuer (TOKEN-9)', async () => {
  await admin('POST', '/principals', { name: 'late', type: 'service-account' });
  await trust('late', { issuer: other.issuer });
  other.hasKeys = false;
  const answer = await exchange(await other.sign({ ...valid(), iss: other.issuer }));
  expect([answer.status, answer.body.code]).toEqual([503, 'provider-unavailable']);
  other.hasKeys = true;
});

test('the token has the scope of the identity, which a request can narrow but not exceed (TOKEN-10)', async () => {
  const sub = 'repo:shop/limited:environment:dev';
  await trust('limited', { subject: sub, environments: ['dev'], actions: ['READ_ENVIRONMENT', 'READ_TABLE'] });
  const subject = await forger.sign({ ...valid(), sub });
  const { body } = await exchange(subject);
  const status = async (path: string, token: string) => (await server.call('GET', `/api/v1${path}`, { token })).status;
  expect(await status('/environments/dev', body.access_token)).toBe(200);
  expect(await status('/environments/prod', body.access_token)).toBe(403);
  const narrow = await exchange(subject, { environments: ['dev'], actions: ['READ_TABLE'] });
  expect(await status('/environments/dev', narrow.body.access_token)).toBe(403);
  for (const more of [{ environments: ['prod'] }, { actions: ['DEPLOY'] }]) {
    expect((await exchange(subject, more)).status).toBe(401);
    expect(await lastReason()).toBe('scope-exceeded');
  }
  const all = await forger.sign(valid());
  for (const [more, message] of [
    [{ environments: ['nowhere'] }, 'there is no environment nowhere'],
    [{ actions: ['REED_TABLE'] }, 'REED_TABLE is not an action'],
    [{ actions: ['MANAGE_TOKEN'] }, 'never carries MANAGE_TOKEN'],
  ] as const) {
    const { status: refused, body: problem } = await exchange(all, more);
    expect([refused, problem.detail]).toEqual([422, expect.stringContaining(message)]);
  }
  const inDev = (await exchange(all, { environments: ['dev'] })).body.access_token;
  expect([await status('/environments/dev', inDev), await status('/environments/prod', inDev)]).toEqual([200, 403]);
});

test('a workload of several service accounts names one (TOKEN-9)', async () => {
  const sub = 'repo:shop/shared:ref:refs/heads/main';
  await trust('ci', { subject: sub });
  await trust('two', { subject: 'repo:shop/shared:*' });
  const subject = await forger.sign({ ...valid(), sub });
  expect((await exchange(subject)).status).toBe(401);
  expect(await lastReason()).toBe('several-principals');
  expect((await exchange(subject, { principal: 'two' })).body.principal).toBe('two');
  expect((await exchange(subject, { principal: 'limited' })).status).toBe(401);
});

test('a deactivated account and a deleted identity get no tokens, and those that they have stop (TOKEN-8)', async () => {
  await admin('POST', '/principals', { name: 'gone', type: 'service-account' });
  const sub = 'repo:shop/gone:ref:refs/heads/main';
  const { id } = (await trust('gone', { subject: sub, claims: { repository_id: '7' } })).body;
  const subject = await forger.sign({ ...valid(), sub, repository_id: 7 });
  expect((await exchange(await forger.sign({ ...valid(), sub }))).status).toBe(401);
  const token = (await exchange(subject)).body.access_token;
  const me = async () => (await server.call('GET', '/api/v1/me', { token })).status;
  await admin('PATCH', '/principals/gone', { active: false });
  expect([await me(), (await exchange(subject)).status]).toEqual([401, 401]);
  expect(await lastReason()).toBe('deactivated');
  await admin('PATCH', '/principals/gone', { active: true });
  expect(await me()).toBe(200);
  expect((await admin('DELETE', `/workload-identities/${id}`)).status).toBe(204);
  expect([await me(), (await exchange(subject)).status]).toEqual([401, 401]);
  expect((await admin('DELETE', `/workload-identities/${id}`)).status).toBe(404);
  const types = (await admin('GET', '/audit-events?limit=20')).body.map((event: { type: string }) => event.type);
  expect(types).toEqual(expect.arrayContaining(['WORKLOAD_IDENTITY_CREATED', 'WORKLOAD_IDENTITY_DELETED']));
});

test.each([
  [{ subject: '*' }, 422],
  [{ issuer: 'http://203.0.113.1' }, 422],
  [{ audience: '' }, 422],
  [{ environments: ['nowhere'] }, 404],
])('an identity with %j is refused (TOKEN-8)', async (more, status) =>
  expect((await trust('ci', more)).status).toBe(status),
);

test('only administrators list, create and delete identities, of service accounts only (TOKEN-8)', async () => {
  await admin('POST', '/principals', { name: 'max', type: 'person' });
  expect((await trust('max')).status).toBe(422);
  const { token } = (await admin('POST', '/principals/ci/tokens', { name: 'own' })).body;
  const path = '/api/v1/principals/ci/workload-identities';
  expect((await server.call('GET', path, { token })).status).toBe(403);
  expect((await server.call('DELETE', `/api/v1/workload-identities/${identityId}`, { token })).status).toBe(403);
  const { body } = await admin('GET', '/principals/ci/workload-identities');
  expect(body[0]).toMatchObject({ id: identityId, principal: 'ci', subject: SUBJECT, claims: {}, environments: null });
});

test('failures are limited for each address, successes are not (TOKEN-9)', async () => {
  const headers = { 'X-Forwarded-For': '10.3.0.1' };
  const send = (token: string) =>
    server.call('POST', '/api/v1/token-exchange', { token: null, body: { subject_token: token }, headers });
  const subject = await forger.sign(valid());
  const statuses = [];
  for (let i = 0; i < 51; i++) statuses.push((await send('x')).status);
  expect([statuses[49], statuses[50], (await send(subject)).status]).toEqual([401, 429, 429]);
});
