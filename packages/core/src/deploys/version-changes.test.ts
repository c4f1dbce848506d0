import type { Asset } from './asset.ts';
import type { CodeFile } from './code-changes.ts';
import { testAsset } from './testing/assets.ts';
import { type ComparedVersion, compareVersions } from './version-changes.ts';

const version = (assets: readonly Asset[], more: Partial<ComparedVersion> = {}): ComparedVersion => ({
  ...{ assets, jobs: [], python: null, lockHash: null, code: [] },
  ...more,
});
const python = (name: string, file: string): Asset => ({
  ...testAsset(name),
  file,
  source: { language: 'python', function: 'build' },
});
const codeFile = (file: string, text: string | null, sha256 = `of ${text}`): CodeFile => ({ file, sha256, text });
const all = () => true;
const shown = (result: ReturnType<typeof compareVersions>) =>
  result.sources.map(({ file, before, after }) => [file, before, after]);

test('SELECTs that are added, removed and changed are listed by the name of their asset (DEPLOY-26)', () => {
  const before = version([testAsset('b.same'), testAsset('a.old'), testAsset('c.x')]);
  const after = version([testAsset('c.X', { sql: 'SELECT 2' }), testAsset('b.same'), testAsset('a.new')]);
  expect(shown(compareVersions(before, after, all))).toEqual([
    ['assets/a/new.sql', null, 'SELECT 1 AS x'],
    ['assets/a/old.sql', 'SELECT 1 AS x', null],
    ['assets/c/X.sql', 'SELECT 1 AS x', 'SELECT 2'],
  ]);
  expect(shown(compareVersions(null, before, all))).toHaveLength(3);
});

test('Python files have the assets that they declare, and modules have none (DEPLOY-26)', () => {
  const assets = [python('a.one', 'assets/a.py'), python('a.two', 'assets/a.py')];
  const before = version(assets, { code: [codeFile('assets/a.py', 'x'), codeFile('gone.py', 'y')] });
  const after = version(assets, { code: [codeFile('assets/a.py', 'z'), codeFile('new.py', 'w')] });
  const result = compareVersions(before, after, all);
  expect(result.sources.map(({ file, assets: of }) => [file, ...of])).toEqual([
    ['assets/a.py', 'a.one', 'a.two'],
    ['gone.py'],
    ['new.py'],
  ]);
  expect(result.assets.changed.map(({ changes }) => changes)).toEqual([
    ['code', 'modules'],
    ['code', 'modules'],
  ]);
});

test('texts that are large or hidden are only counted (DEPLOY-26)', () => {
  const large = 'x'.repeat(700_000);
  const before = version([testAsset('a.a'), testAsset('a.b'), testAsset('a.hidden')], {
    code: [codeFile('large.py', null, '1')],
  });
  const after = version(
    before.assets.map(({ name }) => testAsset(name, { sql: large })),
    { code: [codeFile('large.py', null, '2')] },
  );
  const result = compareVersions(before, after, (names) => !names.includes('a.hidden'));
  expect([result.sources.map(({ file }) => file), result.omitted_sources]).toEqual([['assets/a/a.sql'], 3]);
});

test('code is not compared with a version whose code is unknown (DEPLOY-26)', () => {
  const assets = [python('a.one', 'assets/a.py')];
  const after = version(assets, { code: [codeFile('assets/a.py', 'z')] });
  const result = compareVersions(version(assets, { code: null }), after, all);
  expect([result.sources, result.assets.changed]).toEqual([[], []]);
});
