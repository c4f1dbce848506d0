import { randomBytes } from 'node:crypto';
import { type Collected, type Collector, startCollector } from '@svc/traces/testing';
import { type Cluster, startCluster } from '../../testing/cluster.ts';
import { deployFiles } from '../../testing/projects.ts';
import { TOKEN } from '../../testing/test-service.ts';

// Two servers and a worker that export spans to a collector.
let collector: Collector;
let cluster: Cluster;
let second: string;
beforeAll(async () => {
  collector = await startCollector();
  cluster = await startCluster({
    SVC_TRACES__ENDPOINT: collector.url,
    SVC_TRACES__HEADERS: 'x-collector-key=k%2C1, x-other=2',
  });
  const [server] = await Promise.all([cluster.startServer(), cluster.startWorker()]);
  second = server.url;
  await cluster.client.environments.create('dev');
  await cluster.client.repositories.create({ name: 'shop' });
});
afterAll(async () => {
  await cluster.stop();
  await collector.stop();
});

const newTrace = () => ({ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') });

/** A request that continues a trace. */
async function send(base: string, method: string, path: string, body?: unknown) {
  const { traceId, spanId } = newTrace();
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'X-Request-Id': `r-${spanId}`,
      traceparent: `00-${traceId}-${spanId}-01`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Record<string, unknown>;
  const request = await collector.span((s) => s.traceId === traceId && s.parentSpanId === spanId);
  return { status: response.status, json, traceId, spanId, request };
}

const child = (of: Collected, name: string) =>
  collector.span((s) => s.traceId === of.traceId && s.parentSpanId === of.spanId && s.name === name);

test('a request is a span with its route and its principal, and its query continues the trace at the worker', async () => {
  const sql = 'SELECT 42 AS the_answer';
  const path = '/environments/dev/queries?secret_looking=hunter2';
  const refused = await send(second, 'POST', path, { sql });
  expect(refused.status).toBe(422);
  const { status, traceId, spanId, request, json } = await send(second, 'POST', '/environments/dev/queries', { sql });
  expect(status).toBe(201);
  const me = await cluster.client.access.me();
  expect(request).toMatchObject({
    service: 'svc-server',
    name: 'POST /api/v1/environments/{env}/queries',
    kind: 2,
    failed: false,
    fields: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/environments/{env}/queries',
      'svc.request_id': `r-${spanId}`,
      'user.id': me.id,
      'http.response.status_code': 201,
    },
  });
  const query = await child(request, 'query');
  expect(query).toMatchObject({ service: 'svc-worker', kind: 5, failed: false, traceId });
  expect(query.fields).toMatchObject({ 'svc.work.id': json['id'], 'svc.status': 'succeeded' });
  await child(query, 'statement');
  expect(collector.spans.some((s) => s.traceId === traceId && s.name === 'submit-query')).toBe(true);
});

test('a query that fails is a span that failed', async () => {
  const { request } = await send(cluster.url, 'POST', '/environments/dev/queries', { sql: 'SELECT no_such_column' });
  const query = await child(request, 'query');
  expect(query).toMatchObject({ failed: true, fields: { 'svc.status': 'failed' } });
  expect(query.fields['error.type']).toEqual(expect.any(String));
});

test('deploy, run and tasks belong to the traces of the requests that started them', async () => {
  await deployFiles(
    cluster.client,
    { env: 'dev', repository: 'shop', folder: cluster.folder },
    {
      'svc.yaml': 'jobs:\n  all:\n    select: ["*"]\n',
      'assets/raw/numbers.sql': 'SELECT i AS id FROM range(10) t(i)',
      'assets/core/total.sql': 'SELECT sum(id)::BIGINT AS total FROM raw.numbers',
    },
  );
  const deploy = await collector.span((s) => s.name === 'deploy');
  const requestSpan = await collector.span((s) => s.spanId === deploy.parentSpanId);
  expect(requestSpan.name).toBe('POST /api/v1/environments/{env}/deploys');
  const { request, json, status } = await send(second, 'POST', '/environments/dev/runs', {
    repository: 'shop',
    select: ['*'],
  });
  expect([status, json['status']]).toEqual([201, 'queued']);
  const run = await child(request, 'run');
  expect(run.fields).toMatchObject({ 'svc.work.id': json['id'], 'svc.status': 'succeeded' });
  const tasks = collector.spans.filter((s) => s.parentSpanId === run.spanId && s.name === 'task');
  expect(tasks.map((task) => task.fields['svc.asset']).sort()).toEqual(['core.total', 'raw.numbers']);
});

test('the key of the collector is sent, and no token, statement or query string is exported', async () => {
  expect(collector.headers[0]).toMatchObject({ 'x-collector-key': 'k,1', 'x-other': '2' });
  const all = collector.texts.join('\n');
  expect(all).toContain('/api/v1/environments/{env}/queries');
  for (const hidden of [TOKEN, 'hunter2', 'the_answer', 'no_such_column', 'Bearer']) expect(all).not.toContain(hidden);
});

test('health checks have no traces, and an unavailable collector fails no request', async () => {
  for (let i = 0; i < 3; i++) expect((await fetch(`${second}/livez`)).status).toBe(200);
  await collector.stop();
  for (let i = 0; i < 20; i++) expect((await cluster.client.environments.list()).length).toBeGreaterThan(0);
  const { id } = await cluster.client.queries.submit('dev', 'SELECT 1 AS one');
  expect(await cluster.client.queries.wait('dev', id)).toMatchObject({ status: 'SUCCEEDED' });
  expect(collector.spans.some(({ name }) => name.includes('livez'))).toBe(false);
});
