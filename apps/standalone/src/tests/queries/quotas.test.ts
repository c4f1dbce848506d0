import { Conflict } from '@svc/sdk';
import { loadInto, makeOrders, rowsOf } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Runs for minutes unless it is stopped. */
const ENDLESS = 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1';
const ROW = 'id,buyer,amount,day\n1,Ann,2.50,2026-01-01\n';
const ORDERS = { env: 'dev', table: 'shop.orders' };
/** A table or a refusal of the catalog. */
interface Answered {
  metadata: { 'table-uuid': string; location: string };
  error: { type: string; message: string };
}
let s: TestService;

beforeAll(async () => {
  s = await startTestService({ SVC_WORKER__CONCURRENCY: '3', SVC_QUOTA__CONCURRENT_QUERIES: '2' });
  await makeOrders(s.client, 'dev');
  await s.client.environments.create('other');
  await loadInto(s.client, ORDERS, { format: 'csv', data: ROW });
});
afterAll(() => s.stop());

const set = (storage_bytes: number | null, concurrent_queries: number | null = null) =>
  s.client.environments.setQuotas('dev', { storage_bytes, concurrent_queries });

describe('queries', () => {
  test('beyond the quota wait, while another environment continues', async () => {
    expect((await s.client.environments.quotas('dev')).concurrent_queries).toEqual({
      ...{ limit: 2, source: 'instance', used: 0, waiting: 0 },
    });
    expect((await set(null, 1)).concurrent_queries).toMatchObject({ limit: 1, source: 'environment' });
    const running = await s.client.queries.submit('dev', ENDLESS);
    const waiting = await s.client.queries.submit('dev', 'SELECT 1 AS a');
    expect(waiting.status).toBe('QUEUED');
    expect(await rowsOf(s.client, 'other', 'SELECT 2 AS a')).toEqual([[2]]);
    expect((await s.client.queries.get('dev', waiting.id)).status).toBe('QUEUED');
    expect((await s.client.environments.quotas('dev')).concurrent_queries).toMatchObject({ used: 1, waiting: 1 });
    await s.client.queries.cancel('dev', running.id);
    expect(await s.client.queries.wait('dev', waiting.id)).toMatchObject({ status: 'SUCCEEDED', row_count: 1 });
  });

  test('continue when the quota is raised or removed, and stop with their environment', async () => {
    const ids: string[] = [];
    for (const sql of [ENDLESS, ENDLESS, 'SELECT 3']) ids.push((await s.client.queries.submit('dev', sql)).id);
    const [first, second, third] = ids;
    expect((await s.client.environments.quotas('dev')).concurrent_queries).toMatchObject({ used: 1, waiting: 2 });
    expect((await set(null, 3)).concurrent_queries).toMatchObject({ used: 3, waiting: 0 });
    await s.client.queries.wait('dev', third!);
    for (const id of [first, second]) await s.client.queries.cancel('dev', id!);
    await s.client.environments.create('gone');
    await s.client.environments.setQuotas('gone', { storage_bytes: null, concurrent_queries: 1 });
    const over = [await s.client.queries.submit('gone', ENDLESS), await s.client.queries.submit('gone', 'SELECT 1')];
    await s.client.environments.delete('gone');
    await s.client.environments.restore('gone');
    for (const { id } of over) expect(await s.client.queries.wait('gone', id)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('storage', () => {
  const used = async () => (await s.client.environments.quotas('dev')).storage_bytes.used;

  test('that is used up refuses operations that add files, and allows all others', async () => {
    await deployFiles(
      s.client,
      {
        env: 'dev',
        repository: (await s.client.repositories.create({ name: 'shop', url: s.folder })).name,
        folder: s.folder,
      },
      { 'svc.yaml': 'name: shop\njobs:\n  all:\n    select: ["*"]\n', 'assets/marts/one.sql': 'SELECT 1 AS a' },
    );
    expect(await used()).toBeGreaterThan(0);
    expect((await set(await used())).storage_bytes).toMatchObject({ source: 'environment', limit: await used() });
    const load = s.client.tables.load('dev', 'shop.orders', Buffer.from(ROW), { format: 'csv' });
    await expect(load).rejects.toBeInstanceOf(Conflict);
    await expect(load).rejects.toMatchObject({ code: 'quota-exceeded', remedy: 'svc env quotas dev' });
    await expect(s.client.queries.submit('dev', 'SELECT 1 AS a', { into: 'shop.b' })).rejects.toMatchObject({
      code: 'quota-exceeded',
    });
    const run = await s.client.runs.wait('dev', (await s.client.jobs.start('dev', 'all')).run!.id);
    expect(run).toMatchObject({ status: 'failed' });
    const tasks = await s.call('GET', `/environments/dev/runs/${run.id}`);
    expect(JSON.stringify(tasks.body)).toContain('quota-exceeded');
    // Reads, empty tables and drops are allowed.
    expect(await rowsOf(s.client, 'dev', 'SELECT id FROM shop.orders')).toEqual([[1]]);
    await s.client.tables.create('dev', 'shop.empty', {
      ...{ kind: 'managed', description: null },
      columns: [{ name: 'a', type: 'int', nullable: true, description: null }],
    });
    const before = await used();
    await s.client.tables.delete('dev', 'shop.orders');
    // Its files still exist.
    expect(await used()).toBe(before);
  });

  test('that an engine would add is rejected with an error of the protocol; taking away is not', async () => {
    const table = `${s.url}/catalog/v1/dev/namespaces/shop/tables/empty`;
    const request = async (method: string, body?: unknown) => {
      const headers = { Authorization: 'Bearer test-administrator-token', 'Content-Type': 'application/json' };
      const response = await fetch(table, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return { status: response.status, body: (await response.json()) as Answered };
    };
    const { metadata } = (await request('GET')).body;
    const snapshot = (summary: Record<string, string>) => ({
      requirements: [{ type: 'assert-table-uuid', uuid: metadata['table-uuid'] }],
      updates: [
        {
          action: 'add-snapshot',
          snapshot: {
            ...{ 'snapshot-id': 7, 'sequence-number': 1, 'timestamp-ms': Date.now(), 'schema-id': 0 },
            ...{ 'manifest-list': `${metadata.location}/metadata/snap-7.avro`, summary },
          },
        },
      ],
    });
    const refused = await request('POST', snapshot({ operation: 'append', 'added-files-size': '10' }));
    expect(refused).toMatchObject({ status: 403, body: { error: { type: 'ForbiddenException' } } });
    expect(refused.body.error.message).toContain('storage quota');
    expect((await request('POST', snapshot({ operation: 'delete' }))).status).toBe(200);
  });

  test('is available again once the quota is removed, and each change has its event', async () => {
    await set(null);
    expect(
      await s.client.queries.wait(
        'dev',
        (await s.client.queries.submit('dev', 'SELECT 1 AS a', { into: 'shop.b' })).id,
      ),
    ).toMatchObject({ status: 'SUCCEEDED' });
    const events = await s.events('ENVIRONMENT_QUOTAS_SET');
    expect(events.at(-1)).toMatchObject({ object: { environment: 'dev' }, principal: 'admin' });
    expect(events.at(-1)!.detail).toMatchObject({ storage_bytes: null, concurrent_queries: null });
    expect(events[0]!.detail).toEqual({
      ...{ storage_bytes: null, concurrent_queries: 1 },
      previous: { storage_bytes: null, concurrent_queries: null },
    });
    const wrong = await s.call('PUT', '/environments/dev/quotas', {
      body: { storage_bytes: -1, concurrent_queries: 0 },
    });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{}, {}] } });
  });
});
