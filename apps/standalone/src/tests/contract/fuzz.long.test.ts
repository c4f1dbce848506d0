import { fuzz } from '../../testing/fuzz/index.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

// FUZZ_REQUESTS=1000000 FUZZ_SEED=7 npm run test:long -- fuzz
const COUNT = Number(process.env['FUZZ_REQUESTS'] ?? 100_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const AT_A_TIME = 20_000;

/**
 * Routes for which a random request lacks something: an identity provider, the cookie of a browser session, a second factor, a
 * bucket, or a record of the sender's own with certain contents.
 */
const NEEDS_MORE =
  /\/sign-in\/(device|second-factor)|\/session(\/|$)|\/confirmation$|\/second-factors|\/token-exchange$|\/sign$|\/rejected$|\/parts\/|\/query-tabs\/\{id\}$/;

const megabytes = () => Math.round(process.memoryUsage().rss / 2 ** 20);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_LOG__LEVEL: process.env['FUZZ_LOG'] ?? 'fatal' });
});
afterAll(() => service.stop());

test(`${COUNT} requests made from the OpenAPI document, from seed ${SEED}`, async () => {
  const statuses: Record<string, number> = {};
  let barren: string[] | null = null;
  for (let sent = 0, seed = SEED; sent < COUNT; sent += AT_A_TIME, seed++) {
    const startedAt = performance.now();
    const round = await fuzz(service, { seed, count: Math.min(AT_A_TIME, COUNT - sent) });
    const rate = Math.round(round.sent / ((performance.now() - startedAt) / 1000));
    // Both should stay the same, however long it takes.
    process.stderr.write(`seed ${seed}: ${rate} requests a second, ${megabytes()} MB\n`);
    expect(`seed ${seed}: ${round.faults.join('\n\n')}`).toBe(`seed ${seed}: `);
    for (const [status, n] of Object.entries(round.statuses)) statuses[status] = (statuses[status] ?? 0) + n;
    const never = new Set(round.barren);
    barren = barren === null ? round.barren : barren.filter((route) => never.has(route));
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  }
  console.log('answers by status', statuses, 'routes without a success', barren);
  if (COUNT >= AT_A_TIME) expect(barren!.filter((route) => !NEEDS_MORE.test(route))).toEqual([]);
});
