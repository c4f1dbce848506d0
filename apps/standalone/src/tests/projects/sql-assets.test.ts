import type { Run } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { deployFiles, type Files } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.repositories.create({ name: 'shop' });
});
afterAll(() => s.stop());

const deploy = (files: Files, dryRun = false) =>
  deployFiles(
    s.client,
    { env: 'dev', repository: 'shop', folder: s.folder, dry_run: dryRun },
    { 'svc.yaml': '', ...files },
  );

async function build(select: string): Promise<Run> {
  const body = { repository: 'shop', select: [select], upstream: true, downstream: false };
  return s.client.runs.wait('dev', (await s.client.runs.create('dev', body)).id);
}

const rowsBuilt = (run: Run, asset: string) => run.tasks.find((task) => task.asset === asset)?.rows;

test('SQL that does not parse fails the deploy with file, line, column and caret (DEPLOY-7)', async () => {
  const sql = '/* svc\ndescription: Orders\n*/\n-- all of them\nSELECT id,, amount\nFROM raw.orders\n';
  const done = await deploy({ 'assets/core/orders.sql': sql, 'assets/raw/orders.sql': 'SELECT 1 AS id, 2 AS amount' });
  expect(done).toMatchObject({ status: 'failed', error: { code: 'invalid-project' } });
  expect(done.error?.detail).toBe(
    `assets/core/orders.sql:5:11: asset core.orders: The query can't be parsed: syntax error at or near ",".\n` +
      '  SELECT id,, amount\n            ^',
  );
  expect((await deploy({ 'assets/core/orders.sql': sql }, true)).status).toBe('failed');
});

test('a lock older than pyproject.toml fails the deploy and names the command (DEPLOY-8)', async () => {
  const done = await deploy({
    'assets/raw/orders.sql': 'SELECT 1 AS id',
    'pyproject.toml': '[project]\nname = "shop"\nversion = "0"\ndependencies = ["jinja2>=3.1"]\n',
    'uv.lock': 'version = 1\n',
  });
  expect(done).toMatchObject({
    status: 'failed',
    error: {
      code: 'lock-refused',
      detail: expect.stringContaining(
        'uv.lock: it is older than pyproject.toml: jinja2>=3.1 is not locked; run uv lock',
      ),
    },
  });
});

test('unknown tables and columns are warnings with what was probably meant (DEPLOY-7)', async () => {
  await s.client.namespaces.create('dev', 'raw');
  await s.client.tables.create('dev', 'raw.trips', {
    columns: [
      { name: 'id', type: 'long' },
      { name: 'fare', type: 'double' },
    ],
  });
  const done = await deploy({
    'assets/core/trips.sql': `/* svc
columns: {fair: What it cost}
checks:
  - {name: paid, sql: SELECT * FROM core.trips WHERE fair < 0}
*/
SELECT id, fare FROM raw.trips`,
    'assets/core/wrong.sql': 'SELECT id,\n  fares FROM core.trips',
    'assets/core/after.sql': 'SELECT anything FROM core.wrong',
    'assets/core/zones.sql': "SELECT 'é' AS x, * FROM raw.tripz",
    'assets/core/odd.sql': '/* svc\ndepends_on: [raw.tripps, nowhere.near]\n*/ SELECT * FROM trips',
    'assets/marts/day.sql':
      '/* svc\nmode: append\nwatermark: day\n*/ SELECT id FROM core.trips WHERE id > ${watermark}',
  });
  expect(done.status).toBe('succeeded');
  expect([...done.warnings].sort()).toEqual([
    "assets/core/odd.sql:1: asset core.odd depends on nowhere.near, which doesn't exist in dev.",
    "assets/core/odd.sql:1: asset core.odd depends on raw.tripps, which doesn't exist in dev. Did you mean raw.trips?",
    "assets/core/odd.sql:3:18: asset core.odd reads trips, which doesn't exist in dev.",
    "assets/core/trips.sql:1: asset core.trips: the header describes the column fair, which its SELECT doesn't return. Did you mean fare?",
    expect.stringMatching(/^assets\/core\/trips\.sql:4:54: the check "paid" of core\.trips: .*"fair".*"fare"/),
    expect.stringMatching(/^assets\/core\/wrong\.sql:2:3: asset core\.wrong: .*"fares".*"fare"/),
    "assets/core/zones.sql:1:25: asset core.zones reads raw.tripz, which doesn't exist in dev. Did you mean raw.trips?",
    'assets/marts/day.sql:1: asset marts.day: ${watermark} is NULL in the first build, which may then load no rows; write WHERE ${watermark} IS NULL OR day > ${watermark}',
    "assets/marts/day.sql:1: asset marts.day: the watermark is the column day, which its SELECT doesn't return.",
  ]);
});

test('tables that the deploying principal may not read are not warned of, whether they exist or not', async () => {
  await s.client.principals.create({ name: 'ci', type: 'service-account' });
  const environment = { kind: 'ENVIRONMENT', principal: 'ci', environment: 'dev' } as const;
  for (const action of ['DEPLOY', 'CREATE_NAMESPACE', 'READ_ENVIRONMENT'] as const)
    await s.client.grants.create({ ...environment, action });
  const before = (await s.events('AUTHORIZATION_DENIED')).length;
  const done = await deployFiles(
    s.clientOf((await s.client.tokens.issue('ci', 'ci')).token),
    { env: 'dev', repository: 'shop', folder: s.folder },
    {
      'svc.yaml': '',
      'assets/core/a.sql': 'SELECT fares FROM raw.trips',
      'assets/core/b.sql': 'SELECT 1 AS n FROM raw.tripz',
    },
  );
  expect(done).toMatchObject({ status: 'succeeded', warnings: [] });
  expect((await s.events('AUTHORIZATION_DENIED')).length).toBe(before);
});

test('a deploy without CREATE_NAMESPACE fails if it would create a namespace, with the command that does (DEPLOY-10)', async () => {
  await s.client.principals.create({ name: 'deployer', type: 'service-account' });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'deployer', environment: 'dev', action: 'DEPLOY' });
  const client = s.clientOf((await s.client.tokens.issue('deployer', 'ci')).token);
  const to = { env: 'dev', repository: 'shop', folder: s.folder };
  const inNamespace = (name: string) =>
    deployFiles(client, to, { 'svc.yaml': '', [`assets/${name}/a.sql`]: 'SELECT 1 AS n' });
  expect(await inNamespace('unseen')).toMatchObject({
    status: 'failed',
    error: {
      code: 'not-allowed',
      detail: expect.stringContaining("deployer doesn't have CREATE_NAMESPACE"),
      remedy: 'svc ns create unseen --env dev',
    },
  });
  expect((await s.events('AUTHORIZATION_DENIED')).at(-1)).toMatchObject({
    principal: 'deployer',
    detail: { action: 'CREATE_NAMESPACE' },
  });
  expect(await inNamespace('core')).toMatchObject({ status: 'succeeded' });
});

describe('the watermark of an append asset', () => {
  const HISTORY = '/* svc\nmode: append\nwatermark: id\n*/\n';
  const orders = (first: number, rows: number) => `SELECT i AS id FROM range(${first}, ${first + rows}) t(i)`;

  test('is NULL in the first build: the documented condition loads every row once (RUN-5)', async () => {
    const history = `${HISTORY}SELECT id FROM raw.orders WHERE \${watermark} IS NULL OR id > \${watermark}`;
    // Smaller than any value that could represent "no watermark".
    const files = { 'assets/raw/orders.sql': orders(-2, 5), 'assets/core/history.sql': history };
    expect(await deploy(files)).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(rowsBuilt(await build('core.history'), 'core.history')).toBe(5);
    expect(rowsBuilt(await build('core.history'), 'core.history')).toBe(0);
    await deploy({ ...files, 'assets/raw/orders.sql': orders(-2, 8) });
    expect(rowsBuilt(await build('core.history'), 'core.history')).toBe(3);
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*), min(id), max(id) FROM core.history')).toEqual([[8, -2, 5]]);
  });

  test.each([
    ['boolean', 'true'],
    ['date', "DATE '2026-03-01'"],
    ['string', "'a'"],
    ['decimal', '1.5::DECIMAL(9, 2)'],
    ['uuid', 'uuid()'],
  ])('is a NULL of its column, whatever the type: %s (RUN-5)', async (type, value) => {
    const sql = `/* svc\nmode: append\nwatermark: v\n*/\nSELECT ${value} AS v, \${watermark} IS NULL AS first, typeof(\${watermark}) AS type`;
    await deploy({ [`assets/typed/${type}_marks.sql`]: sql });
    expect(await build(`typed.${type}_marks`)).toMatchObject({ status: 'succeeded' });
    expect(await build(`typed.${type}_marks`)).toMatchObject({ status: 'succeeded' });
    const rows = await rowsOf(
      s.client,
      'dev',
      `SELECT first, type = typeof(v) FROM typed.${type}_marks ORDER BY first DESC`,
    );
    expect(rows).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  test('a first build that loads nothing says why in the log', async () => {
    const plain = `${HISTORY}SELECT id FROM raw.orders WHERE id > \${watermark}`;
    const done = await deploy({ 'assets/raw/orders.sql': orders(0, 5), 'assets/core/plain.sql': plain });
    expect(done.warnings).toEqual([expect.stringContaining('${watermark} is NULL in the first build')]);
    const run = await build('core.plain');
    expect(rowsBuilt(run, 'core.plain')).toBe(0);
    const lines: string[] = [];
    for await (const { asset, line } of s.client.runs.logs('dev', run.id)) if (asset === 'core.plain') lines.push(line);
    expect(lines).toContainEqual(
      expect.stringContaining('no rows: ${watermark} is NULL until a build has loaded rows'),
    );
  });
});

test('checks without SQL keep a table as it was, and warnings only warn (DEPLOY-15)', async () => {
  const orders = (rows: string, checks: string) => ({
    'assets/raw/shops.sql': 'SELECT 1 AS id',
    'assets/raw/checked.sql': `/* svc\nchecks:\n${checks}*/\nSELECT * FROM (VALUES ${rows}) v(id, shop, state, seen)`,
  });
  const checks = [
    '  - unique: id\n',
    '  - not_null: [id, state]\n',
    '  - accepted_values: { column: state, values: [open, closed] }\n',
    '  - relationships: { column: shop, to: raw.shops, field: id }\n',
    '  - row_count: { min: 1, max: 3 }\n',
    '  - freshness: { column: seen, within: 2 days }\n    severity: warn\n',
  ].join('');
  const buildWith = async (rows: string) => {
    expect((await deploy(orders(rows, checks))).error).toBeNull();
    return build('raw.checked');
  };
  const good = "(1, 1, 'open', DATE '2020-01-01'), (2, NULL, 'closed', NULL)";
  const run = await buildWith(good);
  expect(run.status).toBe('succeeded');
  const log: string[] = [];
  for await (const line of s.client.runs.logs('dev', run.id)) log.push(line.line);
  expect(log).toContain('check unique(id) passed');
  expect(log).toContain('check freshness(seen) warns: it returned 1 row');
  const bad = "(1, 1, 'open', NULL), (1, 9, 'lost', NULL), (2, 1, NULL, NULL), (3, 1, 'open', NULL)";
  const failed = (await buildWith(bad)).tasks.find(({ asset }) => asset === 'raw.checked');
  expect(failed?.error?.detail).toContain(
    'unique(id) (1 row), not_null(id, state) (1 row), accepted_values(state) (1 row), relationships(shop) (1 row), row_count (1 row)',
  );
  expect((await rowsOf(s.client, 'dev', 'SELECT count(*) FROM raw.checked'))[0]).toEqual([2]);
  const wrong = await deploy(orders(good, '  - unique: {}\n  - freshness: { column: at, within: soon }\n'));
  expect(wrong.error?.detail).toContain(
    "assets/raw/checked.sql:3: asset raw.checked: the check unique isn't valid; write it like unique: [column, …]",
  );
});

test('a run builds what a check reads first, and a check of what is built later is a warning (DEPLOY-15)', async () => {
  const checks = 'checks: [{ relationships: { column: id, to: ';
  const project = {
    'assets/early/child.sql': `/* svc\n${checks}early.parent, field: id } }]\n*/\nSELECT 1 AS id`,
    'assets/early/parent.sql': 'SELECT 1 AS id',
    'assets/early/sum.sql': `/* svc\n${checks}early.report, field: id } }]\n*/\nSELECT 1 AS id`,
    'assets/early/report.sql': 'SELECT id FROM early.sum',
  };
  const done = await deploy(project);
  expect(done.warnings).toEqual([
    'assets/early/sum.sql:1: the check "relationships(id)" of early.sum reads early.report, which is built from early.sum and doesn\'t exist yet, so the first run fails: move the check to early.report',
  ]);
  const run = await build('early.child');
  expect(run.tasks.map(({ asset, status }) => [asset, status])).toEqual([
    ['early.parent', 'succeeded'],
    ['early.child', 'succeeded'],
  ]);
});

test('an asset that builds another kind than the existing object fails, and the error says how to drop it', async () => {
  await deploy({ 'assets/kinds/t.sql': 'SELECT 1 AS id' });
  await build('kinds.t');
  await deploy({ 'assets/kinds/t.sql': '/* svc kind: view */ SELECT 1 AS id' });
  expect((await build('kinds.t')).tasks[0]?.error).toEqual({
    code: 'kind-changed',
    detail: 'kinds.t exists as a managed table, but the project builds a view.',
    remedy: 'Drop it with svc table delete kinds.t --env dev, or rename the asset.',
  });
});

test('the checks of a view read what it returns; if one fails, the view stays as it was (DEPLOY-15, RUN-4, RUN-13)', async () => {
  const view = (rows: string, severity = '') => ({
    'assets/seen/ids.sql': `/* svc\nkind: view\nchecks: [{ unique: id${severity} }]\n*/\nSELECT * FROM (VALUES ${rows}) v(id)`,
  });
  const buildWith = async (files: Files) => {
    expect((await deploy(files)).error).toBeNull();
    return (await build('seen.ids')).tasks[0]!;
  };
  const checked = (status: string, rows: number) => [{ name: 'unique(id)', status, rows }];
  expect(await buildWith(view('(1), (1)'))).toMatchObject({
    status: 'failed',
    error: { code: 'check-failed', detail: 'The new rows failed: unique(id) (1 row). The view is unchanged.' },
    checks: checked('failed', 1),
  });
  expect(await s.client.tables.list('dev', 'seen')).toEqual([]);
  expect(await buildWith(view('(1), (2)'))).toMatchObject({ status: 'succeeded', checks: checked('passed', 0) });
  expect(await buildWith(view('(3), (3)'))).toMatchObject({ status: 'failed' });
  expect(await rowsOf(s.client, 'dev', 'SELECT * FROM seen.ids ORDER BY id')).toEqual([[1], [2]]);
  const warned = await buildWith(view('(3), (3)', ', severity: warn'));
  expect(warned).toMatchObject({ status: 'succeeded', checks: checked('warned', 1) });
  expect(await rowsOf(s.client, 'dev', 'SELECT * FROM seen.ids')).toEqual([[3], [3]]);
});
