import type { SvcClient } from '@svc/sdk';
import { lockText, pyprojectText } from '@svc/worker/testing';
import { deployFiles, type Files, GitRepository, sendFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const COMMIT = 'f2c1d0a9b8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3';
const PROJECT = {
  'svc.yaml': 'name: shop\njobs:\n  all: { select: ["*"] }\n',
  'assets/raw/orders.sql': 'SELECT 1::INT AS id, 10::INT AS amount, NULL::VARCHAR AS note',
  'assets/core/orders.sql': 'SELECT * FROM raw.orders',
  'assets/core/large.sql': '/* svc\nkind: view\n*/\nSELECT id FROM core.orders WHERE amount > 5',
  'assets/core/old.sql': 'SELECT 1 AS x',
};
const CHANGED = {
  'svc.yaml': PROJECT['svc.yaml'],
  'assets/raw/orders.sql': 'SELECT 1::BIGINT AS id, 10::INT AS amount, 2.5::DECIMAL(10,2) AS price',
  'assets/core/orders.sql': PROJECT['assets/core/orders.sql'],
  'assets/core/large.sql': `${PROJECT['assets/core/large.sql'].replace('view\n', 'view\ndescription: Large ones\n')}`,
  'assets/marts/total.sql': 'SELECT count(*) AS n FROM core.orders',
};
let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.repositories.create({ name: 'shop' });
});
afterAll(() => s.stop());

const deploy = (files: Files, dry_run = false, repository = 'shop') =>
  deployFiles(s.client, { env: 'dev', repository, folder: s.folder, dry_run }, files);

async function signIn(name: string, actions: readonly string[]): Promise<SvcClient> {
  await s.client.principals.create({ name, type: 'person' });
  for (const action of actions)
    await s.client.grants.create({ kind: 'ENVIRONMENT', principal: name, action, environment: 'dev' } as never);
  return s.clientOf((await s.client.tokens.issue(name, 'test')).token);
}

describe('a dry run', () => {
  test('lists every asset as added while nothing is deployed (DEPLOY-2, DEPLOY-22)', async () => {
    const { assets } = await deploy(PROJECT, true);
    expect(assets).toEqual({
      added: [
        { name: 'core.large', kind: 'view', columns: [{ name: 'id', type: 'int' }] },
        expect.objectContaining({ name: 'core.old', kind: 'table' }),
        expect.objectContaining({ name: 'core.orders' }),
        expect.objectContaining({ name: 'raw.orders' }),
      ],
      removed: [],
      changed: [],
    });
  });

  test('shows added, removed and changed assets with the columns of their tables (DEPLOY-22)', async () => {
    const deployed = await deploy(PROJECT);
    expect(deployed).toMatchObject({ status: 'succeeded', previous_version_id: null });
    expect(deployed.assets!.added.map(({ name }) => name)).toContain('core.large');
    const run = await s.client.jobs.start('dev', 'all');
    expect(await s.client.runs.wait('dev', run.run!.id)).toMatchObject({ status: 'succeeded' });
    expect((await deploy(PROJECT, true)).assets).toEqual({ added: [], removed: [], changed: [] });
    const columns = {
      added: [{ name: 'price', type: 'decimal(10,2)' }],
      removed: [{ name: 'note', type: 'string' }],
      changed: [{ name: 'id', type: 'long', previous_type: 'int' }],
    };
    expect((await deploy(CHANGED, true)).assets).toEqual({
      added: [{ name: 'marts.total', kind: 'table', columns: [{ name: 'n', type: 'long' }] }],
      removed: [{ name: 'core.old', kind: 'table' }],
      changed: [
        {
          name: 'core.large',
          kind: 'view',
          changes: ['description'],
          columns: { added: [], removed: [], changed: [{ name: 'id', type: 'long', previous_type: 'int' }] },
        },
        { name: 'core.orders', kind: 'table', changes: [], columns },
        { name: 'raw.orders', kind: 'table', changes: ['sql'], columns },
      ],
    });
  });

  test('shows columns only to callers who can read the table, now (DEPLOY-22)', async () => {
    const { id } = await deploy(CHANGED, true);
    const watcher = await signIn('watcher', ['READ_ENVIRONMENT']);
    const seen = await watcher.deploys.get('dev', id);
    expect(seen.assets!.changed.map(({ name, columns }) => [name, columns])).toEqual([
      ['core.large', null],
      ['core.orders', null],
      ['raw.orders', null],
    ]);
    expect(seen.assets!.added).toEqual([{ name: 'marts.total', kind: 'table', columns: null }]);
    expect(JSON.stringify(seen)).not.toContain('price');
    const deployer = await signIn('deployer', ['DEPLOY', 'CREATE_NAMESPACE']);
    const own = await deployFiles(
      deployer,
      { env: 'dev', repository: 'shop', folder: s.folder, dry_run: true },
      CHANGED,
    );
    expect(own.assets!.changed).toMatchObject([{ name: 'core.large', columns: null }, { columns: null }]);
  });

  test('of Python assets names the files that differ (DEPLOY-22)', async () => {
    const code = (value: number, name = 'a') =>
      `import svc\n\n\n@svc.asset(table="py.${name}")\ndef ${name}(ctx):\n    return [{"n": ${value}}]\n`;
    const project = {
      'svc.yaml': 'name: py\n',
      'pyproject.toml': pyprojectText([]),
      'uv.lock': lockText([]),
      'assets/a.py': code(1),
      'assets/b.py': code(1, 'b'),
      'helpers.py': 'X = 1\n',
    };
    await s.client.repositories.create({ name: 'py' });
    expect(await deploy(project, false, 'py')).toMatchObject({ status: 'succeeded', error: null });
    const changesOf = async (files: Files) =>
      (await deploy(files, true, 'py')).assets!.changed.map(({ name, changes }) => [name, ...changes]);
    expect(await changesOf(project)).toEqual([]);
    expect(await changesOf({ ...project, 'assets/a.py': code(2) })).toEqual([['py.a', 'code']]);
    const next = await deploy({ ...project, 'assets/a.py': code(2), 'helpers.py': 'X = 3\n' }, false, 'py');
    const compared = await s.client.projectVersions.compare('dev', next.project_version_id!);
    expect(compared.sources).toEqual([
      { file: 'assets/a.py', assets: ['py.a'], before: code(1), after: code(2) },
      { file: 'helpers.py', assets: [], before: 'X = 1\n', after: 'X = 3\n' },
    ]);
    await deploy(project, false, 'py');
    expect(await changesOf({ ...project, 'helpers.py': 'X = 2\n' })).toEqual([
      ['py.a', 'modules'],
      ['py.b', 'modules'],
    ]);
    expect(await changesOf({ ...project, 'svc.yaml': 'name: py\npython: ">=3.10"\n' })).toEqual([
      ['py.a', 'python'],
      ['py.b', 'python'],
    ]);
  }, 60_000);
});

describe('a deploy', () => {
  const sql = (days: string) => ({ 'svc.yaml': 'name: versions\n', 'assets/versions/days.sql': days });
  const first = sql('SELECT 1 AS day\nFROM range(3)');

  test('records what it changes relative to the version before, which only a single deploy shows (DEPLOY-22)', async () => {
    await s.client.repositories.create({ name: 'versions' });
    const before = await deploy(first, false, 'versions');
    const after = await deploy(sql('SELECT 2 AS day\nFROM range(3)'), false, 'versions');
    expect(after).toMatchObject({
      previous_version_id: before.project_version_id,
      assets: { added: [], removed: [], changed: [{ name: 'versions.days', kind: 'table', changes: ['sql'] }] },
    });
    const watcher = await signIn('versions-watcher', ['READ_ENVIRONMENT']);
    expect((await watcher.deploys.get('dev', after.id)).assets!.changed).toMatchObject([{ columns: null }]);
    const [listed] = await watcher.deploys.list('dev', { repository: 'versions' });
    expect(listed).toMatchObject({ id: after.id, assets: null });
  });

  test('creates a version whose SQL can be compared with the version before and with others (DEPLOY-26)', async () => {
    const versions = await s.client.projectVersions.list('dev', { repository: 'versions' });
    const [after, before] = versions.map(({ id }) => id);
    const changes = await s.client.projectVersions.compare('dev', after!);
    const file = { file: 'assets/versions/days.sql', assets: ['versions.days'] };
    expect(changes).toMatchObject({
      against: before,
      assets: { added: [], removed: [], changed: [{ name: 'versions.days', changes: ['sql'], columns: null }] },
      jobs: { added: [], removed: [], changed: [] },
      sources: [{ ...file, before: 'SELECT 1 AS day\nFROM range(3)', after: 'SELECT 2 AS day\nFROM range(3)' }],
      omitted_sources: 0,
    });
    const back = await s.client.projectVersions.compare('dev', before!, { against: after! });
    expect(back.sources).toMatchObject([{ before: changes.sources[0]!.after, after: changes.sources[0]!.before }]);
    expect(await s.client.projectVersions.compare('dev', before!)).toMatchObject({
      against: null,
      sources: [{ before: null }],
    });
    const other = await deploy(PROJECT);
    const { status } = await s.call(
      'GET',
      `/environments/dev/project-versions/${after}/changes?against=${other.project_version_id}`,
    );
    expect(status).toBe(404);
  });

  test('shows sources to callers who can deploy or read the tables (DEPLOY-26)', async () => {
    const [after] = await s.client.projectVersions.list('dev', { repository: 'versions', limit: 1 });
    const sourcesFor = async (actions: readonly string[]) => {
      const client = await signIn(`sources-${actions.join('-').toLowerCase()}`, actions);
      const { sources, omitted_sources, assets } = await client.projectVersions.compare('dev', after!.id);
      return [assets.changed.length, sources.length, omitted_sources];
    };
    expect(await sourcesFor(['READ_ENVIRONMENT'])).toEqual([1, 0, 1]);
    expect(await sourcesFor(['READ_ENVIRONMENT', 'READ_TABLE'])).toEqual([1, 1, 0]);
    expect(await sourcesFor(['READ_ENVIRONMENT', 'DEPLOY'])).toEqual([1, 1, 0]);
    const stranger = await signIn('sources-stranger', []);
    await expect(stranger.projectVersions.compare('dev', after!.id)).rejects.toMatchObject({ status: 403 });
  });

  test('succeeds although the files of the active version are gone (DEPLOY-22)', async () => {
    await s.client.repositories.create({ name: 'lost' });
    const project = (value: number) => ({
      'svc.yaml': 'name: lost\n',
      'pyproject.toml': pyprojectText([]),
      'uv.lock': lockText([]),
      'assets/a.py': `import svc\n\n\n@svc.asset(table="lost.a")\ndef a(ctx):\n    return [{"n": ${value}}]\n`,
    });
    const before = await deploy(project(1), false, 'lost');
    const { prisma } = s.database.db;
    const location = 'file:///nowhere/lost.tar.gz';
    await prisma.$executeRaw`
      UPDATE project_versions SET code = NULL, location = ${location} WHERE id = ${before.project_version_id}::uuid`;
    const after = await deploy(project(2), false, 'lost');
    expect(after).toMatchObject({ status: 'succeeded', assets: null, previous_version_id: before.project_version_id });
    expect(await s.client.projectVersions.compare('dev', after.project_version_id!)).toMatchObject({ sources: [] });
  });
});

describe('the commit of a deploy', () => {
  test('is that of the folder of a bundle, with whether it was dirty (DEPLOY-21)', async () => {
    const bundle_id = await sendFiles(s.client, { env: 'dev', folder: s.folder }, PROJECT);
    const { id } = await s.client.deploys.create('dev', { repository: 'shop', bundle_id, commit: COMMIT, dirty: true });
    const done = await s.client.deploys.wait('dev', id);
    expect(done).toMatchObject({ status: 'succeeded', commit: COMMIT, dirty: true });
    const version = await s.client.projectVersions.get('dev', done.project_version_id!);
    expect(version).toMatchObject({ commit: COMMIT, dirty: true });
    expect(await s.client.deployments.list('dev')).toContainEqual(
      expect.objectContaining({ repository: 'shop', commit: COMMIT, dirty: true }),
    );
    const events = await s.events('DEPLOY_SUCCEEDED');
    expect(events.at(-1)!.detail).toMatchObject({ deploy_id: id, commit: COMMIT, dirty: true });
  });

  test('is recorded for a bundle that fails, and null without one (DEPLOY-21)', async () => {
    const broken = await sendFiles(s.client, { env: 'dev', folder: s.folder }, { 'svc.yaml': 'jobz: 1\n' });
    const body = { repository: 'shop', bundle_id: broken };
    const { id } = await s.client.deploys.create('dev', { ...body, commit: COMMIT, dirty: false });
    expect(await s.client.deploys.wait('dev', id)).toMatchObject({ status: 'failed', commit: COMMIT, dirty: false });
    const plain = await s.client.deploys.create('dev', body);
    expect(await s.client.deploys.wait('dev', plain.id)).toMatchObject({ commit: null, dirty: null });
  });

  test('that the service fetched is never dirty (DEPLOY-21)', async () => {
    const git = new GitRepository(s.folder);
    const commit = git.commit(PROJECT);
    await s.client.repositories.create({ name: 'fetched', url: git.dir });
    const { id } = await s.client.deploys.create('dev', { repository: 'fetched', dry_run: true });
    expect(await s.client.deploys.wait('dev', id)).toMatchObject({ status: 'succeeded', commit, dirty: false });
  });

  test.each([
    ['a short id', { commit: 'f2c1d0a9', dirty: false }, '/commit'],
    ['no dirty', { commit: COMMIT }, '/dirty'],
    ['no commit', { dirty: true }, '/dirty'],
    ['no bundle', { commit: COMMIT, dirty: true, bundle_id: undefined }, '/commit'],
  ])('with %s is refused (DEPLOY-21)', async (_, more, pointer) => {
    const bundle_id = await sendFiles(s.client, { env: 'dev', folder: s.folder }, PROJECT);
    const deploy = { repository: 'shop', bundle_id, ...more };
    const { status, body } = await s.call('POST', '/environments/dev/deploys', { body: deploy });
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer })]]);
  });
});
