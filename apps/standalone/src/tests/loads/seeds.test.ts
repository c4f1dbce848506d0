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

const COUNTRIES = 'code,name,population\nDE,Germany,83500000\nFR,"France, République",68400000\nXX,,\n';

const deploy = (files: Files, more: { dry_run?: boolean } = {}) =>
  deployFiles(s.client, { env: 'dev', repository: 'shop', folder: s.folder, ...more }, { 'svc.yaml': '', ...files });

async function build(files: Files, select = '*') {
  expect((await deploy(files)).error).toBeNull();
  const run = await s.client.runs.create('dev', { repository: 'shop', select: [select] });
  return s.client.runs.wait('dev', run.id);
}

test('a CSV file in seeds/ becomes a table, built before the assets that read it (DEPLOY-23)', async () => {
  const run = await build({
    'seeds/ref/countries.csv': COUNTRIES,
    'seeds/ref/countries.yaml':
      'description: All countries\ncolumns: { code: ISO 3166-1 }\nchecks: [{ unique: code }]\n',
    'assets/marts/large.sql': 'SELECT name FROM ref.countries WHERE population > 70000000',
  });
  expect(run.tasks.map(({ asset, status, rows }) => [asset, status, rows])).toEqual([
    ['ref.countries', 'succeeded', 3],
    ['marts.large', 'succeeded', 1],
  ]);
  expect(run.tasks[0]!.checks).toMatchObject([{ name: 'unique(code)', status: 'passed' }]);
  expect(await rowsOf(s.client, 'dev', 'SELECT * FROM ref.countries ORDER BY code')).toEqual([
    ['DE', 'Germany', 83500000],
    ['FR', 'France, République', 68400000],
    ['XX', null, null],
  ]);
  expect(await s.client.tables.get('dev', 'ref.countries')).toMatchObject({
    description: 'All countries',
    columns: [
      { name: 'code', type: 'string', description: 'ISO 3166-1' },
      { name: 'name', type: 'string' },
      { name: 'population', type: 'long' },
    ],
  });
  const [deployment] = await s.client.deployments.list('dev');
  const version = await s.client.projectVersions.get('dev', deployment!.project_version_id);
  expect(version.assets.map(({ name, language }) => [name, language])).toEqual([
    ['marts.large', 'sql'],
    ['ref.countries', 'csv'],
  ]);
});

test('every build replaces the rows and the columns of a seed (DEPLOY-23)', async () => {
  await build({ 'seeds/ref/codes.csv': 'a,b\n1,2\n3,4\n' });
  await build({ 'seeds/ref/codes.csv': 'a,c\n1,x\n' });
  expect(await rowsOf(s.client, 'dev', 'SELECT * FROM ref.codes')).toEqual([[1, 'x']]);
});

test('types of the settings replace those that the deploy finds; leading zeros stay in any case (DEPLOY-23)', async () => {
  const run = await build({
    'seeds/ref/typed.csv': 'zip,price,number\n01067,1.50,7\n',
    'seeds/ref/typed.yaml': 'types: { price: "decimal(9,2)", number: string }',
  });
  expect(run.status).toBe('succeeded');
  expect(await rowsOf(s.client, 'dev', 'SELECT zip, price, number FROM ref.typed')).toEqual([['01067', '1.50', '7']]);
});

test('a value that does not fit its type fails the task with line and column, and the table stays (DEPLOY-23)', async () => {
  await build({ 'seeds/ref/broken.csv': 'n\n1\n' });
  const run = await build({
    'seeds/ref/broken.csv': 'n\n1\ntwo\n',
    'seeds/ref/broken.yaml': 'types: { n: int }',
  });
  expect(run.tasks[0]!.error!.detail).toMatch(/^seeds\/ref\/broken\.csv: .*line 3.*two/is);
  expect(await rowsOf(s.client, 'dev', 'SELECT n FROM ref.broken')).toEqual([[1]]);
});

test('a deploy checks the names that assets use of a seed, and shows its changes in a dry run (DEPLOY-23)', async () => {
  await build({ 'seeds/ref/cities.csv': 'name,zip\nDresden,01067\n' });
  const dry = await deploy(
    {
      'seeds/ref/cities.csv': 'name,zip,size\nDresden,01067,5\n',
      'assets/marts/big.sql': 'SELECT nme FROM ref.cities',
    },
    { dry_run: true },
  );
  expect(dry.warnings.join('\n')).toContain('assets/marts/big.sql:1:8: asset marts.big');
  expect(dry.assets!.changed).toMatchObject([
    { name: 'ref.cities', changes: ['data'], columns: { added: [{ name: 'size', type: 'long' }] } },
  ]);
});

test.each<[string, Files, string]>([
  ['an empty file', { 'seeds/ref/e.csv': '' }, 'seeds/ref/e.csv'],
  ['a short row', { 'seeds/ref/r.csv': 'n,m\n1,2\n1\n' }, 'seeds/ref/r.csv: Line 3: The row has 1 values'],
  ['an open quote', { 'seeds/ref/q.csv': 'n,m\n1,"a\n' }, 'seeds/ref/q.csv: Line 2: A quoted value that starts here'],
  [
    'settings in .yml',
    { 'seeds/ref/y.csv': 'n\n1\n', 'seeds/ref/y.yml': 'tags: [x]' },
    'seeds/ref/y.yml: the settings of a seed must end in .yaml; rename it to seeds/ref/y.yaml',
  ],
  ['a pattern as a name', { 'seeds/ref/a*.csv': 'n\n1\n', 'seeds/ref/a*.yaml': 'table: ref.a' }, 'rename the file'],
  ['a file of more than 16 MB', { 'seeds/ref/l.csv': `n\n${'1\n'.repeat(9_000_000)}` }, 'svc table load'],
  [
    'settings without a CSV file',
    { 'seeds/ref/s.yaml': 'tags: [x]' },
    'there is no seeds/ref/s.csv for these settings',
  ],
  [
    'settings with an unknown key',
    { 'seeds/ref/u.csv': 'a\n1\n', 'seeds/ref/u.yaml': 'mode: append' },
    'seeds/ref/u.yaml:1',
  ],
  ['the name of another asset', { 'seeds/ref/d.csv': 'a\n1\n', 'assets/ref/d.sql': 'SELECT 1 AS a' }, 'ref.d'],
])('%s fails the deploy (DEPLOY-23)', async (_, files, text) => {
  const { status, error } = await deploy(files);
  expect(status).toBe('failed');
  expect(error!.detail).toContain(text);
});
