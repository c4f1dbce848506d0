import { makeOrders, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, 'dev');
  await s.client.queries.run('dev', "SELECT 1 AS id, 'Ann' AS buyer UNION ALL SELECT 2, 'Bob'", {
    into: 'shop.orders',
    mode: 'append',
  });
});
afterAll(() => s.stop());

const submit = (body: object) => s.call('POST', '/environments/dev/queries?wait=60', { body });

test('a query takes values by position and by name, and its record shows them (QUERY-12)', async () => {
  const sql = 'SELECT id FROM shop.orders WHERE buyer = $buyer';
  expect((await s.client.queries.run('dev', sql, { params: { buyer: 'Bob' } })).rows).toEqual([{ id: 2 }]);
  const { body } = await submit({ sql: 'SELECT buyer FROM shop.orders WHERE id = ?', params: [1] });
  expect(body).toMatchObject({ status: 'SUCCEEDED', params: [1], result: { rows: [['Ann']] } });
  expect(await s.client.queries.get('dev', body.id)).toMatchObject({ params: [1] });
  expect('params' in (await submit({ sql: 'SELECT 1' })).body).toBe(false);
});

test('tables are written from queries with parameters', async () => {
  const sql = 'SELECT id, $note AS note FROM shop.orders WHERE id >= $id';
  for (const [mode, id] of [
    ['create', 2],
    ['append', 1],
    ['replace', 2],
  ] as const) {
    const params = { id, note: `${mode}'s` };
    await s.client.queries.run('dev', sql, { params, into: 'shop.noted', mode });
  }
  expect(await rowsOf(s.client, 'dev', 'SELECT id, note FROM shop.noted')).toEqual([[2, "replace's"]]);
});

test('values are as confidential as the statement (QUERY-12)', async () => {
  const { body } = await submit({ sql: 'SELECT $secret AS s', params: { secret: 'swordfish' } });
  await s.client.principals.create({ name: 'manager', type: 'person' });
  await s.client.grants.create({
    kind: 'ENVIRONMENT',
    principal: 'manager',
    action: 'MANAGE_ENVIRONMENT',
    environment: 'dev',
  });
  await s.client.grants.create({ kind: 'INSTANCE', principal: 'manager', action: 'READ_AUDIT_LOG' });
  const { token } = await s.client.tokens.issue('manager', 'test');
  const seen = await s.call('GET', `/environments/dev/queries/${body.id}`, { token });
  expect(seen.body).toMatchObject({ id: body.id, sql_text: { length: 19 } });
  const log = await s.call('GET', '/audit-events?event_type=QUERY_COMPLETED&limit=5', { token });
  expect(log.status).toBe(200);
  for (const answer of [seen, log]) expect(JSON.stringify(answer.body)).not.toContain('swordfish');
  const [event] = (await s.events('QUERY_COMPLETED')).filter(({ detail }) => detail['query_id'] === body.id);
  expect(event!.detail).toMatchObject({ sql_text: 'SELECT $secret AS s', params: { secret: 'swordfish' } });
});

test.each([
  [{ params: 'x' }, '/params'],
  [{ params: [{ a: 1 }] }, '/params'],
  [{ params: [2 ** 53] }, '/params'],
  [{ params: { 'a b': 1 } }, '/params'],
  [{ params: ['a\u0000b'] }, '/params'],
  [{ params: { v: { type: 'string', value: '\ud800' } } }, '/params'],
  [{ params: [{ type: 'list<int>', value: '[1]' }] }, '/params'],
])('%j is refused', async (more, pointer) => {
  const { status, body } = await submit({ sql: 'SELECT ?', ...more });
  expect(status).toBe(422);
  expect(body.errors[0].pointer.startsWith(pointer)).toBe(true);
});

test('values that do not fit the statement fail it with a remedy', async () => {
  expect((await submit({ sql: 'SELECT $a', params: { b: 1 } })).body).toMatchObject({
    status: 'FAILED',
    error: { code: 'wrong-parameters', detail: expect.stringContaining('$a') },
  });
});
