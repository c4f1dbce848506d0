import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseManifest } from '@svc/core/deploys';
import { svc } from '../testing/run-svc.ts';

const SQL = [
  '.gitignore',
  'README.md',
  'assets/core/orders.sql',
  'assets/marts/revenue_by_day.sql',
  'seeds/raw/orders.csv',
  'seeds/raw/orders.yaml',
  'svc.yaml',
];
const PYTHON = [...SQL, 'assets/marts/best_day.py', 'pyproject.toml', 'uv.lock'].sort();

let base: string;
let folder: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-init-'));
  folder = join(base, 'shop');
});
afterEach(() => rm(base, { recursive: true }));

const text = (path: string) => readFile(join(folder, path), 'utf8');
/** All files below the folder. */
const filesOf = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
const put = async (path: string, content = 'mine\n') => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), content);
};

test('svc init creates a folder with the files that it lists, and prints the next commands (CLI-34)', async () => {
  const { code, stdout, stderr } = await svc(['init', folder], { env: { SVC_ENV: 'prod' } });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Created the project shop:\n${SQL.map((path) => `  ${join(folder, path)}\n`).join('')}`,
  });
  expect(stderr).toBe(
    `Next: svc deploy ${folder}\nNext: svc run --repo shop\nNext: svc sql 'SELECT * FROM marts.revenue_by_day ORDER BY day'\n`,
  );
  expect(filesOf(folder)).toEqual(SQL);
  expect(await text('README.md')).toMatch(/^# shop\n/);
  for (const path of SQL) expect(await text(path)).not.toContain('NAME_AS');
});

test('with --python, JSON names the project, its folder and its files (CLI-34)', async () => {
  const { code, stdout, stderr } = await svc(['init', folder, '--python', '-o', 'json']);
  expect({ code, stderr, output: JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: '',
    output: { name: 'shop', folder, files: PYTHON },
  });
  expect(filesOf(folder)).toEqual(PYTHON);
});

test('the schedule in svc.yaml is valid without its comment signs (CLI-34)', async () => {
  await svc(['init', folder]);
  const lines = (await text('svc.yaml')).split('\n');
  const from = lines.findIndex((line) => line.trim() === '# schedule:');
  const scheduled = lines.map((line, i) => (i < from ? line : line.replace('# ', ''))).join('\n');
  const { manifest, problems } = parseManifest(scheduled);
  expect(problems).toEqual([]);
  expect(manifest!.jobs.get('refresh')!.schedule).toMatchObject({ timezone: 'UTC' });
  expect(parseManifest(lines.join('\n')).manifest!.jobs.get('refresh')).toMatchObject({
    select: ['*'],
    schedule: null,
  });
});

test.each([
  ['on'],
  ['123'],
  ['a: b # c'],
  ["it's"],
  ['"quoted" \\n'],
  ['Kö ln'],
  ['-x'],
  ['東京'],
  ['NAME_AS_PACKAGE'],
])('the name %s is the same in svc.yaml, and pyproject.toml and uv.lock agree (CLI-34)', async (name) => {
  const { code, stderr } = await svc(['init', folder, '--python', `--name=${name}`]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Next: .*\nNext: .*--env dev\nNext: /) });
  expect(parseManifest(await text('svc.yaml')).manifest!.name).toBe(name);
  const packages = await Promise.all(['pyproject.toml', 'uv.lock'].map(async (file) => await text(file)));
  const [declared, locked] = packages.map((toml) => /^name = "([a-z0-9]+(?:-[a-z0-9]+)*)"$/m.exec(toml)?.[1]);
  expect(declared).toBeDefined();
  expect(locked).toBe(declared);
});

test.each([
  [['my.shop'], 'The folder\'s name "my.shop" can\'t be the name of a project: it must not contain "/" or "."'],
  [['shop', '--name', 'a/b'], '"a/b" can\'t be the name of a project: it must not contain "/" or "."'],
  [['shop', '--name', ''], '"" can\'t be the name of a project: it must not be empty'],
])('svc init %j names what is wrong and --name, and writes nothing (CLI-34)', async ([path = '', ...more], message) => {
  const { code, stderr } = await svc(['init', join(base, path), ...more]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain('with --name NAME');
  expect(readdirSync(base)).toEqual([]);
});

test('a folder whose name has a combining accent gets the composed name (CLI-34)', async () => {
  folder = join(base, 'cafe\u0301');
  expect(JSON.parse((await svc(['init', folder, '-o', 'json'])).stdout)).toMatchObject({ name: 'caf\u00e9' });
});

test('an existing folder keeps its .gitignore and README.md, and every other file (CLI-34)', async () => {
  for (const path of ['.gitignore', 'README.md', 'notes.txt']) await put(path);
  const { code, stdout, stderr } = await svc(['init', folder]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('README.md, which exists.\n') });
  expect(stdout).not.toMatch(/README|gitignore/);
  expect(filesOf(folder)).toEqual([...SQL, 'notes.txt'].sort());
  for (const path of ['.gitignore', 'README.md', 'notes.txt']) expect(await text(path)).toBe('mine\n');
});

test('if a file exists, the error lists it and nothing is written (CLI-34)', async () => {
  await put('svc.yaml');
  await mkdir(join(folder, 'seeds/raw'), { recursive: true });
  await symlink(join(base, 'nowhere'), join(folder, 'seeds/raw/orders.csv'));
  const { code, stdout, stderr } = await svc(['init', folder]);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `Error: ${folder}/seeds/raw/orders.csv, ${folder}/svc.yaml already exist. Nothing was written. Choose another folder.\n`,
  });
  expect(filesOf(folder)).toEqual(['seeds/raw/orders.csv', 'svc.yaml']);
  expect([await text('svc.yaml'), existsSync(join(base, 'nowhere'))]).toEqual(['mine\n', false]);
});

test('a file instead of a folder is an error (CLI-34)', async () => {
  await writeFile(folder, 'mine\n');
  const { code, stderr } = await svc(['init', folder]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: `Error: ${folder} is a file. Choose another folder.\n` });
});

test('if a file or folder cannot be created, what was created before is removed (CLI-34)', async () => {
  await put('seeds');
  const failed = await svc(['init', folder]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(
    /^Error: Can't create .*seeds\/raw\/orders\.csv: E.* Nothing was written\. Choose another/,
  );
  expect([filesOf(folder), readdirSync(folder)]).toEqual([['seeds'], ['seeds']]);
  const long = join(base, 'new/inner', 'x'.repeat(300));
  expect((await svc(['init', long, '--name', 'x'])).code).toBe(1);
  expect(readdirSync(base)).toEqual([basename(folder)]);
});

const isRoot = process.getuid?.() === 0;
(isRoot ? test.skip : test)('a folder without write permission is an error (CLI-34)', async () => {
  await mkdir(folder);
  await chmod(folder, 0o555);
  const { code, stderr } = await svc(['init', folder]);
  await chmod(folder, 0o755);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('permission denied') });
});

test('git sees every file of a new project', async () => {
  await svc(['init', folder, '--python']);
  execFileSync('git', ['init', '--quiet', folder]);
  const listed = execFileSync('git', ['-C', folder, 'ls-files', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  expect(listed.trim().split('\n').sort()).toEqual(PYTHON);
});
