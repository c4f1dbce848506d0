import { randomUUID } from 'node:crypto';
import { dropTable } from '@svc/db/drops';
import { statementBlocked } from '@svc/db/testing';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  await server.call('POST', '/api/v1/environments/dev/namespaces', { body: { path: 'shop' } });
});
afterAll(() => server.stop());

test('a table that is dropped while its columns are changed is not found (TABLE-14)', async () => {
  const columns = [{ name: 'id', type: 'int' }];
  const tables = '/api/v1/environments/dev/namespaces/shop/tables';
  expect((await server.call('POST', tables, { body: { name: 't', kind: 'managed', columns } })).status).toBe(201);
  const { prisma } = server.db;
  const { id } = await prisma.table.findFirstOrThrow({ where: { name: 't' } });
  let answer: Promise<Answer> | undefined;
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM tables WHERE id = ${id}::uuid FOR UPDATE`;
    answer = server.call('PATCH', `${tables}/t/columns`, { body: { order: [] } });
    await statementBlocked(server.db);
    await dropTable(tx, { id, dropId: randomUUID(), reason: 'user', by: null, undoDays: 7, now: new Date() });
  });
  expect((await answer!).body).toMatchObject({ status: 404, code: 'not-found' });
});
