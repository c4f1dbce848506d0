import { createHash, randomUUID } from 'node:crypto';
import { makeTokenText } from '@svc/core/access';
import { hashToken, storeToken } from '@svc/db/access';
import { startTestServer, type TestServer } from '../testing/index.ts';

const MINUTE_MS = 60_000;
let now = new Date('2026-03-01T08:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  await post('/environments', { name: 'dev' });
});
afterAll(() => server.stop());

const post = (path: string, body: unknown, token = server.token) =>
  server.call('POST', `/api/v1${path}`, { body, token });
const signedIn = async (token: string) => (await server.call('GET', '/api/v1/me', { token })).status;

async function person(name: string): Promise<string> {
  await post('/principals', { name, type: 'person' });
  return (await post(`/principals/${name}/tokens`, { name: 'laptop' })).body.token;
}

test('a token is shown once, and only its SHA-256 is stored (ACCESS-24)', async () => {
  await post('/principals', { name: 'ann', type: 'person' });
  const { body } = await post('/principals/ann/tokens', { name: 'laptop' });
  const shown = [
    await server.call('GET', '/api/v1/principals/ann/tokens'),
    await server.call('GET', '/api/v1/audit-events?event_type=TOKEN_ISSUED'),
  ];
  expect(shown[0]!.body).toMatchObject([{ id: body.id, name: 'laptop', principal: 'ann' }]);
  for (const { text } of shown) expect(text).not.toContain(body.token);
  const row = await server.db.prisma.token.findUniqueOrThrow({ where: { id: body.id } });
  expect(Buffer.from(row.hash)).toEqual(createHash('sha256').update(body.token).digest());
  expect(JSON.stringify(row)).not.toContain(body.token);
});

test('MINT_TASK_TOKEN mints for oneself, ADMIN on the instance for others too (ACCESS-6)', async () => {
  const bob = await person('bob');
  expect((await post('/task-tokens', {}, bob)).status).toBe(403);
  await post('/grants', { kind: 'INSTANCE', principal: 'bob', action: 'MINT_TASK_TOKEN' });
  for (const body of [{}, { principal: 'bob' }]) expect((await post('/task-tokens', body, bob)).status).toBe(201);
  expect((await post('/task-tokens', { principal: 'admin' }, bob)).status).toBe(403);
  const minted = await post('/task-tokens', { principal: 'bob', environment: 'dev' });
  const me = await server.call('GET', '/api/v1/me', { token: minted.body.token });
  expect(me.body).toMatchObject({ name: 'bob', token: { kind: 'task' } });
});

test('a task token that is bound to no environment yet reveals none that exists (ACCESS-25)', async () => {
  const kim = await person('kim');
  await post('/grants', { kind: 'INSTANCE', principal: 'kim', action: 'MINT_TASK_TOKEN' });
  await post('/environments', { name: 'hidden' });
  await post('/environments', { name: 'shown' });
  await post('/grants', { kind: 'ENVIRONMENT', principal: 'kim', action: 'READ_ENVIRONMENT', environment: 'shown' });
  const answers = async (first: string) => {
    const { token } = (await post('/task-tokens', {}, kim)).body;
    const paths = [`/environments/${first}`, '/environments/shown', `/environments/${first}`, '/environments/dev'];
    const bodies: unknown[] = [];
    for (const path of paths) {
      const { status, body } = await server.call('GET', `/api/v1${path}`, { token });
      bodies.push([status, String(body.detail ?? body.name).replaceAll(first, '…')]);
    }
    return bodies;
  };
  const hidden = await answers('hidden');
  expect(hidden).toMatchObject([
    [403, expect.stringContaining('no grant allows READ_ENVIRONMENT on …')],
    [200, 'shown'],
    [403, expect.stringContaining('the task token is bound to another environment')],
    [403, expect.stringContaining('the task token is bound to another environment')],
  ]);
  expect(await answers('nowhere')).toEqual(hidden);
});

test("a task token sees and cancels its principal's work in its own environment only (ACCESS-25)", async () => {
  await post('/environments', { name: 'others' });
  await post('/environments/others/namespaces', { path: 'shop' });
  const tables = '/environments/others/namespaces/shop/tables';
  await post(tables, { name: 'orders', columns: [{ name: 'id', type: 'int' }] });
  const { id: query } = (await post('/environments/others/queries', { sql: 'SELECT 1' })).body;
  const load = { raw: 'id\n1\n', headers: { 'Content-Type': 'text/csv' } };
  const { id: write } = (await server.call('POST', `/api/v1${tables}/orders/writes`, load)).body;
  const { id: maintenance } = (await post(`${tables}/orders/maintenance`, { compact: true })).body;
  const statuses = async (token: string) => {
    const answers = [];
    for (const path of [`queries/${query}`, `writes/${write}`, `maintenance/${maintenance}`])
      answers.push((await server.call('GET', `/api/v1/environments/others/${path}`, { token })).status);
    answers.push((await server.call('GET', `/api/v1/environments/others/queries/${query}/results`, { token })).status);
    answers.push((await post(`/environments/others/queries/${query}/cancel`, {}, token)).status);
    return answers;
  };
  const { token: outside } = (await post('/task-tokens', { environment: 'dev' })).body;
  expect(await statuses(outside)).toEqual([403, 403, 403, 403, 403]);
  const { token: there } = (await post('/task-tokens', { environment: 'others' })).body;
  expect(await statuses(there)).toEqual([200, 200, 200, 409, 200]);
});

test('a task token that is minted manually lives one hour (ACCESS-25)', async () => {
  const { body } = await post('/task-tokens', { environment: 'dev' });
  expect(body.expires_at).toBe(new Date(now.getTime() + 60 * MINUTE_MS).toISOString());
  now = new Date(now.getTime() + 60 * MINUTE_MS - 1);
  expect(await signedIn(body.token)).toBe(200);
  now = new Date(now.getTime() + 1);
  expect(await signedIn(body.token)).toBe(401);
});

test('of task tokens, only one of a running task changes a protected environment (ENV-7)', async () => {
  const { body: environment } = await post('/environments', { name: 'prod' });
  await post('/environments/prod/namespaces', { path: 'n' });
  await server.call('PATCH', '/api/v1/environments/prod', { body: { protected: true } });
  const create = async (name: string, token: string) => {
    const columns = [{ name: 'id', type: 'long' }];
    const { status, body } = await post('/environments/prod/namespaces/n/tables', { name, columns }, token);
    return [status, body.code];
  };
  const manual = await post('/task-tokens', { environment: 'prod' });
  expect(await create('manual', manual.body.token)).toEqual([409, 'environment-protected']);
  expect(await create('personal', server.token)).toEqual([409, 'environment-protected']);
  const admin = await server.db.prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
  const ofTask = makeTokenText('task', (size) => crypto.getRandomValues(new Uint8Array(size)));
  await storeToken(server.db.prisma, {
    ...{ id: randomUUID(), principalId: admin.id, principal: 'admin', name: 'n.t', kind: 'task', now },
    ...{ hash: hashToken(ofTask), createdBy: null, expiresAt: new Date(now.getTime() + MINUTE_MS) },
    ...{ environmentId: environment.id, runId: randomUUID(), taskId: randomUUID() },
  });
  expect(await create('built', ofTask)).toEqual([201, undefined]);
});

const DAY_MS = 24 * 60 * MINUTE_MS;
const later = (ms: number) => new Date(now.getTime() + ms).toISOString();

test('a token of a person expires after the configured days at most, one of a service account when it likes (TOKEN-1)', async () => {
  await post('/principals', { name: 'cem', type: 'person' });
  await post('/principals', { name: 'nightly', type: 'service-account' });
  const issue = (principal: string, expires_at?: string) =>
    post(`/principals/${principal}/tokens`, { name: 'laptop', expires_at });
  expect((await issue('cem')).body.expires_at).toBe(later(90 * DAY_MS));
  expect((await issue('cem', later(90 * DAY_MS))).status).toBe(201);
  const late = await issue('cem', later(90 * DAY_MS + 1));
  expect(late.status).toBe(422);
  expect(late.body.errors).toEqual([
    {
      pointer: '/expires_at',
      message: `must be at most ${later(90 * DAY_MS)}: SVC_TOKENS__MAX_DAYS_PERSON is 90 days`,
    },
  ]);
  expect((await issue('nightly')).body.expires_at).toBeNull();
  expect((await issue('nightly', later(4000 * DAY_MS))).status).toBe(201);
});

test('the limits can be changed for each type of principal, and existing tokens stay as they are (TOKEN-1)', async () => {
  const limited = await startTestServer({
    clock: () => now,
    env: { SVC_TOKENS__MAX_DAYS_PERSON: '0', SVC_TOKENS__MAX_DAYS_SERVICE_ACCOUNT: '30' },
  });
  const call = (path: string, body: unknown) => limited.call('POST', `/api/v1${path}`, { body });
  await call('/principals', { name: 'ann', type: 'person' });
  await call('/principals', { name: 'nightly', type: 'service-account' });
  expect((await call('/principals/ann/tokens', { name: 'x' })).body.expires_at).toBeNull();
  expect((await call('/principals/nightly/tokens', { name: 'x' })).body.expires_at).toBe(later(30 * DAY_MS));
  expect((await limited.call('GET', '/api/v1/me')).body.token.expires_at).toBeNull();
  await limited.stop();
});

test('the list shows the last use of a token to the minute, with address and client (TOKEN-2)', async () => {
  const token = await person('dora');
  const list = async () => (await server.call('GET', '/api/v1/principals/dora/tokens')).body[0];
  expect(await list()).toMatchObject({ last_used_at: null, last_used_address: null, last_used_client: null });
  const use = (client: string) =>
    server.call('GET', '/api/v1/me', { token, headers: { 'User-Agent': client, 'X-Forwarded-For': '203.0.113.9' } });
  const first = now.toISOString();
  await use(`tool/1 ${'x'.repeat(300)}`);
  const used = { last_used_at: first, last_used_address: '127.0.0.1' };
  expect(await list()).toMatchObject({ ...used, last_used_client: expect.stringMatching(/^tool\/1 x{193}$/) });
  now = new Date(now.getTime() + MINUTE_MS);
  await use('tool/2');
  expect(await list()).toMatchObject({ last_used_at: now.toISOString(), last_used_client: 'tool/2' });
  // A clock that is set back doesn't make the last use an earlier one.
  const latest = now.toISOString();
  now = new Date(now.getTime() - 5 * MINUTE_MS);
  await use('tool/3');
  expect(await list()).toMatchObject({ last_used_at: latest, last_used_client: 'tool/2' });
});

test('responses to a token that expires within a week say so, unless it was issued for a week at most (TOKEN-3)', async () => {
  await post('/principals', { name: 'emil', type: 'person' });
  const issue = async (ms: number) =>
    (await post('/principals/emil/tokens', { name: 'x', expires_at: later(ms) })).body;
  const [long, short] = [await issue(30 * DAY_MS), await issue(6 * DAY_MS)];
  const header = async (token: string, path = '/api/v1/me') =>
    (await server.call('GET', path, { token })).headers.get('svc-token-expires');
  expect([await header(long.token), await header(short.token)]).toEqual([null, null]);
  const start = now;
  now = new Date(start.getTime() + 23 * DAY_MS);
  expect(await header(long.token)).toBe(long.expires_at);
  expect(await header(long.token, '/api/v1/environments/nowhere')).toBe(long.expires_at);
  expect(await header(long.token, '/catalog/v1/config?warehouse=dev')).toBe(long.expires_at);
  now = start;
});

describe('a rotation (TOKEN-5)', () => {
  const rotate = (id: string, body: unknown = {}, token = server.token) => post(`/tokens/${id}/rotate`, body, token);

  test('returns a token like the previous one, which works for another day', async () => {
    const token = await person('fay');
    const [old] = (await server.call('GET', '/api/v1/principals/fay/tokens')).body;
    now = new Date(now.getTime() + DAY_MS);
    const { status, body } = await rotate(old.id, {}, token);
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'laptop', principal: 'fay', kind: 'personal', expires_at: later(90 * DAY_MS) });
    expect([await signedIn(token), await signedIn(body.token)]).toEqual([200, 200]);
    const [event] = (await server.call('GET', '/api/v1/audit-events?event_type=TOKEN_ROTATED&limit=1')).body;
    expect(event).toMatchObject({
      principal: 'fay',
      detail: { token_id: old.id, new_token_id: body.id, previous_expires_at: later(DAY_MS) },
    });
    now = new Date(now.getTime() + DAY_MS);
    expect([await signedIn(token), await signedIn(body.token)]).toEqual([401, 200]);
  });

  test('keeps the scope, and without an overlap stops the previous token at once', async () => {
    await post('/principals', { name: 'hal', type: 'service-account' });
    const scope = { environments: ['dev'], actions: ['READ_TABLE'] };
    const old = (await post('/principals/hal/tokens', { name: 'ci', ...scope })).body;
    const { body } = await rotate(old.id, { overlap_seconds: 0 });
    expect(body).toMatchObject({ name: 'ci', kind: 'service-account', expires_at: null, ...scope });
    expect([await signedIn(old.token), await signedIn(body.token)]).toEqual([401, 200]);
    const [event] = (await server.call('GET', '/api/v1/audit-events?event_type=TOKEN_ROTATED&limit=1')).body;
    expect(event.detail).toMatchObject(scope);
  });

  test('happens once, and never lets the previous token live longer than it would have', async () => {
    await post('/principals', { name: 'ida', type: 'service-account' });
    const issued = { name: 'ci', expires_at: later(60 * MINUTE_MS) };
    const old = (await post('/principals/ida/tokens', issued)).body;
    const answers = await Promise.all([rotate(old.id), rotate(old.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('token-rotated');
    const tokens = (await server.call('GET', '/api/v1/principals/ida/tokens')).body;
    expect(tokens.map((token: { expires_at: string }) => token.expires_at)).toEqual([
      issued.expires_at,
      issued.expires_at,
    ]);
  });

  test('is refused for tokens of others, sessions, unknown tokens and deactivated principals', async () => {
    const gus = await person('gus');
    const other = (await post('/principals/fay/tokens', { name: 'x' })).body;
    expect((await rotate(other.id, {}, gus)).status).toBe(403);
    expect((await rotate(randomUUID(), {}, gus)).status).toBe(403);
    expect((await rotate(randomUUID())).status).toBe(404);
    expect((await rotate(other.id, { overlap_seconds: 604_801 })).status).toBe(422);
    await post('/principals', { name: 'jo', type: 'person', password: 'correct horse' });
    await post('/sign-in', { name: 'jo', password: 'correct horse' });
    const [session] = (await server.call('GET', '/api/v1/principals/jo/tokens')).body;
    expect((await rotate(session.id)).status).toBe(422);
    await server.call('PATCH', '/api/v1/principals/fay', { body: { active: false } });
    expect((await rotate(other.id)).status).toBe(422);
  });
});
