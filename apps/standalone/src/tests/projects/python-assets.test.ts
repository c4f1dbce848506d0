import { toolsHere } from '@svc/worker/testing';
import { rowsOf } from '../../testing/orders.ts';
import { deployPython } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const withUv = (await toolsHere()).uv !== null ? describe : describe.skip;

/** Each build of the append asset advances by one; every other build finds nothing new. */
const ASSETS = `import datetime
import uuid

import svc


@svc.asset(table="py.steps", mode="append", watermark="n")
def steps(ctx):
    done = len(list(ctx.sql("SELECT 1 FROM py.builds"))) if ctx.watermark is not None else 0
    return [] if done % 2 else [{"n": (ctx.watermark or 0) + 1, "name": "x"}]


@svc.asset(table="py.builds", mode="append")
def builds(ctx):
    return [{"at": 1}]


@svc.asset(table="py.merged", mode="merge", key="id", delete_when="gone", watermark="day", lookback="1 day")
def merged(ctx):
    if ctx.is_first_run:
        return [{"id": i, "day": datetime.date(2026, 3, 9 + i), "gone": False} for i in (1, 2)]
    return [{"id": 2, "day": ctx.watermark, "gone": False}, {"id": 1, "day": ctx.watermark, "gone": True}]


@svc.asset(table="py.once", depends_on=["py.builds"])
def once(ctx):
    try:
        return [] if list(ctx.table("py.once")) else [{"a": 1, "b": "x"}]
    except svc.WorkFailed:
        return [{"a": 1, "b": "x"}]


@svc.asset(table="py.sparse")
def sparse(ctx):
    built = len(list(ctx.sql("SELECT 1 FROM py.builds")))
    value = uuid.UUID(int=built) if built == 1 else None
    return [{"n": built, "id": value, "new": None}]


@svc.asset(table="py.never")
def never(ctx):
    return []


@svc.asset(table="py.astray", mode="append", watermark="gone")
def astray(ctx):
    return [{"n": 1}]
`;

withUv('what Python assets return', () => {
  let s: TestService;
  beforeAll(async () => {
    s = await startTestService();
    await s.client.environments.create('dev');
    await deployPython(s, ASSETS);
  }, 60_000);
  afterAll(() => s.stop());

  const build = async (asset: string) => {
    const { id } = await s.client.runs.create('dev', { repository: 'app', select: [asset] });
    const { status, rows, error } = (await s.client.runs.wait('dev', id)).tasks[0]!;
    return [status, error?.code ?? rows];
  };

  test('no row leaves the columns of the table as they are', async () => {
    expect(await build('py.once')).toEqual(['succeeded', 1]);
    const { columns } = await s.client.tables.get('dev', 'py.once');
    expect(await build('py.once')).toEqual(['succeeded', 0]);
    expect((await s.client.tables.get('dev', 'py.once')).columns).toEqual(columns);
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM py.once')).toEqual([[0]]);
  }, 120_000);

  test('a column without a value has the type of the column that it replaces', async () => {
    expect(await build('py.builds')).toEqual(['succeeded', 1]);
    expect(await build('py.sparse')).toEqual(['succeeded', 1]);
    const typesOf = async () => (await s.client.tables.get('dev', 'py.sparse')).columns.map(({ type }) => type);
    expect(await typesOf()).toEqual(['long', 'uuid', 'string']);
    expect(await build('py.builds')).toEqual(['succeeded', 1]);
    expect(await build('py.sparse')).toEqual(['succeeded', 1]);
    expect(await typesOf()).toEqual(['long', 'uuid', 'string']);
    expect(await rowsOf(s.client, 'dev', 'SELECT n, id FROM py.sparse')).toEqual([[2, null]]);
  }, 120_000);

  test('no row for a table that is not there yet says what to return', async () => {
    expect(await build('py.never')).toEqual(['failed', 'no-columns']);
  }, 60_000);

  test('a watermark is a value of its column, and stays where nothing is new', async () => {
    const found = [];
    for (let i = 0; i < 4; i++) {
      found.push((await build('py.steps'))[1]);
      await build('py.builds');
    }
    expect(found).toEqual([1, 0, 1, 0]);
    expect(await rowsOf(s.client, 'dev', 'SELECT n FROM py.steps ORDER BY n')).toEqual([[1], [2]]);
  }, 120_000);

  test('rows are merged by key, from the watermark minus the lookback on (RUN-11, RUN-12)', async () => {
    expect(await build('py.merged')).toEqual(['succeeded', 2]);
    expect(await build('py.merged')).toEqual(['succeeded', 1]);
    expect(await rowsOf(s.client, 'dev', 'SELECT id, day FROM py.merged')).toEqual([[2, '2026-03-10']]);
  }, 60_000);

  test("a watermark that isn't a column of the rows is an error that says so", async () => {
    expect(await build('py.astray')).toEqual(['failed', 'no-watermark-column']);
  }, 60_000);

  test('its inputs are the declared ones, because it may read anything (LINEAGE-1, LINEAGE-5)', async () => {
    await build('py.builds');
    await build('py.once');
    const { edges } = await s.client.lineage.get('dev', 'py.once');
    expect(edges).toMatchObject([
      { input: 'py.builds', declared: true, read: false, input_snapshot_id: null, columns: null },
    ]);
    expect(edges[0]!.run_id).not.toBeNull();
  }, 60_000);
});
