import { randomUUID } from 'node:crypto';
import { runTimeline } from '@svc/db/runs';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let environmentId: string;
const at = (hour: number) => new Date(Date.UTC(2026, 2, 1, hour));

/** Job, and the hours of creation, start and end. */
const RUNS = [
  ['early', 1, 1, 2],
  ['long', 1, 2, 6],
  ['inside', 5, 5, 6],
  ['late', 6, 9, 9],
  ['ends at the start', 3, 3, 5],
  ['active', 2, 3, null],
  ['queued', 7, null, null],
  ['after', 8, 8, 9],
] as const;

beforeAll(async () => {
  server = await startTestServer();
  environmentId = (await post('/environments', { name: 'dev' })).id;
  const { prisma } = server.db;
  const admin = await prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
  for (const [job, created, started, finished] of RUNS) {
    const repository = await post('/repositories', { name: `of-${created}-${job.replaceAll(' ', '-')}` });
    await prisma.run.create({
      data: {
        id: randomUUID(),
        environment_id: environmentId,
        repository_id: repository.id,
        project_version_id: randomUUID(),
        principal_id: admin.id,
        select: ['*'],
        job,
        trigger: 'schedule',
        status: finished !== null ? 'succeeded' : started !== null ? 'running' : 'queued',
        created_at: at(created),
        started_at: started === null ? null : at(started),
        ended_at: finished === null ? null : at(finished),
      },
    });
  }
});
afterAll(() => server.stop());

const post = async (path: string, body: unknown) => (await server.call('POST', `/api/v1${path}`, { body })).body;
const timeline = (query: string) => server.call('GET', `/api/v1/environments/dev/run-timeline?${query}`);
const jobs = async (query: string) => (await timeline(query)).body.runs.map(({ job }: { job: string }) => job);

test('a timeline has the runs that were queued or running during the period, newest first (RUN-14)', async () => {
  const since = 'since=2026-03-01T05:00:00Z';
  expect(await jobs(`${since}&until=2026-03-01T08:00:00Z`)).toEqual([
    'queued',
    'late',
    'inside',
    'ends at the start',
    'active',
    'long',
  ]);
  expect(await jobs(since)).toHaveLength(7);
  expect(await jobs(`${since}&job=long`)).toEqual(['long']);
  expect(await jobs(`${since}&repository=of-1-long`)).toEqual(['long']);
  expect(await jobs('since=2026-03-02T00:00:00Z')).toEqual(['queued', 'active']);
});

test('a run of a timeline has its times and no tasks', async () => {
  const { runs, truncated } = (await timeline('since=2026-03-01T05:00:00Z&job=inside')).body;
  expect(truncated).toBe(false);
  expect(runs).toEqual([
    {
      id: expect.any(String),
      repository: 'of-5-inside',
      status: 'succeeded',
      select: ['*'],
      created_at: '2026-03-01T05:00:00.000Z',
      started_at: '2026-03-01T05:00:00.000Z',
      ended_at: '2026-03-01T06:00:00.000Z',
      job: 'inside',
      trigger: 'schedule',
      scheduled_for: null,
    },
  ]);
});

test('a timeline with too many runs reports that older ones are missing', async () => {
  const request = { scope: { environmentId }, period: { since: at(0) }, max: 2 };
  const { runs, truncated } = await runTimeline(server.db.prisma, request);
  expect([runs.map(({ job }) => job), truncated]).toEqual([['after', 'queued'], true]);
});

test('the start of the period is required, and an unknown repository is 404', async () => {
  expect((await timeline('')).body.errors[0].parameter).toBe('since');
  expect((await timeline('since=2026-03-01')).body.errors[0].parameter).toBe('since');
  expect((await timeline('since=2026-03-01T00:00:00Z&repository=none')).status).toBe(404);
});
