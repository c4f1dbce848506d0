import type { Asset } from './asset.ts';
import { compareAssets, compareColumns, type NamedColumn } from './asset-changes.ts';
import { testAsset } from './testing/assets.ts';

/** Like the JSON columns of the database: keys in another order, and no undefined ones. */
const stored = (one: Asset): Asset =>
  JSON.parse(
    JSON.stringify(one, (_, value) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ),
  );

const compare = (
  active: readonly Asset[],
  next: readonly Asset[],
  known: { next?: readonly NamedColumn[]; table?: readonly NamedColumn[] } = {},
) =>
  compareAssets({
    active: active.map(stored),
    next,
    changedFiles: ({ source }) => (source.language === 'python' ? ['code'] : []),
    columns: () => ({ next: known.next ?? null, table: known.table ?? null }),
  });

const X = { name: 'x', type: 'int' };
const Y = { name: 'y', type: 'string' };

test('added, removed and changed assets are listed by name (DEPLOY-22)', () => {
  const active = [testAsset('a.same'), testAsset('a.gone', { kind: 'view' }), testAsset('a.edited')];
  const next = [testAsset('b.fresh'), testAsset('a.edited', { sql: 'SELECT 2 AS x' }), testAsset('A.Same')];
  expect(compare(active, next)).toEqual({
    added: [{ name: 'b.fresh', kind: 'table', columns: null }],
    removed: [{ name: 'a.gone', kind: 'view' }],
    changed: [{ name: 'a.edited', kind: 'table', changes: ['sql'], columns: null }],
  });
});

test('without a deployed version every asset is added, with the columns that are known (DEPLOY-22)', () => {
  expect(compare([], [testAsset('a.t')], { next: [X] }).added).toEqual([{ name: 'a.t', kind: 'table', columns: [X] }]);
});

test.each<[string, Partial<Asset>, Partial<Asset>, string[]]>([
  ['nothing', {}, {}, []],
  ['its position in the project', {}, { file: 'assets/other.sql', line: 7 }, []],
  ['the order of keys', { columns: { a: '1', b: '2' } }, { columns: { b: '2', a: '1' } }, []],
  ['a setting that older versions lack', {}, { ...({ lookback: null, seed: false, keys: [] } as object) }, []],
  ['what its checks read, which older versions lack', {}, { checkReads: ['a.b'] }, []],
  ['a description', {}, { description: 'x' }, ['description']],
  ['dependencies', {}, { dependsOn: ['a.b'] }, ['depends_on']],
  ['a mode with a watermark', {}, { mode: 'append', watermark: 'x' }, ['mode', 'watermark']],
  ['a new setting', {}, { ...({ deleteWhen: 'x' } as object) }, ['delete_when']],
  ['a removed setting', { tags: ['daily'] }, {}, ['tags']],
  [
    'the severity of a check',
    { checks: [{ name: 'c', sql: 's' }] },
    { checks: [{ name: 'c', sql: 's', severity: 'warn' }] },
    ['checks'],
  ],
  ['the language', {}, { source: { language: 'python', function: 'f' } }, ['language', 'code']],
])('a change of %s is named (DEPLOY-22)', (_, old, changed, changes) => {
  const found = compare([testAsset('a.t', old)], [testAsset('a.t', changed)]).changed;
  expect(found.map((one) => one.changes)).toEqual(changes.length === 0 ? [] : [changes]);
});

test('an asset whose columns change with its inputs is changed, too (DEPLOY-22)', () => {
  const [changed] = compare([testAsset('a.t')], [testAsset('a.t')], { next: [X, Y], table: [X] }).changed;
  expect(changed).toMatchObject({ changes: [], columns: { added: [Y], removed: [], changed: [] } });
});

test('columns are compared by name: added, removed, other type (DEPLOY-22)', () => {
  const columns = compareColumns([X, { name: 'n', type: 'int' }], [{ name: 'n', type: 'long' }, Y]);
  expect(columns).toEqual({ added: [Y], removed: [X], changed: [{ name: 'n', type: 'long', previous_type: 'int' }] });
});
