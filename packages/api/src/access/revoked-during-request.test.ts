import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { inTransaction } from '@svc/db/connection';
import { statementBlocked } from '@svc/db/testing';
import { finishNextQuery } from '../testing/finish-next-query.ts';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

/** More than the buffers of a connection. */
const SIZE = 32 * 1024 * 1024;
const TABLE = '/api/v1/environments/dev/namespaces/n/tables/t';
let now = new Date('2026-03-01T12:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  await post('/api/v1/environments', { name: 'dev' });
  await post('/api/v1/environments/dev/namespaces', { path: 'n' });
  await post('/api/v1/environments/dev/namespaces/n/tables', { name: 't', columns: [{ name: 'id', type: 'int' }] });
  await server.store.write(`${server.store.root}/results/large.parquet`, Buffer.alloc(SIZE));
});
afterAll(() => server.stop());

const post = (path: string, body: object, token = server.token) => server.call('POST', path, { body, token });

interface Engineer {
  readonly name: string;
  readonly tokenId: string;
  readonly token: string;
  readonly grantId: string;
}

async function engineer(name: string): Promise<Engineer> {
  await post('/api/v1/principals', { name, type: 'service-account' });
  const grant = { kind: 'ENVIRONMENT', environment: 'dev', principal: name, role: 'DATA_ENGINEER' };
  const { body: granted } = await post('/api/v1/grants', grant);
  const { body: issued } = await post(`/api/v1/principals/${name}/tokens`, { name: 't' });
  return { name, tokenId: issued.id, token: issued.token, grantId: granted.id };
}

const revokeToken = ({ tokenId }: Engineer) => server.call('DELETE', `/api/v1/tokens/${tokenId}`);
const deactivate = ({ name }: Engineer) =>
  server.call('PATCH', `/api/v1/principals/${name}`, { body: { active: false } });
const revokeGrant = ({ grantId }: Engineer) => server.call('DELETE', `/api/v1/grants/${grantId}`);

/** What can happen to the caller during a request, and the status of the response. */
const changes = (allowed: number) =>
  [
    ['its token was revoked', revokeToken, 401],
    ['its principal was deactivated', deactivate, 401],
    ['its grant was revoked', revokeGrant, 403],
    ['nothing has changed', async () => undefined, allowed],
  ] as const;

/** Makes what has been checked so far too old. */
const passTime = () => {
  now = new Date(now.getTime() + 1001);
};

const open = (method: string, path: string, token: string, headers = {}) =>
  request(`${server.url}${path}`, { method, headers: { Authorization: `Bearer ${token}`, ...headers } });

/** The number of bytes that arrive; null if the response breaks off. */
async function received(response: IncomingMessage): Promise<number | null> {
  const pieces = await response.toArray().catch(() => null);
  return pieces?.reduce((bytes: number, piece: Buffer) => bytes + piece.length, 0) ?? null;
}

test.each([
  ['its token is revoked', revokeToken, null],
  ['its principal is deactivated', deactivate, null],
  ['nothing changes', async () => undefined, SIZE],
])('a download breaks off if the caller may no longer receive it: %s (ACCESS-22)', async (what, change, bytes) => {
  const who = await engineer(`downloads-${what.replaceAll(' ', '-')}`);
  const { id } = (await post('/api/v1/environments/dev/queries', { sql: 'SELECT 1' }, who.token)).body;
  const location = `${server.store.root}/results/large.parquet`;
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const result = { columns: [{ name: 'a', type: 'int' }], rowCount: 1, firstRows: null, location, expiresAt };
  await finishNextQuery(server, now, { status: 'succeeded', result });
  const sent = open('GET', `/api/v1/environments/dev/queries/${id}/results?format=parquet`, who.token).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await change(who);
  passTime();
  expect(await received(response)).toBe(bytes);
});

test.each(changes(202))('an upload is authorized again at its end: %s (ACCESS-22)', async (what, change, status) => {
  const who = await engineer(`uploads-${what.replaceAll(' ', '-')}`);
  const staged = () => readdir(fileURLToPath(`${server.store.root}/staged`)).catch(() => []);
  const before = (await staged()).length;
  const writes = () => server.db.prisma.write.count();
  const writesBefore = await writes();
  const sent = open('POST', `${TABLE}/writes`, who.token, { 'Content-Type': 'text/csv' });
  sent.write('id\n');
  while ((await staged()).length === before);
  await change(who);
  passTime();
  const responding = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end('1\n');
  const [response] = await responding;
  await response.toArray();
  expect(response.statusCode).toBe(status);
  const loads = status === 202 ? 1 : 0;
  expect(await writes()).toBe(writesBefore + loads);
  expect((await staged()).length).toBe(before + loads);
});

test.each(changes(200))(
  'a request that waits is authorized again at its end: %s (ACCESS-22)',
  async (what, change, status) => {
    const who = await engineer(`waits-${what.replaceAll(' ', '-')}`);
    const { id } = (await post(`${TABLE}/maintenance`, { compact: true })).body;
    let responding: Promise<Answer> | undefined;
    await inTransaction(server.db, async (tx) => {
      await tx.$executeRaw`LOCK TABLE maintenance`;
      responding = server.call('GET', `/api/v1/environments/dev/maintenance/${id}?wait=0`, { token: who.token });
      await statementBlocked(server.db);
      await change(who);
      passTime();
    });
    expect((await responding!).status).toBe(status);
  },
);
