import { diagnosticText } from './diagnostics.ts';
import { parseDuration } from './durations.ts';
import { fillPlaceholders, withoutPlaceholders } from './incremental.ts';
import { parsePythonAssets } from './python-asset.ts';
import { parseSqlAsset, withReads } from './sql-asset.ts';

describe('an incremental asset (DEPLOY-16)', () => {
  test('with every key', () => {
    const header = 'mode: merge\nkey: [id, day]\ndelete_when: "state = \'x\'"\nwatermark: day\nlookback: 3 days';
    const { asset, problems } = parseSqlAsset(
      `/* svc\n${header}\n*/ SELECT 1 WHERE \${is_first_run} OR day > \${watermark}`,
      'assets/a/b.sql',
    );
    expect(problems).toEqual([]);
    expect(asset).toMatchObject({
      mode: 'merge',
      key: ['id', 'day'],
      deleteWhen: "state = 'x'",
      watermark: 'day',
      lookback: '3 days',
    });
    expect(withReads(asset!, ['a.b', 'a.c']).dependsOn).toEqual(['a.c']);
  });

  test('a key of one column is a text, and other assets have no such keys', () => {
    expect(parseSqlAsset('/* svc\nmode: merge\nkey: id\n*/ SELECT 1', 'assets/a/b.sql').asset?.key).toEqual(['id']);
    const plain = parseSqlAsset('SELECT 1', 'assets/a/b.sql').asset!;
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['key']));
  });

  test.each([
    ['mode: merge', 'SELECT 1', 'mode: merge needs a key; add key: [<column>, …]'],
    ['mode: merge\nkey: []', 'SELECT 1', 'mode: merge needs a key'],
    ['key: id', 'SELECT 1', 'a key needs mode: merge'],
    ['mode: merge\nkey: [id, ID]', 'SELECT 1', 'the key names the column "ID" twice'],
    ['delete_when: gone', 'SELECT 1', 'delete_when needs mode: merge'],
    ['mode: merge\nkey: id\ndelete_when: "true; DROP TABLE x"', 'SELECT 1', 'delete_when is not a condition'],
    ['kind: view\nmode: merge\nkey: id', 'SELECT 1', 'a view does not support mode merge'],
    ['watermark: d', 'SELECT ${watermark}', 'a watermark needs mode: append or mode: merge'],
    ['mode: merge\nkey: id\nlookback: 3 days', 'SELECT 1', 'a lookback needs a watermark'],
    [
      'mode: append\nwatermark: d\nlookback: 3 days',
      'SELECT ${watermark}',
      'a lookback with mode: append would load the rows',
    ],
    ['mode: merge\nkey: id\nwatermark: d\nlookback: soon', 'SELECT ${watermark}', 'lookback is "soon"; write a number'],
    ['', 'SELECT ${is_first_run}', 'the SQL uses ${is_first_run}, but every build replaces all rows'],
  ])('refuses %j with %s', (header, sql, expected) => {
    const { asset, problems } = parseSqlAsset(`/* svc\n${header}\n*/ ${sql}`, 'assets/x/y.sql');
    expect(asset).toBeNull();
    expect(problems.map(diagnosticText).join('\n')).toContain(`asset x.y: ${expected}`);
  });

  test('in Python follows the same rules', () => {
    const found = {
      ...{ table: 'a.b', kind: 'table', description: null, columns: {}, depends_on: [], tags: [], mode: 'merge' },
      ...{ key: ['id'], delete_when: 'gone', watermark: 'day', lookback: '1 day', checks: [] },
      ...{ file: 'assets/t.py', line: 4, function: 'build' },
    };
    expect(parsePythonAssets({ assets: [found], problems: [] }).assets[0]).toMatchObject({
      mode: 'merge',
      key: ['id'],
      deleteWhen: 'gone',
      lookback: '1 day',
    });
    const bad = parsePythonAssets({
      assets: [
        { ...found, key: [] },
        { ...found, key: ['a\0'] },
      ],
      problems: [],
    });
    expect(bad.problems).toHaveLength(2);
  });
});

test('placeholders (RUN-5, RUN-9)', () => {
  const sql = 'SELECT ${is_first_run} OR a > ${watermark}';
  expect(fillPlaceholders(sql, { watermark: "'$&'", isFirstRun: false })).toBe("SELECT false OR a > '$&'");
  expect(withoutPlaceholders(sql)).toHaveLength(sql.length);
});

test.each([
  ['3 days', { count: 3, unit: 'day' }],
  ['1 hour', { count: 1, unit: 'hour' }],
  ['90 minutes', { count: 90, unit: 'minute' }],
  ['3days', null],
  ['-1 day', null],
  ['2 weeks', null],
])('the duration %j', (text, expected) => {
  expect(parseDuration(text)).toEqual(expected);
});
