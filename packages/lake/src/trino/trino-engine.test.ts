import { joinLocation } from '@svc/iceberg';
import type { QueryRequest } from '../queries/run-query.ts';
import { Translator } from './testing/translator.ts';
import { TrinoStandIn } from './testing/trino-stand-in.ts';
import { trinoEngine } from './trino-engine.ts';

let t: Translator;
let trino: TrinoStandIn;
beforeAll(async () => {
  [t, trino] = await Promise.all([Translator.create(), TrinoStandIn.start()]);
  t.addTable('s.kinds', [
    { name: 'b', type: 'boolean' },
    { name: 'l', type: 'long' },
    { name: 'f', type: 'float' },
    { name: 'd', type: 'double' },
    { name: 'm', type: 'decimal(38,2)' },
    { name: 'day', type: 'date' },
    { name: 'at', type: 'timestamp' },
    { name: 'tz', type: 'timestamptz' },
    { name: 't', type: 'time' },
    { name: 's', type: 'string' },
    { name: 'u', type: 'uuid' },
    { name: 'x', type: 'binary' },
    { name: 'a', type: 'list<long>' },
    { name: 'mp', type: 'map<string,binary>' },
    { name: 'st', type: 'struct<n: long, inner: list<struct<y: string>>>' },
  ]);
  t.addTable('s.numbers', [{ name: 'n', type: 'long' }], { rowFilters: [{ predicate: 'n > 1' }] });
});
afterAll(async () => {
  await t.close();
  await trino.stop();
});

let results = 0;
function run(sql: string, more: Partial<QueryRequest> = {}) {
  const { sandbox, store, resolve } = t.fixture;
  const engine = trinoEngine(sandbox, {
    url: trino.url,
    user: 'svc',
    catalog: 'svc_{environment}',
    pause: async () => undefined,
  });
  const output = { kind: 'result', location: joinLocation(store.root, 'results', `t${++results}.parquet`) } as const;
  return engine.run({ sql, resolve, output, traceToken: 'q7', ...more });
}

const ROW = [
  true,
  '9223372036854775807',
  'NaN',
  '-Infinity',
  '-999999999999999999999999999999999999.99',
  -719162,
  '1969-12-31 23:59:59.999999',
  '2026-01-01 00:00:00.123456',
  '23:59:59.999999',
  'ß😀\u0001"',
  'ffffffff-0000-0000-0000-0000000000ff',
  '00FF',
  ['9007199254740993', null],
  [
    ['k', '00'],
    ['n', null],
  ],
  ['-9223372036854775808', [['y'], null]],
];

test('rows of every type come through unchanged, with their nulls', async () => {
  trino.will(
    { page: { data: [ROW] }, next: '/v1/2' },
    {
      page: {
        data: [ROW.map(() => null), [false, '0', 0.1, -0.0, '0.00', 0, ...ROW.slice(6, 12), [], [], [null, []]]],
      },
    },
  );
  const outcome = await run('select * from s.kinds');
  if (!outcome.ok) throw new Error(outcome.error.message);
  expect(outcome.columns.map((c) => c.type).slice(-3)).toEqual([
    'list<long>',
    'map<string,binary>',
    'struct<n: long, inner: list<struct<y: string>>>',
  ]);
  expect(outcome.rows).toEqual([
    [
      true,
      '9223372036854775807',
      'NaN',
      '-Infinity',
      '-999999999999999999999999999999999999.99',
      '0001-01-01',
      '1969-12-31T23:59:59.999999',
      '2026-01-01T00:00:00.123456Z',
      '23:59:59.999999',
      'ß😀\u0001"',
      'ffffffff-0000-0000-0000-0000000000ff',
      'AP8=',
      ['9007199254740993', null],
      { k: 'AA==', n: null },
      { n: '-9223372036854775808', inner: [{ y: 'y' }, null] },
    ],
    ROW.map(() => null),
    [
      false,
      0,
      expect.closeTo(0.1),
      0,
      '0.00',
      '1970-01-01',
      ...outcome.rows![0]!.slice(6, 12),
      [],
      {},
      { n: null, inner: [] },
    ],
  ]);
  expect(outcome.tables).toEqual([['s', 'kinds']]);
  expect(trino.received[0]!.headers).toMatchObject({ 'x-trino-catalog': 'svc_dev', 'x-trino-trace-token': 'q7' });
});

test('a large result is stored in a file and read in pages', async () => {
  const pages = Array.from({ length: 4 }, (_, p) => ({
    page: { data: Array.from({ length: 1000 }, (_, i) => [String(p * 1000 + i + 2)]) },
    ...(p < 3 ? { next: `/v1/${p + 1}` } : {}),
  }));
  trino.will(...pages);
  expect(await run('select n from s.numbers')).toMatchObject({ ok: true, rowCount: 4000, rows: null });
});

test('rows become data files of a table', async () => {
  trino.will({ page: { data: [['5'], ['6']] } });
  const output = { kind: 'data-files', tableLocation: joinLocation(t.fixture.store.root, 'w'), fields: null } as const;
  expect(await run('select n from s.numbers', { output })).toMatchObject({
    ok: true,
    rowCount: 2,
    files: [{ record_count: 2n }],
  });
});

test("Trino's error is reported with a message of svc", async () => {
  const fail = (errorName: string, errorType = 'USER_ERROR') =>
    trino.will({
      page: { error: { errorName, errorType, message: "line 1:1: Cannot cast 'hidden value' of svc_dev.s.numbers" } },
    });
  for (const [name, code] of [
    ['DIVISION_BY_ZERO', 'execution-error'],
    ['INVALID_CAST_ARGUMENT', 'execution-error'],
    ['EXCEEDED_GLOBAL_MEMORY_LIMIT', 'out-of-memory'],
    ['EXCEEDED_TIME_LIMIT', 'timeout'],
    ['CATALOG_NOT_FOUND', 'engine-unavailable'],
    ['SOMETHING_NEW', 'not-supported'],
  ] as const) {
    fail(name);
    const outcome = await run('select n from s.numbers');
    expect(outcome).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(outcome)).not.toMatch(/hidden value|svc_dev|numbers/);
  }
});

test('a statement that is refused never reaches Trino', async () => {
  trino.will();
  for (const sql of [
    'select * from s.other',
    "select * from read_csv('/etc/passwd')",
    'select random()',
    'select n from s.numbers where nn = 1',
  ])
    expect(await run(sql)).toMatchObject({ ok: false });
  expect(trino.received).toEqual([]);
});

test('a cancel also stops the statement in Trino', async () => {
  const controller = new AbortController();
  trino.will({ page: { stats: { state: 'RUNNING', progressPercentage: 12.5 } }, next: '/v1/2' }, 'silence');
  const cancelled = trino.cancelled();
  const progress: (number | null)[] = [];
  const onProgress = (percentage: number | null) => {
    progress.push(percentage);
    controller.abort('cancelled');
  };
  expect(await run('select n from s.numbers', { signal: controller.signal, onProgress })).toMatchObject({
    ok: false,
    error: { code: 'cancelled' },
  });
  await cancelled;
  expect(progress).toEqual([12.5]);
});

test('what a crashed worker left running is cancelled before the statement runs again', async () => {
  const listed = (queryId: string, state: string, traceToken: string) => ({
    queryId,
    state,
    session: { user: 'svc', traceToken },
  });
  const body = JSON.stringify([
    listed('a_1', 'RUNNING', 'q7'),
    listed('a_2', 'FINISHED', 'q7'),
    listed('a_3', 'RUNNING', 'other'),
  ]);
  trino.will({ status: 200, body }, { page: { data: [['5']] } });
  expect(await run('select n from s.numbers', { retried: true })).toMatchObject({ ok: true, rowCount: 1 });
  expect(trino.requests()).toEqual(['GET /v1/query', 'DELETE /v1/query/a_1', 'POST /v1/statement']);
  trino.will({ status: 403 }, { page: { data: [['5']] } });
  expect(await run('select n from s.numbers', { retried: true })).toMatchObject({ ok: true, rowCount: 1 });
});

test('so does the time limit', async () => {
  trino.will({ page: {}, next: '/v1/2' }, 'silence');
  const cancelled = trino.cancelled();
  // Long enough to plan the statement on a busy machine: what never reached Trino isn't cancelled there.
  expect(await run('select n from s.numbers', { limits: { timeoutMs: 10_000 } })).toMatchObject({
    ok: false,
    error: { code: 'timeout' },
  });
  await cancelled;
  expect(trino.received[0]!.headers['x-trino-session']).toBe('query_max_run_time=10s');
});

test('a statement whose planning takes too much memory is stopped by a limit', async () => {
  const limits = { timeoutMs: 3000, memoryLimit: 400 * 1024 * 1024 };
  const outcome = await run("select max(length(repeat('x', 1000000000)))", { limits });
  expect(['timeout', 'out-of-memory', 'execution-error', 'binder-error']).toContain(!outcome.ok && outcome.error.code);
});

test('a result larger than the disk limit is rejected', async () => {
  trino.will({ page: { data: [['5']] }, next: '/v1/2' }, { page: { data: [['6']] }, next: '/v1/3' });
  const outcome = await run('select n from s.numbers', { limits: { tempLimit: 20 } });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'disk-full' } });
  expect(trino.requests().at(-1)).toBe('DELETE /v1/3');
});
