import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLocalStore } from '@svc/lake/storage';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  await server.call('POST', '/api/v1/environments/dev/namespaces', { body: { path: 'n' } });
  await create('t');
});
afterAll(() => server.stop());

const TABLES = '/api/v1/environments/dev/namespaces/n/tables';
const create = (name: string) =>
  server.call('POST', TABLES, { body: { name, columns: [{ name: 'id', type: 'int' }] } });
const load = () =>
  server.call('POST', `${TABLES}/t/writes`, { raw: 'id\n1\n', headers: { 'Content-Type': 'text/csv' } });

test('unwritable storage is reported as such, not as a broken upload, and leaves nothing behind', async () => {
  const { root } = server.store;
  const folder = root.startsWith('file:') ? fileURLToPath(root) : root;
  await rename(folder, `${folder}.away`);
  await writeFile(folder, '');
  try {
    for (const response of [await load(), await create('u')])
      expect([response.status, response.body.code]).toEqual([503, 'storage-unavailable']);
    expect((await server.call('GET', '/readyz/storage')).status).toBe(503);
    expect((await server.call('GET', '/readyz')).status).toBe(200);
  } finally {
    await rm(folder);
    await rename(`${folder}.away`, folder);
  }
  expect([(await load()).status, (await create('u')).status]).toEqual([202, 201]);
  expect((await server.call('GET', '/readyz/storage')).status).toBe(200);
});

(process.platform === 'linux' ? test : test.skip)('a full disk is reported as such (SERVICE-16)', async () => {
  let isFull = true;
  const openStore = async (folder: string) => {
    const store = await openLocalStore(join(folder, 'warehouse'));
    const openStage = async () => {
      const stage = await store.openStage();
      // Folders can still be made, but files have no space.
      if (isFull) await symlink('/dev/full', join(stage.dir, 'space'));
      return stage;
    };
    return Object.assign(Object.create(store), { openStage }) as typeof store;
  };
  const full = await startTestServer({ openStore });
  try {
    const { status, body } = await full.call('GET', '/readyz/storage');
    expect([status, body]).toEqual([503, { status: 'unavailable', cause: 'the disk of the service is full' }]);
    expect((await full.call('GET', '/readyz')).status).toBe(200);
    isFull = false;
    expect((await full.call('GET', '/readyz/storage')).status).toBe(200);
  } finally {
    await full.stop();
  }
});
