import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

const NOW = new Date('2026-03-27T12:00:00Z');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock: () => NOW });
  const environment = await post('/environments', { name: 'dev' });
  for (const name of ['shop', 'twin']) {
    const repository = await post('/repositories', { name });
    const project = { environment_id: environment.id, repository_id: repository.id, created_at: NOW, updated_at: NOW };
    const { prisma } = server.db;
    await prisma.deployment.create({
      data: { id: randomUUID(), ...project, project_version_id: randomUUID(), created_by: randomUUID() },
    });
    const definition = { select: ['*'], upstream: false, downstream: false };
    const jobs = [
      { name: `nightly-${name}`, cron: '30 2 * * *', timezone: 'Europe/Berlin' },
      { name: `paused-${name}`, cron: '0 5 * * *', timezone: 'UTC', paused: true },
      { name: 'manual' },
    ];
    for (const job of jobs) await prisma.job.create({ data: { id: randomUUID(), ...project, definition, ...job } });
  }
});
afterAll(() => server.stop());

const post = async (path: string, body: unknown) => (await server.call('POST', `/api/v1${path}`, { body })).body;
const schedule = (job: string, query = '', token?: string) =>
  server.call('GET', `/api/v1/environments/dev/jobs/${job}/schedule${query}`, token === undefined ? {} : { token });

test('a schedule has its next times in UTC and in its zone, with notes about daylight saving time (JOBS-18)', async () => {
  const { status, body } = await schedule('nightly-shop', '?count=3');
  expect([status, body]).toEqual([
    200,
    {
      cron: '30 2 * * *',
      timezone: 'Europe/Berlin',
      paused: false,
      times: [
        { at: '2026-03-28T01:30:00.000Z', local: '2026-03-28T02:30:00+01:00', note: null },
        { at: '2026-03-29T01:00:00.000Z', local: '2026-03-29T03:00:00+02:00', note: 'moved' },
        { at: '2026-03-30T00:30:00.000Z', local: '2026-03-30T02:30:00+02:00', note: null },
      ],
    },
  ]);
});

test('a paused schedule has the ten times of a resumed one (JOBS-18)', async () => {
  const { body } = await schedule('paused-shop');
  expect(body).toMatchObject({ paused: true, timezone: 'UTC' });
  expect(body.times).toHaveLength(10);
  expect(body.times[0]).toEqual({ at: '2026-03-28T05:00:00.000Z', local: '2026-03-28T05:00:00Z', note: null });
});

test('a job without a schedule, an unknown, an ambiguous one and a wrong count are refused (JOBS-11, JOBS-18)', async () => {
  const none = await schedule('manual', '?repository=shop');
  expect([none.status, none.body.code]).toEqual([409, 'no-schedule']);
  expect(none.body.detail).toContain('nothing to list');
  expect((await schedule('manual')).body.code).toBe('ambiguous-job');
  expect((await schedule('nothing')).status).toBe(404);
  expect((await schedule('nightly-shop', '?repository=twin')).status).toBe(404);
  for (const count of ['0', '101', 'x']) {
    const wrong = await schedule('nightly-shop', `?count=${count}`);
    expect([wrong.status, wrong.body.errors[0].parameter]).toEqual([422, 'count']);
  }
});

test('callers without READ_ENVIRONMENT learn nothing, and the denial is recorded (ACCESS-20)', async () => {
  await post('/principals', { name: 'rita', type: 'person' });
  const { token } = await post('/principals/rita/tokens', { name: 'test' });
  const answers = await Promise.all(
    ['nightly-shop', 'nothing', 'manual?count=0'].map((job) => schedule(job, '', token)),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1);
  const denied = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED');
  expect(denied.body.map(({ principal }: { principal: string }) => principal)).toEqual(['rita', 'rita', 'rita']);
});
