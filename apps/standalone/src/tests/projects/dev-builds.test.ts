import type { Deploy, Run, SvcClient } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { deployFiles, type Files, sendFiles, taskStatuses } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
let ann: SvcClient;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.repositories.create({ name: 'shop' });
  ann = await developer('ann', { role: 'DATA_ENGINEER' });
});
afterAll(() => s.stop());

/** The client of a person with these grants on the environment. */
async function developer(name: string, ...grants: { role?: string; action?: string }[]): Promise<SvcClient> {
  await s.client.principals.create({ name, type: 'person' });
  for (const grant of grants) {
    await s.client.grants.create({ kind: 'ENVIRONMENT', principal: name, environment: 'dev', ...grant } as never);
  }
  return s.clientOf((await s.client.tokens.issue(name, 'test')).token);
}

const PROJECT: Files = {
  'svc.yaml': 'name: shop\njobs: { all: { select: ["*"] } }\n',
  'seeds/raw/orders.csv': 'id,price\n1,10\n2,20\n',
  'assets/core/orders.sql': '/* svc\nkind: view\n*/\nSELECT id, price FROM raw.orders',
  'assets/marts/total.sql':
    '/* svc\nchecks: [{ unique: n }, { row_count: { min: 1 } }]\n*/\nSELECT count(*) AS n, sum(price) AS total FROM core.orders',
};

async function stored(client: SvcClient, files: Files, dev_namespace = 'dev_ann'): Promise<Deploy> {
  const bundle_id = await sendFiles(client, { env: 'dev', folder: s.folder }, files);
  const { id } = await client.deploys.create('dev', { repository: 'shop', bundle_id, dry_run: true, dev_namespace });
  return client.deploys.wait('dev', id);
}

async function build(
  files: Files,
  select: string[],
  more: { client?: SvcClient; namespace?: string } = {},
): Promise<Run> {
  const { client = ann, namespace } = more;
  const { project_version_id, error } = await stored(client, files, namespace);
  expect(error).toBeNull();
  const body = { repository: 'shop', project_version_id: project_version_id!, select };
  return client.runs.wait('dev', (await client.runs.create('dev', body)).id);
}

/** Deploys the project and builds all of it, so that the environment has its tables. */
async function deployAll(): Promise<void> {
  const deploy = await deployFiles(s.client, { env: 'dev', repository: 'shop', folder: s.folder }, PROJECT);
  expect(deploy.error).toBeNull();
  const run = await s.client.runs.create('dev', { repository: 'shop' });
  expect((await s.client.runs.wait('dev', run.id)).status).toBe('succeeded');
}
beforeAll(deployAll);

test('an asset is built inside the namespace from the tables of the environment, which stay (DEPLOY-24)', async () => {
  const changed = { ...PROJECT, 'assets/marts/total.sql': 'SELECT max(price) AS total FROM core.orders' };
  const run = await build(changed, ['marts.*']);
  expect(run).toMatchObject({ status: 'succeeded', principal: 'ann', repository: 'shop', job: null });
  expect(taskStatuses(run)).toEqual({ 'dev_ann.marts.total': 'succeeded' });
  expect(await rowsOf(ann, 'dev', 'SELECT total FROM dev_ann.marts.total')).toEqual([[20]]);
  expect(await rowsOf(ann, 'dev', 'SELECT n FROM marts.total')).toEqual([[2]]);
  expect((await s.client.deploys.list('dev')).map(({ dry_run }) => dry_run)).toEqual([false]);
  expect((await s.events('DEV_VERSION_STORED')).at(-1)).toMatchObject({
    principal: 'ann',
    detail: { repository: 'shop', dev_namespace: 'dev_ann', project_version_id: run.project_version_id },
  });
});

test('names mean the assets that the namespace contains, also in checks; views become tables (DEPLOY-24)', async () => {
  const more = { ...PROJECT, 'seeds/raw/orders.csv': 'id,price\n1,10\n2,20\n3,5\n' };
  const run = await build(more, ['*'], { namespace: 'dev_bob' });
  expect(taskStatuses(run)).toEqual({
    'dev_bob.raw.orders': 'succeeded',
    'dev_bob.core.orders': 'succeeded',
    'dev_bob.marts.total': 'succeeded',
  });
  expect(run.tasks.at(-1)!.checks!.map(({ status }) => status)).toEqual(['passed', 'passed']);
  expect(await rowsOf(ann, 'dev', 'SELECT n, total FROM dev_bob.marts.total')).toEqual([[3, '35']]);
  expect(await ann.tables.get('dev', 'dev_bob.core.orders')).toMatchObject({ kind: 'managed' });
  // They expire like any other table; those of the project don't.
  await s.client.environments.setRetention('dev', 30);
  expect((await s.client.tables.retention('dev', 'dev_bob.marts.total')).kept).toBeNull();
  expect((await s.client.tables.retention('dev', 'marts.total')).kept).toBe('project_asset');
  // What a next build selects reads the seed that is there, not the environment's.
  await build(PROJECT, ['marts.total'], { namespace: 'dev_bob' });
  expect(await rowsOf(ann, 'dev', 'SELECT n FROM dev_bob.marts.total')).toEqual([[3]]);
});

test('the lineage of a build names the tables that it read, inside the namespace or not (LINEAGE-1, LINEAGE-5)', async () => {
  const inputs = async (table: string) =>
    (await ann.lineage.get('dev', table, { direction: 'upstream', depth: 1 })).edges
      .filter(({ output }) => output === table)
      .map(({ input, read, columns }) => [input, read, columns]);
  const columns = [{ input: 'price', output: 'total' }];
  expect(await inputs('dev_ann.marts.total')).toEqual([
    ['core.orders', true, columns],
    ['raw.orders', true, columns],
  ]);
  expect(await inputs('dev_bob.marts.total')).toEqual([['dev_bob.core.orders', true, columns]]);
});

/** The tables that a table was built from. */
async function inputsOf(table: string): Promise<string[]> {
  const { upstream } = await s.client.lineage.get('dev', table, { depth: 1 });
  return upstream.map(({ name }) => name);
}

/** The project with a Python asset `marts.ids` that does this. */
const withPython = (body: string): Files => ({
  ...PROJECT,
  'pyproject.toml': '[project]\nname = "shop"\nversion = "0.1.0"\nrequires-python = ">=3.10"\n',
  'uv.lock':
    'version = 1\nrevision = 3\nrequires-python = ">=3.10"\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\nsource = { virtual = "." }\n',
  'assets/marts/ids.py': `import svc\n\n\n@svc.asset(table="marts.ids", depends_on=["raw.orders"])\ndef ids(ctx):\n${body}`,
});

test('queries of a Python asset read the assets of the namespace, too (DEPLOY-24)', async () => {
  const run = await build(
    {
      ...withPython('    for row in ctx.sql("SELECT id FROM raw.orders"):\n        yield {"id": row["id"]}\n'),
      'seeds/raw/orders.csv': 'id,price\n7,70\n',
    },
    ['raw.orders', 'marts.ids'],
    { namespace: 'dev_py' },
  );
  expect(run.tasks.map(({ error }) => error)).toEqual([null, null]);
  expect(await rowsOf(ann, 'dev', 'SELECT id FROM dev_py.marts.ids')).toEqual([[7]]);
  expect(await inputsOf('dev_py.marts.ids')).toEqual(['dev_py.raw.orders']);
  await build(withPython('    yield {"id": 1}\n'), ['marts.ids'], { namespace: 'dev_alone' });
  expect(await inputsOf('dev_alone.marts.ids')).toEqual(['raw.orders']);
});

test.each([
  'UPDATE raw.orders SET price = 0',
  'INSERT INTO core.orders SELECT * FROM core.orders',
  'TRUNCATE raw.orders',
])('they change no table outside of it, whose rights and policies they would not see: %s (DEPLOY-24)', async (sql) => {
  const filter = { principal: 'ann', predicate: 'id = 1' };
  const { id } = await s.client.rowFilters.create('dev', 'raw.orders', filter);
  const before = await rowsOf(s.client, 'dev', 'SELECT * FROM raw.orders ORDER BY id');
  const run = await build(
    withPython(`    ctx.client.queries.run("dev", "${sql}")\n    yield {"id": 1}\n`),
    ['raw.orders', 'marts.ids'],
    { namespace: 'dev_py' },
  );
  expect(run.tasks[1]!.error!.detail).toContain('A query of svc dev changes only tables in dev_py');
  expect((await s.events('AUTHORIZATION_DENIED')).at(-1)!.detail).toMatchObject({
    action: 'WRITE_TABLE',
    reason: 'a query of svc dev changes only tables in dev_py',
  });
  expect(await rowsOf(s.client, 'dev', 'SELECT * FROM raw.orders ORDER BY id')).toEqual(before);
  await s.client.rowFilters.delete(id);
});

test('a failed deploy check is the same error, and stores nothing (DEPLOY-24)', async () => {
  const broken = { ...PROJECT, 'assets/marts/total.sql': 'SELECT FROM' };
  const [dry, deployed] = await Promise.all([
    stored(ann, broken),
    deployFiles(ann, { env: 'dev', repository: 'shop', folder: s.folder }, broken),
  ]);
  expect(dry).toMatchObject({ status: 'failed', error: deployed.error, project_version_id: null });
});

describe('rights', () => {
  test('the run has those of its developer alone (DEPLOY-24)', async () => {
    const eve = await developer(
      'eve',
      ...['DEPLOY', 'RUN', 'CREATE_NAMESPACE', 'CREATE_TABLE'].map((action) => ({ action })),
    );
    const denied = await build(PROJECT, ['marts.total'], { client: eve, namespace: 'dev_eve' });
    expect(denied.tasks[0]!.error).toMatchObject({ code: 'table-not-found' });
  });

  test('nobody else can run the version, and nobody can deploy it (DEPLOY-24)', async () => {
    const { project_version_id } = await stored(ann, PROJECT);
    const body = { repository: 'shop', project_version_id: project_version_id! };
    await expect(s.client.runs.create('dev', body)).rejects.toMatchObject({ status: 404 });
    await expect(
      s.client.deployments.rollback('dev', 'shop', { project_version_id: project_version_id! }),
    ).rejects.toMatchObject({ status: 404 });
    const [deployment] = await s.client.deployments.list('dev');
    const deployed = { repository: 'shop', project_version_id: deployment!.project_version_id };
    await expect(ann.runs.create('dev', deployed)).rejects.toMatchObject({ status: 404 });
  });

  test('a protected environment refuses it, and stays as it was (DEPLOY-24, ENV-5)', async () => {
    const { project_version_id } = await stored(ann, PROJECT);
    const namespaces = await s.client.namespaces.list('dev');
    await s.client.environments.update('dev', { protected: true });
    try {
      await expect(stored(ann, PROJECT, 'dev_protected')).rejects.toMatchObject({
        code: 'environment-protected',
        remedy: 'use svc dev in another environment',
      });
      expect((await s.events('AUTHORIZATION_DENIED')).at(-1)).toMatchObject({
        principal: 'ann',
        detail: { action: 'DEPLOY', reason: 'environment dev is protected' },
      });
      const body = { repository: 'shop', project_version_id: project_version_id! };
      await expect(ann.runs.create('dev', body)).rejects.toMatchObject({ code: 'environment-protected' });
      expect(await s.client.namespaces.list('dev')).toEqual(namespaces);
    } finally {
      await s.client.environments.update('dev', { protected: false });
    }
  });
});

test('one run at a time builds in a namespace, whatever its version: two would append the same rows (DEPLOY-24)', async () => {
  const slow = {
    ...PROJECT,
    'assets/marts/total.sql': 'SELECT count(*) AS n FROM range(100000000) t(a), range(50) u(b)',
  };
  const [first, second] = await Promise.all([stored(ann, slow, 'dev_one'), stored(ann, slow, 'DEV_one')]);
  const start = ({ project_version_id: id }: Deploy) =>
    ann.runs.create('dev', { repository: 'shop', project_version_id: id!, select: ['marts.total'] });
  const run = await start(first!);
  await expect(start(second!)).rejects.toMatchObject({
    code: 'project-busy',
    message: expect.stringContaining(run.id),
  });
  await ann.runs.cancel('dev', run.id);
  await ann.runs.wait('dev', run.id);
});

test('runs in different namespaces wait neither for each other nor for the project; a retry runs the same version (DEPLOY-24)', async () => {
  const failing = { ...PROJECT, 'assets/marts/total.sql': "SELECT CAST('x' AS INT) AS n FROM raw.orders" };
  const versions = await Promise.all(['dev_ann', 'dev_b', 'dev_c'].map((namespace) => stored(ann, failing, namespace)));
  const runs = await Promise.all([
    ...versions.map(({ project_version_id: id }) =>
      ann.runs.create('dev', { repository: 'shop', project_version_id: id!, select: ['marts.total'] }),
    ),
    ann.runs.create('dev', { repository: 'shop', select: ['core.*'] }),
  ]);
  const done = await Promise.all(runs.map(({ id }) => ann.runs.wait('dev', id)));
  expect(done.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'succeeded']);
  const retried = await ann.runs.retry('dev', done[0]!.id);
  expect(retried).toMatchObject({ project_version_id: versions[0]!.project_version_id });
  expect(Object.keys(taskStatuses(await ann.runs.wait('dev', retried.id)))).toEqual(['dev_ann.marts.total']);
});

test('a selection without assets names those of the project as patterns select them (DEPLOY-24)', async () => {
  await expect(build(PROJECT, ['nope.*'])).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining(
      'the selection "nope.*" matches no asset; use names with "*" or tag:<tag>; the project has core.orders, marts.total, raw.orders',
    ),
  });
});

test('dev_namespace needs a dry run (DEPLOY-24)', async () => {
  await expect(ann.deploys.create('dev', { repository: 'shop', dev_namespace: 'dev_ann' })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('needs dry_run'),
  });
});
