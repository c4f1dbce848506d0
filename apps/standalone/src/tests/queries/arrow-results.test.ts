import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
});
afterAll(() => s.stop());

test('rows are objects of the type that the caller names, or a table of Arrow (QUERY-6)', async () => {
  const sql = 'SELECT i, i * 0.5 AS half FROM range(3000) t(i) ORDER BY i';
  const { query, rows } = await s.client.queries.run<{ i: number; half: string }>('dev', sql);
  expect([query.row_count, rows[2]?.i, rows[2]?.half]).toEqual([3000, 2, '1.0']);
  const table = await s.client.queries.run('dev', sql).toArrow();
  expect(table.numRows).toBe(3000);
  expect(table.schema.fields.map(({ name, type }: { name: string; type: unknown }) => `${name} ${type}`)).toEqual([
    'i Int64',
    'half Decimal[21e+1]',
  ]);
  await expect(s.client.queries.run('dev', 'SELECT nothing').toArrow()).rejects.toMatchObject({ code: 'binder-error' });
});

test('over REST, Arrow is an attachment of the registered media type (QUERY-6)', async () => {
  const { id } = (await s.client.queries.run('dev', 'SELECT 1 AS one')).query;
  const url = `${s.url}/api/v1/environments/dev/queries/${id}/results?format=arrow`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect(response.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="query-${id}.arrow"`);
  const refused = await s.call('GET', `/environments/dev/queries/${id}/results?format=orc`);
  expect(refused.body.errors).toEqual([{ parameter: 'format', message: 'must be json, csv, parquet or arrow' }]);
});

test('a submission that waits leaves out the result on request (QUERY-6)', async () => {
  const submit = (query: string) =>
    s.call('POST', `/environments/dev/queries?wait=60${query}`, { body: { sql: 'SELECT 2 AS two' } });
  expect((await submit('')).body.result.rows).toEqual([[2]]);
  expect((await submit('&omit_result=true')).body).toMatchObject({ status: 'SUCCEEDED', row_count: 1 });
  expect('result' in (await submit('&omit_result=true')).body).toBe(false);
});
