import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
const ids: Record<string, string> = {};

/** Name, repository and development namespace, oldest first. */
const VERSIONS = [
  ['first', 'shop', null],
  ['second', 'shop', null],
  ['development', 'shop', 'dev_ann'],
  ['other', 'other', null],
  ['latest', 'shop', null],
] as const;

beforeAll(async () => {
  server = await startTestServer();
  const { prisma } = server.db;
  const environment = await post('/environments', { name: 'dev' });
  await post('/environments', { name: 'empty' });
  const repositories: Record<string, string> = {};
  for (const name of ['shop', 'other']) repositories[name] = (await post('/repositories', { name })).id;
  for (const [i, [name, repository, dev_namespace]] of VERSIONS.entries()) {
    const id = randomUUID();
    ids[name] = id;
    const project = { environment_id: environment.id, repository_id: repositories[repository]! };
    const files = { deploy_id: id, location: `versions/${id}`, created_by: id, dev_namespace, name };
    const created_at = new Date(Date.UTC(2026, 2, 1, 8, i));
    const assets = Array.from({ length: i + 1 }, (_, n) => ({ name: `a.t${n}` }));
    const content = { assets, jobs: [{ name: 'nightly', select: ['*'] }], commit: 'a'.repeat(40), dirty: i === 0 };
    await prisma.projectVersion.create({ data: { id, ...project, ...files, ...content, created_at } });
    if (name === 'second')
      await prisma.deployment.create({
        data: { id, ...project, project_version_id: id, created_at, created_by: id, updated_at: created_at },
      });
  }
});
afterAll(() => server.stop());

const post = async (path: string, body: unknown) => (await server.call('POST', `/api/v1${path}`, { body })).body;
const list = (query = '', env = 'dev', token?: string) =>
  server.call('GET', `/api/v1/environments/${env}/project-versions${query}`, token === undefined ? {} : { token });
const namesOf = (body: { name: string }[]) => body.map(({ name }) => name);

test('versions are listed newest first, without their assets and without those in development namespaces (DEPLOY-25)', async () => {
  const { body } = await list();
  expect(namesOf(body)).toEqual(['latest', 'other', 'second', 'first']);
  expect(body.at(-1)).toEqual({
    id: ids['first'],
    environment: 'dev',
    repository: 'shop',
    commit: 'a'.repeat(40),
    dirty: true,
    name: 'first',
    package_indexes: [],
    jobs: ['nightly'],
    created_at: '2026-03-01T08:00:00.000Z',
    asset_count: 1,
    active: false,
  });
  expect(namesOf(body.filter(({ active }: { active: boolean }) => active))).toEqual(['second']);
});

test('a repository and pages limit the list (DEPLOY-25)', async () => {
  const first = await list('?repository=shop&limit=2');
  expect(namesOf(first.body)).toEqual(['latest', 'second']);
  const cursor = encodeURIComponent(first.headers.get('x-next-cursor')!);
  const second = await list(`?repository=shop&limit=2&cursor=${cursor}`);
  expect([namesOf(second.body), second.headers.get('x-next-cursor')]).toEqual([['first'], null]);
  expect((await list(`?repository=other&limit=2&cursor=${cursor}`)).status).toBe(422);
  expect((await list('?repository=none')).status).toBe(404);
  expect((await list('', 'empty')).body).toEqual([]);
});

test('callers without READ_ENVIRONMENT learn nothing, and the denial is recorded (ACCESS-20)', async () => {
  await post('/principals', { name: 'rita', type: 'person' });
  const { token } = await post('/principals/rita/tokens', { name: 'test' });
  const queries = ['', '?repository=shop', '?repository=none', '?limit=0'];
  const answers = await Promise.all(queries.map((query) => list(query, 'dev', token)));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1);
  const denied = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED');
  expect(denied.body).toHaveLength(queries.length);
});
