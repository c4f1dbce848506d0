import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
});
afterAll(() => s.stop());

/** Names that every JavaScript object has. */
const NAMES = ['constructor', 'toString', '__proto__'];
const SELECT = 'SELECT 1 AS constructor, 2 AS "toString", 3 AS __proto__, 4 AS a';

const descriptionsOf = async (table: string) =>
  (await s.client.tables.get('dev', table)).columns.map(({ name, description }) => [name, description]);
const described = (a: string | null) => [...NAMES.map((name) => [name, null]), ['a', a]];

test('columns can have the names of properties that every object has (TABLE-2)', async () => {
  const columns = [...NAMES, 'a'].map((name) => ({ name, type: 'int' }));
  await s.client.tables.create('dev', 'shop.created', { columns });
  await s.client.tables.update('dev', 'shop.created', { column_descriptions: { a: 'first' } });
  await s.client.queries.run('dev', `INSERT INTO shop.created ${SELECT}`);
  expect(await descriptionsOf('shop.created')).toEqual(described('first'));
  await s.client.queries.run('dev', SELECT, { into: 'shop.queried', mode: 'create' });
  expect(await descriptionsOf('shop.queried')).toEqual(described(null));
});

test('assets can have them, too', async () => {
  await s.client.repositories.create({ name: 'app' });
  const files = {
    'svc.yaml': 'name: app\n',
    'assets/shop/built.sql': `/* svc\ncolumns:\n  a: first\n*/\n${SELECT}`,
    'assets/shop/seen.sql': '/* svc\nkind: view\ncolumns:\n  a: first\n*/\nSELECT * FROM shop.built',
  };
  const deploy = await deployFiles(s.client, { env: 'dev', repository: 'app', folder: s.folder }, files);
  expect(deploy).toMatchObject({ status: 'succeeded', error: null });
  const run = await s.client.runs.create('dev', { repository: 'app', select: ['*'] });
  expect(await s.client.runs.wait('dev', run.id)).toMatchObject({ status: 'succeeded' });
  for (const table of ['shop.built', 'shop.seen']) expect(await descriptionsOf(table)).toEqual(described('first'));
});

test('a statement and an asset create no column with an unprintable or overlong name (TABLE-2)', async () => {
  for (const name of ['a\u001b[2J', 'a\u202eb', 'a\nb', 'x'.repeat(256)]) {
    const into = { into: 'shop.refused', mode: 'create' } as const;
    const query = await s.client.queries.submit('dev', `SELECT 1 AS "${name}"`, into);
    expect(await s.client.queries.wait('dev', query.id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'column-mismatch', detail: expect.stringContaining('its name must ') },
    });
  }
  await s.client.repositories.create({ name: 'odd' });
  const files = {
    'svc.yaml': 'name: odd\n',
    'assets/shop/odd.sql': 'SELECT 1 AS "a\u202eb"',
    'seeds/shop/odd_seed.csv': 'a,b\u001b[2J\n1,2\n',
  };
  const deploy = await deployFiles(s.client, { env: 'dev', repository: 'odd', folder: s.folder }, files);
  expect(deploy.error?.detail).toContain(
    'A table can\'t have the column "b\\u001b[2J": its name must contain only printable',
  );
  const { 'seeds/shop/odd_seed.csv': _, ...others } = files;
  await deployFiles(s.client, { env: 'dev', repository: 'odd', folder: s.folder }, others);
  const run = await s.client.runs.create('dev', { repository: 'odd', select: ['*'] });
  const finished = await s.client.runs.wait('dev', run.id).catch(({ record }) => record);
  expect(finished.tasks).toMatchObject([{ asset: 'shop.odd', status: 'failed', error: { code: 'column-mismatch' } }]);
});
