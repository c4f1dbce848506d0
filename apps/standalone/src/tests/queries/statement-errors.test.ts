import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  const { client } = s;
  await client.environments.create('dev');
  await client.namespaces.create('dev', 'shop');
  await client.queries.run('dev', "SELECT 1 AS id, 'a' AS customer", { into: 'shop.orders' });
  await client.queries.run('dev', 'SELECT 1 AS id', { into: 'shop.budget' });
  await client.principals.create({ name: 'ann', type: 'person' });
  await client.grants.create({ principal: 'ann', kind: 'ENVIRONMENT', environment: 'dev', action: 'SUBMIT_QUERY' });
  const table = { kind: 'TABLE', environment: 'dev', namespace: 'shop', table: 'orders' } as const;
  await client.grants.create({ principal: 'ann', ...table, action: 'READ_TABLE' });
  await client.grants.create({ principal: 'ann', ...table, action: 'WRITE_TABLE' });
});
afterAll(() => s.stop());

const messageOf = (client: TestService['client'], sql: string, options = {}) =>
  client.queries.run('dev', sql, options).then(
    () => 'ran',
    (error: unknown) => (error as Error).message,
  );

test('an error about a missing table names the closest one that the caller can read, and no other', async () => {
  const { client } = s;
  const ann = s.clientOf((await client.tokens.issue('ann', 'test')).token);
  expect(await messageOf(ann, 'SELECT * FROM shop.ordres')).toContain('Did you mean shop.orders? Check the name');
  expect(await messageOf(ann, 'SELECT * FROM orders')).toContain('Did you mean shop.orders?');
  expect(await messageOf(ann, 'DESCRIBE shop.ordres')).toContain('Did you mean shop.orders?');
  expect(await messageOf(ann, 'EXPLAIN SELECT * FROM shp.orders')).toContain('Did you mean shop.orders?');
  expect(await messageOf(client, 'SELECT * FROM shop.budgt')).toContain('Did you mean shop.budget?');
  for (const hidden of ['shop.budgt', 'budget', 'shop.budget'])
    expect(await messageOf(ann, `SELECT * FROM ${hidden}`)).not.toContain('Did you mean');
  expect(await messageOf(ann, "SELECT * FROM 'orders.csv'")).toContain("queries don't read files");
});

test.each([
  ['SELECT custmer FROM shop.orders', 'The column "custmer" doesn\'t exist. Did you mean "customer"?'],
  ['SELECT o.custmer FROM shop.orders o', 'The column "custmer" doesn\'t exist in o.'],
  ["DELETE FROM shop.orders WHERE custmer = 'a'", 'The column "custmer" doesn\'t exist. Did you mean "customer"?'],
  ['DELETE FROM shop.orders WHERE rows = 1', 'The column "rows" doesn\'t exist.'],
  ['SELECT id FROM shop.orders, shop.budget', 'The column "id" is ambiguous. Write orders.id or budget.id.'],
  [
    'SELECT upper(id, 1) FROM shop.orders',
    'The function "upper" doesn\'t accept (INTEGER, INTEGER_LITERAL). It accepts',
  ],
  ['SELECT summ(id) FROM shop.orders', 'The function "summ" isn\'t available in queries. Did you mean "sum"?'],
  ['INSERT INTO shop.orders SELECT 1', 'INSERT needs 2 columns, and the query returns 1.'],
  ["INSERT INTO shop.orders VALUES (1, 'a', 2)", 'INSERT needs 2 columns, and the query returns 3.'],
])('a mistake is named without the text of the engine: %s', async (sql, message) => {
  const shown = await messageOf(s.client, sql);
  expect(shown).toContain(message);
  expect(shown).not.toMatch(/ Error: |Candidate|svc:|lake/);
});
