import { makeOrders } from './testing/orders.ts';
import { deployFiles } from './testing/projects.ts';
import type { rest } from './testing/rest.ts';
import {
  makeServiceHome,
  type ServiceHome,
  type ServiceProcess,
  startServiceProcess,
} from './testing/service-process.ts';

// One request must not stop the service for others: after each hostile one, the longest time that the process did not
// look at its events is far below what such requests once took (1.5 seconds to ten minutes).
const LONGEST_SECONDS = process.env['TEST_LONG'] === '1' ? 0.1 : 10;

let home: ServiceHome;
let s: ServiceProcess;
let catalog: ReturnType<typeof rest>;
let stranger: string;
beforeAll(async () => {
  home = await makeServiceHome();
  s = await startServiceProcess(home, { SVC_QUERY__TIMEOUT_SECONDS: '60' });
  await s.ready;
  const { client } = s;
  await makeOrders(client, 'dev', 's.t');
  await client.repositories.create({ name: 'shop' });
  await client.principals.create({ name: 'eve', type: 'service-account' });
  stranger = (await client.tokens.issue('eve', 'laptop')).token;
  const call = s.call;
  catalog = (method, path, options) => call(method, `/../../catalog/v1/dev${path}`, options);
}, 60_000);
afterAll(async () => {
  await s.stop();
  await home.remove();
});

/** Seconds that the event loop stood still at most since this was last asked. */
async function longestDelay(): Promise<number> {
  const text = await (await fetch(`${s.url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)![1]);
}

const numbers = (characters: number) =>
  Array.from({ length: Math.floor(characters / 8) }, (_, i) => 1_000_000 + i).join();
const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
const ended = async (sql: string) => s.client.queries.wait('dev', (await s.client.queries.submit('dev', sql)).id);
const commit = (count: number) => ({
  requirements: [],
  updates: times(count, (i) => ({ action: 'set-properties', updates: { [`k${i}`]: 'v' } })),
});

const HOSTILE: Record<string, () => Promise<unknown>> = {
  'a statement of 800 KB': async () => {
    const sql = `SELECT 1 WHERE 1 IN (${numbers(800_000)})`;
    expect((await s.call('POST', '/environments/dev/queries', { body: { sql } })).status).toBe(422);
  },
  'four of the longest statements at once': async () => {
    const sql = `SELECT count(*) FROM s.t WHERE id IN (${numbers(250_000)})`;
    const queries = await Promise.all(times(4, () => ended(sql)));
    expect(queries.map(({ status }) => status)).toEqual(times(4, () => 'SUCCEEDED'));
  },
  'an error text of 200,000 line breaks': async () => {
    expect(await ended('SELECT error(repeat(chr(10), 200000))')).toMatchObject({ status: 'FAILED' });
  },
  'a result of 200 MB in one page': async () => {
    const { id } = await ended("SELECT repeat('x', 1000000) AS t FROM range(200)");
    const page = await s.call('GET', `/environments/dev/queries/${id}/results?limit=10000`);
    expect(page.status).toBe(200);
    expect([page.body.rows.length, typeof page.body.next_cursor]).toEqual([8, 'string']);
  },
  '10,000 updates in one commit': async () => {
    expect((await catalog('POST', '/namespaces/s/tables/t', { body: commit(10_000) })).status).toBe(400);
  },
  'as many as one commit may have': async () => {
    expect((await catalog('POST', '/namespaces/s/tables/t', { body: commit(5000) })).status).toBe(200);
  },
  'a location of 100,000 slashes': async () => {
    const body = { name: 'far', location: '/'.repeat(100_000), schema: { type: 'struct', fields: [] } };
    expect((await catalog('POST', '/namespaces/s/tables', { body })).status).toBe(400);
  },
  '30 MB to a commit without any right': async () => {
    const raw = { type: 'application/json', data: `{"table-changes":[${'{},'.repeat(10_000_000)}{}]}` };
    const answer = await catalog('POST', '/transactions/commit', { raw, token: stranger }).catch(() => null);
    // The connection may be closed before all of it is sent.
    expect(answer?.status ?? 403).toBe(403);
  },
  'svc.yaml with 20,000 aliases': async () => {
    const files = { 'svc.yaml': `name: &a x\njobs: [${'*a,'.repeat(20_000)}]\n` };
    const deploy = await deployFiles(s.client, { env: 'dev', repository: 'shop', folder: home.folder }, files);
    expect(deploy).toMatchObject({ status: 'failed', error: { detail: expect.stringContaining('50 aliases') } });
  },
};

test.each(Object.keys(HOSTILE))(
  '%s does not keep the service from its other requests',
  async (name) => {
    await longestDelay();
    const hostile = HOSTILE[name]!();
    const alive = await fetch(`${s.url}/livez`);
    expect(alive.status).toBe(200);
    await hostile;
    expect(await longestDelay()).toBeLessThan(LONGEST_SECONDS);
  },
  120_000,
);
