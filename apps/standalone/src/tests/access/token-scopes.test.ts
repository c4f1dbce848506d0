import type { SvcClient } from '@svc/sdk';
import { loadInto, makeOrders } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const ENV = 'dev';
const TABLE = 'shop.orders';
const QUERIES = ['READ_ENVIRONMENT', 'READ_NAMESPACE', 'SUBMIT_QUERY'];

let s: TestService;

beforeAll(async () => {
  s = await startTestService();
  await makeOrders(s.client, ENV);
  const data = 'id,buyer,amount,day\n1,Ann,10,2026-01-01\n';
  await loadInto(s.client, { env: ENV, table: TABLE }, { format: 'csv', data });
  await s.client.principals.create({ name: 'ann', type: 'person' });
  await s.client.grants.create({ principal: 'ann', kind: 'INSTANCE', role: 'ADMIN' });
});
afterAll(() => s.stop());

async function clientWith(actions: string[] | undefined): Promise<SvcClient> {
  const { token } = await s.client.tokens.issue('ann', 'scoped', { actions });
  return s.clientOf(token);
}

/** Runs a statement as soon as it arrives, and through the queue. */
async function outcomes(client: SvcClient, sql: string): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  for (const wait of [10, 0]) {
    const response = await client.queries.submit(ENV, sql, { wait } as never).catch((error: { code: string }) => error);
    if (!('id' in response)) codes.push(response.code);
    else {
      const query = await client.queries.wait(ENV, response.id);
      codes.push(query.status === 'SUCCEEDED' ? 'SUCCEEDED' : query.error?.code);
    }
  }
  return codes;
}

test('a query reads only what the scope of its token includes, even if its result is cached (TOKEN-6)', async () => {
  const sql = `SELECT count(*) FROM ${TABLE}`;
  const full = await clientWith(undefined);
  const without = await clientWith(QUERIES);
  expect(await outcomes(full, sql)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  expect(await outcomes(without, sql)).toEqual(['table-not-found', 'table-not-found']);
  expect(await outcomes(await clientWith([...QUERIES, 'READ_TABLE']), sql)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  const names = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop'`;
  expect((await without.queries.run(ENV, names)).rows).toEqual([]);
  const [denied] = (await s.events('AUTHORIZATION_DENIED')).slice(-1);
  expect(denied!.detail).toMatchObject({
    action: 'READ_TABLE',
    reason: 'the scope of the token does not include READ_TABLE',
  });
});

test('a statement that writes needs its actions in the scope (TOKEN-6)', async () => {
  const reading = await clientWith([...QUERIES, 'READ_TABLE']);
  const writing = await clientWith([...QUERIES, 'READ_TABLE', 'WRITE_TABLE']);
  const sql = `INSERT INTO ${TABLE} SELECT * FROM ${TABLE}`;
  expect(await outcomes(reading, sql)).toEqual(['forbidden', 'forbidden']);
  expect(await outcomes(writing, sql)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  // Its text reads a table that the scope doesn't include.
  const blind = await clientWith([...QUERIES, 'WRITE_TABLE']);
  expect(await outcomes(blind, sql)).not.toContain('SUCCEEDED');
});

test('a repeated request of a token with a scope returns no result of another token (TOKEN-6)', async () => {
  const [full, reading] = [await clientWith(undefined), await clientWith([...QUERIES, 'READ_TABLE'])];
  const submit = (client: SvcClient) =>
    client.request('queries.create', {
      params: { env: ENV },
      query: { wait: 10 } as never,
      body: { sql: `SELECT id FROM ${TABLE} LIMIT 1` },
      idempotencyKey: 'the-same',
    });
  expect(await submit(full)).toMatchObject({ status: 'SUCCEEDED', result: { rows: [[1]] } });
  const repeated = await submit(reading);
  expect(repeated).toMatchObject({ status: 'SUCCEEDED', columns: null, sql_text: { length: 34 } });
  expect(repeated).not.toHaveProperty('result');
});

test('a deploy creates namespaces only with CREATE_NAMESPACE in the scope of its token (TOKEN-6)', async () => {
  await s.client.repositories.create({ name: 'made' });
  const files = { 'svc.yaml': 'name: made\n', 'assets/made/one.sql': 'SELECT 1 AS id' };
  const deploy = async (actions: string[]) =>
    deployFiles(await clientWith(actions), { env: ENV, repository: 'made', folder: s.folder }, files);
  expect(await deploy(['READ_ENVIRONMENT', 'DEPLOY'])).toMatchObject({
    status: 'failed',
    error: { code: 'not-allowed', detail: expect.stringContaining('CREATE_NAMESPACE') },
  });
  expect(await deploy(['READ_ENVIRONMENT', 'DEPLOY', 'CREATE_NAMESPACE'])).toMatchObject({ status: 'succeeded' });
});

test('a run of a token with a scope that could do more needs a run principal (TOKEN-6)', async () => {
  await s.client.repositories.create({ name: 'shop' });
  const files = {
    'svc.yaml': 'name: shop\njobs:\n  daily:\n    select: ["raw.*"]\n',
    'assets/raw/one.sql': 'SELECT 1 AS id',
  };
  const deployed = await deployFiles(s.client, { env: ENV, repository: 'shop', folder: s.folder }, files);
  expect(deployed).toMatchObject({ status: 'succeeded' });
  const running = await clientWith(['READ_ENVIRONMENT', 'RUN']);
  const refused = { status: 403, message: expect.stringContaining('the scope of the token lists actions') };
  await expect(running.runs.create(ENV, { repository: 'shop', select: ['raw.*'] })).rejects.toMatchObject(refused);
  await expect(running.jobs.start(ENV, 'daily')).rejects.toMatchObject(refused);
  // A token of an administrator for one environment: a run would read the audit log.
  const inEnvironment = async (name: string) =>
    s.clientOf((await s.client.tokens.issue(name, 'scoped', { environments: [ENV] })).token);
  const instance = { status: 403, message: expect.stringContaining('does not include the instance') };
  const administering = await inEnvironment('ann');
  await expect(administering.runs.create(ENV, { repository: 'shop', select: ['raw.*'] })).rejects.toMatchObject(
    instance,
  );
  await expect(administering.jobs.start(ENV, 'daily')).rejects.toMatchObject(instance);
  await s.client.principals.create({ name: 'deb', type: 'person' });
  await s.client.grants.create({ principal: 'deb', kind: 'INSTANCE', role: 'DATA_ENGINEER' });
  const engineering = await inEnvironment('deb');
  const own = await engineering.runs.create(ENV, { repository: 'shop', select: ['raw.*'] });
  expect(own.principal).toBe('deb');
  await s.client.runs.wait(ENV, own.id);
  await s.client.principals.create({ name: 'robot', type: 'service-account' });
  await s.client.grants.create({ principal: 'robot', kind: 'ENVIRONMENT', environment: ENV, role: 'DATA_ENGINEER' });
  await s.client.deployments.setRunAs(ENV, 'shop', 'robot');
  const run = await running.runs.create(ENV, { repository: 'shop', select: ['raw.*'] });
  expect(run.principal).toBe('robot');
  // While the project is busy or not, it never waits.
  const start = await running.jobs.start(ENV, 'daily').catch((error: { code: string }) => error.code);
  expect(start === 'project-busy' || typeof start === 'object').toBe(true);
  await s.client.runs.wait(ENV, run.id);
});
