import { inTransaction } from '@svc/db/connection';
import { statementBlocked } from '@svc/db/testing';
import { startTestServer, type TestServer } from '../testing/index.ts';

const PASSWORD = 'correct horse battery';
const HOUR_MS = 3_600_000;

let server: TestServer;
let now = new Date('2026-03-01T12:00:00Z');
beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  await server.call('POST', '/api/v1/principals', { body: { name: 'ann', type: 'person', password: PASSWORD } });
});
afterAll(() => server.stop());

interface Browser {
  cookie: string;
  csrf: string;
}

async function signIn(headers: Record<string, string> = {}): Promise<Browser & { setCookie: string }> {
  const body = { name: 'ann', password: PASSWORD };
  const answer = await server.call('POST', '/api/v1/session', { body, token: null, headers });
  expect(answer).toMatchObject({ status: 201, body: { principal: { name: 'ann', type: 'person' } } });
  const setCookie = answer.headers.get('set-cookie')!;
  return { cookie: setCookie.split(';')[0]!, csrf: answer.body.csrf_token, setCookie };
}

const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  server.call(method, path, { token: null, headers, ...(body === undefined ? {} : { body }) });

test('a browser signs in and out, with a cookie that scripts cannot read (ACCESS-28)', async () => {
  const { cookie, csrf, setCookie } = await signIn();
  expect(setCookie).toMatch(/^svc_session=svc_ses_\w+; Path=\/api; HttpOnly; SameSite=Strict$/);
  expect((await call('GET', '/api/v1/me', { cookie })).body).toMatchObject({ name: 'ann', token: { kind: 'session' } });
  const session = await call('GET', '/api/v1/session', { cookie });
  expect(session.body).toEqual({
    principal: { id: expect.any(String), name: 'ann', type: 'person' },
    csrf_token: csrf,
    expires_at: new Date(now.getTime() + 2 * HOUR_MS).toISOString(),
    has_password: true,
    limit: null,
  });
  const closed = await call('DELETE', '/api/v1/session', { cookie, 'svc-csrf-token': csrf });
  expect(closed.status).toBe(204);
  expect(closed.headers.get('set-cookie')).toMatch(/^svc_session=; Path=\/api; Expires=Thu, 01 Jan 1970/);
  expect((await call('GET', '/api/v1/session', { cookie })).status).toBe(401);
});

test('changes need the CSRF token of the same session (ACCESS-28)', async () => {
  const [ann, other] = [await signIn(), await signIn()];
  const change = (headers: Record<string, string>) =>
    call('PUT', '/api/v1/me/password', headers, { current_password: PASSWORD, password: PASSWORD });
  for (const headers of [{}, { 'svc-csrf-token': '' }, { 'svc-csrf-token': other.csrf }]) {
    const answer = await change({ cookie: ann.cookie, ...headers });
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'not-signed-in', detail: expect.stringMatching(/Svc-Csrf-Token/) },
    });
  }
  expect((await change({ cookie: ann.cookie, 'svc-csrf-token': ann.csrf })).status).toBe(204);
});

test('the cookie does not count on requests of other sites, nor for other tokens (ACCESS-28)', async () => {
  const { cookie } = await signIn();
  for (const site of ['cross-site', 'same-site'])
    expect((await call('GET', '/api/v1/me', { cookie, 'sec-fetch-site': site })).status).toBe(401);
  for (const site of ['same-origin', 'none'])
    expect((await call('GET', '/api/v1/me', { cookie, 'sec-fetch-site': site })).status).toBe(200);
  const issued = await server.call('POST', '/api/v1/principals/ann/tokens', { body: { name: 'tool' } });
  expect((await call('GET', '/api/v1/me', { cookie: `svc_session=${issued.body.token}` })).status).toBe(401);
  // A header takes precedence, so that a wrong one isn't hidden by the cookie.
  expect((await call('GET', '/api/v1/me', { cookie, authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await server.call('GET', '/api/v1/session')).status).toBe(404);
});

test('a sign-in gets a new token, whatever cookie was sent, and behind TLS the cookie is secure (ACCESS-28)', async () => {
  const first = await signIn();
  const second = await signIn({ cookie: first.cookie });
  expect(second.cookie).not.toBe(first.cookie);
  const behindTls = await startTestServer({ env: { SVC_PUBLIC_URL: 'https://svc.example.org' } });
  try {
    await behindTls.call('POST', '/api/v1/principals', { body: { name: 'ann', type: 'person', password: PASSWORD } });
    const body = { name: 'ann', password: PASSWORD };
    const answer = await behindTls.call('POST', '/api/v1/session', { body, token: null });
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure/);
  } finally {
    await behindTls.stop();
  }
});

test('a session lasts while it is used, and twelve hours in total (ACCESS-28)', async () => {
  const unused = await signIn();
  const used = await signIn();
  const statusOf = async ({ cookie }: Browser) => (await call('GET', '/api/v1/me', { cookie })).status;
  const start = now;
  for (let hours = 1; hours <= 11; hours++) {
    now = new Date(start.getTime() + hours * HOUR_MS);
    expect([hours, await statusOf(used)]).toEqual([hours, 200]);
  }
  expect(await statusOf(unused)).toBe(401);
  now = new Date(start.getTime() + 12 * HOUR_MS + 1);
  expect(await statusOf(used)).toBe(401);
});

test('requests store the use of a session only now and then, also in its last hours (ACCESS-28)', async () => {
  const { cookie } = await signIn();
  const start = now;
  const stored: string[] = [];
  for (const minutes of [0, 4, 6, 9, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660, 661, 700, 719]) {
    now = new Date(start.getTime() + minutes * 60_000);
    const { body } = await call('GET', '/api/v1/session', { cookie });
    stored.push(`${minutes} ${(new Date(body.expires_at).getTime() - start.getTime()) / 60_000}`);
  }
  const expected = '0 120|4 120|6 126|9 126|60 180|120 240|180 300|240 360|300 420|360 480|420 540|480 600|540 660';
  expect(stored).toEqual([...expected.split('|'), '600 720', '660 720', '661 720', '700 720', '719 720']);
});

test('a session that is revoked while a request extends it is over (ACCESS-28)', async () => {
  const { cookie } = await signIn();
  const { body } = await call('GET', '/api/v1/me', { cookie });
  now = new Date(now.getTime() + HOUR_MS);
  const { answer } = await inTransaction(server.db, async (tx) => {
    await tx.token.update({ where: { id: body.token.id }, data: { revoked_at: now } });
    const answer = call('GET', '/api/v1/session', { cookie });
    await statementBlocked(server.db);
    return { answer };
  });
  expect(await answer).toMatchObject({ status: 401, body: { code: 'not-signed-in' } });
});

test('a browser that signs out twice at once has one event (ACCESS-28)', async () => {
  const { cookie, csrf } = await signIn();
  const { body } = await call('GET', '/api/v1/me', { cookie });
  const close = () => call('DELETE', '/api/v1/session', { cookie, 'svc-csrf-token': csrf });
  const statuses = (await Promise.all([close(), close(), close()])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  const events = await server.call('GET', '/api/v1/audit-events?event_type=TOKEN_REVOKED');
  const ofToken = events.body.filter(
    (event: { detail: { token_id: string } }) => event.detail.token_id === body.token.id,
  );
  expect(ofToken).toHaveLength(1);
});

test('guesses in a browser count like those of any sign-in (ACCESS-26)', async () => {
  const guess = () => server.call('POST', '/api/v1/session', { body: { name: 'ann', password: 'guess' }, token: null });
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await guess()).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
});
