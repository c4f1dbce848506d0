import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { freePath, inputFiles, matches } from './input-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-input-'));
  for (const name of ['b.csv', 'a.csv', '.hidden.csv', 'a.csv.gz', 'odd[1].csv', 'day 1/x.csv', 'day 1/deep/y.csv']) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), '');
  }
  await mkdir(join(folder, 'folder.csv'));
});
afterAll(() => rm(folder, { recursive: true }));

const found = async (...args: string[]) => {
  const files = await inputFiles(args.map((arg) => (arg === '-' ? arg : join(folder, arg))));
  return files.map((file) => file.slice(folder.length + 1).replaceAll(sep, '/'));
};

test.each([
  [['a.csv'], ['a.csv']],
  [['*.csv'], ['a.csv', 'b.csv', 'odd[1].csv']],
  [
    ['?.csv', 'a.csv'],
    ['a.csv', 'b.csv'],
  ],
  [['odd[1].csv'], ['odd[1].csv']],
  [['.*.csv'], ['.hidden.csv']],
  [['day*/*.csv'], ['day 1/x.csv']],
  [['**/*.csv'], ['a.csv', 'b.csv', 'day 1/deep/y.csv', 'day 1/x.csv', 'odd[1].csv']],
  [['day 1/**/y.csv'], ['day 1/deep/y.csv']],
  [['missing.csv'], ['missing.csv']],
])('%j are the files %j (CLI-23)', async (args, files) => {
  expect(await found(...args)).toEqual(files);
});

test('a pattern without files, and standard input with files, are usage errors (CLI-23)', async () => {
  await expect(inputFiles([join(folder, '*.xml')])).rejects.toThrow(`No file matches ${join(folder, '*.xml')}.`);
  await expect(inputFiles([join(folder, 'a.csv'), '-'])).rejects.toThrow(
    "Standard input can't be combined with files.",
  );
});

test.each([
  ['*', 'abc', true],
  ['a*c', 'abbc', true],
  ['a*c', 'abb', false],
  ['*a*b*', 'xxaxxbxx', true],
  ['a?', 'a', false],
  ['**', '', true],
  [`${'*a'.repeat(40)}b`, 'a'.repeat(5000), false],
])('%#: a pattern is matched in linear steps', (pattern, name, expected) => {
  expect(matches(pattern, name)).toBe(expected);
});

test('an existing file stays (CLI-24)', async () => {
  const path = join(folder, 'a.csv.rejected');
  expect(await freePath(path)).toBe(path);
  await writeFile(path, '');
  await writeFile(`${path}-2`, '');
  expect(await freePath(path)).toBe(`${path}-3`);
});
