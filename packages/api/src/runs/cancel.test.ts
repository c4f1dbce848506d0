import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

const ENV = '/api/v1/environments/dev';
let server: TestServer;
let rob: string;
const post = async (path: string, body?: unknown, token = server.token) => {
  const answer = await server.call('POST', path, { ...(body === undefined ? {} : { body }), token });
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
};
const events = async (type: string) =>
  (await server.call('GET', `/api/v1/audit-events?event_type=${type}`)).body as {
    principal: string;
    detail: unknown;
  }[];

beforeAll(async () => {
  server = await startTestServer();
  await post('/api/v1/environments', { name: 'dev' });
  await post('/api/v1/principals', { name: 'rob', type: 'person' });
  await post('/api/v1/grants', { kind: 'ENVIRONMENT', principal: 'rob', action: 'SUBMIT_QUERY', environment: 'dev' });
  rob = (await post('/api/v1/principals/rob/tokens', { name: 't' })).token;
});
afterAll(() => server.stop());

test('the log shows once who cancelled a running run (AUDIT-1)', async () => {
  const repository = await post('/api/v1/repositories', { name: 'shop' });
  const { prisma } = server.db;
  const environment = await prisma.environment.findFirstOrThrow({ where: { name: 'dev' } });
  const id = randomUUID();
  const run = { id, environment_id: environment.id, repository_id: repository.id, project_version_id: id };
  await prisma.run.create({
    data: { ...run, principal_id: id, select: [], status: 'running', created_at: new Date() },
  });
  for (let i = 0; i < 2; i++)
    expect((await server.call('POST', `${ENV}/runs/${id}/cancel`)).body).toMatchObject({ id, status: 'running' });
  expect(await events('RUN_CANCEL_REQUESTED')).toMatchObject([{ principal: 'admin', detail: { run_id: id } }]);
});

test("the log shows who cancelled another person's query, and nothing more for one's own (AUDIT-1)", async () => {
  const submit = () => post(`${ENV}/queries`, { sql: 'SELECT 1' }, rob);
  const [own, other] = [await submit(), await submit()];
  await server.call('POST', `${ENV}/queries/${own.id}/cancel`, { token: rob });
  await server.call('POST', `${ENV}/queries/${other.id}/cancel`);
  const detail = { query_id: other.id, submitter: 'rob' };
  expect(await events('QUERY_CANCEL_REQUESTED')).toMatchObject([{ principal: 'admin', detail }]);
  expect(await events('QUERY_COMPLETED')).toMatchObject([{ principal: 'rob' }, { principal: 'rob' }]);
});
