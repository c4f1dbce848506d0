import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  await server.call('POST', '/api/v1/environments/dev/namespaces', { body: { path: 'n' } });
  await server.call('POST', TABLES, { body: { name: 't', columns: [{ name: 'id', type: 'int' }] } });
});
afterAll(() => server.stop());

const TABLES = '/api/v1/environments/dev/namespaces/n/tables';
const load = (key: string, raw: string) =>
  server.call('POST', `${TABLES}/t/writes`, { raw, headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': key } });
const staged = () => readdir(fileURLToPath(`${server.store.root}/staged`));

test('an upload is stored once per key, however it is chunked, and another body is rejected', async () => {
  const body = `id\n${'1234567\n'.repeat(300_000)}`;
  const first = await load('k', body);
  expect(first.status).toBe(202);
  const again = await load('k', body);
  expect([again.status, again.body]).toEqual([202, first.body]);
  for (const other of [body.slice(0, -1), body.replace(/1234567\n$/, '1234568\n'), `${body}1\n`, '']) {
    const refused = await load('k', other);
    expect([refused.status, refused.body.code]).toEqual([422, 'idempotency-key-reused']);
  }
  // What was not taken is not kept.
  expect(await staged()).toHaveLength(1);
  const next = await load('l', body);
  expect([next.status, next.body.id === first.body.id]).toEqual([202, false]);
  expect(await staged()).toHaveLength(2);
});

test('a file stays if the response to the commit of its write was lost', async () => {
  const { prisma } = server.db;
  const { $transaction: transaction } = prisma;
  const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'P1017' });
  const before = new Set(await staged());
  Object.defineProperty(prisma, '$transaction', {
    configurable: true,
    writable: true,
    value: async (...args: Parameters<typeof transaction>) => {
      Object.defineProperty(prisma, '$transaction', { configurable: true, writable: true, value: transaction });
      await transaction.apply(prisma, args);
      throw lost;
    },
  });
  expect((await load('lost', 'id\n1\n')).status).toBe(503);
  const again = await load('lost', 'id\n1\n');
  expect(again.status).toBe(202);
  const write = await prisma.write.findUniqueOrThrow({ where: { id: again.body.id } });
  const left = (await staged()).filter((name) => !before.has(name));
  expect(left.map((name) => `${server.store.root}/staged/${name}`)).toContain(write.staged_location);
});
