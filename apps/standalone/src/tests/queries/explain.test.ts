import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  const { client } = s;
  await client.environments.create('dev');
  await client.namespaces.create('dev', 'sales');
  await client.queries.run('dev', "SELECT i AS id, 'team' || i % 3 AS team FROM range(100) t(i)", {
    into: 'sales.orders',
  });
  await client.queries.run('dev', 'SELECT 1 AS id', { into: 'sales.hidden' });
  await client.principals.create({ name: 'ann', type: 'person' });
  await client.grants.create({ principal: 'ann', kind: 'ENVIRONMENT', environment: 'dev', action: 'SUBMIT_QUERY' });
  const table = { kind: 'TABLE', environment: 'dev', namespace: 'sales', table: 'orders' } as const;
  await client.grants.create({ principal: 'ann', ...table, action: 'READ_TABLE' });
});
afterAll(() => s.stop());

test('EXPLAIN needs the permissions of its statement, reads nothing, and shows nothing of a policy (QUERY-19)', async () => {
  const { client } = s;
  const ann = s.clientOf((await client.tokens.issue('ann', 'test')).token);
  const statement = 'EXPLAIN SELECT team, count(*) FROM sales.orders WHERE id > $n GROUP BY 1';
  const planFor = async (who: typeof client) => (await who.queries.run('dev', statement, { params: { n: 5 } })).rows;
  const scans = (rows: Awaited<ReturnType<typeof planFor>>) => rows.filter(({ table }) => table === 'sales.orders');
  expect(scans(await planFor(ann))).toEqual([
    {
      depth: expect.any(Number),
      operator: expect.any(String),
      table: 'sales.orders',
      details: expect.stringContaining('id'),
      estimated_rows: expect.any(Number),
    },
  ]);
  await client.rowFilters.create('dev', 'sales.orders', { principal: 'ann', predicate: "team = 'team0'" });
  const bound = await planFor(ann);
  expect(JSON.stringify(bound)).not.toContain('team0');
  expect(scans(bound)).toHaveLength(1);
  expect(bound.map(({ estimated_rows }) => estimated_rows)).toEqual(bound.map(() => null));
  const explained = (await s.events('QUERY_COMPLETED')).filter(({ principal }) => principal === 'ann');
  expect(explained.map(({ detail }) => detail['tables'])).toEqual([[], []]);
  const refusals = await Promise.all(
    ['hidden', 'absent'].map((table) =>
      ann.queries.run('dev', `EXPLAIN SELECT * FROM sales.${table}`).then(
        () => 'ran',
        (error: unknown) => (error as Error).message.replaceAll(table, 'TABLE'),
      ),
    ),
  );
  expect(refusals[0]).toBe(refusals[1]);
  expect(refusals[0]).toContain("doesn't exist, or you don't have READ_TABLE on it");
  for (const sql of ['EXPLAIN ANALYZE SELECT 1', 'EXPLAIN DELETE FROM sales.orders', 'EXPLAIN EXPLAIN SELECT 1'])
    await expect(ann.queries.run('dev', sql)).rejects.toThrow();
});

test('EXPLAIN is refused on Trino, with the remedy (QUERY-19)', async () => {
  const onTrino = await startTestService({ SVC_QUERY__ENGINE: 'trino', SVC_QUERY__TRINO_URL: 'http://127.0.0.1:1' });
  try {
    await onTrino.client.environments.create('dev');
    await expect(onTrino.client.queries.run('dev', 'EXPLAIN SELECT 1')).rejects.toMatchObject({
      message: expect.stringContaining("EXPLAIN isn't available on Trino"),
      remedy: expect.stringContaining('trace token'),
    });
  } finally {
    await onTrino.stop();
  }
});
