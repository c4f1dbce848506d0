import { startTestServer, type TestServer } from '../../testing/index.ts';

describe('metrics with a token and an address of their own (SERVICE-16)', () => {
  let server: TestServer;
  let url: string;
  beforeAll(async () => {
    server = await startTestServer({ env: { SVC_METRICS__LISTEN: '127.0.0.1:0', SVC_METRICS__TOKEN: 'scrape-me' } });
    url = `http://127.0.0.1:${server.metricsPort}`;
  });
  afterAll(() => server.stop());
  const scrape = (authorization?: string) =>
    fetch(`${url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

  test('need the token', async () => {
    for (const wrong of [undefined, 'Bearer x', 'scrape-me', 'Basic scrape-me', `Bearer ${server.token}`]) {
      const response = await scrape(wrong);
      expect([response.status, await response.text()]).toEqual([401, 'Send the token of SVC_METRICS__TOKEN.\n']);
    }
    const response = await scrape('Bearer scrape-me');
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('svc_scheduler_leader')]);
  });

  test('are nowhere else, and nothing else is there', async () => {
    expect((await server.call('GET', '/metrics')).status).toBe(404);
    for (const path of ['/', '/readyz', '/api/v1/me']) expect((await fetch(`${url}${path}`)).status).toBe(404);
  });
});

test('requests without a token are limited by the network of the client (SERVICE-17)', async () => {
  const server = await startTestServer({
    env: { SVC_LIMITS__UNAUTHENTICATED_PER_MINUTE: '3' },
    clock: () => new Date('2026-03-01T00:00:10Z'),
  });
  try {
    const attempt = () => server.call('GET', '/api/v1/sign-in', { token: null });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await attempt()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await attempt();
    expect([refused.body.code, refused.headers.get('retry-after')]).toEqual(['too-many-requests', '50']);
    expect((await server.call('GET', '/api/v1/me')).status).toBe(200);
    expect((await server.call('GET', '/readyz', { token: null })).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test('anonymous requests at once share one check of the storage (SERVICE-16)', async () => {
  const server = await startTestServer();
  try {
    let running = 0;
    let maxRunning = 0;
    const stat = server.store.stat.bind(server.store);
    server.store.stat = async (location) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      return stat(location).finally(() => {
        running -= 1;
      });
    };
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => server.call('GET', '/readyz/storage', { token: null })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(maxRunning).toBe(1);
  } finally {
    await server.stop();
  }
});
