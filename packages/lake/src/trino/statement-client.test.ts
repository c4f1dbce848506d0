import { runStatement, type StatementOptions, TrinoStatementError, TrinoUnreachableError } from './statement-client.ts';
import { TrinoStandIn } from './testing/trino-stand-in.ts';

let trino: TrinoStandIn;
const pauses: number[] = [];
beforeAll(async () => {
  trino = await TrinoStandIn.start();
});
beforeEach(() => {
  pauses.length = 0;
});
afterAll(() => trino.stop());

const options = (more: Partial<StatementOptions> = {}): StatementOptions => ({
  address: { url: trino.url, user: 'svc', password: 'secret' },
  sql: 'SELECT 1',
  catalog: 'svc_dev',
  timeoutSeconds: 600,
  traceToken: 'q1',
  signal: new AbortController().signal,
  pause: async (ms) => {
    pauses.push(ms);
  },
  ...more,
});

async function rows(more: Partial<StatementOptions> = {}): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { data } of runStatement(options(more))) all.push(...data);
  return all;
}

test('pages are followed to the end, each requested with the user', async () => {
  trino.will(
    { page: {}, next: '/v1/statement/queued/1' },
    { page: { columns: [], data: [[1]] }, next: '/v1/statement/executing/2' },
    { page: { data: [[2], [3]] } },
  );
  expect(await rows()).toEqual([[1], [2], [3]]);
  expect(trino.requests()).toEqual([
    'POST /v1/statement',
    'GET /v1/statement/queued/1',
    'GET /v1/statement/executing/2',
  ]);
  expect(trino.received[0]!.body).toBe('SELECT 1');
  for (const { headers } of trino.received) {
    expect(headers).toMatchObject({
      authorization: `Basic ${Buffer.from('svc:secret').toString('base64')}`,
      'x-trino-user': 'svc',
      'x-trino-source': 'svc',
      'x-trino-catalog': 'svc_dev',
      'x-trino-time-zone': 'UTC',
      'x-trino-trace-token': 'q1',
      'x-trino-session': 'query_max_run_time=600s',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    });
  }
});

test('a token is sent instead of a password', async () => {
  trino.will({ page: {} });
  await rows({ address: { url: trino.url, user: 'svc', token: 'jwt' } });
  expect(trino.received[0]!.headers.authorization).toBe('Bearer jwt');
});

test.each([429, 502, 503, 504])('%s is answered by another try', async (status) => {
  trino.will({ status }, { status }, { page: {}, next: '/v1/x' }, { status }, { page: { data: [[1]] } });
  expect(await rows()).toEqual([[1]]);
  expect(pauses).toEqual([100, 200, 100]);
});

test('the attempts stop', async () => {
  trino.will(...Array.from({ length: 20 }, () => ({ status: 503 })));
  await expect(rows()).rejects.toThrow(new TrinoUnreachableError('Trino returned status 503'));
  expect(trino.received).toHaveLength(10);
});

test('an error from Trino is reported, and nothing is left to cancel', async () => {
  const error = { message: 'line 1:8: Division by zero', errorName: 'DIVISION_BY_ZERO', errorType: 'USER_ERROR' };
  trino.will({ page: {}, next: '/v1/x' }, { page: { error }, next: '/v1/y' });
  const failed = await rows().catch((e: unknown) => e);
  expect(failed).toBeInstanceOf(TrinoStatementError);
  expect((failed as TrinoStatementError).info).toEqual({
    name: 'DIVISION_BY_ZERO',
    type: 'USER_ERROR',
    message: error.message,
  });
  expect(trino.requests()).toEqual(['POST /v1/statement', 'GET /v1/x']);
});

test('who stops reading has the statement cancelled', async () => {
  trino.will({ page: { data: [[1]] }, next: '/v1/executing/2' }, { page: { data: [[2]] } });
  for await (const _ of runStatement(options())) break;
  expect(trino.requests()).toEqual(['POST /v1/statement', 'DELETE /v1/executing/2']);
});

test('an end from outside cancels it, also while an answer is waited for', async () => {
  const controller = new AbortController();
  trino.will({ page: { data: [[1]] }, next: '/v1/executing/2' }, 'silence');
  const cancelled = trino.cancelled();
  const reading = (async () => {
    for await (const _ of runStatement(options({ signal: controller.signal })))
      setImmediate(() => controller.abort('cancelled'));
  })();
  await expect(reading).rejects.toBe('cancelled');
  await cancelled;
  expect(trino.requests().at(-1)).toBe('DELETE /v1/executing/2');
});

test.each([
  [{ status: 401, body: 'bad password secret' }, 'Trino rejected the configured user and password or token'],
  [{ status: 403 }, 'Trino denied access to the configured user'],
  [{ status: 500 }, 'Trino returned status 500'],
  [{ status: 200, body: '<html>' }, "Trino returned a response that isn't JSON"],
  [{ status: 200, body: '{}' }, "The server at that address isn't Trino"],
])('the response %j fails the statement with an error without secrets', async (answer, message) => {
  trino.will(answer);
  await expect(rows()).rejects.toThrow(new TrinoUnreachableError(message));
});

test('credentials go to no other address', async () => {
  const other = await TrinoStandIn.start();
  try {
    trino.will({ page: {}, next: `${other.url}/v1/executing/1` });
    await expect(rows()).rejects.toThrow('returned a result URL with a different address');
    trino.will(
      ...Array.from({ length: 10 }, () => ({ status: 307, headers: { Location: `${other.url}/v1/statement` } })),
    );
    await expect(rows()).rejects.toThrow(TrinoUnreachableError);
    expect(other.received).toEqual([]);
  } finally {
    await other.stop();
  }
});

test('an unreachable server is reported as such', async () => {
  const gone = await TrinoStandIn.start();
  const { url } = gone;
  await gone.stop();
  await expect(rows({ address: { url, user: 'svc' } })).rejects.toThrow("Trino can't be reached (ECONNREFUSED)");
  expect(pauses).toHaveLength(9);
});
