import { statementBlocked } from '@svc/db/testing';
import { CLIENT, startIdentityProvider, type TestIdentityProvider } from '../testing/identity-provider/index.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

const PROVIDERS = '/api/v1/identity-providers';

let server: TestServer;
let idp: TestIdentityProvider;
let other: TestIdentityProvider;
let offsetMs = 0;
beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(Date.now() + offsetMs),
    env: { SVC_LIMITS__TRUSTED_PROXIES: '127.0.0.1' },
  });
  const callbacks = ['main', 'second', 'open', 'emails', 'public', 'relink'].map(
    (name) => `${server.url}/console/sign-in/${name}/callback`,
  );
  idp = await startIdentityProvider({ redirectUris: callbacks });
  other = await startIdentityProvider({ redirectUris: callbacks, claimsInToken: true });
  await register('main', { issuer: idp.issuer, create_people: true });
  await register('second', { issuer: other.issuer, create_people: true });
});
afterAll(async () => {
  await server.stop();
  await idp.stop();
  await other.stop();
});
afterEach(() => {
  offsetMs = 0;
});

async function register(name: string, fields: Record<string, unknown>) {
  const answer = await server.call('POST', PROVIDERS, { body: { name, ...CLIENT, ...fields } });
  expect(answer.status).toBe(201);
  return answer.body;
}

interface Started {
  readonly at: string;
  readonly cookie: string;
}

async function start(name: string, to = ''): Promise<Started> {
  const query = to === '' ? '' : `?${new URLSearchParams({ to })}`;
  const answer = await server.call('GET', `/console/sign-in/${name}${query}`, { token: null });
  expect(answer.status).toBe(303);
  return { at: answer.headers.get('location')!, cookie: cookieOf(answer.headers, 'svc_sign_in') ?? '' };
}

function cookieOf(headers: Headers, name: string): string | null {
  const line = headers.get('set-cookie')?.match(new RegExp(`(?:^|,) ?${name}=([^;]*)`));
  return line?.[1] ? `${name}=${line[1]}` : null;
}

interface Finished {
  readonly location: string;
  readonly failure: string | null;
  /** The cookie of the session. */
  readonly session: string | null;
  readonly me: string | null;
}

let addresses = 0;
/** Follows the provider's answer with the cookie of a browser. */
async function finish(callback: string, cookie: string): Promise<Finished> {
  const { pathname, search } = new URL(callback);
  const answer = await server.call('GET', pathname + search, {
    token: null,
    headers: { cookie, 'X-Forwarded-For': `10.0.${addresses++ % 250}.1` },
  });
  expect([answer.status, answer.text]).toEqual([303, expect.any(String)]);
  const location = answer.headers.get('location')!;
  const session = cookieOf(answer.headers, 'svc_session');
  const me =
    session === null ? null : await server.call('GET', '/api/v1/me', { token: null, headers: { cookie: session } });
  const failure = new URL(location, server.url).searchParams.get('failure');
  return { location, failure, session, me: me?.body.name ?? null };
}

/** Whether the cookie of a session still counts. */
const isOpen = async (session: string | null) =>
  (await server.call('GET', '/api/v1/me', { token: null, headers: { cookie: session! } })).status === 200;

async function signIn(name: string, subject: string | null): Promise<Finished> {
  const idpOf = name === 'second' ? other : idp;
  const started = await start(name);
  return finish(await idpOf.answer(started.at, subject), started.cookie);
}

const lastEvent = async (type: string) =>
  (await server.call('GET', `/api/v1/audit-events?event_type=${type}&limit=1`)).body[0];
/** The event of a failed sign-in, by the id that its page shows. */
async function failedEvent(location: string) {
  const id = new URL(location, server.url).searchParams.get('request');
  const { body } = await server.call('GET', `/api/v1/audit-events?event_type=SIGN_IN_FAILED&request_id=${id}`);
  expect(body).toHaveLength(1);
  return body[0];
}
const failureOf = async ({ failure, location }: Finished) => [failure, (await failedEvent(location)).detail.reason];

test('a first sign-in creates a person without grants; the next one finds the same person (SSO-4, SSO-9)', async () => {
  idp.accounts.set('s-ann', { preferred_username: 'ann' });
  const first = await signIn('main', 's-ann');
  expect(first).toMatchObject({ location: '/console/', failure: null, me: 'ann' });
  expect((await lastEvent('PRINCIPAL_CREATED')).detail).toMatchObject({
    name: 'ann',
    type: 'person',
    provider: 'main',
  });
  expect(await lastEvent('IDENTITY_LINKED')).toMatchObject({
    principal: 'ann',
    detail: { principal: 'ann', provider: 'main', subject: 's-ann', by: 'new-person' },
  });
  expect(await lastEvent('SIGNED_IN')).toMatchObject({ principal: 'ann', detail: { provider: 'main' } });
  idp.accounts.set('s-ann', { preferred_username: 'renamed' });
  const second = await signIn('main', 's-ann');
  expect(second.me).toBe('ann');
  expect(second.session).not.toBe(first.session);
  const { body } = await server.call('GET', '/api/v1/principals/ann/sign-in-methods');
  expect(body).toMatchObject({
    principal: 'ann',
    email: null,
    password: false,
    identities: [{ subject: 's-ann', provider: 'main' }],
  });
  expect((await server.call('GET', '/api/v1/grants?principal_name=ann')).body).toEqual([]);
});

test('an inactive provider and an unknown one start nothing, and the page offers active ones only (SSO-4)', async () => {
  await register('closed', { issuer: idp.issuer, active: false });
  const offered = await server.call('GET', '/api/v1/sign-in', { token: null });
  expect(offered.body).toEqual({ passwords: true, providers: ['main', 'second'] });
  for (const name of ['closed', 'nobody', 'a%00b']) {
    const { at } = await start(name);
    expect(at).toMatch(/^\/console\/sign-in\?failure=invalid&request=/);
  }
});

test('a cancelled sign-in is recorded and says so (SSO-5)', async () => {
  const cancelled = await signIn('main', null);
  expect(await failureOf(cancelled)).toEqual(['cancelled', 'cancelled']);
  const { detail, principal } = await failedEvent(cancelled.location);
  expect(detail).toMatchObject({ name: null, throttled: false, provider: 'main' });
  expect(principal).toBeNull();
});

describe('an answer of the provider', () => {
  let started: Started;
  let callback: string;
  beforeEach(async () => {
    idp.accounts.set('s-eve', { preferred_username: 'eve' });
    started = await start('main', '/dev/catalog?q=a');
    callback = await idp.answer(started.at, 's-eve');
  });
  const changed = (change: (url: URL) => void) => {
    const url = new URL(callback);
    change(url);
    return url.href;
  };

  test('leads to the page that the sign-in started from (SSO-4)', async () => {
    expect(await finish(callback, started.cookie)).toMatchObject({ location: '/console/dev/catalog?q=a', me: 'eve' });
  });

  test('counts once (SSO-5)', async () => {
    expect((await finish(callback, started.cookie)).failure).toBeNull();
    // Also with the cookie that the browser should have removed.
    expect(await failureOf(await finish(callback, started.cookie))).toEqual(['expired', 'state-mismatch']);
    expect(await failureOf(await finish(callback, ''))).toEqual(['expired', 'no-cookie']);
  });

  test.each([
    ['no state', (url: URL) => url.searchParams.delete('state'), 'state-mismatch'],
    ['another state', (url: URL) => url.searchParams.set('state', 'x'), 'state-mismatch'],
    ['two states', (url: URL) => url.searchParams.append('state', 'x'), 'state-mismatch'],
    ['another issuer', (url: URL) => url.searchParams.set('iss', other.issuer), 'token-invalid'],
    ['no issuer', (url: URL) => url.searchParams.delete('iss'), 'token-invalid'],
    ['another code', (url: URL) => url.searchParams.set('code', 'x'), 'code-rejected'],
    ['an error', (url: URL) => url.searchParams.set('error', 'server_error'), 'response-invalid'],
  ])('with %s is refused (SSO-5)', async (_, change, reason) => {
    const result = await finish(changed(change), started.cookie);
    expect([result.session, (await failureOf(result))[1]]).toEqual([null, reason]);
  });

  test('is refused in another browser (SSO-5)', async () => {
    const victim = await start('main');
    expect(await failureOf(await finish(callback, ''))).toEqual(['expired', 'no-cookie']);
    expect(await failureOf(await finish(callback, victim.cookie))).toEqual(['expired', 'state-mismatch']);
    expect(await failureOf(await finish(callback, 'svc_sign_in=forged'))).toEqual(['expired', 'no-cookie']);
  });

  test('is refused at the address of another provider (SSO-5)', async () => {
    const at = changed((url) => {
      url.pathname = url.pathname.replace('main', 'second');
    });
    expect(await failureOf(await finish(at, started.cookie))).toEqual(['expired', 'state-mismatch']);
    // Also with a cookie of a sign-in there, and its state.
    const second = await start('second');
    const mixed = changed((url) => {
      url.pathname = url.pathname.replace('main', 'second');
      url.searchParams.set('state', new URL(second.at).searchParams.get('state')!);
    });
    const result = await finish(mixed, second.cookie);
    expect([result.session, result.failure]).toEqual([null, 'invalid']);
  });

  test('is refused after ten minutes (SSO-5)', async () => {
    offsetMs = 10 * 60_000 + 1000;
    expect(await failureOf(await finish(callback, started.cookie))).toEqual(['expired', 'no-cookie']);
  });

  test('opens a session of its own, whatever cookie it had (SSO-4)', async () => {
    const fixed = `svc_session=svc_ses_${'a'.repeat(36)}`;
    const result = await finish(callback, `${started.cookie}; ${fixed}`);
    expect(result.me).toBe('eve');
    expect(result.session).not.toBe(fixed);
  });

  test('does not get around a deactivation (SSO-11)', async () => {
    await server.call('PATCH', '/api/v1/principals/eve', { body: { active: false } });
    try {
      const result = await finish(callback, started.cookie);
      expect(await failureOf(result)).toEqual(['refused', 'deactivated']);
      expect((await failedEvent(result.location)).detail.name).toBe('eve');
    } finally {
      await server.call('PATCH', '/api/v1/principals/eve', { body: { active: true } });
    }
  });
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'x',
])('a sign-in that starts with %j leads to the first page (SSO-4)', async (to) => {
  const started = await start('main', to);
  expect((await finish(await idp.answer(started.at, 's-ann'), started.cookie)).location).toBe('/console/');
});

test('the cookie of a sign-in is for its pages only, and scripts cannot read it (SSO-4)', async () => {
  const answer = await server.call('GET', '/console/sign-in/main', { token: null });
  const attributes =
    /^svc_sign_in=[\w.-]+; Max-Age=600; Path=\/console\/sign-in; Expires=[^;]+; HttpOnly; SameSite=Lax$/;
  expect(answer.headers.get('set-cookie')).toMatch(attributes);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(new URL(answer.headers.get('location')!).searchParams.get('code_challenge_method')).toBe('S256');
});

test('clocks may differ by half a minute (SSO-6)', async () => {
  // The provider's tokens are valid for a minute.
  for (const [offset, failure] of [
    [80_000, null],
    [-20_000, null],
    [100_000, 'invalid'],
  ] as const) {
    offsetMs = 0;
    const started = await start('main');
    const callback = await idp.answer(started.at, 's-ann');
    offsetMs = offset;
    expect([offset, (await finish(callback, started.cookie)).failure]).toEqual([offset, failure]);
  }
});

test('a new key of the provider is fetched when it is first used (SSO-6)', async () => {
  expect((await signIn('main', 's-ann')).me).toBe('ann');
  await idp.rotateKey();
  expect((await signIn('main', 's-ann')).me).toBe('ann');
});

test('a name that is taken is never taken over (SSO-9)', async () => {
  await server.call('POST', '/api/v1/principals', { body: { name: 'taken', type: 'person' } });
  await server.call('POST', '/api/v1/principals', { body: { name: 'robot', type: 'service-account' } });
  for (const name of ['taken', 'robot', 'admin']) {
    idp.accounts.set(`s-${name}`, { preferred_username: name });
    expect(await failureOf(await signIn('main', `s-${name}`))).toEqual(['refused', 'name-taken']);
  }
  expect((await server.call('GET', '/api/v1/principals/taken/sign-in-methods')).body.identities).toEqual([]);
});

test('a name that is not valid here is replaced by the verified address, or refused (SSO-9)', async () => {
  idp.accounts.set('s-odd', { preferred_username: 'a/b', email: 'Odd@Example.com', email_verified: true });
  expect((await signIn('main', 's-odd')).me).toBe('odd@example.com');
  for (const claims of [{ preferred_username: '..' }, {}, { preferred_username: ' x', email: 'z@example.com' }]) {
    idp.accounts.set('s-nameless', claims);
    expect((await signIn('main', 's-nameless')).failure).toBe('refused');
  }
});

test('people who sign in at the same time for the first time are created once (SSO-9)', async () => {
  idp.accounts.set('s-twin', { preferred_username: 'twin' });
  const both = await Promise.all([signIn('main', 's-twin'), signIn('main', 's-twin')]);
  expect(both.map(({ me }) => me)).toEqual(['twin', 'twin']);
});

describe('with an address', () => {
  beforeAll(async () => {
    await register('emails', { issuer: idp.issuer, link_by: 'verified-email', email_domains: ['Example.com'] });
    for (const name of ['mia', 'leo']) {
      await server.call('POST', '/api/v1/principals', { body: { name, type: 'person' } });
      const body = { email: `${name}@Example.com` };
      expect((await server.call('PUT', `/api/v1/principals/${name}/email`, { body })).body.email).toBe(
        `${name}@example.com`,
      );
    }
  });

  test('that is verified, a person is linked once and for all (SSO-8)', async () => {
    idp.accounts.set('e-mia', { email: 'MIA@example.com', email_verified: true });
    expect((await signIn('emails', 'e-mia')).me).toBe('mia');
    expect((await lastEvent('IDENTITY_LINKED')).detail).toMatchObject({ principal: 'mia', by: 'verified-email' });
    // The address moves to somebody else.
    idp.accounts.set('e-thief', { email: 'mia@example.com', email_verified: true });
    expect(await failureOf(await signIn('emails', 'e-thief'))).toEqual(['refused', 'linked-to-another']);
    idp.accounts.set('e-mia', { email: 'leo@example.com', email_verified: true });
    expect((await signIn('emails', 'e-mia')).me).toBe('mia');
    const { body } = await server.call('GET', '/api/v1/principals/mia/sign-in-methods');
    expect(body.identities).toMatchObject([{ provider: 'emails', subject: 'e-mia', email: 'leo@example.com' }]);
  });

  test.each([
    [{ email: 'leo@example.com', email_verified: false }, 'email-unverified'],
    [{ email: 'leo@example.com', email_verified: 'true' }, 'email-unverified'],
    [{ email: 'leo@example.com' }, 'email-unverified'],
    [{ email: 'leo@sub.example.com', email_verified: true }, 'email-domain'],
    [{ email: 'leo@example.com@evil.example', email_verified: true }, 'email-missing'],
    [{ email: 'nobody@example.com', email_verified: true }, 'unknown-person'],
    [{}, 'email-missing'],
  ])('%j nobody is linked (SSO-8, SSO-10)', async (claims, reason) => {
    idp.accounts.set('e-other', claims);
    expect(await failureOf(await signIn('emails', 'e-other'))).toEqual(['refused', reason]);
  });

  test('of somebody else, or of a service account, none is set (SSO-8)', async () => {
    const set = (name: string, email: unknown) =>
      server.call('PUT', `/api/v1/principals/${name}/email`, { body: { email } });
    expect((await set('leo', 'mia@example.com')).body).toMatchObject({ status: 409, code: 'already-exists' });
    await server.call('POST', '/api/v1/principals', { body: { name: 'bot', type: 'service-account' } });
    expect((await set('bot', 'bot@example.com')).status).toBe(422);
    for (const email of ['', 'x', 'a b@c', '@c', 'a@']) expect((await set('leo', email)).status).toBe(422);
    expect((await set('leo', null)).body.email).toBeNull();
  });
});

test('an administrator links and unlinks a subject (SSO-8)', async () => {
  await server.call('POST', '/api/v1/principals', { body: { name: 'uma', type: 'person' } });
  const path = '/api/v1/principals/uma/identities/main';
  idp.accounts.set('s-uma', { preferred_username: 'other name' });
  const linked = await server.call('PUT', path, { body: { subject: 's-uma' } });
  expect(linked.body.identities).toMatchObject([{ provider: 'main', subject: 's-uma', last_sign_in_at: null }]);
  expect((await server.call('PUT', path, { body: { subject: 's-uma' } })).status).toBe(200);
  const { me, session } = await signIn('main', 's-uma');
  expect(me).toBe('uma');
  expect((await server.call('PUT', path, { body: { subject: 's-else' } })).status).toBe(409);
  const taken = await server.call('PUT', '/api/v1/principals/admin/identities/main', { body: { subject: 's-uma' } });
  expect(taken.status).toBe(409);
  expect(await isOpen(session)).toBe(true);
  expect((await server.call('DELETE', path)).status).toBe(204);
  expect(await isOpen(session)).toBe(false);
  expect((await server.call('DELETE', path)).status).toBe(404);
  expect((await lastEvent('IDENTITY_UNLINKED')).detail).toEqual({
    principal: 'uma',
    provider: 'main',
    subject: 's-uma',
  });
});

test('an address does not link again what an administrator has unlinked (SSO-8)', async () => {
  await register('relink', { issuer: idp.issuer, link_by: 'verified-email' });
  idp.accounts.set('s-ula', { email: 'ula@example.com', email_verified: true });
  await server.call('POST', '/api/v1/principals', { body: { name: 'ula', type: 'person' } });
  await server.call('PUT', '/api/v1/principals/ula/email', { body: { email: 'ula@example.com' } });
  expect((await signIn('relink', 's-ula')).me).toBe('ula');
  const path = '/api/v1/principals/ula/identities/relink';
  expect((await server.call('DELETE', path)).status).toBe(204);
  expect(await failureOf(await signIn('relink', 's-ula'))).toEqual(['refused', 'unlinked']);
  expect((await server.call('PUT', path, { body: { subject: 's-ula' } })).status).toBe(200);
  expect((await signIn('relink', 's-ula')).me).toBe('ula');
});

test('a sign-in that an administrator overtakes with unlinking opens no session (SSO-11)', async () => {
  idp.accounts.set('s-una', { preferred_username: 'una' });
  expect((await signIn('main', 's-una')).me).toBe('una');
  const { prisma } = server.db;
  const { id } = await prisma.principal.findFirstOrThrow({ where: { name: 'una' } });
  const started = await start('main');
  const callback = await idp.answer(started.at, 's-una');
  let finished: Promise<Finished> | undefined;
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM principals WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    await tx.identity.updateMany({ where: { principal_id: id }, data: { ended_at: new Date() } });
    finished = finish(callback, started.cookie);
    await statementBlocked(server.db);
  });
  expect(await finished).toMatchObject({ failure: 'refused', me: null });
});

test('a deleted person loses the identity; a deleted provider all of them (SSO-11)', async () => {
  idp.accounts.set('s-gone', { preferred_username: 'gone' });
  await register('open', { issuer: idp.issuer, create_people: true });
  expect((await signIn('open', 's-gone')).me).toBe('gone');
  await server.call('DELETE', '/api/v1/principals/gone');
  // The name is free again, and the account has nothing of the old one.
  expect((await signIn('open', 's-gone')).me).toBe('gone');
  const events = await server.call('GET', '/api/v1/audit-events?event_type=PRINCIPAL_CREATED&limit=1');
  expect(events.body[0].detail.name).toBe('gone');
  const opened = await signIn('open', 's-gone');
  expect((await server.call('DELETE', `${PROVIDERS}/open`)).status).toBe(204);
  expect(await isOpen(opened.session)).toBe(false);
  expect((await start('open')).at).toMatch(/failure=invalid/);
  expect((await server.call('GET', '/api/v1/principals/gone/sign-in-methods')).body.identities).toEqual([]);
});

test('a client without a secret signs in too, because the code is bound to the browser (SSO-4)', async () => {
  const body = { name: 'public', issuer: idp.issuer, client_id: 'public', create_people: true };
  expect((await server.call('POST', PROVIDERS, { body })).body.has_client_secret).toBe(false);
  idp.accounts.set('s-pia', { preferred_username: 'pia' });
  expect((await signIn('public', 's-pia')).me).toBe('pia');
});

test('a wrong secret, and one that cannot be read, fail with the reason (SSO-6)', async () => {
  const change = (body: object) => server.call('PATCH', `${PROVIDERS}/main`, { body });
  await change({ client_secret: 'wrong' });
  expect(await failureOf(await signIn('main', 's-ann'))).toEqual(['invalid', 'code-rejected']);
  await server.db.prisma.identityProvider.updateMany({ where: { name: 'main' }, data: { key_id: 'lost' } });
  const { at } = await start('main');
  expect((await failedEvent(at)).detail.reason).toBe('secret-unreadable');
  await change({ client_secret: CLIENT.client_secret });
  expect((await signIn('main', 's-ann')).me).toBe('ann');
});

test('a header Host that is not an address starts nothing (SSO-4)', async () => {
  const answer = await server.call('GET', '/console/sign-in/main', { token: null, headers: { Host: 'a b' } });
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
});

test('a provider that does not respond is an error of its own sign-in only (SSO-6)', async () => {
  await register('down', { issuer: 'http://127.0.0.1:9' });
  const { at } = await start('down');
  expect(at).toMatch(/failure=unavailable/);
  expect((await failedEvent(at)).detail).toMatchObject({ provider: 'down', reason: 'provider-unavailable' });
  expect((await signIn('main', 's-ann')).me).toBe('ann');
});

test('subjects of different providers are different people, also with claims in the token (SSO-7, SSO-8)', async () => {
  other.accounts.set('s-ann', { preferred_username: 'ann of another provider' });
  expect((await signIn('second', 's-ann')).me).toBe('ann of another provider');
  expect((await signIn('main', 's-ann')).me).toBe('ann');
});

test('starts that fail are limited like other failures, and those that succeed are not (SSO-5)', async () => {
  const from = async (name: string) => {
    const headers = { 'X-Forwarded-For': '192.0.2.20' };
    const answer = await server.call('GET', `/console/sign-in/${name}`, { token: null, headers });
    return answer.headers.get('location')!;
  };
  for (let i = 0; i < 60; i++) expect(await from('main')).toMatch(/code_challenge/);
  for (let i = 0; i < 50; i++) expect(await from('nobody')).toMatch(/failure=invalid/);
  for (let i = 0; i < 3; i++) expect(await from('nobody')).toMatch(/failure=throttled/);
  const events = await server.call('GET', '/api/v1/audit-events?event_type=SIGN_IN_FAILED&limit=200');
  const ofAddress = events.body.filter(
    ({ detail }: { detail: { address: string } }) => detail.address === '192.0.2.20',
  );
  expect(ofAddress).toHaveLength(51);
});

test('failed sign-ins from an address are limited, and do not keep others out (SSO-5)', async () => {
  const from = (address: string) =>
    server.call('GET', '/console/sign-in/main/callback?state=x&code=y', {
      token: null,
      headers: { 'X-Forwarded-For': address },
    });
  for (let i = 0; i < 50; i++) expect((await from('192.0.2.7')).headers.get('location')).toMatch(/failure=expired/);
  const throttled = (await from('192.0.2.7')).headers.get('location')!;
  expect(throttled).toMatch(/failure=throttled/);
  for (let i = 0; i < 3; i++) expect((await from('192.0.2.7')).headers.get('location')).toMatch(/failure=throttled/);
  expect((await failedEvent(throttled)).detail).toMatchObject({
    address: '192.0.2.7',
    throttled: true,
    reason: 'throttled',
  });
  expect((await from('192.0.2.8')).headers.get('location')).toMatch(/failure=expired/);
  expect((await signIn('main', 's-ann')).me).toBe('ann');
});

test('a first sign-in links the person whose external id is the subject, unless deactivated (SCIM-8)', async () => {
  const body = { name: 'main-scim', type: 'service-account' };
  await server.call('POST', '/api/v1/principals', { body });
  await server.call('PATCH', `${PROVIDERS}/main`, { body: { scim_account: 'main-scim' } });
  const issued = await server.call('POST', '/api/v1/principals/main-scim/tokens', { body: { name: 't' } });
  const provision = (userName: string, externalId: string, active: boolean) =>
    server.call('POST', '/scim/v2/Users', { token: issued.body.token, body: { userName, externalId, active } });
  expect((await provision('from-scim', 's-scim', true)).status).toBe(201);
  expect((await provision('left', 's-left', false)).body.active).toBe(false);
  idp.accounts.set('s-scim', { preferred_username: 'other-name' });
  idp.accounts.set('s-left', {});
  expect(await signIn('main', 's-scim')).toMatchObject({ failure: null, me: 'from-scim' });
  expect((await lastEvent('IDENTITY_LINKED')).detail).toMatchObject({ principal: 'from-scim', by: 'scim' });
  expect((await failureOf(await signIn('main', 's-left')))[1]).toBe('deactivated');
});
