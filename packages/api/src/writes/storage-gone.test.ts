import { rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
