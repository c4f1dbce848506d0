import { finishNextQuery } from '../testing/finish-next-query.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

const HOUR_MS = 3_600_000;
let now = new Date('2026-03-01T12:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
});
afterAll(() => server.stop());

/** A query whose one row a worker found at this moment. */
async function answered(): Promise<string> {
  await server.call('POST', '/api/v1/environments/dev/queries', { body: { sql: 'SELECT 1 AS a' } });
  return finishNextQuery(server, now);
}

test('a result is there for 24 hours, and is then reported as expired (QUERY-6)', async () => {
  const id = await answered();
  const path = `/api/v1/environments/dev/queries/${id}/results`;
  now = new Date(now.getTime() + 24 * HOUR_MS - 1);
  expect((await server.call('GET', path)).body).toMatchObject({ rows: [[1]], next_cursor: null });
  now = new Date(now.getTime() + 1);
  for (const format of ['json', 'csv', 'parquet']) {
    const response = await server.call('GET', `${path}?format=${format}`);
    expect([format, response.status, response.body.code]).toEqual([format, 404, 'result-expired']);
    expect(response.body.detail).toContain('Run the query again');
  }
  expect((await server.call('GET', `/api/v1/environments/dev/queries/${id}`)).body.status).toBe('SUCCEEDED');
});

test('a result whose file was lost is reported as expired', async () => {
  const id = await answered();
  const path = `/api/v1/environments/dev/queries/${id}/results`;
  const empty = await server.call('GET', `${path}?format=csv`);
  expect([empty.status, empty.body.code]).toEqual([404, 'result-expired']);
  expect((await server.call('GET', path)).body.rows).toEqual([[1]]);
});
