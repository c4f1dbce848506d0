import { LocalDispatcher, type QuerySlot } from '@svc/db/queries';
import { finishClaimed, finishNextQuery, LEASE_MS, OWNER } from '../testing/finish-next-query.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

const now = new Date('2026-03-01T12:00:00Z');
const QUERIES = '/api/v1/environments/dev/queries';
const dispatcher = new LocalDispatcher();
let server: TestServer;
/** Slots requested, and slots released unused. */
let requested = 0;
let unused = 0;

beforeAll(async () => {
  server = await startTestServer({ clock: () => now, dispatcher });
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
});
afterAll(() => server.stop());
beforeEach(() => {
  [requested, unused] = [0, 0];
});

/** A worker that is registered with a slot for everyone. */
function register(start: QuerySlot['start'], lease = { owner: OWNER, leaseMs: LEASE_MS }): void {
  dispatcher.register(async () => {
    requested++;
    return { lease, hasWaited: false, start, release: () => unused++ };
  });
}

const submit = (wait: string, headers: Record<string, string> = {}) =>
  server.call('POST', `${QUERIES}${wait}`, { body: { sql: 'SELECT 1 AS a' }, headers });
const queued = () => server.db.prisma.query.count({ where: { status: 'queued' } });

test('a query with wait starts when it is stored, and the response is its final record', async () => {
  register((claim) => {
    expect(claim).toMatchObject({
      fence: 1n,
      query: { sql_text: 'SELECT 1 AS a', environment: 'dev', status: 'running' },
    });
    expect(claim.query.grants).toMatchObject([{ role: 'ADMIN', scope: { kind: 'INSTANCE' } }]);
    return finishClaimed(server, claim, now);
  });
  const { status, body } = await submit('?wait=60');
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: 'SUCCEEDED', row_count: 1, result: { rows: [[1]] } });
  expect(body).toMatchObject({ created_at: now.toISOString(), started_at: now.toISOString() });
  expect((await server.call('GET', `${QUERIES}/${body.id}`)).body.status).toBe('SUCCEEDED');
  expect([requested, unused]).toEqual([1, 0]);
});

test('the record is loaded if the worker finishes without passing it on', async () => {
  register((claim) => finishClaimed(server, claim, now).then(() => undefined));
  expect((await submit('?wait=60')).body).toMatchObject({ status: 'SUCCEEDED', result: { rows: [[1]] } });
});

test('without a wait, in a transaction or without a free slot, it goes through the queue', async () => {
  const never = () => {
    throw new Error('begun');
  };
  register(never);
  expect((await submit('')).body.status).toBe('QUEUED');
  expect((await submit('?wait=0', { 'Idempotency-Key': 'one' })).body.status).toBe('QUEUED');
  expect([requested, await queued()]).toEqual([0, 2]);
  dispatcher.register(async () => null);
  const waiting = submit('?wait=60');
  while ((await queued()) < 3) await new Promise(setImmediate);
  const ids = [
    await finishNextQuery(server, now),
    await finishNextQuery(server, now),
    await finishNextQuery(server, now),
  ];
  expect(ids).toContain((await waiting).body.id);
  dispatcher.unregister();
});

test('a key makes it go through the queue, for its answer must be stored first', async () => {
  register(async () => undefined);
  const waiting = submit('?wait=60', { 'Idempotency-Key': 'two' });
  while ((await queued()) === 0) await new Promise(setImmediate);
  const id = await finishNextQuery(server, now);
  expect([(await waiting).body.id, requested]).toEqual([id, 0]);
});

test('the slot is released if the query cannot be stored', async () => {
  register(async () => undefined, { owner: 'nobody', leaseMs: LEASE_MS });
  expect((await submit('?wait=60')).status).toBe(500);
  expect([requested, unused, await queued()]).toEqual([1, 1, 0]);
});

test('a server that closes answers with the record of a local query that is still running', async () => {
  const busy = new LocalDispatcher();
  const closing = await startTestServer({ clock: () => now, dispatcher: busy });
  const started = new Promise<void>((resolve) => {
    busy.register(async () => ({
      lease: { owner: OWNER, leaseMs: LEASE_MS },
      hasWaited: false,
      start: () => {
        resolve();
        return new Promise(() => {});
      },
      release: () => {},
    }));
  });
  await closing.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  const waiting = closing.call('POST', `${QUERIES}?wait=60`, { body: { sql: 'SELECT 1 AS a' } });
  await started;
  await closing.stop();
  expect((await waiting).body.status).toBe('RUNNING');
});

test('a query that had to wait for its slot starts when it gets it, and its record shows how long it waited', async () => {
  let at = now.getTime();
  const crowded = new LocalDispatcher();
  const other = await startTestServer({ clock: () => new Date(at), dispatcher: crowded });
  crowded.register(async () => {
    at += 150;
    return {
      lease: { owner: OWNER, leaseMs: LEASE_MS },
      hasWaited: true,
      start: (claim) => finishClaimed(other, claim, new Date(at)),
      release: () => {},
    };
  });
  await other.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  const { body } = await other.call('POST', `${QUERIES}?wait=60`, { body: { sql: 'SELECT 1 AS a' } });
  expect(Date.parse(body.started_at) - Date.parse(body.created_at)).toBe(150);
  await other.stop();
});
