import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileLocation } from '@svc/iceberg';
import { QueryFixture } from '../queries/testing/query-fixture.ts';
import { type InferredColumn, matches } from './external-files.ts';
import { filledTypeText, inferExternalColumns, listExternalFiles, mayShareFiles } from './index.ts';
import { NESTED_UNTYPED, UNTYPED } from './testing/untyped-parquet.ts';

let f: QueryFixture;
let root: string;
beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'external-'));
  f = await QueryFixture.create({ inputFolders: [root] });
  await fs.mkdir(path.join(root, 'csv', 'more'), { recursive: true });
  await fs.writeFile(path.join(root, 'csv', 'a.csv'), 'id,name\n1,x\n2,\n');
  await fs.writeFile(path.join(root, 'csv', 'more', 'b.csv'), 'name,id\ny,3\n');
  await fs.writeFile(path.join(root, 'csv', 'readme.md'), 'no data');
  await fs.writeFile(path.join(root, 'c.ndjson'), '{"id":1,"tags":["a"]}\n{"id":2}\n');
  await fs.writeFile(path.join(f.dir, 'secret.csv'), 'id\n42\n');
  await fs.symlink(path.join(f.dir, 'secret.csv'), path.join(root, 'csv', 'link.csv'));
});
afterAll(async () => {
  await f.close();
  await fs.rm(root, { recursive: true });
});

const list = async (location: string, format: 'csv' | 'ndjson' = 'csv') =>
  (await listExternalFiles(location, format, [root])).map((l) => l.slice(fileLocation(root).length));

test('lists files, folders and patterns within the allowed roots (TABLE-4)', async () => {
  expect(await list(fileLocation(path.join(root, 'csv')))).toEqual(['/csv/a.csv', '/csv/more/b.csv']);
  expect(await list(`${fileLocation(path.join(root, 'csv'))}/*.csv`)).toEqual(['/csv/a.csv']);
  expect(await list(fileLocation(path.join(root, 'c.ndjson')), 'ndjson')).toEqual(['/c.ndjson']);
  for (const location of [
    fileLocation(f.dir),
    `${fileLocation(root)}/../secret.csv`,
    '/etc/passwd',
    's3://b/k',
    `${root}/nothing`,
  ]) {
    await expect(list(location)).rejects.toThrow('SVC_STORAGE__EXTERNAL_LOCATIONS');
  }
});

test.each(['part[1].csv', 'part*.csv', 'part?.csv'])(
  'a file with the name %s is an error, never left out (TABLE-4)',
  async (name) => {
    const folder = await fs.mkdtemp(path.join(root, 'odd-'));
    await fs.writeFile(path.join(folder, 'a.csv'), 'id\n1\n');
    await fs.writeFile(path.join(folder, name), 'id\n2\n');
    await expect(list(fileLocation(folder))).rejects.toThrow(`The file ${name} in file:`);
    await fs.rm(folder, { recursive: true });
  },
);

test.each<[location: string, other: string, expected: boolean]>([
  ['csv', 'csv', true],
  ['csv/', 'csv/more', true],
  ['csv/more/b.csv', 'csv', true],
  ['csv/a*.csv', 'csv/b*.csv', true],
  ['csv/a.csv', 'csv/more', false],
  ['csv', 'c.ndjson', false],
  ['csv', 'csv2', false],
  ['gone', 'gone/more', true],
  ['linked', 'csv/more', true],
])('whether %s and %s may have files in common: %s', async (location, other, expected) => {
  await fs.symlink(path.join(root, 'csv'), path.join(root, 'linked')).catch(() => undefined);
  const [one, two] = [location, other].map((name) => `${fileLocation(root)}/${name}`) as [string, string];
  expect([await mayShareFiles(one, two), await mayShareFiles(two, one)]).toEqual([expected, expected]);
});

test.each<[pattern: string, name: string, expected: boolean]>([
  ['*', '', true],
  ['a*', 'a', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['*.csv', 'a.csv', true],
  ['*.csv', 'a.csv.gz', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*ab*ab', 'abab', true],
  ['*ab*ab', 'aba', false],
  ['a.c*', 'abc', false],
  // What goes back for each star would not come to an end.
  [`${'*a'.repeat(40)}*b`, 'a'.repeat(250), false],
])('the pattern %s and the name %s', (pattern, name, expected) => {
  expect(matches(pattern, name)).toBe(expected);
});

test('columns are found out and rows read (TABLE-4)', async () => {
  const locations = await listExternalFiles(fileLocation(path.join(root, 'csv')), 'csv', [root]);
  const found = await inferExternalColumns(f.sandbox, { format: 'csv', locations });
  expect(found).toEqual({
    ok: true,
    columns: [
      { name: 'id', type: 'long' },
      { name: 'name', type: 'string' },
    ],
  });
  if (!found.ok) return;
  f.relations.set('ext.t', { kind: 'external', format: 'csv', locations, columns: found.columns });
  expect(await f.rows('select * from ext.t order by id')).toEqual([
    [1, 'x'],
    [2, null],
    [3, 'y'],
  ]);
  const json = await inferExternalColumns(f.sandbox, {
    format: 'ndjson',
    locations: [fileLocation(path.join(root, 'c.ndjson'))],
  });
  expect(json.ok && json.columns.map((c) => c.type)).toEqual(['long', 'list<string>']);
  expect(await inferExternalColumns(f.sandbox, { format: 'parquet', locations })).toMatchObject({ ok: false });
});

test('a Parquet column without a type becomes text: it has no value that shows one', async () => {
  const file = path.join(root, 'untyped.parquet');
  await fs.writeFile(file, Buffer.from(UNTYPED, 'base64'));
  const found = await inferExternalColumns(f.sandbox, { format: 'parquet', locations: [fileLocation(file)] });
  expect(found.ok && found.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'id int',
    'name string',
    'tags string',
  ]);
  if (!found.ok) return;
  f.relations.set('ext.u', { kind: 'external', format: 'parquet', locations: [fileLocation(file)], ...found });
  expect(await f.rows('select * from ext.u order by id')).toEqual([
    [1, null, null],
    [2, null, null],
  ]);
});

test('an element or field without a type in a Parquet file becomes text', async () => {
  const file = path.join(root, 'nested-untyped.parquet');
  await fs.writeFile(file, Buffer.from(NESTED_UNTYPED, 'base64'));
  const found = await inferExternalColumns(f.sandbox, { format: 'parquet', locations: [fileLocation(file)] });
  expect(found.ok && found.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'id int',
    'tags list<string>',
    's struct<a: long, b: string, c: list<string>>',
    'm map<string,string>',
    'x list<list<string>>',
  ]);
  const replaced: Record<string, string> = {
    id: 'long',
    tags: 'list<uuid>',
    s: 'struct<a: int, b: date>',
    m: 'string',
  };
  const filled = (c: InferredColumn) => filledTypeText(c.type, c.untyped, replaced[c.name] ?? null);
  expect(found.ok && found.columns.map(filled)).toEqual([
    'int',
    'list<uuid>',
    'struct<a: long, b: date, c: list<string>>',
    'map<string,string>',
    'list<list<string>>',
  ]);
});
