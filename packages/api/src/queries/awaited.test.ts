import { finishNextQuery } from '../testing/finish-next-query.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

let now = new Date('2026-03-01T12:00:00Z');
const QUERIES = '/api/v1/environments/dev/queries';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
});
afterAll(() => server.stop());

const submit = (wait: string, options: { headers?: Record<string, string>; token?: string } = {}) =>
  server.call('POST', `${QUERIES}${wait}`, { body: { sql: 'SELECT 1 AS a' }, ...options });

/** Once the query of a request under way is there. */
async function submitted(): Promise<void> {
  while ((await server.db.prisma.query.count({ where: { status: 'queued' } })) === 0) await new Promise(setImmediate);
}

test('a submission that waits answers with the end and the first page (HTTP-9)', async () => {
  const response = submit('?wait=60');
  await submitted();
  const id = await finishNextQuery(server, now);
  const { status, body } = await response;
  expect(status).toBe(201);
  expect(body).toMatchObject({ id, status: 'SUCCEEDED', row_count: 1 });
  expect(body.result).toEqual((await server.call('GET', `${QUERIES}/${id}/results`)).body);
});

test('the next page continues from the results', async () => {
  const response = submit('?wait=60');
  await submitted();
  const rows = Array.from({ length: 1500 }, (_, i) => [i]);
  const result = {
    columns: [{ name: 'a', type: 'int' }],
    rowCount: rows.length,
    firstRows: rows,
    location: null,
    expiresAt: new Date(now.getTime() + 1),
  };
  const id = await finishNextQuery(server, now, { status: 'succeeded', result });
  const { rows: first, next_cursor } = (await response).body.result;
  const rest = await server.call('GET', `${QUERIES}/${id}/results?cursor=${encodeURIComponent(next_cursor)}`);
  expect([...first, ...rest.body.rows]).toEqual(rows);
});

test('an unfinished query, and one without rows, has no result', async () => {
  const { body } = await submit('');
  expect([body.status, 'result' in body]).toEqual(['QUEUED', false]);
  await finishNextQuery(server, now);
  const response = submit('?wait=60');
  await submitted();
  const error = { code: 'binder-error', detail: 'no', remedy: null };
  await finishNextQuery(server, now, { status: 'failed', error });
  const failed = (await response).body;
  expect([failed.status, failed.error, 'result' in failed]).toEqual(['FAILED', error, false]);
});

test('a repeated key submits once and returns the current record (HTTP-9)', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const first = await submit('?wait=0', { headers });
  expect(first.body.status).toBe('QUEUED');
  const key = { headers: { 'Idempotency-Key': 'twice' } };
  await finishNextQuery(server, now);
  const response = submit('?wait=60', key);
  await submitted();
  const id = await finishNextQuery(server, now);
  expect((await response).body.id).toBe(id);
  expect((await submit('?wait=60', key)).body).toEqual((await response).body);
});

test('rows are not shown to a token that was revoked while it waited', async () => {
  const { body: token } = await server.call('POST', '/api/v1/principals/admin/tokens', { body: { name: 'short' } });
  const response = submit('?wait=60', { token: token.token });
  await submitted();
  await server.call('DELETE', `/api/v1/tokens/${token.id}`);
  now = new Date(now.getTime() + 1001);
  await finishNextQuery(server, now);
  const { status, body } = await response;
  expect([status, body.code, 'result' in body]).toEqual([401, 'not-signed-in', false]);
});

test.each(['61', '-1', 'x'])('a wait of %s is refused by name (HTTP-9)', async (wait) => {
  const { status, body } = await submit(`?wait=${wait}`);
  expect([status, body.errors[0].parameter]).toEqual([422, 'wait']);
});
