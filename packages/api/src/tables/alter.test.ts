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

const TABLES = '/api/v1/environments/dev/namespaces/shop/tables';

test.each(['described', 'extended'])(
  'of two changes at once, neither undoes the other, the table being %s first (TABLE-14)',
  async (name) => {
    const columns = [{ name: 'id', type: 'int' }];
    expect((await server.call('POST', TABLES, { body: { name, kind: 'managed', columns } })).status).toBe(201);
    const changes = {
      described: () => server.call('PATCH', `${TABLES}/${name}`, { body: { column_descriptions: { id: 'the id' } } }),
      extended: () =>
        server.call('PATCH', `${TABLES}/${name}/columns`, { body: { add: [{ name: 'added', type: 'int' }] } }),
    };
    const [first, second] =
      name === 'described' ? (['described', 'extended'] as const) : (['extended', 'described'] as const);
    const { prisma } = server.db;
    const answers: Promise<Answer>[] = [];
    await prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM tables WHERE name = ${name} FOR UPDATE`;
      answers.push(changes[first]());
      await statementBlocked(server.db);
      answers.push(changes[second]());
      await statementBlocked(server.db, 2);
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    const table = await server.call('GET', `${TABLES}/${name}`);
    expect(table.body.columns).toEqual([
      expect.objectContaining({ name: 'id', description: 'the id' }),
      expect.objectContaining({ name: 'added', description: null }),
    ]);
  },
);

test('a table that is dropped while its columns are changed is not found (TABLE-14)', async () => {
  const columns = [{ name: 'id', type: 'int' }];
  expect((await server.call('POST', TABLES, { body: { name: 't', kind: 'managed', columns } })).status).toBe(201);
  const { prisma } = server.db;
  const { id } = await prisma.table.findFirstOrThrow({ where: { name: 't' } });
  let answer: Promise<Answer> | undefined;
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM tables WHERE id = ${id}::uuid FOR UPDATE`;
    answer = server.call('PATCH', `${TABLES}/t/columns`, { body: { order: [] } });
    await statementBlocked(server.db);
    await dropTable(tx, { id, dropId: randomUUID(), reason: 'user', by: null, undoDays: 7, now: new Date() });
  });
  expect((await answer!).body).toMatchObject({ status: 404, code: 'not-found' });
});

test('a description finds its column in any letter case, as a change of columns does (TABLE-14)', async () => {
  const columns = [{ name: 'Id', type: 'int' }];
  expect((await server.call('POST', TABLES, { body: { name: 'cased', kind: 'managed', columns } })).status).toBe(201);
  const describe = (column_descriptions: object) =>
    server.call('PATCH', `${TABLES}/cased`, { body: { column_descriptions } });
  const described = await describe({ ID: 'the id' });
  expect(described.body.columns).toEqual([expect.objectContaining({ name: 'Id', description: 'the id' })]);
  expect((await describe({ ID: 'one', id: 'other' })).body).toMatchObject({
    status: 422,
    errors: [{ pointer: '/column_descriptions', message: 'names the column Id twice, in different letter case' }],
  });
  expect((await describe({ other: 'x' })).body.errors[0].message).toBe(
    'the table has no column other; its columns: Id',
  );
});
