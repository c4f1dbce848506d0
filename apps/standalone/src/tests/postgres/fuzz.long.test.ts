import { makeOrders } from '../../testing/orders.ts';
import { SQL_ON, withPostgres } from '../../testing/postgres-client.ts';
import { fuzzPostgres, opensAll } from '../../testing/postgres-fuzz.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

// FUZZ_MESSAGES=1000000 FUZZ_SEED=7 npm run test:long -- postgres-fuzz
const COUNT = Number(process.env['FUZZ_MESSAGES'] ?? 100_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const AT_A_TIME = 10_000;
const CONNECTIONS = 50;
const log: string[] = [];

let s: TestService;
beforeAll(async () => {
  const limits = { SVC_SQL__CONNECTIONS: String(CONNECTIONS), SVC_SQL__CONNECTIONS_PER_PRINCIPAL: String(CONNECTIONS) };
  s = await startTestService({ ...SQL_ON, ...limits }, {}, { write: (line) => log.push(line) });
  await makeOrders(s.client, 'dev');
});
afterAll(() => s.stop());

test(`${COUNT} messages of the PostgreSQL protocol, from seed ${SEED}`, async () => {
  const received: Record<string, number> = {};
  for (let sent = 0, seed = SEED; sent < COUNT; sent += AT_A_TIME, seed++) {
    const startedAt = performance.now();
    const round = await fuzzPostgres(s.sqlPort!, { seed, count: Math.min(AT_A_TIME, COUNT - sent) });
    const rate = Math.round(round.sent / ((performance.now() - startedAt) / 1000));
    process.stderr.write(
      `seed ${seed}: ${rate} messages a second, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB\n`,
    );
    expect({ seed, XX000: round.codes['XX000'], log }).toEqual({ seed, XX000: undefined, log: [] });
    for (const [code, n] of Object.entries(round.codes)) received[code] = (received[code] ?? 0) + n;
    await withPostgres(s, async (other) => {
      expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });
  }
  await opensAll(s.sqlPort!, CONNECTIONS);
  console.log('errors by SQLSTATE', received);
});
