import type { Run } from '@svc/sdk';
import { rowsOf } from '../../testing/orders.ts';
import { branchesOf, deployFiles, type Files } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.repositories.create({ name: 'shop' });
});
afterAll(() => s.stop());

async function deploy(files: Files) {
  const done = await deployFiles(
    s.client,
    { env: 'dev', repository: 'shop', folder: s.folder },
    { 'svc.yaml': '', ...files },
  );
  expect(done.error).toBeNull();
  return done;
}

async function build(select: string, more: { full_refresh?: boolean } = {}): Promise<Run> {
  const run = await s.client.runs.create('dev', { repository: 'shop', select: [select], upstream: true, ...more });
  return s.client.runs.wait('dev', run.id);
}

/** Builds an asset from the rows of `raw.rows`, which are SQL values. */
async function buildFrom(
  [columns, rows]: [columns: string, rows: string],
  [name, sql]: [name: string, sql: string],
  more: { full_refresh?: boolean } = {},
) {
  const path = name.replace('.', '/');
  await deploy({
    'assets/raw/rows.sql': `SELECT * FROM (VALUES ${rows}) v(${columns})`,
    [`assets/${path}.sql`]: sql,
  });
  const run = await build(name, more);
  return { run, task: run.tasks.find(({ asset }) => asset === name)! };
}

const all = (table: string) => rowsOf(s.client, 'dev', `SELECT * FROM ${table} ORDER BY ALL`);

describe('mode: merge', () => {
  const customers = `/* svc
mode: merge
key: id
delete_when: state = 'deleted'
columns: { name: What to call them }
checks:
  - not_null: name
*/
SELECT id, name, state FROM raw.rows`;
  const merge = (rows: string) => buildFrom(['id, name, state', rows], ['core.customers', customers]);

  test('updates rows with the same key, inserts others, and deletes those that delete_when names (RUN-11)', async () => {
    const first = await merge("(1, 'ann', 'new'), (2, 'bob', 'new'), (3, 'cy', 'deleted')");
    expect(first.task).toMatchObject({ status: 'succeeded', rows: 2 });
    expect(await all('core.customers')).toEqual([
      [1, 'ann', 'new'],
      [2, 'bob', 'new'],
    ]);
    const { id } = await s.client.tables.get('dev', 'core.customers');
    const second = await merge("(1, 'anna', 'old'), (2, NULL, 'deleted'), (4, 'dan', 'new'), (5, 'eve', 'deleted')");
    // The row that is deleted no longer counts for the check.
    expect(second.task).toMatchObject({
      status: 'succeeded',
      rows: 2,
      checks: [{ name: 'not_null(name)', status: 'passed', rows: 0 }],
    });
    expect(await all('core.customers')).toEqual([
      [1, 'anna', 'old'],
      [4, 'dan', 'new'],
    ]);
    const table = await s.client.tables.get('dev', 'core.customers');
    expect(table).toMatchObject({ id, columns: expect.arrayContaining([expect.objectContaining({ name: 'name' })]) });
    expect(table.columns.find(({ name }) => name === 'name')?.description).toBe('What to call them');
    expect((await s.events('TABLE_WRITE')).at(-1)?.detail).toMatchObject({
      table_id: id,
      mode: 'merge',
      inserted: 1,
      updated: 1,
      deleted: 1,
    });
  });

  test('a failed check leaves the table as it was, and the rows on the branch (RUN-4, RUN-13)', async () => {
    const before = await all('core.customers');
    const { task } = await merge("(1, NULL, 'old'), (9, 'zoe', 'new')");
    expect(task).toMatchObject({
      status: 'failed',
      error: { code: 'check-failed' },
      checks: [{ name: 'not_null(name)', status: 'failed', rows: 1 }],
    });
    expect(await all('core.customers')).toEqual(before);
    expect(await branchesOf(s, 'dev', 'core.customers')).toEqual(['failed_check', 'main']);
    expect((await merge("(9, 'zoe', 'new')")).task.status).toBe('succeeded');
    expect(await branchesOf(s, 'dev', 'core.customers')).toEqual(['main']);
  });

  test.each([
    ["(7, 'a', 'new'), (7, 'b', 'new')", /1 rows of core\.customers have the same key \(id\) as another row/],
    ["(NULL, 'a', 'new')", /1 rows of core\.customers have no value in the key \(id\)/],
  ])('refuses the rows %s', async (rows, message) => {
    const before = await all('core.customers');
    const { task } = await merge(rows);
    expect(task.error).toMatchObject({ code: 'ambiguous-change', detail: expect.stringMatching(message) });
    expect(task.error?.remedy).toContain('QUALIFY row_number() OVER (PARTITION BY id');
    expect(await all('core.customers')).toEqual(before);
  });

  test('a key that the rows lack is a failure, in the first build too', async () => {
    const sql = '/* svc\nmode: merge\nkey: [id, day]\n*/ SELECT id FROM raw.rows';
    const { task } = await buildFrom(['id', '(1)'], ['core.keyless', sql]);
    expect(task.error).toMatchObject({
      code: 'column-mismatch',
      detail: 'The column "day", which is part of the key, is missing in core.keyless. Available columns: id.',
    });
  });

  test('columns that the rows lack keep their values', async () => {
    const sql = (columns: string) => `/* svc\nmode: merge\nkey: id\n*/ SELECT ${columns} FROM raw.rows`;
    await buildFrom(['id, a, b', "(1, 'a', 'b')"], ['core.parts', sql('*')]);
    await buildFrom(['id, a', "(1, 'A'), (2, 'A2')"], ['core.parts', sql('id, a')]);
    expect(await all('core.parts')).toEqual([
      [1, 'A', 'b'],
      [2, 'A2', null],
    ]);
  });
});

describe('the first run', () => {
  test('${is_first_run} is true until the table has rows (RUN-9)', async () => {
    const sql =
      '/* svc\nmode: append\n*/ SELECT id, ${is_first_run} AS first FROM raw.rows WHERE ${is_first_run} OR id > 1';
    await buildFrom(['id', '(1), (2)'], ['core.firsts', sql]);
    await buildFrom(['id', '(1), (2)'], ['core.firsts', sql]);
    expect(await all('core.firsts')).toEqual([
      [1, true],
      [2, false],
      [2, true],
    ]);
  });
});

describe('a full refresh (RUN-10)', () => {
  const sql = `/* svc
mode: merge
key: id
watermark: day
*/
SELECT id, day FROM raw.rows WHERE \${watermark} IS NULL OR day > \${watermark}`;

  test('builds incremental assets from the start, in the same table, with new columns', async () => {
    await buildFrom(['id, day', "(1, DATE '2026-03-01'), (2, DATE '2026-03-02')"], ['core.days', sql]);
    const { id } = await s.client.tables.get('dev', 'core.days');
    const rows = "(1, DATE '2026-01-01', 'x')";
    const more = sql.replace('SELECT id, day', 'SELECT id, day, note');
    await buildFrom(['id, day, note', rows], ['core.days', sql]);
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM core.days')).toEqual([[2]]);
    const { run } = await buildFrom(['id, day, note', rows], ['core.days', more], { full_refresh: true });
    expect(run).toMatchObject({ status: 'succeeded', full_refresh: true });
    expect(await all('core.days')).toEqual([[1, '2026-01-01', 'x']]);
    expect((await s.client.tables.get('dev', 'core.days')).id).toBe(id);
    // The watermark is that of the new rows.
    await buildFrom(['id, day, note', "(3, DATE '2026-01-02', 'y')"], ['core.days', more]);
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM core.days')).toEqual([[2]]);
  });

  test('without rows removes the watermark, so that the next build loads everything', async () => {
    await deploy({
      'assets/raw/rows.sql': "SELECT 1 AS id, DATE '2020-01-01' AS day, 'z' AS note LIMIT 0",
      'assets/core/days.sql': sql,
    });
    expect((await build('core.days', { full_refresh: true })).status).toBe('succeeded');
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM core.days')).toEqual([[0]]);
    await buildFrom(['id, day', "(1, DATE '1999-01-01')"], ['core.days', sql]);
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM core.days')).toEqual([[1]]);
  });

  test('is repeated by a retry of the run', async () => {
    const failing = sql.replace('watermark: day', 'watermark: day\nchecks: [{row_count: {min: 5}}]');
    const { run } = await buildFrom(['id, day', "(1, DATE '1998-01-01')"], ['core.days', failing], {
      full_refresh: true,
    });
    expect(run.status).toBe('failed');
    await deploy({
      'assets/raw/rows.sql': "SELECT * FROM (VALUES (1, DATE '1998-01-01')) v(id, day)",
      'assets/core/days.sql': sql,
    });
    const again = await s.client.runs.wait('dev', (await s.client.runs.retry('dev', run.id)).id);
    expect(again).toMatchObject({ status: 'succeeded', full_refresh: true });
    expect(await all('core.days')).toEqual([[1, '1998-01-01']]);
  });
});

describe('a lookback (RUN-12)', () => {
  test.each([
    ['date', "DATE '2026-03-10'", "DATE '2026-03-07'"],
    ['timestamp', "TIMESTAMP '2026-03-10 12:00:00.000001'", "TIMESTAMP '2026-03-07 12:00:00.000001'"],
    ['timestamptz', "TIMESTAMPTZ '2026-03-29 03:30:00+02'", "TIMESTAMPTZ '2026-03-26 01:30:00+00'"],
  ])('starts that much before the watermark: %s', async (type, reached, start) => {
    const sql = `/* svc
mode: merge
key: id
watermark: seen
lookback: 3 days
*/
SELECT id, seen, \${watermark} AS start FROM raw.rows WHERE \${watermark} IS NULL OR seen > \${watermark}`;
    await buildFrom(['id, seen', `(1, ${reached})`], [`core.late_${type}`, sql]);
    const rows = `(1, ${reached}), (2, ${reached} - INTERVAL 2 DAY), (3, ${reached} - INTERVAL 4 DAY)`;
    await buildFrom(['id, seen', rows], [`core.late_${type}`, sql]);
    const found = await rowsOf(s.client, 'dev', `SELECT id, start = ${start} FROM core.late_${type} ORDER BY id`);
    expect(found).toEqual([
      [1, true],
      [2, true],
    ]);
  });

  test('needs a watermark with a date or a time', async () => {
    const sql = `/* svc
mode: merge
key: id
watermark: id
lookback: 1 day
*/
SELECT id FROM raw.rows WHERE \${watermark} IS NULL OR id > \${watermark}`;
    expect((await buildFrom(['id', '(1)'], ['core.numbers', sql])).task.status).toBe('succeeded');
    const { task } = await buildFrom(['id', '(2)'], ['core.numbers', sql]);
    expect(task.error).toMatchObject({
      code: 'no-watermark-column',
      detail: 'The lookback of core.numbers needs a date or a timestamp, but its watermark id has the type int.',
    });
  });
});

test('the deploy finds errors in delete_when and warns of unknown columns (DEPLOY-16)', async () => {
  const asset = (condition: string) => ({
    'assets/core/soft.sql': `/* svc\nmode: merge\nkey: [id, nr]\ndelete_when: ${condition}\n*/\nSELECT 1 AS id, 2 AS b`,
  });
  const broken = await deployFiles(
    s.client,
    { env: 'dev', repository: 'shop', folder: s.folder },
    { 'svc.yaml': '', ...asset('b = = 1') },
  );
  expect(broken.error?.detail).toMatch(/core\/soft\.sql:1.*delete_when.*can't be parsed/);
  const { warnings } = await deploy(asset('gone = 1'));
  expect(warnings).toEqual([
    expect.stringContaining("the key names the column nr, which its SELECT doesn't return."),
    expect.stringMatching(/the check "delete_when" of core\.soft: .*gone/),
  ]);
});
