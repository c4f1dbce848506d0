import type { SvcClient } from '@svc/sdk';
import { loadInto, makeOrders } from './testing/orders.ts';
import { startTestService, type TestService } from './testing/test-service.ts';

const ENV = 'dev';
const TABLE = 'shop.orders';
const QUERIES = ['READ_ENVIRONMENT', 'READ_NAMESPACE', 'SUBMIT_QUERY'];

let s: TestService;

beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, ENV);
  const data = 'id,buyer,amount,day\n1,Ann,10,2026-01-01\n';
  await loadInto(s.client, { env: ENV, table: TABLE }, { format: 'csv', data });
  await s.client.principals.create({ name: 'ann', type: 'person' });
  await s.client.grants.create({ principal: 'ann', kind: 'INSTANCE', role: 'ADMIN' });
});
afterAll(() => s.stop());

async function clientWith(actions: string[] | undefined): Promise<SvcClient> {
  const { token } = await s.client.tokens.issue('ann', 'scoped', { actions });
  return s.clientOf(token);
}

/** Runs a statement as soon as it arrives, and through the queue. */
async function outcomes(client: SvcClient, sql: string): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  for (const wait of [10, 0]) {
    const response = await client.queries.submit(ENV, sql, { wait } as never).catch((error: { code: string }) => error);
    if (!('id' in response)) codes.push(response.code);
    else {
      const query = await client.queries.wait(ENV, response.id);
      codes.push(query.status === 'SUCCEEDED' ? 'SUCCEEDED' : query.error?.code);
    }
  }
  return codes;
}

test('a query reads only what the scope of its token includes, even if its result is cached (TOKEN-6)', async () => {
  const sql = `SELECT count(*) FROM ${TABLE}`;
  const full = await clientWith(undefined);
  const without = await clientWith(QUERIES);
  expect(await outcomes(full, sql)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  expect(await outcomes(without, sql)).toEqual(['table-not-found', 'table-not-found']);
  expect(await outcomes(await clientWith([...QUERIES, 'READ_TABLE']), sql)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  const names = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop'`;
  expect((await without.queries.run(ENV, names)).rows).toEqual([]);
  const [denied] = (await s.events('AUTHORIZATION_DENIED')).slice(-1);
  expect(denied!.detail).toMatchObject({
    action: 'READ_TABLE',
    reason: 'the scope of the token does not include READ_TABLE',
  });
});

test('a statement that writes needs its actions in the scope (TOKEN-6)', async () => {
  const reading = await clientWith([...QUERIES, 'READ_TABLE']);
  const writing = await clientWith([...QUERIES, 'READ_TABLE', 'WRITE_TABLE']);
  const sql = `INSERT INTO ${TABLE} SELECT * FROM ${TABLE}`;
  expect(await outcomes(reading, sql)).toEqual(['forbidden', 'forbidden']);
  expect(await outcomes(writing, sql)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  // Its text reads a table that the scope doesn't include.
  const blind = await clientWith([...QUERIES, 'WRITE_TABLE']);
  expect(await outcomes(blind, sql)).not.toContain('SUCCEEDED');
});
