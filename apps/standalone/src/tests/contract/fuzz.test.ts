import { fuzz, SMUGGLED, smuggled } from '../../testing/fuzz/index.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

// The long form, fuzz.long.test.ts, sends 100,000 requests.
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_LOG__LEVEL: 'fatal' });
});
afterAll(() => service.stop());

test('1,500 requests made from the OpenAPI document are answered as it says, and none with 5xx', async () => {
  const { sent, faults, statuses } = await fuzz(service, { seed: 1, count: 1500 });
  expect(faults.join('\n\n')).toBe('');
  expect(sent).toBe(1500);
  // The request passed authentication.
  expect(statuses['200']).toBeGreaterThan(100);
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
}, 240_000);

test.each(SMUGGLED)('no request can be hidden behind %s', async (...head) => {
  expect(await smuggled(service.url, TOKEN, head)).toBeNull();
  expect((await service.call('GET', '/groups/smuggled')).status).toBe(404);
});
