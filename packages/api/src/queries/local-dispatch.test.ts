import {
  LocalDispatcher,
  type NewQuery,
  newRecord,
  type StartedQuery,
  storeRunning,
  submitQuery,
} from '@svc/db/queries';
import { finishClaimed, finishNextQuery, LEASE_MS, OWNER } from '../testing/finish-next-query.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

const now = new Date('2026-03-01T12:00:00Z');
const QUERIES = '/api/v1/environments/dev/queries';
const dispatcher = new LocalDispatcher();
let server: TestServer;
/** Queries handed to the worker of the test. */
const started: NewQuery[] = [];

beforeAll(async () => {
  server = await startTestServer({ clock: () => now, dispatcher });
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
});
afterAll(() => server.stop());
beforeEach(() => {
  started.length = 0;
});
afterEach(() => dispatcher.unregister());

/** Registers a worker. */
function register(start: (query: NewQuery) => StartedQuery): void {
  dispatcher.register((query) => {
    started.push(query);
    return start(query);
  });
}

const lease = { owner: OWNER, leaseMs: LEASE_MS, now };

/** Stores the query as running, and finishes it then. */
function runStored(query: NewQuery, { db, store }: TestServer = server): StartedQuery {
  const stored = storeRunning(db.prisma, query, lease).then(() => newRecord(query, lease));
  const finished = stored.then(() => finishClaimed({ db, store }, { id: query.id, fence: 1n }, now));
  return { stored, finished };
}

const submit = (wait: string, headers: Record<string, string> = {}) =>
  server.call('POST', `${QUERIES}${wait}`, { body: { sql: 'SELECT 1 AS a' }, headers });
const queued = () => server.db.prisma.query.count({ where: { status: 'queued' } });

test('a query with wait goes to the worker of the process, and the response is its final record', async () => {
  register(runStored);
  const { status, body } = await submit('?wait=60');
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: 'SUCCEEDED', row_count: 1, result: { rows: [[1]] } });
  expect(body).toMatchObject({ created_at: now.toISOString(), started_at: now.toISOString() });
  expect((await server.call('GET', `${QUERIES}/${body.id}`)).body.status).toBe('SUCCEEDED');
  expect(started).toMatchObject([{ id: body.id, sql: 'SELECT 1 AS a', environment: 'dev', submitter: 'admin' }]);
});

test('a query that is stored when it ends is returned with its result', async () => {
  register((query) => {
    const finished = runStored(query).finished.then((record) => record!);
    return { stored: finished, finished };
  });
  expect((await submit('?wait=60')).body).toMatchObject({ status: 'SUCCEEDED', result: { rows: [[1]] } });
});

test('the record is loaded if the worker finishes without passing it on', async () => {
  register((query) => {
    const { stored, finished } = runStored(query);
    return { stored, finished: finished.then(() => undefined) };
  });
  expect((await submit('?wait=60')).body).toMatchObject({ status: 'SUCCEEDED', result: { rows: [[1]] } });
});

test('without a wait or a worker, it goes through the queue', async () => {
  register(runStored);
  expect((await submit('')).body.status).toBe('QUEUED');
  expect((await submit('?wait=0', { 'Idempotency-Key': 'one' })).body.status).toBe('QUEUED');
  expect([started.length, await queued()]).toEqual([0, 2]);
  dispatcher.unregister();
  const waiting = submit('?wait=60');
  while ((await queued()) < 3) await new Promise(setImmediate);
  const ids = [
    await finishNextQuery(server, now),
    await finishNextQuery(server, now),
    await finishNextQuery(server, now),
  ];
  expect(ids).toContain((await waiting).body.id);
});

test('a query that the worker leaves to the queue is answered when another execution finishes it', async () => {
  register((query) => ({ stored: submitQuery(server.db.prisma, query), finished: Promise.resolve(undefined) }));
  const waiting = submit('?wait=60');
  while ((await queued()) === 0) await new Promise(setImmediate);
  const id = await finishNextQuery(server, now);
  expect((await waiting).body).toMatchObject({ id, status: 'SUCCEEDED' });
});

test('a key makes it go through the queue, for its answer must be stored first', async () => {
  register(runStored);
  const waiting = submit('?wait=60', { 'Idempotency-Key': 'two' });
  while ((await queued()) === 0) await new Promise(setImmediate);
  const id = await finishNextQuery(server, now);
  expect([(await waiting).body.id, started.length]).toEqual([id, 0]);
});

test('a query that cannot be stored is an internal error', async () => {
  register(() => ({ stored: Promise.reject(new Error('no')), finished: Promise.resolve(undefined) }));
  expect((await submit('?wait=60')).status).toBe(500);
  expect(await queued()).toBe(0);
});

test('a server that closes answers with the record of a local query that is still running', async () => {
  const busy = new LocalDispatcher();
  const closing = await startTestServer({ clock: () => now, dispatcher: busy });
  const began = new Promise<void>((resolve) => {
    busy.register((query) => {
      const stored = storeRunning(closing.db.prisma, query, lease).then(() => {
        resolve();
        return newRecord(query, lease);
      });
      return { stored, finished: new Promise(() => {}) };
    });
  });
  await closing.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  const waiting = closing.call('POST', `${QUERIES}?wait=60`, { body: { sql: 'SELECT 1 AS a' } });
  await began;
  await closing.stop();
  expect((await waiting).body.status).toBe('RUNNING');
});
