import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Job, Run, SvcClient } from '@svc/sdk';
import { deployFiles, taskStatuses } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Runs for minutes unless it is stopped. */
const ENDLESS = 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1';
const MANIFEST = `name: shop
jobs:
  quick:
    select: ["raw.*"]
  other:
    select: ["raw.*"]
  timed:
    select: ["raw.*"]
    schedule: { cron: "0 5 1 1 *", timezone: Europe/Berlin }
`;
const PROJECT = {
  'svc.yaml': MANIFEST,
  'assets/raw/orders.sql': 'SELECT i AS id FROM range(3) t(i)',
  'assets/slow/forever.sql': ENDLESS,
};
const BROKEN = {
  ...PROJECT,
  'svc.yaml': `${MANIFEST}  all:\n    select: ["core.*"]\n`,
  'assets/core/good.sql': 'SELECT 1 AS a',
  'assets/core/bad.sql': '/* svc\nchecks: [{name: never, sql: SELECT * FROM core.bad}]\n*/\nSELECT 1 AS a',
  'assets/core/after.sql': 'SELECT * FROM core.bad',
};
const without = (job: string) => MANIFEST.replace(new RegExp(`  ${job}:\n.*\n`), '');

let s: TestService;
let client: SvcClient;
beforeAll(async () => {
  s = await startTestService({ SVC_WEBHOOKS__ALLOW_HOSTS: '127.0.0.1' });
  client = s.client;
  await client.repositories.create({ name: 'shop' });
});
afterAll(() => s.stop());

const deploy = (env: string, files: Record<string, string>, dry_run = false) =>
  deployFiles(client, { env, repository: 'shop', folder: s.folder, dry_run }, files);

/** A new environment with the project deployed to it. */
async function deployed(env: string, files: Record<string, string> = PROJECT, more: { protected?: boolean } = {}) {
  await client.environments.create(env, more);
  expect(await deploy(env, files)).toMatchObject({ status: 'succeeded', error: null });
}

/** Occupies the project until it is cancelled. */
const occupy = (env: string): Promise<Run> =>
  client.runs.create(env, { repository: 'shop', select: ['slow.*'], upstream: false, downstream: false });

/** Polls until the result is there: the scheduler runs by itself. */
async function until<T>(poll: () => Promise<T | null | undefined>): Promise<T> {
  for (;;) {
    const found = await poll();
    if (found !== null && found !== undefined) return found;
  }
}

const startedRun = (env: string, job: string) => until(async () => (await client.runs.list(env, { job }))[0]);
const jobOf = (env: string, name: string): Promise<Job> => client.jobs.get(env, name);

describe('a start that meets an active run', () => {
  test('waits, is merged with later ones, is shown, and starts when the project is free (JOBS-7, JOBS-10, JOBS-11, JOBS-15)', async () => {
    await deployed('busy');
    const active = await occupy('busy');
    const first = await client.jobs.start('busy', 'quick');
    const waiting = { job: 'quick', repository: 'shop', trigger: 'manual', scheduled_for: null };
    expect(first).toMatchObject({ run: null, waiting: { ...waiting, merged: 1, waits_for_run_id: active.id } });
    expect((await client.jobs.start('busy', 'quick')).waiting).toMatchObject({ merged: 2 });
    await client.jobs.start('busy', 'other');
    expect(await jobOf('busy', 'quick')).toMatchObject({
      state: 'waiting',
      waits_for_run_id: active.id,
      waiting_for: { ...waiting, merged: 2 },
    });
    await client.runs.cancel('busy', active.id);
    const run = await client.runs.wait('busy', (await startedRun('busy', 'quick')).id);
    expect(run).toMatchObject({ status: 'succeeded', trigger: 'manual', principal: 'admin', requested_by: 'admin' });
    expect(run).toMatchObject({ missed: 0, scheduled_for: null });
    const next = await client.runs.wait('busy', (await startedRun('busy', 'other')).id);
    expect(next.status).toBe('succeeded');
    expect(next.started_at! >= run.ended_at!).toBe(true);
    const started = (await s.events('RUN_STARTED')).filter(({ detail }) => detail['run_id'] === run.id);
    expect(started).toMatchObject([{ principal: 'admin', detail: { job: 'quick', trigger: 'manual', merged: 2 } }]);
    expect(await jobOf('busy', 'quick')).toMatchObject({
      state: 'no schedule',
      waiting_for: null,
      last_run_id: run.id,
      last_run_trigger: 'manual',
    });
  });

  test('is dropped with its reason if the requester lost the right to run (JOBS-8, RUN-2)', async () => {
    await deployed('leaving');
    await client.principals.create({ name: 'ci', type: 'service-account' });
    const grant = { kind: 'ENVIRONMENT', environment: 'leaving', principal: 'ci', role: 'DATA_ENGINEER' } as const;
    const { id: granted } = await client.grants.create(grant);
    const { token } = await client.tokens.issue('ci', 'test');
    const active = await occupy('leaving');
    const { waiting } = await s.clientOf(token).jobs.start('leaving', 'quick');
    expect(waiting).toMatchObject({ trigger: 'api' });
    await client.grants.revoke(granted);
    await client.runs.cancel('leaving', active.id);
    const dropped = await until(async () => (await s.events('JOB_START_DROPPED')).at(-1));
    expect(dropped.detail).toMatchObject({ job: 'quick', trigger: 'api', merged: 1, scheduled_for: null });
    expect(dropped.detail['reason']).toContain('ci lost RUN');
    expect(await client.runs.list('leaving', { job: 'quick' })).toEqual([]);
  });

  test('is dropped by a deploy without its job, with a warning, and by an undeploy without one (DEPLOY-4, DEPLOY-12, JOBS-9)', async () => {
    await deployed('removed');
    const active = await occupy('removed');
    await client.jobs.start('removed', 'quick');
    await client.jobs.start('removed', 'other');
    const before = (await s.events('JOB_START_DROPPED')).length;
    const files = { ...PROJECT, 'svc.yaml': without('quick') };
    const dry = await deploy('removed', files, true);
    expect(dry.warnings).toContainEqual(expect.stringMatching(/job quick .* would be dropped/));
    expect((await jobOf('removed', 'quick')).state).toBe('waiting');
    const done = await deploy('removed', files);
    expect(done).toMatchObject({ status: 'succeeded', jobs: { removed: ['quick'] } });
    expect(done.warnings).toContainEqual(expect.stringMatching(/job quick .* is dropped/));
    await client.deployments.undeploy('removed', 'shop');
    const events = (await s.events('JOB_START_DROPPED')).slice(before);
    expect(events.map(({ detail }) => detail['job'])).toEqual(['quick', 'other']);
    expect(events.at(-1)?.detail['reason']).toContain('undeployed');
    // The active run isn't affected.
    expect(await client.runs.get('removed', active.id)).toMatchObject({
      status: expect.stringMatching(/^(queued|running)$/),
      project_version_id: active.project_version_id,
    });
    await client.runs.cancel('removed', active.id);
    await client.runs.wait('removed', active.id);
    expect(await client.runs.list('removed', { job: 'quick' })).toEqual([]);
  });

  test('is refused when a deploy removes its job at that moment', async () => {
    await deployed('raced');
    const active = await occupy('raced');
    const { prisma } = s.database.db;
    const { start } = await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`
        UPDATE jobs SET removed_at = now() WHERE name = 'quick' AND removed_at IS NULL
          AND environment_id = (SELECT id FROM environments WHERE name = 'raced')`;
      let finished = false;
      const request = client.jobs.start('raced', 'quick').finally(() => {
        finished = true;
      });
      const caught = request.then(
        () => null,
        (error: unknown) => error,
      );
      await until(async () => {
        const [row] = await prisma.$queryRaw<{ waiting: boolean }[]>`
          SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE '%FROM jobs%') AS waiting`;
        return row!.waiting || finished ? true : null;
      });
      return { start: caught };
    });
    expect(await start).toMatchObject({ status: 404 });
    await client.runs.cancel('raced', active.id);
    await client.runs.wait('raced', active.id);
  });
});

describe('a schedule', () => {
  test("is paused and resumed; the pause survives a deploy and doesn't prevent manual starts (DEPLOY-11, JOBS-6, JOBS-10, JOBS-11, JOBS-13, JOBS-14, JOBS-15, JOBS-16)", async () => {
    await deployed('paused');
    await client.principals.create({ name: 'timer', type: 'service-account' });
    await client.deployments.setRunAs('paused', 'shop', 'timer');
    const { next_run_at } = await jobOf('paused', 'timed');
    expect(next_run_at).toMatch(/-01-01T04:00:00/);
    const paused = await client.jobs.pause('paused', 'timed');
    expect(paused).toMatchObject({ state: 'paused', paused: true, next_run_at: null, next_run_local: null });
    expect(paused.triggers).toMatchObject([
      { kind: 'schedule', paused: true, next_run_at: null },
      { kind: 'on_demand' },
    ]);
    expect(await client.jobs.pause('paused', 'timed')).toEqual(paused);
    await deploy('paused', { ...PROJECT, 'svc.yaml': MANIFEST.replace('0 5 1 1', '0 6 1 1') });
    expect(await jobOf('paused', 'timed')).toMatchObject({ state: 'paused', cron: '0 6 1 1 *', next_run_at: null });
    const { run } = await client.jobs.start('paused', 'timed');
    expect(await client.runs.wait('paused', run!.id)).toMatchObject({ trigger: 'manual', principal: 'timer' });
    expect(await client.jobs.resume('paused', 'timed')).toMatchObject({
      state: 'scheduled',
      paused: false,
      next_run_at: expect.stringMatching(/-01-01T05:00:00/),
    });
    const object = { environment: 'paused' };
    expect(await s.events('JOB_PAUSED')).toMatchObject([{ object, detail: { job: 'timed', next_run_at: null } }]);
    expect(await s.events('JOB_RESUMED')).toMatchObject([{ object, detail: { job: 'timed', repository: 'shop' } }]);
    await expect(client.jobs.pause('paused', 'quick')).rejects.toMatchObject({ status: 409, code: 'no-schedule' });
    await expect(client.jobs.pause('paused', 'none')).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('quick, timed'),
    });
  });
});

test('a failed run is run again for what did not succeed', async () => {
  await deployed('again', BROKEN);
  const { run } = await client.jobs.start('again', 'all');
  const active = await client.runs.retry('again', run!.id).catch((error: unknown) => error);
  expect(active).toMatchObject({ status: 409 });
  const failed = await client.runs.wait('again', run!.id);
  expect(taskStatuses(failed)).toEqual({ 'core.good': 'succeeded', 'core.bad': 'failed', 'core.after': 'skipped' });
  await deploy('again', { ...BROKEN, 'assets/core/bad.sql': 'SELECT 2 AS a' });
  const again = await client.runs.wait('again', (await client.runs.retry('again', failed.id)).id);
  expect(again).toMatchObject({ status: 'succeeded', job: 'all', trigger: 'manual' });
  expect(taskStatuses(again)).toEqual({ 'core.bad': 'succeeded', 'core.after': 'succeeded' });
  await expect(client.runs.retry('again', again.id)).rejects.toMatchObject({ status: 409, code: 'nothing-to-retry' });
});

test('a task that takes too long is tried again as the project says, then fails; the log shows both', async () => {
  const defaults = 'defaults: { timeout_seconds: 1, retries: 1 }\n';
  await deployed('overdue', { ...PROJECT, 'svc.yaml': `${defaults}${MANIFEST}` });
  const run = await client.runs.wait('overdue', (await occupy('overdue')).id);
  expect(run).toMatchObject({ status: 'failed', tasks: [{ error: { code: 'timeout' } }] });
  const lines: string[] = [];
  for await (const { line } of client.runs.logs('overdue', run.id)) lines.push(line);
  expect(lines.filter((line) => line.includes('The task took longer than 1 s'))).toHaveLength(2);
  expect(lines.filter((line) => line === 'retrying (1 left)')).toHaveLength(1);
});

test('a run and the task that it was building fail when its account is deactivated (ACCESS-22, RUN-16)', async () => {
  await deployed('gone');
  await client.principals.create({ name: 'leaver', type: 'service-account' });
  await client.grants.create({ kind: 'ENVIRONMENT', environment: 'gone', principal: 'leaver', role: 'DATA_ENGINEER' });
  await client.deployments.setRunAs('gone', 'shop', 'leaver');
  const active = await occupy('gone');
  // A run is claimed before the worker checks whether it may start.
  const taskRunning = async () =>
    (await client.runs.get('gone', active.id)).tasks.some(({ status }) => status === 'running');
  await until(async () => ((await taskRunning()) ? true : null));
  await client.principals.update('leaver', { active: false });
  const error = {
    code: 'not-allowed',
    detail: 'The run principal leaver was deactivated while the run was executing.',
  };
  expect(await client.runs.wait('gone', active.id)).toMatchObject({ status: 'failed', error });
  const [task] = (await client.runs.get('gone', active.id)).tasks;
  expect(task).toMatchObject({ status: 'failed', error, attempts: [{ number: 1, status: 'failed', error }] });
});

test('a deploy warns of a notify secret that is missing, unbound or revoked (DEPLOY-4)', async () => {
  const files = {
    ...PROJECT,
    'svc.yaml': MANIFEST.replace('    schedule:', '    notify: { webhook: "it\'s" }\n    schedule:'),
  };
  await deployed('notify', files);
  const notifyWarning = async (dryRun = false) =>
    (await deploy('notify', files, dryRun)).warnings.find((text) => text.includes("the secret it's"));
  expect(await notifyWarning(true)).toMatch(/^job timed .*missing or revoked in notify: no one would be notified/);
  const secrets = '/environments/notify/secrets';
  const body = { name: "it's", values: { url: 'https://hooks.example.org/svc' } };
  expect(await s.call('POST', secrets, { body })).toMatchObject({ status: 201 });
  expect(await notifyWarning()).toContain("(svc secret bind 'it'\\''s' --env notify --environment)");
  expect(await s.call('POST', `${secrets}/it's/bind`, { body: { environment: true } })).toMatchObject({
    status: 200,
  });
  expect(await notifyWarning()).toBeUndefined();
  await s.call('DELETE', `${secrets}/it's`);
  expect(await notifyWarning()).toContain('missing or revoked');
});

test('a failed run of a job is reported to its webhook, signed; the log of the run says so (JOBS-17)', async () => {
  const files = { ...BROKEN, 'svc.yaml': `${BROKEN['svc.yaml']}    notify: { webhook: alerts }\n` };
  await deployed('failing', files);
  const receiver = createServer().listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const delivery = new Promise<{ signature: string; text: string }>((done) => {
    receiver.on('request', async (req, res) => {
      let text = '';
      for await (const piece of req) text += String(piece);
      res.end();
      done({ signature: String(req.headers['svc-signature']), text });
    });
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const body = { name: 'alerts', values: { url, signing_key: 'shared' }, environment: true };
  expect(await s.call('POST', '/environments/failing/secrets', { body })).toMatchObject({ status: 201 });
  const { run } = await client.jobs.start('failing', 'all');
  const failed = await client.runs.wait('failing', run!.id);
  const { signature, text } = await delivery;
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
  expect(v1).toBe(createHmac('sha256', 'shared').update(`${t}.${text}`).digest('hex'));
  // What only the record of a single run has depends on the permissions of its reader.
  const [listed] = await client.runs.list('failing', { status: 'failed' });
  expect(JSON.parse(text)).toEqual({
    event: 'job_failed',
    environment: 'failing',
    repository: 'shop',
    job: 'all',
    run: listed,
    url: `${s.url}/api/v1/environments/failing/runs/${failed.id}`,
  });
  const line = await until(async () => {
    for await (const entry of client.runs.logs('failing', failed.id)) if (entry.line.includes('webhook')) return entry;
    return null;
  });
  expect(line).toMatchObject({ stream: 'service', line: 'webhook notified of the failure: it returned 200' });
  receiver.close();
});

test('a principal that may run or deploy may follow what it started, and nothing else (RUN-8)', async () => {
  await deployed('followed');
  const token = async (name: string, action: 'RUN' | 'DEPLOY') => {
    await client.principals.create({ name, type: 'service-account' });
    await client.grants.create({ kind: 'ENVIRONMENT', environment: 'followed', principal: name, action });
    return (await client.tokens.issue(name, 'test')).token;
  };
  const runner = s.clientOf(await token('runner', 'RUN'));
  const other = s.clientOf(await token('other-runner', 'RUN'));
  const { run } = await runner.jobs.start('followed', 'quick');
  // The account may not create the table, which fails the run; everyone who follows the log sees it.
  expect(await runner.runs.wait('followed', run!.id)).toMatchObject({ status: 'failed', requested_by: 'runner' });
  const lines = [];
  for await (const line of runner.runs.logs('followed', run!.id)) lines.push(line);
  expect(lines).not.toEqual([]);
  const refusal = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as { remedy: string };
  const refused = await refusal(other.runs.get('followed', run!.id));
  expect(refused).toMatchObject({ status: 403, remedy: expect.stringContaining('READ_ENVIRONMENT') });
  expect(await refusal(other.runs.get('followed', 'nothing'))).toMatchObject({ status: 403 });
  expect(await refusal(runner.runs.list('followed'))).toMatchObject({ status: 403 });
  const deployer = s.clientOf(await token('deployer', 'DEPLOY'));
  const files = { env: 'followed', repository: 'shop', folder: s.folder };
  expect(await deployFiles(deployer, files, PROJECT)).toMatchObject({ status: 'succeeded', created_by: 'deployer' });
  expect(await refusal(deployer.deploys.list('followed'))).toMatchObject({ status: 403 });
});

test('a protected environment starts nothing before an account is bound (JOBS-10)', async () => {
  await deployed('sealed', PROJECT, { protected: true });
  await expect(client.jobs.start('sealed', 'quick')).rejects.toMatchObject({
    status: 409,
    code: 'no-run-principal',
    message: expect.stringContaining('set-run-as'),
  });
  expect(await jobOf('sealed', 'quick')).toMatchObject({ waiting_for: null, last_run_id: null });
});

test('a job that several repositories declare is 409 with their names, until one is chosen (JOBS-11)', async () => {
  await deployed('shared');
  await client.repositories.create({ name: 'twin' });
  const files = {
    'svc.yaml': without('timed'),
    'assets/twin/one.sql': 'SELECT 1 AS a',
    'assets/raw/x.sql': 'SELECT 1 AS a',
  };
  expect(await deployFiles(client, { env: 'shared', repository: 'twin', folder: s.folder }, files)).toMatchObject({
    status: 'succeeded',
  });
  await expect(client.jobs.start('shared', 'quick')).rejects.toMatchObject({
    status: 409,
    code: 'ambiguous-job',
    message: expect.stringContaining('shop, twin'),
  });
  const { run } = await client.jobs.start('shared', 'quick', { repository: 'twin' });
  expect(await client.runs.wait('shared', run!.id)).toMatchObject({ status: 'succeeded', repository: 'twin' });
});

test('the run principal stays bound through deploys and rollbacks, and earlier warnings stay as they are (DEPLOY-4, DEPLOY-11)', async () => {
  await client.environments.create('bound');
  const first = await deploy('bound', PROJECT);
  const unbound = [expect.stringMatching(/^job timed has a schedule but no run principal is bound/)];
  expect(first.warnings).toEqual(unbound);
  await client.principals.create({ name: 'keeper', type: 'service-account' });
  await client.deployments.setRunAs('bound', 'shop', 'keeper');
  expect((await client.deploys.get('bound', first.id)).warnings).toEqual(unbound);
  const second = await deploy('bound', { ...PROJECT, 'assets/raw/more.sql': 'SELECT 1 AS a' });
  expect(second.warnings).toEqual([]);
  const [active] = await client.deployments.list('bound');
  expect(active).toMatchObject({ run_as: 'keeper', project_version_id: second.project_version_id });
  expect(await client.deployments.rollback('bound', 'shop')).toMatchObject({
    run_as: 'keeper',
    project_version_id: first.project_version_id,
  });
});

test('a deploy warns of a table that a failed check left empty if it removes the asset (DEPLOY-4)', async () => {
  await deployed('checked', BROKEN);
  const { run } = await client.jobs.start('checked', 'all');
  expect((await client.runs.wait('checked', run!.id)).status).toBe('failed');
  const removed = { ...PROJECT, 'assets/core/good.sql': 'SELECT 1 AS a' };
  const retainedWarning = async (dryRun: boolean) =>
    (await deploy('checked', removed, dryRun)).warnings.filter((text) => text.includes('failed check'));
  const warning = (verb: string) => [
    `table core.bad was kept after a failed check and its asset is removed: it ${verb}, empty, until someone drops it`,
  ];
  expect(await retainedWarning(true)).toEqual(warning('would stay'));
  expect(await retainedWarning(false)).toEqual(warning('stays'));
  expect(await client.tables.get('checked', 'core.bad')).toMatchObject({ kind: 'managed' });
});

test('deploys, runs, grants, policies, secrets and pauses work in a protected environment (ENV-6)', async () => {
  await deployed('guarded', PROJECT, { protected: true });
  await client.principals.create({ name: 'robot', type: 'service-account' });
  const scope = { kind: 'ENVIRONMENT', environment: 'guarded', principal: 'robot' } as const;
  await client.grants.create({ ...scope, role: 'DATA_ENGINEER' });
  await client.deployments.setRunAs('guarded', 'shop', 'robot');
  const { run } = await client.jobs.start('guarded', 'quick');
  expect(await client.runs.wait('guarded', run!.id)).toMatchObject({ status: 'succeeded', principal: 'robot' });
  await client.rowFilters.create('guarded', 'raw.orders', { principal: 'robot', predicate: 'id > 1' });
  await client.secrets.create('guarded', 'hook', { url: 'https://hooks.example.org' });
  expect(await client.jobs.pause('guarded', 'timed')).toMatchObject({ state: 'paused' });
  await expect(client.tables.update('guarded', 'raw.orders', { description: 'x' })).rejects.toMatchObject({
    code: 'environment-protected',
  });
});
