import { randomUUID } from 'node:crypto';
import { MAX_REPLAYED, MAX_STREAMS_PER_PRINCIPAL } from '@svc/core/events';
import { headKeys, recordEvents, sealEvents } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { announceProgress } from '@svc/db/leases';
import { pino } from 'pino';
import { type RunningApi, startApi } from '../process/index.ts';
import { type OpenedStream, openEventStream, startTestServer, type TestServer } from '../testing/index.ts';

let s: TestServer;
let second: RunningApi;
let now = Date.now();
const tokens: Record<string, string> = {};
const opened: OpenedStream[] = [];

beforeAll(async () => {
  s = await startTestServer({ clock: () => new Date(now), heartbeatMs: 300 });
  for (const name of ['dev', 'other']) await made('/environments', { name });
  for (const path of ['sales', 'hr']) await made('/environments/dev/namespaces', { path });
  await table('sales.orders');
  await table('hr.people');
  await principal('viewer', { kind: 'ENVIRONMENT', environment: 'dev', action: 'READ_ENVIRONMENT' });
  await principal('seller', { kind: 'NAMESPACE', environment: 'dev', namespace: 'sales', role: 'DATA_ENGINEER' });
  await principal('stranger', { kind: 'ENVIRONMENT', environment: 'other', role: 'ADMIN' });
  const { settings, secretsKey, db, store, sandbox } = s;
  second = await startApi({
    ...{ settings, secretsKey, db, store, sandbox, log: pino({ level: 'silent' }), clock: () => new Date(now) },
    ...{ version: '0.0.0-test', bootstrapToken: null, checkAnswers: true, heartbeatMs: 300 },
  });
});
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.close().catch(() => {});
});
afterAll(async () => {
  await second?.stop();
  await s?.stop();
});

const call = (method: string, path: string, body?: unknown) =>
  s.call(method, `/api/v1${path}`, body === undefined ? {} : { body });
async function made(path: string, body: unknown) {
  const response = await call('POST', path, body);
  if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
  return response.body;
}
async function table(full: string) {
  const [path, name] = full.split('.');
  await made(`/environments/dev/namespaces/${path}/tables`, { name, columns: [{ name: 'id', type: 'long' }] });
}
async function principal(name: string, grant: object | null) {
  await made('/principals', { name, type: 'person' });
  tokens[name] = (await made(`/principals/${name}/tokens`, { name: 't' })).token;
  if (grant !== null) await made('/grants', { principal: name, ...grant });
}
const describeTable = (full: string, description: string) =>
  call('PATCH', `/environments/dev/namespaces/${full.replace('.', '/tables/')}`, { description });

/** What the worker does twice a second. */
async function seal(limit = 10_000) {
  const options = { limit, keys: headKeys(s.secretsKey, []), adoptUnsigned: true, now: new Date(now) };
  await inTransaction(s.db, (tx) => sealEvents(tx, { ...options, newId: randomUUID }));
}

/** Opens a stream, after everything so far is sealed and too old for its start. */
async function open(who: string | null, options: { url?: string; lastId?: string | undefined } = {}) {
  if (options.lastId === undefined) {
    await seal();
    now += 60_000;
  }
  const { url = s.url, lastId } = options;
  const token = who === null ? s.token : tokens[who];
  const headers = { authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
  const stream = await openEventStream(url, { headers });
  opened.push(stream);
  if (stream.status === 200) await stream.until('ready');
  return stream;
}

const names = (messages: { kind: string; name: string | null }[]) =>
  messages.map(({ kind, name }) => (name === null ? kind : `${kind} ${name}`));

/** Stores a run of the principal, with its event, as the routes and the worker do. */
async function run(requestedBy: string | null): Promise<string> {
  const environment = await s.db.prisma.environment.findFirstOrThrow({ where: { name: 'dev' } });
  const admin = await s.db.prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
  const repository = await made('/repositories', { name: `r-${randomUUID()}` });
  const [id, time] = [randomUUID(), new Date(now)];
  await s.db.prisma.run.create({
    data: {
      ...{ id, environment_id: environment.id, repository_id: repository.id, project_version_id: randomUUID() },
      ...{ principal_id: admin.id, requested_by: requestedBy, select: [], status: 'succeeded' },
      ...{ created_at: time, ended_at: time },
    },
  });
  await recordEvents(s.db.prisma, [
    {
      ...{ id: randomUUID(), time, type: 'RUN_ENDED', principal: null, requestId: null, environmentId: environment.id },
      object: { kind: 'ENVIRONMENT', environment: 'dev', namespace: null, table: null },
      detail: { run_id: id, status: 'succeeded' },
    },
  ]);
  return id;
}

test('each reader gets a message of what it can read, through either server, and no other (LIVE-1, LIVE-2)', async () => {
  const [admin, viewer, seller] = [await open(null), await open('viewer'), await open('seller', { url: second.url })];
  expect(admin.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
  expect(admin.headers.get('cache-control')).toBe('no-store');
  const id = await run(null);
  await describeTable('hr.people', 'secret');
  await call('PATCH', '/environments/other', { description: 'x' });
  await describeTable('sales.orders', 'changed');
  await seal();
  const seen = [await admin.next(), await admin.next(), await admin.next()].map((message) => message!);
  expect(names(seen).sort()).toEqual(['run', 'table hr.people', 'table sales.orders']);
  expect(await viewer.next()).toEqual({ kind: 'run', id, name: null, repository: null });
  expect(names(await seller.until('table'))).toEqual(['table sales.orders']);
  expect(await viewer.untilHeartbeat()).toEqual([]);
  expect(await seller.untilHeartbeat()).toEqual([]);
});

test('the principal that requested a run gets its messages without READ_ENVIRONMENT, also of its progress (LIVE-2, RUN-8)', async () => {
  await principal('runner', { kind: 'ENVIRONMENT', environment: 'dev', action: 'RUN' });
  const runner = await s.db.prisma.principal.findFirstOrThrow({ where: { name: 'runner' } });
  const stream = await open('runner');
  const [, own] = [await run(null), await run(runner.id)];
  await seal();
  expect(await stream.next()).toMatchObject({ kind: 'run', id: own });
  const other = await run(null);
  for (const id of [other, own]) await announceProgress(s.db.prisma, { kind: 'runs', id });
  expect(await stream.next()).toMatchObject({ kind: 'run', id: own });
});

test('rights are those of the moment: after a revocation nothing follows, and the stream ends (LIVE-3)', async () => {
  await principal('leaver', { kind: 'NAMESPACE', environment: 'dev', namespace: 'sales', role: 'DATA_ENGINEER' });
  const stream = await open('leaver');
  await describeTable('sales.orders', 'before');
  await seal();
  expect(names(await stream.until('table'))).toEqual(['table sales.orders']);
  await describeTable('sales.orders', 'after');
  const [grant] = (await call('GET', '/grants?principal_name=leaver')).body;
  await call('DELETE', `/grants/${grant.id}`);
  await seal();
  expect(await stream.next()).toBeNull();
});

test('a caller whose rights change learns that, and others do not (LIVE-2)', async () => {
  await principal('riser', { kind: 'NAMESPACE', environment: 'dev', namespace: 'sales', role: 'DATA_ENGINEER' });
  const [riser, viewer] = [await open('riser'), await open('viewer')];
  await made('/grants', {
    principal: 'riser',
    kind: 'NAMESPACE',
    environment: 'dev',
    namespace: 'hr',
    action: 'READ_TABLE',
  });
  await seal();
  expect(await riser.next()).toMatchObject({ kind: 'access' });
  await describeTable('hr.people', 'now visible');
  await seal();
  expect(names(await riser.until('table'))).toEqual(['table hr.people']);
  expect(await viewer.untilHeartbeat()).toEqual([]);
});

test('a caller whose rights change learns that, also if a message about a table comes between the grant and its event (LIVE-2)', async () => {
  await principal('later', { kind: 'NAMESPACE', environment: 'dev', namespace: 'sales', role: 'DATA_ENGINEER' });
  const stream = await open('later');
  await describeTable('sales.orders', 'before the grant');
  const scope = { kind: 'NAMESPACE', environment: 'dev', namespace: 'hr' };
  await made('/grants', { principal: 'later', ...scope, action: 'READ_TABLE' });
  await seal(1);
  expect(names([(await stream.next())!])).toEqual(['table sales.orders']);
  await seal();
  expect(names([(await stream.next())!])).toEqual(['access']);
});

test('a revoked token ends the stream with the next heartbeat (LIVE-3)', async () => {
  await principal('gone', { kind: 'ENVIRONMENT', environment: 'dev', action: 'READ_ENVIRONMENT' });
  const stream = await open('gone');
  expect(await stream.untilHeartbeat()).toEqual([]);
  const [token] = (await call('GET', '/principals/gone/tokens')).body;
  await call('DELETE', `/tokens/${token.id}`);
  expect(await stream.next()).toBeNull();
});

test("a stream doesn't extend the session of a browser, and ends with it (LIVE-3, ACCESS-28)", async () => {
  const password = 'correct horse battery staple';
  await made('/principals', { name: 'browser', type: 'person', password });
  await made('/grants', { principal: 'browser', kind: 'ENVIRONMENT', environment: 'dev', action: 'READ_ENVIRONMENT' });
  const signedIn = await s.call('POST', '/api/v1/session', { token: null, body: { name: 'browser', password } });
  const cookie = /svc_session=[^;]+/.exec(signedIn.headers.get('set-cookie') ?? '')![0];
  const stream = await openEventStream(s.url, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  opened.push(stream);
  await stream.until('ready');
  const expiry = async () =>
    (await s.db.prisma.token.findFirstOrThrow({ where: { kind: 'session' }, orderBy: { created_at: 'desc' } }))
      .expires_at!;
  const before = await expiry();
  now += 30 * 60_000;
  await run(null);
  await seal();
  expect(await stream.next()).toMatchObject({ kind: 'run' });
  await stream.untilHeartbeat();
  expect(await expiry()).toEqual(before);
  now = before.getTime();
  expect(await stream.next()).toBeNull();
});

test('a stream resumes after its last message, at another server too, with rights of the moment (LIVE-4)', async () => {
  const stream = await open('seller');
  await describeTable('sales.orders', 'one');
  await seal();
  await stream.until('table');
  await stream.close();
  const lastId = stream.lastId()!;
  expect(Buffer.from(lastId, 'base64url').toString('latin1')).not.toMatch(/\d{4}/);
  await describeTable('hr.people', 'two');
  await table('sales.missed');
  await seal();
  const resumed = await open('seller', { url: second.url, lastId });
  expect(names(await resumed.until('table'))).toEqual(['table sales.missed']);
  // Without a message in between, heartbeats move the position on.
  const again = await open('seller', { lastId: resumed.lastId() });
  expect(await again.untilHeartbeat()).toEqual([]);
});

test('a client learns that its rights changed while it was not connected (LIVE-4)', async () => {
  const scope = { kind: 'NAMESPACE', environment: 'dev' };
  await principal('absent', { ...scope, namespace: 'sales', role: 'DATA_ENGINEER' });
  const stream = await open('absent');
  await describeTable('sales.orders', 'before');
  await seal();
  await stream.until('table');
  await stream.close();
  await made('/grants', { principal: 'absent', ...scope, namespace: 'hr', action: 'READ_TABLE' });
  await seal();
  const resumed = await open('absent', { lastId: stream.lastId() });
  expect(names([(await resumed.next())!])).toEqual(['access']);
  await made('/grants', { principal: 'seller', ...scope, namespace: 'sales', action: 'MAINTAIN_TABLE' });
  await seal();
  expect(await resumed.untilHeartbeat()).toEqual([]);
});

test('a new stream has the recent changes, also if an older event was committed after them (LIVE-1)', async () => {
  await seal();
  now += 60_000;
  await describeTable('sales.orders', 'recent');
  await seal();
  await recordEvents(s.db.prisma, [
    {
      ...{ id: randomUUID(), time: new Date(now - 30_000), type: 'SIGNED_IN', principal: null, requestId: null },
      ...{ environmentId: null, detail: {} },
      object: { kind: 'INSTANCE', environment: null, namespace: null, table: null },
    },
  ]);
  await seal();
  const stream = await openEventStream(s.url, { headers: { authorization: `Bearer ${tokens['seller']}` } });
  opened.push(stream);
  expect(names(await stream.until('table'))).toContain('table sales.orders');
});

test('after too many changes, and with an id of another service, everything is to be loaded again (LIVE-4)', async () => {
  const stream = await open('viewer');
  const lastId = stream.lastId()!;
  const event = {
    ...{ time: new Date(now), type: 'SIGNED_IN' as const, principal: null, requestId: null, environmentId: null },
    ...{ object: { kind: 'INSTANCE' as const, environment: null, namespace: null, table: null }, detail: {} },
  };
  await recordEvents(
    s.db.prisma,
    Array.from({ length: MAX_REPLAYED + 1 }, () => ({ ...event, id: randomUUID() })),
  );
  // The run is numbered after all of them, so that the server has read them when it reports the run.
  await seal();
  await run(null);
  await seal();
  await stream.until('run');
  for (const id of [lastId, 'bm90aGluZw', 'A'.repeat(lastId.length)]) {
    const late = await open('viewer', { lastId: id });
    expect(await late.next()).toMatchObject({ kind: 'reset', id: null });
    expect(late.lastId()).toBeDefined();
  }
});

test('without any right in an environment, it is refused like one that does not exist (LIVE-1, ACCESS-20)', async () => {
  const refusals = await Promise.all(
    ['dev', 'none'].map((environment) =>
      s.call('GET', `/api/v1/events/stream?environment=${encodeURIComponent(environment)}`, {
        token: tokens['stranger']!,
      }),
    ),
  );
  expect(refusals.map(({ status }) => status)).toEqual([403, 403]);
  const text = ({ body }: { body: { detail: string } }) => body.detail.replaceAll(/\b(dev|none)\b/g, 'ENV');
  expect(text(refusals[0]!)).toBe(text(refusals[1]!));
  const [denied] = (await call('GET', '/audit-events?event_type=AUTHORIZATION_DENIED')).body;
  expect(denied.principal).toBe('stranger');
  expect((await call('GET', '/events/stream?environment=none')).status).toBe(404);
  expect((await call('GET', '/events/stream')).status).toBe(422);
  const task = (await made('/task-tokens', { environment: 'dev' })).token;
  expect((await s.call('GET', '/api/v1/events/stream?environment=dev', { token: task })).status).toBe(403);
});

test('a principal has a limited number of streams, and opening one writes no event (LIVE-5, AUDIT-6)', async () => {
  const events = async () => (await s.db.prisma.auditEvent.findMany({ select: { type: true } })).length;
  const first = await open('viewer');
  const before = await events();
  for (let i = 1; i < MAX_STREAMS_PER_PRINCIPAL; i++) await open('viewer', { lastId: first.lastId() });
  const refused = await s.call('GET', '/api/v1/events/stream?environment=dev', { token: tokens['viewer']! });
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too-many-requests',
    '60',
  ]);
  expect((await s.call('GET', '/metrics')).text).toMatch(/^svc_event_streams 20$/m);
  expect(await events()).toBe(before);
});

test('a deleted environment ends its streams (LIVE-3)', async () => {
  await made('/environments', { name: 'short' });
  const stream = await openEventStream(s.url, {
    environment: 'short',
    headers: { authorization: `Bearer ${s.token}` },
  });
  opened.push(stream);
  await stream.until('ready');
  await call('DELETE', '/environments/short');
  expect(await stream.next()).toBeNull();
});

test('a server that stops ends its streams, and the client resumes at another one (LIVE-6)', async () => {
  const stream = await open('seller', { url: second.url });
  const stopped = second.stop();
  expect(await stream.next()).toBeNull();
  await stopped;
  await table('sales.later');
  await seal();
  const resumed = await open('seller', { lastId: stream.lastId() });
  expect(names(await resumed.until('table'))).toEqual(['table sales.later']);
});
