import { randomUUID } from 'node:crypto';
import { scopeOf } from '@svc/core/access';
import { inTransaction } from '../connection/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import {
  findQuery,
  finishQuery,
  type NewQuery,
  openFinishedQueries,
  type QueryCompletion,
  type QueryStatusChange,
  type StoreFinishedQuery,
  storeRunning,
} from './index.ts';

let test_: TestDatabase;
let storeFinished: StoreFinishedQuery;
const [environmentId, submitterId, owner] = [randomUUID(), randomUUID(), randomUUID()];
const now = new Date('2026-03-01T08:00:00Z');
const later = new Date(now.getTime() + 30);
const lease = { owner, leaseMs: 1000, now };

beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 4 });
  const { prisma } = test_.db;
  storeFinished = openFinishedQueries(prisma);
  await prisma.environment.create({ data: { id: environmentId, name: 'dev', created_at: now } });
  await prisma.$executeRaw`
    INSERT INTO principals (id, name, type, active, created_at) VALUES (${submitterId}::uuid, 'ann', 'person', true, ${now})`;
});
afterAll(() => test_.drop());

const newQuery = (): NewQuery => ({
  ...{ id: randomUUID(), environmentId, environment: 'dev', submitterId, submitter: 'ann', sql: 'SELECT 1' },
  ...{ params: { n: 1 }, into: null, mode: null, breakGlass: 'because', tokenKind: 'personal', runId: null },
  ...{ origin: { source: 'postgres', application: 'psql', address: '::1' }, searchPath: ['shop'], requestId: 'r', now },
});

const completion = (outcome: QueryStatusChange, tables: readonly string[] = []): QueryCompletion => ({
  ...{ outcome, submitterId, tables, now: later },
  event: {
    ...{ id: randomUUID(), time: later, type: 'QUERY_COMPLETED', principal: null, environmentId },
    ...{ object: scopeOf({ environment: 'dev' }), requestId: 'r', detail: { status: outcome.status } },
  },
});

const succeeded = (rows: unknown[][]): QueryStatusChange => ({
  status: 'succeeded',
  result: {
    ...{ columns: [{ name: 'a', type: 'int' }], rowCount: rows.length, firstRows: rows, location: null },
    ...{ expiresAt: new Date(later.getTime() + 1000), isCached: true },
  },
});
const FAILED: QueryStatusChange = { status: 'failed', error: { code: 'x', detail: 'no', remedy: null } };

async function table(): Promise<string> {
  const [id, namespaceId] = [randomUUID(), randomUUID()];
  const { prisma } = test_.db;
  const name = `n_${id.slice(0, 8)}`;
  await prisma.$executeRaw`
    INSERT INTO namespaces (id, environment_id, path, path_key, created_at)
    VALUES (${namespaceId}::uuid, ${environmentId}::uuid, ${name}, ${name}, ${now})`;
  await prisma.$executeRaw`
    INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, columns, created_at, updated_at)
    VALUES (${id}::uuid, ${environmentId}::uuid, ${namespaceId}::uuid, 't', 't', 'managed', '[]', ${now}, ${now})`;
  return id;
}
const lastRead = async (id: string) => (await test_.db.prisma.table.findUniqueOrThrow({ where: { id } })).last_read_at;

test.each([
  ['succeeded', succeeded([[1], [{ b: 2 }]])],
  ['failed', FAILED],
])('a query that %s is stored once, as if it had been stored when it started', async (_, outcome) => {
  const { prisma } = test_.db;
  const [once, twice] = [newQuery(), newQuery()];
  const record = await storeFinished({ query: once, lease, completion: completion(outcome) });
  await storeRunning(prisma, twice, lease);
  const claim = { id: twice.id, fence: 1n };
  const finished = await finishQuery(prisma, { ...completion(outcome), claim, returning: true });
  expect({ ...record, id: '' }).toEqual({ ...finished, id: '' });
  expect(await findQuery(prisma, once.id)).toEqual(record);
  const rows = await Promise.all([once, twice].map(({ id }) => prisma.query.findUniqueOrThrow({ where: { id } })));
  expect({ ...rows[0], id: '' }).toEqual({ ...rows[1], id: '' });
});

test('queries that end at the same time are stored together, with their events and reads', async () => {
  const { prisma } = test_.db;
  const [read, also] = [await table(), await table()];
  const events = await prisma.auditEvent.count();
  const queries = [newQuery(), newQuery(), newQuery()];
  const outcomes = [
    completion(succeeded([[1]]), [read, also]),
    completion(succeeded([]), [read]),
    completion(FAILED, [read]),
  ];
  const records = await Promise.all(
    queries.map((query, i) => storeFinished({ query, lease, completion: outcomes[i]! })),
  );
  expect(records.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'failed']);
  expect(await prisma.auditEvent.count()).toBe(events + 3);
  expect([await lastRead(read), await lastRead(also)]).toEqual([later, later]);
  // A failed query reads nothing.
  expect(await prisma.tableRead.count({ where: { table_id: read } })).toBe(2);
});

test('a query that the database refuses fails alone', async () => {
  const [good, bad] = [newQuery(), { ...newQuery(), environmentId: 'none' }];
  const [stored, refused] = await Promise.allSettled(
    [good, bad].map((query) => storeFinished({ query, lease, completion: completion(FAILED) })),
  );
  expect([stored!.status, refused!.status]).toEqual(['fulfilled', 'rejected']);
  expect(await findQuery(test_.db.prisma, bad.id)).toBeNull();
});

test('values that Postgres cannot store are replaced in the record, too', async () => {
  const query = newQuery();
  const record = await storeFinished({ query, lease, completion: completion(succeeded([['a\0b', '\ud800']])) });
  expect(record.first_rows).toEqual([['a\ufffdb', '\ufffd']]);
  expect(await findQuery(test_.db.prisma, query.id)).toEqual(record);
});

test('only the query that read it waits for a table that is being changed', async () => {
  const changing = await table();
  const store = () => storeFinished({ query: newQuery(), lease, completion: completion(succeeded([]), [changing]) });
  let waiting: Promise<unknown> = Promise.resolve();
  await inTransaction(test_.db, async (tx) => {
    await tx.$executeRaw`UPDATE tables SET last_write_at = ${now} WHERE id = ${changing}::uuid`;
    waiting = store();
    await storeFinished({ query: newQuery(), lease, completion: completion(FAILED) });
    expect(await lastRead(changing)).toBeNull();
  });
  await waiting;
  expect(await lastRead(changing)).toEqual(later);
});
