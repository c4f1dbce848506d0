import { randomUUID } from 'node:crypto';
import { makeTokenText } from '@svc/core/access';
import { STAGING_NAMESPACE, stagingId, stagingName } from '@svc/core/catalog';
import { hashToken, storeToken } from '@svc/db/access';
import { startCreation } from '@svc/db/drops';
import { findStaging, removeExpiredStaging, removeStaging } from '@svc/db/staging';
import {
  type CatalogServer,
  type LoadedTable,
  SCHEMA,
  type StageOptions,
  snapshotCommit,
  stageTable,
  startCatalogServer,
} from './testing/index.ts';

let server: CatalogServer;
let account: string;
let other: string;
let principalId: string;
let environmentId: string;
let grantId: string;
beforeAll(async () => {
  server = await startCatalogServer();
  account = await server.tokenOf('trino', { environment: 'dev', action: 'READ_NAMESPACE' });
  grantId = await grantReading();
  other = await server.tokenOf('other', { environment: 'dev', role: 'DATA_ENGINEER' });
  principalId = (await server.call('GET', '/api/v1/principals/trino')).body.id;
  environmentId = (await server.call('GET', '/api/v1/environments/dev')).body.id;
});
afterAll(() => server.stop());

async function grantReading(): Promise<string> {
  const grant = { principal: 'trino', kind: 'ENVIRONMENT', environment: 'dev', action: 'READ_TABLE' };
  return (await server.call('POST', '/api/v1/grants', { body: grant })).body.id;
}

const stage = (options: Partial<StageOptions> = {}) =>
  stageTable(server, { environmentId, principalId, taskId: null, ...options });

const load = async (path: string): Promise<LoadedTable> => (await server.send('GET', path, { token: account })).body;

test('names of staging tables contain their id', () => {
  const id = randomUUID();
  expect(stagingId(stagingName(id))).toBe(id);
  for (const name of ['s_', 'orders', `${stagingName(id)}0`, stagingName(id).toUpperCase(), `t${stagingName(id)}`])
    expect(stagingId(name)).toBeNull();
});

test("the engine's account loads a staging table, and commits to it once", async () => {
  const { id, path } = await stage();
  expect((await server.send('HEAD', path, { token: account })).status).toBe(204);
  const table = await load(path);
  expect(table.metadata['table-uuid']).toBe(id);
  const body = snapshotCommit(table, { id: 77 });
  const committed = await server.send('POST', path, { token: account, body });
  expect([committed.status, committed.body.metadata['current-snapshot-id']]).toEqual([200, 77]);
  expect(await findStaging(server.db.prisma, { id, environmentId, principalId, taskId: null })).toMatchObject({
    isWritten: true,
    metadataLocation: committed.body['metadata-location'],
  });
  expect((await load(path)).metadata['current-snapshot-id']).toBe(77);
  const again = snapshotCommit(committed.body, { id: 78, parent: 77, sequence: 2 });
  const refused = await server.send('POST', path, { token: account, body: again });
  expect([refused.status, refused.body.error]).toMatchObject([
    400,
    { type: 'BadRequestException', message: 'The rows of this staging table are written already.' },
  ]);
});

test('a staging table may only refer to files of its table', async () => {
  const { path } = await stage();
  const table = await load(path);
  const list = `${server.store.root}/tables/another/metadata/snap.avro`;
  const refused = await server.send('POST', path, { token: account, body: snapshotCommit(table, { id: 77, list }) });
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('outside')]);
  const moved = { requirements: [], updates: [{ action: 'set-location', location: `${server.store.root}/elsewhere` }] };
  expect((await server.send('POST', path, { token: account, body: moved })).status).toBe(400);
});

test('nobody else sees it, whatever their permissions', async () => {
  const { path } = await stage();
  const body = snapshotCommit(await load(path), { id: 77 });
  for (const token of [other, undefined]) {
    const as = token === undefined ? {} : { token };
    expect((await server.send('GET', path, as)).status).toBe(404);
    expect((await server.send('POST', path, { ...as, body })).status).toBe(404);
  }
  const stranger = await server.tokenOf('stranger');
  await server.newEvents();
  expect((await server.send('GET', path, { token: stranger })).status).toBe(403);
  expect((await server.newEvents()).map(({ type }) => type)).toEqual(['AUTHORIZATION_DENIED']);
  const listed = await server.send('GET', '/namespaces', { token: account });
  expect(JSON.stringify(listed.body)).not.toContain(STAGING_NAMESPACE);
});

/** The token of a task of the same principal. */
async function taskToken(taskId: string): Promise<string> {
  const text = makeTokenText('task', (n) => crypto.getRandomValues(new Uint8Array(n)));
  const now = new Date();
  await storeToken(server.db.prisma, {
    ...{ id: randomUUID(), principalId, principal: 'trino', name: 'n.t', kind: 'task', now, environmentId },
    ...{ hash: hashToken(text), createdBy: null, expiresAt: new Date(now.getTime() + 60_000) },
    ...{ runId: randomUUID(), taskId },
  });
  return text;
}

test('the staging table of a task is visible to its token alone, which writes it once', async () => {
  const taskId = randomUUID();
  const { path } = await stage({ taskId });
  const [own, another] = [await taskToken(taskId), await taskToken(randomUUID())];
  for (const token of [account, another, other]) expect((await server.send('GET', path, { token })).status).toBe(404);
  // An engine's own staging table isn't for tasks of the same principal.
  expect((await server.send('GET', (await stage()).path, { token: own })).status).toBe(404);
  const loaded = (await server.send('GET', path, { token: own })).body;
  const credentials = await server.send('GET', `${path}/credentials`, { token: own });
  expect([credentials.status, credentials.body]).toEqual([200, { 'storage-credentials': [] }]);
  const request = { region: 'us-east-1', method: 'GET', uri: 'http://127.0.0.1/b/o', headers: {} };
  const signed = await server.send('POST', `${path}/sign`, { token: own, body: request });
  expect([signed.status, signed.body.error.message]).toEqual([400, expect.stringContaining('local folder')]);
  expect((await server.send('POST', `${path}/sign`, { token: another, body: request })).status).toBe(404);
  expect((await server.send('POST', path, { token: own, body: snapshotCommit(loaded, { id: 77 }) })).status).toBe(200);
  const again = await server.send('POST', path, { token: own, body: snapshotCommit(loaded, { id: 78 }) });
  expect(again.status).toBe(400);
});

test('an account that may no longer read tables is denied', async () => {
  const { path } = await stage();
  expect((await server.call('DELETE', `/api/v1/grants/${grantId}`)).status).toBe(204);
  await server.newEvents();
  expect((await server.send('GET', path, { token: account })).status).toBe(403);
  expect((await server.newEvents()).map(({ type }) => type)).toEqual(['AUTHORIZATION_DENIED']);
  grantId = await grantReading();
});

test('it does nothing but take rows, and is gone once it is removed or has expired', async () => {
  const [removed, expired] = [await stage(), await stage({ expiresAt: new Date(0) })];
  expect((await server.send('DELETE', removed.path, { token: account })).status).toBe(404);
  const body = snapshotCommit(await load(removed.path), { id: 77 });
  expect(await removeStaging(server.db.prisma, removed.id)).toMatchObject({ id: removed.id });
  expect(await removeStaging(server.db.prisma, removed.id)).toBeNull();
  // Its name is then that of any other missing table.
  expect((await server.send('POST', removed.path, { token: account, body })).status).toBe(403);
  expect(await removeExpiredStaging(server.db.prisma, { now: new Date(), limit: 10 })).toBe(1);
  expect((await server.send('GET', expired.path, { token: account })).status).toBe(404);
});

test('no table can take the folder of rows that are staged for a new table', async () => {
  const location = `${server.store.root}/tables/${environmentId}/${randomUUID()}`;
  await startCreation(server.db.prisma, { location, now: new Date() });
  await server.send('POST', '/namespaces', { body: { namespace: ['own'] } });
  const body = { name: 'taken', schema: SCHEMA, location: `${location}/staged/${randomUUID()}` };
  for (const more of [{}, { 'stage-create': true }]) {
    const refused = await server.send('POST', '/namespaces/own/tables', { body: { ...body, ...more } });
    expect([refused.status, refused.body.error]).toMatchObject([409, { type: 'AlreadyExistsException' }]);
  }
});
