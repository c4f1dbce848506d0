import { type Query, SvcClient, type Transport, type TransportAnswer } from '@svc/sdk';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

/** Runs for minutes unless it is stopped. */
const ENDLESS = 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
});
afterAll(() => s.stop());

/** The only active query, as soon as there is one. */
async function underWay(): Promise<Query> {
  for (;;) {
    const [query] = await s.client.queries.list('dev');
    if (query?.status === 'RUNNING') return query;
  }
}

const aborted = new Error('I changed my mind');

test.each([
  ['run', (signal: AbortSignal) => s.client.queries.run('dev', ENDLESS, { signal })],
  ['submit that waits', (signal: AbortSignal) => s.client.queries.submit('dev', ENDLESS, { wait: 60, signal })],
])('an aborted %s cancels the query on the server (SDK-6)', async (_what, start) => {
  const controller = new AbortController();
  const failed = start(controller.signal).then(
    () => null,
    (error: unknown) => error,
  );
  const { id } = await underWay();
  controller.abort(aborted);
  expect(await failed).toBe(aborted);
  expect(await s.client.queries.wait('dev', id)).toMatchObject({ status: 'CANCELLED' });
});

test('an abort before the start submits nothing; one of a wait leaves the query alone (SDK-6)', async () => {
  const before = await s.client.queries.list('dev', { include_ended: true });
  await expect(s.client.queries.run('dev', 'SELECT 1', { signal: AbortSignal.abort(aborted) })).rejects.toBe(aborted);
  expect(await s.client.queries.list('dev', { include_ended: true })).toEqual(before);
  const { id } = await s.client.queries.submit('dev', ENDLESS);
  const controller = new AbortController();
  const waiting = s.client.queries.wait('dev', id, { signal: controller.signal });
  waiting.catch(() => undefined);
  await underWay();
  controller.abort(aborted);
  await expect(waiting).rejects.toBe(aborted);
  expect(await s.client.queries.get('dev', id)).toMatchObject({ status: 'RUNNING' });
  await s.client.queries.cancel('dev', id);
  await s.client.queries.wait('dev', id);
});

test('an abort while the query is being submitted finds and cancels it (SDK-6)', async () => {
  const controller = new AbortController();
  const { client } = clientThatLoses(controller);
  await expect(client.queries.run('dev', ENDLESS, { signal: controller.signal })).rejects.toBe(aborted);
  const [query] = await s.client.queries.list('dev', { include_ended: true });
  expect(await s.client.queries.wait('dev', query!.id)).toMatchObject({ status: 'CANCELLED' });
});

/** A client whose caller aborts when the first response is about to arrive: it never learns the query's id. */
function clientThatLoses(controller: AbortController) {
  let lost = false;
  const transport: Transport = async (url, { method, headers, body, signal }) => {
    const response = await fetch(url, { method, headers, ...(typeof body === 'string' ? { body } : {}), signal });
    if (lost) return response as unknown as TransportAnswer;
    lost = true;
    controller.abort(aborted);
    throw aborted;
  };
  return { client: new SvcClient({ url: s.url, token: TOKEN, transport }) };
}
