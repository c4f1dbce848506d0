import { makeOrders } from '../../testing/orders.ts';
import { SQL_ON, withPostgres } from '../../testing/postgres-client.ts';
import { fuzzPostgres, opensAll } from '../../testing/postgres-fuzz.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

// The long form, postgres-fuzz.long.test.ts, sends 100,000 messages.
const CONNECTIONS = 10;
const log: string[] = [];

let s: TestService;
beforeAll(async () => {
  const limits = { SVC_SQL__CONNECTIONS: String(CONNECTIONS), SVC_SQL__CONNECTIONS_PER_PRINCIPAL: String(CONNECTIONS) };
  s = await startTestService({ ...SQL_ON, ...limits }, {}, { write: (line) => log.push(line) });
  await makeOrders(s.client, 'dev');
});
afterAll(() => s.stop());

test('2,000 messages of the protocol cause no internal error, and release their connections (POSTGRES-16)', async () => {
  await withPostgres(s, async (other) => {
    const { sent, codes } = await fuzzPostgres(s.sqlPort!, { seed: 1, count: 2000 });
    expect(sent).toBeGreaterThanOrEqual(2000);
    expect({ XX000: codes['XX000'], log }).toEqual({ XX000: undefined, log: [] });
    // The messages were understood.
    expect(Object.keys(codes)).toEqual(expect.arrayContaining(['08P01', '0A000', '26000', '34000', '42601', '42703']));
    expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
  await opensAll(s.sqlPort!, CONNECTIONS);
}, 240_000);
