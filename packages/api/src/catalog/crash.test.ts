import { type CatalogServer, snapshotCommit, startCatalogServer } from './testing/index.ts';

let server: CatalogServer;
beforeAll(async () => {
  server = await startCatalogServer();
  await server.send('POST', '/namespaces', { body: { namespace: ['s'] } });
});
afterAll(() => server.stop());

const row = (name: string) => server.call('GET', `/api/v1/environments/dev/namespaces/s/tables/${name}`);
const filesOf = async (location: string) => {
  const found: string[] = [];
  for await (const file of server.store.list(location)) found.push(file.location);
  return found;
};

/** What a death between the metadata file and the pointer leaves: the statement that swaps it fails. */
async function breakSwaps(): Promise<void> {
  const { prisma } = server.db;
  await prisma.$executeRaw`
    CREATE OR REPLACE FUNCTION no_swap() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''the connection is gone''; END'`;
  await prisma.$executeRaw`
    CREATE TRIGGER no_swap BEFORE UPDATE OF metadata_location ON tables FOR EACH ROW EXECUTE FUNCTION no_swap()`;
}
const allowSwaps = () => server.db.prisma.$executeRaw`DROP TRIGGER no_swap ON tables`;

test('a commit that fails between its file and the pointer leaves the table as it was, and says that nobody knows', async () => {
  const table = await server.makeTable('s', 't');
  const before = await row('t');
  await breakSwaps();
  await server.newEvents();
  const failed = await server.send('POST', '/namespaces/s/tables/t', { body: snapshotCommit(table, { id: 1 }) });
  await allowSwaps();
  expect([failed.status, failed.body.error.type]).toEqual([500, 'CommitStateUnknownException']);
  expect((await row('t')).body).toEqual(before.body);
  expect(await server.newEvents()).toEqual([]);
  // The file stays, for the swap might have happened: the sweep of orphans removes it.
  expect(await filesOf(`${table.metadata.location}/metadata`)).toHaveLength(2);
  const again = await server.send('POST', '/namespaces/s/tables/t', { body: snapshotCommit(table, { id: 1 }) });
  expect(again.status).toBe(200);
  expect((await server.newEvents()).map(({ type }) => type)).toEqual(['TABLE_WRITE']);
});

test('so it is in a transaction over several tables: none is changed', async () => {
  const [a, b] = [await server.makeTable('s', 'a'), await server.makeTable('s', 'b')];
  const change = (name: string, table: typeof a) => ({
    identifier: { namespace: ['s'], name },
    ...snapshotCommit(table, { id: 1 }),
  });
  const body = { 'table-changes': [change('a', a), change('b', b)] };
  await breakSwaps();
  await server.newEvents();
  const failed = await server.send('POST', '/transactions/commit', { body });
  await allowSwaps();
  expect([failed.status, failed.body.error.type]).toEqual([500, 'CommitStateUnknownException']);
  expect([(await row('a')).body.row_count, (await row('b')).body.row_count, await server.newEvents()]).toEqual([
    0,
    0,
    [],
  ]);
  expect((await server.send('POST', '/transactions/commit', { body })).status).toBe(204);
});
