import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const environment = await post('/environments', { name: 'dev' });
  const { prisma } = server.db;
  const admin = await prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
  for (const name of ['shop', 'other']) {
    const repository = await post('/repositories', { name });
    for (const [i, [job, trigger, status]] of RUNS.entries()) {
      const created_at = new Date(Date.UTC(2026, 2, 1, 8, i));
      const project = {
        environment_id: environment.id,
        repository_id: repository.id,
        project_version_id: randomUUID(),
      };
      const row = { id: randomUUID(), ...project, principal_id: admin.id, select: ['*'], job, trigger, status };
      await prisma.run.create({ data: { ...row, created_at, ended_at: created_at } });
    }
  }
});
afterAll(() => server.stop());

/** Job, trigger and status, oldest first; a run without a job is an ad hoc run. */
const RUNS = [
  ['nightly', 'schedule', 'succeeded'],
  ['nightly', 'api', 'failed'],
  ['report', 'manual', 'cancelled'],
  [null, null, 'succeeded'],
] as const;

const post = async (path: string, body: unknown) => (await server.call('POST', `/api/v1${path}`, { body })).body;
const list = (query: string) => server.call('GET', `/api/v1/environments/dev/runs?${query}`);
const triggers = async (query: string) =>
  (await list(`repository=shop&${query}`)).body.map((run: { trigger: string | null }) => run.trigger);

test('filters of runs take several values, repeated or separated by commas (RUN-3)', async () => {
  expect(await triggers('')).toEqual([null, 'manual', 'api', 'schedule']);
  for (const values of ['trigger=api&trigger=schedule', 'trigger=api,schedule'])
    expect(await triggers(values)).toEqual(['api', 'schedule']);
  expect(await triggers('trigger=schedule,api,manual')).toEqual(['manual', 'api', 'schedule']);
  expect(await triggers('status=failed&status=SUCCEEDED')).toEqual([null, 'api', 'schedule']);
  expect(await triggers('job=nightly&status=failed')).toEqual(['api']);
  expect((await list('')).body).toHaveLength(8);
});

test('since is inclusive, until is exclusive (RUN-3)', async () => {
  const at = (minute: number) => `2026-03-01T08:0${minute}:00Z`;
  expect(await triggers(`since=${at(1)}&until=${at(3)}`)).toEqual(['manual', 'api']);
  expect((await list('until=yesterday')).body.errors[0].parameter).toBe('until');
});

test('an unknown repository is 404, an unknown job an empty list (RUN-3)', async () => {
  expect((await list('repository=none')).status).toBe(404);
  expect((await list('job=none')).body).toEqual([]);
  expect((await list('trigger=moon')).body.errors[0].parameter).toBe('trigger');
});

test('the record of a single run ends with job, trigger, scheduled_for, missed, as in the list (RUN-2)', async () => {
  const [listed] = (await list('limit=1')).body;
  const { body: run } = await server.call('GET', `/api/v1/environments/dev/runs/${listed.id}`);
  expect(run).toMatchObject({ id: listed.id, retried_by: [] });
  for (const record of [listed, run])
    expect(Object.keys(record).slice(-4)).toEqual(['job', 'trigger', 'scheduled_for', 'missed']);
});
