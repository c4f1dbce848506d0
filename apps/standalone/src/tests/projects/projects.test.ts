import { rowsOf } from '../../testing/orders.ts';
import { branchesOf, deployFiles, GitRepository, taskStatuses } from '../../testing/projects.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

/** Runs for minutes unless it is stopped. */
const ENDLESS = 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1';
const CHECKED = `/* svc
description: Orders that count
columns:
  amount: In cents
tags: [daily]
checks:
  - name: no amount is negative
    sql: SELECT * FROM core.orders WHERE amount < 0
*/
SELECT id, amount FROM raw.orders`;
const PROJECT = {
  'svc.yaml': `name: shop
jobs:
  all:
    select: ["*"]
  marts:
    select: ["marts.*"]
    upstream: true
    schedule: { cron: "0 5 * * *", timezone: Europe/Berlin }
`,
  'assets/raw/orders.sql': 'SELECT i AS id, i * 10 AS amount FROM range(5) t(i)',
  'assets/core/orders.sql': CHECKED,
  'assets/core/large.sql': '/* svc\nkind: view\n*/\nSELECT * FROM core.orders WHERE amount > 10',
  'assets/marts/total.sql': 'SELECT sum(amount)::BIGINT AS total, count(*) AS n FROM core.large',
};
let s: TestService;
let git: GitRepository;

beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  git = new GitRepository(s.folder);
});
afterAll(() => s.stop());

const deploy = async (body: { ref?: string; dry_run?: boolean } = {}, env = 'dev') => {
  const { id } = await s.client.deploys.create(env, { repository: 'shop', dry_run: false, ...body });
  return s.client.deploys.wait(env, id);
};
const startJob = async (job: string, env = 'dev') => (await s.client.jobs.start(env, job)).run!;
const runJob = async (job: string, env = 'dev') => s.client.runs.wait(env, (await startJob(job, env)).id);

describe('deploying a git repository', () => {
  test('a dry run reports the changes and makes none (DEPLOY-2)', async () => {
    git.commit(PROJECT);
    await s.client.repositories.create({ name: 'shop', url: git.dir });
    const dry = await deploy({ dry_run: true });
    expect(dry).toMatchObject({
      status: 'succeeded',
      dry_run: true,
      jobs: { added: ['all', 'marts'], removed: [], changed: [] },
      project_version_id: null,
    });
    expect(await s.client.deployments.list('dev')).toEqual([]);
    expect(await s.client.jobs.list('dev')).toEqual([]);
    expect(await s.client.deploys.list('dev')).toEqual([]);
    expect(await s.stored('projects')).toEqual([]);
  });

  test('a deploy makes a project version, its jobs and missing namespaces (DEPLOY-1, DEPLOY-4, DEPLOY-10, JOBS-15)', async () => {
    const commit = git.git('rev-parse', 'HEAD').trim();
    const done = await deploy();
    expect(done).toMatchObject({ status: 'succeeded', commit, error: null, created_by: 'admin' });
    expect(done.warnings).toEqual([expect.stringContaining('marts')]);
    const version = await s.client.projectVersions.get('dev', done.project_version_id!);
    expect(version.assets.map(({ name, kind }) => [name, kind])).toEqual(
      expect.arrayContaining([
        ['raw.orders', 'table'],
        ['core.large', 'view'],
      ]),
    );
    expect((await s.client.namespaces.list('dev')).map(({ path }) => path)).toEqual(['core', 'marts', 'raw']);
    const jobs = await s.client.jobs.list('dev');
    expect(jobs.map(({ name, state, cron }) => [name, state, cron])).toEqual([
      ['all', 'no schedule', null],
      ['marts', 'no run principal', '0 5 * * *'],
    ]);
    const [event] = await s.events('DEPLOY_SUCCEEDED');
    expect(event?.detail).toMatchObject({ repository: 'shop', commit, deploy_id: done.id });
  });

  test.each([
    ['an unknown key', { 'svc.yaml': 'jobz: {}\n' }, ['svc.yaml', 'jobz', 'jobs']],
    [
      'a cron that never fires',
      { 'svc.yaml': 'jobs: {a: {select: ["*"], schedule: {cron: "0 0 31 2 *"}}}\n' },
      ['svc.yaml', 'day'],
    ],
    [
      'an unknown zone',
      { 'svc.yaml': 'jobs: {a: {select: ["*"], schedule: {cron: "0 0 1 2 *", timezone: Mars/Base}}}\n' },
      ['Mars/Base'],
    ],
    ['a selection of nothing', { 'svc.yaml': 'jobs: {a: {select: ["nothing.*"]}}\n' }, ['nothing.*']],
    ['a circle', { 'assets/a/x.sql': 'SELECT * FROM a.y', 'assets/a/y.sql': 'SELECT * FROM a.x' }, ['a.x', 'a.y']],
  ])(
    '%s is refused by file, key and what is allowed; what is deployed stays (CRON-5, CRON-6, DEPLOY-1, DEPLOY-5)',
    async (_what, files, named) => {
      const before = await s.client.deployments.list('dev');
      const refused = await deployFiles(
        s.client,
        { env: 'dev', repository: 'shop', folder: s.folder },
        { ...PROJECT, ...files },
      );
      expect(refused).toMatchObject({ status: 'failed', project_version_id: null });
      for (const text of named) expect(refused.error?.detail).toContain(text);
      expect(await s.client.deployments.list('dev')).toEqual(before);
      expect((await s.events('DEPLOY_FAILED')).at(-1)?.detail).toMatchObject({ deploy_id: refused.id });
    },
  );

  test('the event of a deploy whose SQL is refused names the file, and repeats nothing of the statement (AUDIT-2)', async () => {
    const project = { ...PROJECT, 'assets/a/x.sql': "SELECT 'geheim',, 1" };
    const refused = await deployFiles(s.client, { env: 'dev', repository: 'shop', folder: s.folder }, project);
    expect(refused.error?.detail).toContain('geheim');
    const detail = (await s.events('DEPLOY_FAILED')).at(-1)?.detail;
    expect(detail).toMatchObject({
      error: { code: 'invalid-project', detail: expect.stringMatching(/^assets\/a\/x\.sql:1:17: /) },
    });
    expect(JSON.stringify(detail)).not.toContain('geheim');
  });

  test('an unknown ref fails the deploy; an unknown repository is 404 (DEPLOY-1)', async () => {
    const failed = await deploy({ ref: 'nowhere' });
    expect(failed).toMatchObject({ status: 'failed', error: { detail: expect.stringContaining('nowhere') } });
    await expect(s.client.deploys.create('dev', { repository: 'none', dry_run: false })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('running', () => {
  test('a job builds its assets in the order of their needs (RUN-1, RUN-2)', async () => {
    const run = await runJob('all');
    expect(run).toMatchObject({ status: 'succeeded', job: 'all', trigger: 'manual', principal: 'admin', missed: 0 });
    expect(taskStatuses(run)).toEqual({
      'raw.orders': 'succeeded',
      'core.orders': 'succeeded',
      'core.large': 'succeeded',
      'marts.total': 'succeeded',
    });
    const finished = new Map(run.tasks.map((task) => [task.asset, task]));
    for (const [first, then] of [
      ['raw.orders', 'core.orders'],
      ['core.orders', 'core.large'],
      ['core.large', 'marts.total'],
    ] as const)
      expect(finished.get(first)!.ended_at! <= finished.get(then)!.started_at!).toBe(true);
    expect(await rowsOf(s.client, 'dev', 'SELECT * FROM marts.total')).toEqual([[90, 3]]);
    expect((await s.client.tables.get('dev', 'core.large')).kind).toBe('view');
    expect(await s.client.tables.get('dev', 'core.orders')).toMatchObject({
      kind: 'managed',
      description: 'Orders that count',
      columns: [{ name: 'id' }, { name: 'amount', description: 'In cents' }],
    });
    const seen = await fetch(`${s.url}/catalog/v1/dev/namespaces/core/tables/orders`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    const { metadata } = (await seen.json()) as { metadata: { schemas: unknown[]; properties: object } };
    expect(metadata).toMatchObject({
      schemas: [{ fields: [{ name: 'id' }, { name: 'amount', doc: 'In cents' }] }],
      properties: { comment: 'Orders that count' },
    });
    expect((await s.events('RUN_STARTED')).at(-1)?.detail).toMatchObject({
      run_id: run.id,
      job: 'all',
      trigger: 'manual',
      merged: 1,
    });
    expect((await s.events('RUN_ENDED')).at(-1)?.detail).toMatchObject({ run_id: run.id, status: 'succeeded' });
  });

  test('its log is shown line by line, and followed to the end', async () => {
    const run = await startJob('all');
    const lines: string[] = [];
    for await (const line of s.client.runs.logs('dev', run.id, { follow: true }))
      lines.push(`${line.asset} ${line.line}`);
    expect((await s.client.runs.get('dev', run.id)).status).toBe('succeeded');
    for (const { asset } of run.tasks) {
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${asset} building`)));
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${asset} built in`)));
    }
    const later: string[] = [];
    for await (const line of s.client.runs.logs('dev', run.id)) later.push(`${line.asset} ${line.line}`);
    expect(later).toEqual(lines);
  });

  test('an ad hoc run builds what is selected, by name, tag and direction (RUN-2)', async () => {
    const runOf = async (select: string[], more: { upstream?: boolean; downstream?: boolean } = {}) => {
      const body = { repository: 'shop', select, upstream: false, downstream: false, ...more };
      return s.client.runs.wait('dev', (await s.client.runs.create('dev', body)).id);
    };
    const run = await runOf(['raw.*']);
    expect(run).toMatchObject({ status: 'succeeded', job: null, trigger: null });
    expect(Object.keys(taskStatuses(run))).toEqual(['raw.orders']);
    expect(Object.keys(taskStatuses(await runOf(['tag:daily'], { upstream: true }))).sort()).toEqual([
      'core.orders',
      'raw.orders',
    ]);
    expect(Object.keys(taskStatuses(await runOf(['core.large'], { downstream: true }))).sort()).toEqual([
      'core.large',
      'marts.total',
    ]);
    await expect(runOf(['none.*'])).rejects.toMatchObject({ status: 422, message: expect.stringContaining('none.*') });
  });

  test('a failed check keeps the table as it was and the refused rows aside; what it feeds is skipped (RUN-1, RUN-4)', async () => {
    const before = await s.client.tables.snapshots('dev', 'core.orders');
    git.commit({ 'assets/raw/orders.sql': 'SELECT i AS id, i * 10 - 5 AS amount FROM range(5) t(i)' });
    expect((await deploy()).status).toBe('succeeded');
    const run = await runJob('all');
    expect(run.status).toBe('failed');
    expect(taskStatuses(run)).toEqual({
      'raw.orders': 'succeeded',
      'core.orders': 'failed',
      'core.large': 'skipped',
      'marts.total': 'skipped',
    });
    expect(run.tasks.find((task) => task.asset === 'core.orders')?.error).toMatchObject({
      code: 'check-failed',
      detail: expect.stringContaining('no amount is negative'),
    });
    const after = await s.client.tables.snapshots('dev', 'core.orders');
    expect(after.find((snapshot) => snapshot.current)?.snapshot_id).toBe(before.find((b) => b.current)?.snapshot_id);
    expect(after).toHaveLength(before.length + 1);
    expect(await rowsOf(s.client, 'dev', 'SELECT min(amount) FROM core.orders')).toEqual([[0]]);
    expect(await branchesOf(s, 'dev', 'core.orders')).toEqual(['failed_check', 'main']);
  });

  test('rollback brings the version before back, its jobs with it (RUN-4)', async () => {
    git.commit({ 'svc.yaml': 'jobs:\n  other:\n    select: ["*"]\n' });
    expect(await deploy()).toMatchObject({ jobs: { added: ['other'], removed: ['all', 'marts'] } });
    const [now] = await s.client.deployments.list('dev');
    const back = await s.client.deployments.rollback('dev', 'shop');
    expect(back.project_version_id).not.toBe(now!.project_version_id);
    expect((await s.client.jobs.list('dev')).map(({ name }) => name)).toEqual(['all', 'marts']);
    expect((await s.events('ROLLED_BACK')).at(-1)?.detail).toMatchObject({ previous: now!.project_version_id });
    git.commit({ 'svc.yaml': PROJECT['svc.yaml'], 'assets/raw/orders.sql': PROJECT['assets/raw/orders.sql'] });
    await deploy();
    expect((await runJob('all')).status).toBe('succeeded');
    expect(await branchesOf(s, 'dev', 'core.orders')).toEqual(['main']);
  });

  test('an incremental asset reads only above its watermark (RUN-5)', async () => {
    const asset =
      '/* svc\nmode: append\nwatermark: id\n*/\nSELECT id, amount FROM raw.orders WHERE ${watermark} IS NULL OR id > ${watermark}';
    git.commit({ 'assets/core/history.sql': asset });
    await deploy();
    const build = async () => {
      const select = ['core.history'];
      const body = { repository: 'shop', select, upstream: true, downstream: false };
      return s.client.runs.wait('dev', (await s.client.runs.create('dev', body)).id);
    };
    const rows = (run: Awaited<ReturnType<typeof build>>) =>
      run.tasks.find(({ asset: a }) => a === 'core.history')?.rows;
    expect(rows(await build())).toBe(5);
    expect(rows(await build())).toBe(0);
    git.commit({ 'assets/raw/orders.sql': 'SELECT i AS id, i * 10 AS amount FROM range(8) t(i)' });
    await deploy();
    expect(rows(await build())).toBe(3);
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*), count(DISTINCT id) FROM core.history')).toEqual([[8, 8]]);
    const writes = (await s.events('TABLE_WRITE')).filter(({ object }) => object.table === 'history');
    expect(writes.map(({ detail }) => detail['watermark'])).toEqual(['4', null, '7']);
  });
});

/** Lines of the log of an active run, followed. */
async function expectLogsToStopForDeactivatedUser(run: string): Promise<void> {
  await s.client.principals.create({ name: 'watcher', type: 'service-account' });
  const { token } = await s.client.tokens.issue('watcher', 'test');
  const grant = { kind: 'ENVIRONMENT', principal: 'watcher', environment: 'dev' } as const;
  const { id } = await s.client.grants.create({ ...grant, action: 'READ_ENVIRONMENT' });
  const follow = () =>
    fetch(`${s.url}/api/v1/environments/dev/runs/${run}/logs?follow=true`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  const revoked = await follow();
  expect(revoked.status).toBe(200);
  await s.client.grants.revoke(id);
  await expect(revoked.text()).rejects.toThrow('terminated');
  expect((await s.events('AUTHORIZATION_DENIED')).at(-1)).toMatchObject({
    principal: 'watcher',
    detail: { action: 'READ_ENVIRONMENT', route: 'GET /api/v1/environments/{env}/runs/{id}/logs' },
  });
  await s.client.grants.create({ ...grant, action: 'READ_ENVIRONMENT' });
  const deactivated = await follow();
  expect(deactivated.status).toBe(200);
  await s.client.principals.update('watcher', { active: false });
  await expect(deactivated.text()).rejects.toThrow('terminated');
}

describe('a busy project', () => {
  test('refuses a second run naming the first, which can be cancelled (RUN-1)', async () => {
    git.commit({ 'assets/slow/forever.sql': ENDLESS, 'assets/slow/after.sql': 'SELECT * FROM slow.forever' });
    await deploy();
    const body = { repository: 'shop', select: ['slow.*'], upstream: false, downstream: false };
    const run = await s.client.runs.create('dev', body);
    const running = async () =>
      (await s.client.runs.get('dev', run.id)).tasks.some((task) => task.status === 'running');
    while (!(await running()));
    const busy = await s.client.runs.create('dev', body).catch((error: unknown) => error);
    expect(busy).toMatchObject({ status: 409, code: 'project-busy', message: expect.stringContaining(run.id) });
    await expectLogsToStopForDeactivatedUser(run.id);
    await s.client.runs.cancel('dev', run.id);
    const finished = await s.client.runs.wait('dev', run.id);
    expect(finished).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
    expect(taskStatuses(finished)).toEqual({ 'slow.forever': 'cancelled', 'slow.after': 'cancelled' });
    expect((await s.events('RUN_ENDED')).at(-1)?.detail).toMatchObject({ run_id: run.id, status: 'cancelled' });
    await expect(s.client.runs.cancel('dev', run.id)).rejects.toMatchObject({ code: 'already-ended' });
    await expect(s.client.tables.get('dev', 'slow.forever')).rejects.toMatchObject({ status: 404 });
    git.commit({ 'assets/slow/forever.sql': null, 'assets/slow/after.sql': null });
    await deploy();
  });
});

describe('a protected environment', () => {
  beforeAll(async () => {
    await s.client.environments.create('prod', { protected: true });
    expect((await deploy({}, 'prod')).status).toBe('succeeded');
  });

  test('runs nothing without a bound account, and says so in the audit log (JOBS-10)', async () => {
    const before = (await s.events('AUTHORIZATION_DENIED')).length;
    const refused = await s.client.jobs.start('prod', 'all').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      status: 409,
      code: 'no-run-principal',
      remedy: expect.stringContaining('set-run-as'),
    });
    const denied = (await s.events('AUTHORIZATION_DENIED')).slice(before);
    expect(denied).toMatchObject([{ detail: { action: 'RUN', reason: expect.stringContaining('protected') } }]);
  });

  test('runs as the bound account, within that account’s rights (DEPLOY-11, JOBS-10, JOBS-15)', async () => {
    await s.client.principals.create({ name: 'robot', type: 'service-account' });
    await expect(s.client.deployments.setRunAs('prod', 'shop', 'admin')).rejects.toMatchObject({ status: 422 });
    expect(await s.client.deployments.setRunAs('prod', 'shop', 'robot')).toMatchObject({ run_as: 'robot' });
    expect((await s.client.jobs.get('prod', 'marts')).state).toBe('scheduled');
    const without = await runJob('all', 'prod');
    expect(without).toMatchObject({ status: 'failed', principal: 'robot', requested_by: 'admin' });
    expect(without.tasks[0]?.error?.detail).toContain('CREATE_TABLE');
    expect((await s.events('AUTHORIZATION_DENIED')).at(-1)).toMatchObject({
      principal: 'robot',
      detail: {
        action: 'CREATE_TABLE',
        route: 'POST /api/v1/environments/{env}/jobs/{job}/runs',
        run_id: without.id,
      },
    });
    await s.client.grants.create({
      kind: 'ENVIRONMENT',
      environment: 'prod',
      principal: 'robot',
      role: 'DATA_ENGINEER',
    });
    expect(await runJob('all', 'prod')).toMatchObject({ status: 'succeeded', principal: 'robot' });
    const writes = (await s.events('TABLE_WRITE')).filter(({ object }) => object.environment === 'prod');
    expect(new Set(writes.map(({ principal }) => principal))).toEqual(new Set(['robot']));
    await s.client.principals.update('robot', { active: false });
    expect((await s.client.jobs.get('prod', 'marts')).state).toBe('run principal unusable');
    await expect(s.client.jobs.start('prod', 'all')).rejects.toMatchObject({ code: 'no-run-principal' });
  });
});

test('undeploy removes the jobs but not the tables', async () => {
  await s.client.deployments.undeploy('dev', 'shop');
  expect(await s.client.jobs.list('dev')).toEqual([]);
  expect(await s.client.deployments.list('dev')).toEqual([]);
  expect(await rowsOf(s.client, 'dev', 'SELECT n FROM marts.total')).toHaveLength(1);
  const body = { repository: 'shop', select: ['*'], upstream: false, downstream: false };
  await expect(s.client.runs.create('dev', body)).rejects.toMatchObject({ code: 'not-deployed' });
  expect(await s.events('UNDEPLOYED')).toMatchObject([{ detail: { repository: 'shop' } }]);
});

test('a repository deployed in a deleted environment is in use, and the error says how to free it', async () => {
  await s.client.environments.create('left');
  await s.client.repositories.create({ name: 'small' });
  const to = { env: 'left', repository: 'small', folder: s.folder };
  const small = { 'svc.yaml': 'name: small\n', 'assets/a/one.sql': 'SELECT 1 AS id' };
  expect(await deployFiles(s.client, to, small)).toMatchObject({ status: 'succeeded' });
  const removed = () =>
    s.client.repositories.delete('small').catch((error: { code: string; message: string }) => error);
  expect(await removed()).toMatchObject({ code: 'in-use', message: expect.stringContaining('Undeploy it first') });
  await s.client.environments.delete('left');
  expect(await removed()).toMatchObject({
    code: 'in-use',
    message: expect.stringMatching(/deleted environment left\..*svc env restore left.*svc env delete left --purge/),
  });
  await s.client.environments.delete('left', { purge: true });
  expect(await removed()).toMatchObject({ code: 'in-use', message: expect.stringContaining('next clean-up') });
});

test('an environment deleted and restored has its tables again at once, its views with the next run', async () => {
  await s.client.environments.create('again');
  expect(await deploy({}, 'again')).toMatchObject({ status: 'succeeded' });
  expect(await runJob('all', 'again')).toMatchObject({ status: 'succeeded' });
  await s.client.tables.setRetention('again', 'raw.orders', { days: 1 });
  const retention = await s.client.tables.retention('again', 'raw.orders');
  expect(retention).toMatchObject({ source: 'table', days: 1, kept: 'project_asset', expires_at: null });
  const names = async () => (await s.client.tables.list('again', 'core')).map(({ name }) => name);
  const before = await names();
  await s.client.environments.delete('again');
  await expect(s.client.deploys.create('again', { repository: 'shop', dry_run: false })).rejects.toMatchObject({
    code: 'environment-deleted',
  });
  await s.client.environments.restore('again');
  expect(await names()).toEqual(before.filter((name) => name !== 'large'));
  const { id } = await s.client.queries.submit('again', 'SELECT count(*) AS n FROM raw.orders');
  expect(await s.client.queries.wait('again', id)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await runJob('all', 'again')).toMatchObject({ status: 'succeeded' });
  expect(await names()).toEqual(before);
  await s.client.tables.delete('again', 'raw.orders');
  expect(await runJob('marts', 'again')).toMatchObject({ status: 'succeeded' });
  await expect(s.client.tables.undrop('again', 'raw.orders')).rejects.toMatchObject({ code: 'name-taken' });
});

test('a deploy creates dropped views again, as far as the deployer may (DROP-3)', async () => {
  await s.client.environments.create('views');
  await s.client.repositories.create({ name: 'views' });
  const files = {
    ...PROJECT,
    'assets/core/larger.sql': '/* svc\nkind: view\n*/\nSELECT * FROM core.large WHERE amount > 20',
  };
  const to = { env: 'views', repository: 'views', folder: s.folder };
  const kinds = async () => (await s.client.tables.list('views', 'core')).map(({ name, kind }) => [name, kind]);
  expect(await deployFiles(s.client, to, files)).toMatchObject({ status: 'succeeded' });
  expect(await kinds()).toEqual([]);
  expect(await runJob('all', 'views')).toMatchObject({ status: 'succeeded' });
  const before = await kinds();
  for (const name of ['large', 'larger']) await s.client.tables.delete('views', `core.${name}`);

  const dry = await deployFiles(s.client, { ...to, dry_run: true }, files);
  expect([dry.status, await kinds()]).toEqual(['succeeded', [['orders', 'managed']]]);
  const { warnings } = await deployFiles(s.client, to, files);
  expect(warnings).toEqual([expect.stringContaining('marts')]);
  expect(await kinds()).toEqual(before);
  expect(await rowsOf(s.client, 'views', 'SELECT id FROM core.larger ORDER BY id')).toEqual([[3], [4]]);
  const created = (await s.events('VIEW_CREATED')).filter(({ object }) => object.environment === 'views');
  expect(created.map(({ object }) => object.table)).toEqual(['large', 'larger', 'large', 'larger']);

  await s.client.tables.delete('views', 'core.larger');
  await s.client.tables.delete('views', 'core.orders');
  await s.client.tables.delete('views', 'core.large');
  const halted = await deployFiles(s.client, to, files);
  expect(halted).toMatchObject({ status: 'succeeded' });
  expect(halted.warnings).toEqual([
    expect.stringContaining('marts'),
    expect.stringMatching(/^view core\.large was dropped and is not restored .*core\.orders/),
    expect.stringMatching(/^view core\.larger was dropped/),
  ]);
});

test('deleting an environment stops its query and run, and drops the start that waits', async () => {
  await s.client.environments.create('halted');
  await s.client.repositories.create({ name: 'halted' });
  const jobs = 'jobs:\n  slow: { select: [slow.forever] }\n  next: { select: [raw.orders] }\n';
  const files = { 'svc.yaml': jobs, 'assets/slow/forever.sql': ENDLESS, 'assets/raw/orders.sql': 'SELECT 1 AS id' };
  await deployFiles(s.client, { env: 'halted', repository: 'halted', folder: s.folder }, files);
  const run = await startJob('slow', 'halted');
  expect((await s.client.jobs.start('halted', 'next')).waiting).toMatchObject({ waits_for_run_id: run.id });
  const query = await s.client.queries.submit('halted', ENDLESS);
  const underWay = async () =>
    (await s.client.queries.get('halted', query.id)).status === 'RUNNING' &&
    (await s.client.runs.get('halted', run.id)).tasks.some(({ status }) => status === 'running');
  while (!(await underWay()));

  await s.client.environments.delete('halted');
  const recorded = async (type: string) => {
    for (;;) {
      const event = (await s.events(type)).find(({ object }) => object.environment === 'halted');
      if (event !== undefined) return event.detail;
    }
  };
  expect(await recorded('RUN_ENDED')).toMatchObject({ run_id: run.id, status: 'cancelled' });
  expect(await recorded('QUERY_COMPLETED')).toMatchObject({ query_id: query.id, status: 'CANCELLED' });
  const dropped = { job: 'next', reason: 'the environment was deleted' };
  expect(await recorded('JOB_START_DROPPED')).toMatchObject(dropped);
  await s.client.environments.restore('halted');
  expect(await s.client.runs.get('halted', run.id)).toMatchObject({ error: { code: 'environment-deleted' } });
});

test('of changes to a deployment at once each finds what the other has left', async () => {
  await s.client.environments.create('raced');
  const { deployments } = s.client;
  for (let i = 0; i < 4; i++) {
    expect(await deploy({}, 'raced')).toMatchObject({ status: 'succeeded' });
    const recorded = await Promise.allSettled([
      deployments.undeploy('raced', 'shop'),
      deployments.setRunAs('raced', 'shop', null),
      deployments.undeploy('raced', 'shop'),
    ]);
    const codes = recorded.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code));
    expect([codes[0], codes[2]].sort()).toEqual(['done', 'not-found']);
    expect(['done', 'not-found']).toContain(codes[1]);
  }
  const raced = (await s.events('UNDEPLOYED')).filter(({ object }) => JSON.stringify(object).includes('raced'));
  expect(raced).toHaveLength(4);
});
