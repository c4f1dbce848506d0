import { diagnosticText, positionIn } from './diagnostics.ts';
import { buildGraph } from './graph.ts';
import { checkJobs } from './jobs-of-environment.ts';
import { parseManifest } from './manifest.ts';
import { parsePythonAssets } from './python-asset.ts';
import { selectAssets, selectionProblem } from './selection.ts';
import { parseSqlAsset, withReads } from './sql-asset.ts';

const FULL = `
/* svc
table: core.trips
kind: table
description: One row per trip.
columns:
  id: unique key of a trip
depends_on: [raw.Zones]
tags: [daily, "pii:no"]
mode: append
watermark: started_at
checks:
  - name: no negative distance
    sql: SELECT * FROM core.trips WHERE distance < 0
*/
-- rows since the last build
SELECT t.* FROM raw.trips AS t JOIN raw.zones z ON z.id = t.zone
WHERE started_at > \${watermark}
`;

function sqlAsset(name: string, reads: readonly string[], header = '') {
  const { asset, problems } = parseSqlAsset(`/* svc ${header}*/ SELECT 1`, `assets/${name.replace('.', '/')}.sql`);
  if (asset === null) throw new Error(problems.map(diagnosticText).join('\n'));
  return withReads(asset, reads);
}

describe('an SQL asset (DEPLOY-6)', () => {
  test('with a full header', () => {
    const { asset, problems } = parseSqlAsset(FULL, 'assets/core/trips.sql');
    expect(problems).toEqual([]);
    expect(asset).toMatchObject({
      name: 'core.trips',
      namespace: 'core',
      table: 'trips',
      kind: 'table',
      columns: { id: 'unique key of a trip' },
      dependsOn: ['raw.Zones'],
      tags: ['daily', 'pii:no'],
      mode: 'append',
      watermark: 'started_at',
      checks: [{ name: 'no negative distance', sql: 'SELECT * FROM core.trips WHERE distance < 0' }],
    });
    expect(asset?.source).toMatchObject({ language: 'sql', sql: expect.stringMatching(/^-- rows since/) });
  });

  test('without a header takes its name from the path', () => {
    const { asset } = parseSqlAsset('select 1 as n', 'assets/a/b/c.sql');
    expect(asset).toMatchObject({ name: 'a.b.c', namespace: 'a.b', table: 'c', kind: 'table', mode: 'replace' });
  });

  test.each([
    'select 1 as n; -- done',
    String.raw`select string_split(a, '\') as a, ';' as b, e'\';' as c, "a;b" from x.y`,
    'select $$;$$ as a /* ; */ from (values (1)) t(a) ;;',
    '/* none may be there */ FROM a.b WHERE c < 0',
    'with t as (select 1) select * from t',
  ])('%s is one statement', (sql) => {
    expect(parseSqlAsset(sql, 'assets/a/b.sql').problems).toEqual([]);
    const checks = [{ name: 'n', sql }];
    const header = JSON.stringify({ checks }).replaceAll('*/', '*\\/');
    expect(parseSqlAsset(`/* svc\n${header}\n*/ select 1`, 'assets/a/b.sql').asset).toMatchObject({ checks });
  });

  test('depends on each table that it reads once; an append asset may read its own table', () => {
    const reads = ['r.x', 'X.Y', 'R.X', 'alone', 'a b.c'];
    expect(sqlAsset('x.y', reads, 'mode: append\ndepends_on: [R.x, q.z]').dependsOn).toEqual(['R.x', 'q.z']);
    expect(sqlAsset('x.y', reads).dependsOn).toEqual(['r.x', 'X.Y']);
  });

  test.each([
    ['select 1', 0],
    ['/* svc */ select 1\n\n', 10],
    ['\n/* svc\nkind: view\n*/\n\n  -- c\nselect 1  \n', 25],
  ])('%j: the SQL starts at %d', (text, start) => {
    const { asset, sqlStart } = parseSqlAsset(text, 'assets/x/y.sql');
    expect(sqlStart).toBe(start);
    expect(text.slice(start)).toContain(asset?.source.language === 'sql' ? asset.source.sql : 'no SQL');
  });

  test.each([
    ['/* svc\nkind: tabel\n*/ select 1', '2: kind is "tabel"; write one of table, view, artifact'],
    ['/* svc\ntags: daily\n*/ select 1', '2: tags must be a list'],
    ['/* svc\nengine: spark\n*/ select 1', '2: engine is "spark"; write one of duckdb, trino'],
    ['\n/* svc\nowner: me\n*/ select 1', '3: unknown key "owner" at the top; allowed here: table, kind'],
    ['/* svc\ncron: *\n*/ select 1', '2: a text that starts with *'],
    ['/* svc kind: artifact */ select 1', '1: asset x.y: an SQL asset builds a table or a view'],
    ['/* svc kind: view\nmode: append */ select 1', '1: asset x.y: a view does not support mode append'],
    ['/* svc watermark: d\nmode: append */ select 1', '1: asset x.y: the watermark is never used'],
    ['/* svc watermark: d */ select ${watermark}', '1: asset x.y: a watermark needs mode: append or mode: merge'],
    ['select ${watermark}', '1: asset x.y: the SQL uses ${watermark}'],
    ['/* svc table: trips */ select 1', '1: asset trips: "trips" is not a table name'],
    ['/* svc checks: [{name: a}] */ select 1', '1: checks[0] has no sql'],
    ...[
      ['DELETE FROM x.y', 'starts with "DELETE"'],
      ['select 1; drop table x.y', 'has another statement after a semicolon'],
      ['-- nothing', 'is empty'],
      ['  ', 'is empty'],
    ].map(([sql, error]): [string, string] => [
      `/* svc\ntags: [a]\nchecks:\n  - {name: fine, sql: select 1}\n  - name: no gap\n    sql: "${sql}"\n*/ select 1`,
      `6: asset x.y: the SQL of the check "no gap" ${error}; a check is one SELECT that must return no row`,
    ]),
    ['/* svc */\n', '2: there is no SQL after the header'],
    ['/* svc */\n\ndrop table x.y', '3: the SQL starts with "drop"'],
    ["select ';' as a; -- one\n;select 2", '1: the SQL has another statement after a semicolon'],
    ['-- first\n/* svc\nkind: view\n*/ select 1', '1: a /* svc header is not the first comment'],
  ])('refuses %j', (text, expected) => {
    const { asset, problems } = parseSqlAsset(text, 'assets/x/y.sql');
    expect(asset).toBeNull();
    expect(problems.map(diagnosticText).join('\n')).toContain(`assets/x/y.sql:${expected}`);
  });
});

test('the header names an engine (DEPLOY-6)', () => {
  const asset = (header: string) => parseSqlAsset(`/* svc ${header} */ select 1`, 'assets/x/y.sql').asset;
  expect(asset('engine: Trino')).toMatchObject({ engine: 'trino' });
  expect(asset('kind: view')).not.toHaveProperty('engine');
});

describe('the exact position of a problem (DEPLOY-7)', () => {
  test.each([
    ['SELECT a\nFORM b', 9, 'f.sql:2:1: m\n  FORM b\n  ^'],
    ['SELECT a\n\tFORM 𝄞 b', 17, 'f.sql:2:8: m\n   FORM 𝄞 b\n         ^'],
    ['SELECT', 6, 'f.sql:1:7: m\n  SELECT\n        ^'],
    ['', 0, 'f.sql:1:1: m\n  \n  ^'],
    [
      `${'x'.repeat(100)}!${'y'.repeat(100)}`,
      100,
      `f.sql:1:101: m\n  ${'x'.repeat(60)}!${'y'.repeat(39)}\n  ${' '.repeat(60)}^`,
    ],
  ])('%j at %d', (text, offset, expected) =>
    expect(diagnosticText({ file: 'f.sql', ...positionIn(text, offset), message: 'm', remedy: null })).toBe(expected),
  );
});

describe('the graph', () => {
  test('is ordered, and lists tables outside the project', () => {
    const { graph } = buildGraph([
      sqlAsset('marts.a', ['core.b', 'CORE.C']),
      sqlAsset('core.b', ['raw.x', 'other.t']),
      sqlAsset('core.c', ['raw.x']),
      sqlAsset('raw.x', []),
    ]);
    expect(graph?.order).toEqual(['raw.x', 'core.b', 'core.c', 'marts.a']);
    expect(graph?.external).toEqual([{ table: 'other.t', readBy: ['core.b'] }]);
  });

  test('assets that a check reads come first, except those that are built from its asset (DEPLOY-15)', () => {
    const checked = (name: string, reads: readonly string[], checkReads: readonly string[]) =>
      withReads(sqlAsset(name, [], 'checks: [{ name: c, sql: SELECT 1 }]'), reads, checkReads);
    const { graph, problems } = buildGraph([
      checked('core.a', [], ['core.A', 'Core.Z', 'other.t']),
      checked('core.b', ['core.a'], []),
      checked('core.c', [], ['core.d']),
      checked('core.d', [], ['core.c', 'core.b']),
      checked('core.z', [], ['core.b']),
    ]);
    expect(problems).toEqual([]);
    expect(graph?.order).toEqual(['core.z', 'core.a', 'core.b', 'core.d', 'core.c']);
    expect(graph?.external).toEqual([]);
    const selected = selectAssets(graph!, { select: ['core.a'], upstream: true, downstream: false });
    expect(selected.selected).toEqual(['core.z', 'core.a']);
  });

  test('cycles and duplicate names are refused', () => {
    const circle = buildGraph([
      sqlAsset('a.a', ['a.b']),
      sqlAsset('a.b', ['a.c']),
      sqlAsset('a.c', ['a.a']),
      sqlAsset('z.z', ['a.a']),
    ]);
    expect(circle.graph).toBeNull();
    expect(circle.problems.map(diagnosticText)).toEqual([
      expect.stringMatching(/in a circle: a\.. → a\.. → a\.. → a\../),
    ]);
    const name = (i: number) => `a.a${i % 50}`;
    const long = buildGraph(Array.from({ length: 50 }, (_, i) => sqlAsset(name(i), [name(i + 49)])));
    const [shown] = long.problems.map(({ message }) => message);
    expect(shown).toMatch(/circle: a\.a0 → a\.a1 → .* → a\.a17 → … → a\.a49 → a\.a0$/);
    expect(buildGraph([sqlAsset('a.a', ['a.a'])]).problems[0]?.message).toContain('depends on itself');
    const twice = buildGraph([sqlAsset('a.a', []), sqlAsset('a.A', [])]);
    expect(twice.problems.map((p) => p.message)).toEqual([expect.stringContaining('is also defined in')]);
  });
});

describe('selections', () => {
  const { graph } = buildGraph([
    sqlAsset('raw.x', [], 'tags: [daily]'),
    sqlAsset('core.b', ['raw.x'], 'tags: [Nightly]'),
    sqlAsset('core.c', ['raw.x']),
    sqlAsset('marts.a', ['core.b']),
  ]);
  const select = (patterns: string[], upstream = false, downstream = false) =>
    selectAssets(graph!, { select: patterns, upstream, downstream });

  test.each([
    [['*'], false, false, ['raw.x', 'core.b', 'core.c', 'marts.a']],
    [['core.*'], false, false, ['core.b', 'core.c']],
    [['CORE.B'], false, false, ['core.b']],
    [['tag:night*'], false, false, ['core.b']],
    [['tag:daily', 'marts.a'], false, false, ['raw.x', 'marts.a']],
    [['core.b'], true, false, ['raw.x', 'core.b']],
    [['core.b'], false, true, ['core.b', 'marts.a']],
    [['core.b'], true, true, ['raw.x', 'core.b', 'marts.a']],
    [['a'], false, false, []],
    [['core?b', 'core.(b)'], false, false, []],
  ])('%j up %s down %s', (patterns, up, down, expected) =>
    expect(select(patterns, up, down).selected).toEqual(expected),
  );

  test('patterns that match nothing are listed; a pattern of many stars is fast', () => {
    expect(select(['core.b', 'nope.*']).unmatched).toEqual(['nope.*']);
    expect(select([`${'*'.repeat(500)}q`]).selected).toEqual([]);
  });

  test('stars between texts take no more time than texts', () => {
    const name = `raw.${'a'.repeat(120)}`;
    const { graph: long } = buildGraph([sqlAsset(name, [])]);
    const chosen = (pattern: string) =>
      selectAssets(long!, { select: [pattern], upstream: false, downstream: false }).selected;
    expect(chosen('*a'.repeat(100))).toEqual([name]);
    expect(chosen(`${'*a'.repeat(100)}b`)).toEqual([]);
    expect(chosen('*a'.repeat(121))).toEqual([name]);
    expect(chosen('*a'.repeat(122))).toEqual([]);
  });

  test.each([
    ['raw.x*x', []],
    ['raw.*x', ['raw.x']],
    ['*raw.x*', ['raw.x']],
    ['r*w*.*', ['raw.x']],
    ['c*re.*', ['core.b', 'core.c']],
    ['*.*.*', []],
    ['*a*a*', ['marts.a']],
    ['*x*raw*', []],
  ])('%s selects %j', (pattern, expected) => expect(select([pattern]).selected).toEqual(expected));

  test('a selection that matches no asset is refused, also in jobs (DEPLOY-5)', () => {
    expect(selectionProblem(graph!, { select: ['nope'], upstream: true, downstream: false })?.message).toBe(
      'the selection "nope" matches no asset',
    );
    const { manifest } = parseManifest(
      'jobs:\n  ok: {select: ["*"]}\n  bad: {select: ["x.*"]}\n  worse: {select: ["tag:"]}\n',
    );
    expect(checkJobs(manifest!, graph!).map(diagnosticText)).toEqual([
      expect.stringContaining('svc.yaml:3: the job bad: the selection "x.*" matches no asset'),
      expect.stringContaining('svc.yaml:4: the job worse selects "tag:", which is not a pattern'),
    ]);
  });
});

test('a Python listing becomes assets under the same rules (DEPLOY-6)', () => {
  const found = {
    table: 'marts.t',
    kind: 'table',
    description: null,
    columns: {},
    depends_on: ['raw.x'],
    tags: [],
    mode: 'replace',
    key: [],
    delete_when: null,
    watermark: null,
    lookback: null,
    engine: null,
    checks: [],
    file: 'assets/t.py',
    line: 4,
    function: 'build',
  };
  const good = parsePythonAssets({ assets: [found], problems: [] });
  expect(good.assets[0]).toMatchObject({
    name: 'marts.t',
    dependsOn: ['raw.x'],
    source: { language: 'python', function: 'build' },
  });
  const bad = parsePythonAssets({
    assets: [
      { ...found, table: 't' },
      { ...found, kind: 'view' },
      { ...found, description: 'a\0b' },
      { ...found, columns: { '\ud800': 'half a character' } },
      { ...found, checks: [{ name: 'no gap', sql: 'DELETE FROM marts.t' }] },
    ],
    problems: [],
  });
  expect(bad.assets).toEqual([]);
  expect(bad.problems.map((problem) => problem.line)).toEqual([4, 4, 4, 4, 4]);
  expect(diagnosticText(bad.problems.at(-1)!)).toBe(
    'assets/t.py:4: asset marts.t: the SQL of the check "no gap" starts with "DELETE"; a check is one SELECT that must return no row',
  );
  expect(() => parsePythonAssets({ assets: [{ ...found, extra: 1 }], problems: [] })).toThrow();
});
