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
