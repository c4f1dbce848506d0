import type { SvcClient } from '@svc/sdk';
import { makeOrders } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
let bot: SvcClient;

beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, 'dev');
  await s.client.principals.create({ name: 'bot', type: 'service-account' });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'bot', action: 'SUBMIT_QUERY', environment: 'dev' });
  bot = s.clientOf((await s.client.tokens.issue('bot', 'test')).token);
});
afterAll(() => s.stop());

const refusals = async () =>
  (await s.events('AUTHORIZATION_DENIED')).map(({ principal, object, detail }) => [
    principal,
    [object.environment, object.namespace, object.table].join('/'),
    detail['action'],
    detail['route'],
  ]);
const finish = async (client: SvcClient, sql: string, options = {}) => {
  const { id } = await client.queries.submit('dev', sql, options);
  return client.queries.wait('dev', id);
};
const ROUTE = 'POST /api/v1/environments/{env}/queries';
const DENIED = ['bot', 'dev/shop/orders', 'READ_TABLE', ROUTE];
const HIDDEN = ['bot', 'dev/shop/nothing', 'READ_TABLE', ROUTE];

test('a statement that names a table its submitter may not read is refused and recorded, and the error says how to get access (QUERY-1)', async () => {
  const query = await finish(bot, 'SELECT * FROM shop.orders a, shop.orders b');
  const remedy = 'svc grant create --kind TABLE --principal bot --action READ_TABLE --env dev --ns shop --table orders';
  expect(query).toMatchObject({ status: 'FAILED', error: { code: 'table-not-found', remedy } });
  expect(await refusals()).toEqual([DENIED]);
});

test('an unknown table is answered and recorded alike', async () => {
  const withUnknownName = (text: string) => text.replaceAll('orders', 'nothing');
  const hidden = await finish(bot, 'SELECT * FROM shop.orders');
  const unknown = await finish(bot, 'SELECT * FROM shop.nothing');
  expect(unknown.error).toEqual(JSON.parse(withUnknownName(JSON.stringify(hidden.error))));
  expect(await refusals()).toEqual([DENIED, DENIED, HIDDEN]);
});

test("a reader learns that the table doesn't exist, and nothing is recorded", async () => {
  expect(await finish(s.client, 'SELECT * FROM shop.nothing')).toMatchObject({
    status: 'FAILED',
    error: { code: 'table-not-found', remedy: null },
  });
  expect(await finish(bot, 'SELECT * FROM "no/table"."at all"')).toMatchObject({ error: { remedy: null } });
  expect(await refusals()).toHaveLength(3);
});

test('a statement for a new table is refused alike', async () => {
  await s.client.grants.create({
    kind: 'NAMESPACE',
    principal: 'bot',
    action: 'CREATE_TABLE',
    environment: 'dev',
    namespace: 'shop',
  });
  const query = await finish(bot, 'SELECT * FROM shop.orders', { into: 'shop.copy' });
  expect(query.error?.remedy).toContain('--action READ_TABLE');
  expect(await refusals()).toHaveLength(4);
});

test('the command in the error resolves it', async () => {
  await s.client.grants.create({
    kind: 'TABLE',
    principal: 'bot',
    action: 'READ_TABLE',
    environment: 'dev',
    namespace: 'shop',
    table: 'orders',
  });
  expect(await finish(bot, 'SELECT count(*) FROM shop.orders')).toMatchObject({ status: 'SUCCEEDED' });
  expect(await refusals()).toHaveLength(4);
});
