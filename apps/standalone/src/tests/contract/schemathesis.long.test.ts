import { World } from '../../testing/fuzz/index.ts';
import { schemathesis } from '../../testing/schemathesis/index.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

// SCHEMATHESIS_EXAMPLES=100 SCHEMATHESIS_SEED=7 npm run test:long -- schemathesis
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 8);
const SEED = Number(process.env['SCHEMATHESIS_SEED'] ?? Date.now() % 1_000_000);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_LOG__LEVEL: 'fatal' });
});
afterAll(() => service.stop());

test.each(['administrator', 'reader', 'task'] as const)(`Schemathesis as %s, from seed ${SEED}`, async (who) => {
  const world = new World(service);
  await world.refresh();
  const { passed, report } = await schemathesis(world, { token: world.tokenOf(who)!, seed: SEED, examples: EXAMPLES });
  console.log(report.slice(report.indexOf('= SUMMARY ')));
  expect(passed ? '' : report).toBe('');
});
