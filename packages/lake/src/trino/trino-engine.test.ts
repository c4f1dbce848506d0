import { parseRowChange } from '@svc/core/statements';
import {
  createTableMetadata,
  type DataFileRecord,
  dataFileRecord,
  fieldsOfColumns,
  type IcebergField,
  joinLocation,
} from '@svc/iceberg';
import type { QueryRequest } from '../queries/query-request.ts';
import type { Relation } from '../queries/relations/relations.ts';
import { ChangeParameters } from '../queries/row-changes/change-parameters.ts';
import type { Rewriting } from '../queries/row-changes/change-sql.ts';
import type { StagingTable, StagingTables } from './staging.ts';
import { Translator } from './testing/translator.ts';
import { type ReceivedRequest, TrinoStandIn } from './testing/trino-stand-in.ts';
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
  t.addTable('s.plain', [{ name: 'n', type: 'long' }]);
  t.addTable('s.numbers', [{ name: 'n', type: 'long' }], { rowFilters: [{ predicate: 'n > 1' }] });
});
afterAll(async () => {
  await t.close();
  await trino.stop();
});

/** The staging tables of the tests, in which Trino has written these files. */
class Staged implements StagingTables {
  files: readonly DataFileRecord[] = [];
  readonly requests: object[] = [];
  closed = 0;

  private open<R>(request: object, written: R): StagingTable<R> {
    this.requests.push(request);
    const close = async () => void this.closed++;
    return { namespace: 'svc_staging', name: 's_1', written: async () => written, close };
  }

  readonly forRows: StagingTables['forRows'] = async (request) =>
    this.open(request, { snapshotId: this.files.length === 0 ? null : 5, files: this.files });

  readonly forChange: StagingTables['forChange'] = async (request) => {
    const none = { snapshotId: 6, removed: new Set<string>(), deletes: [], deletedRows: 0, addedRows: 0 };
    return this.open(request, { ...none, files: this.files });
  };
}

let staging: Staged;
beforeEach(() => {
  staging = new Staged();
});

const engineOf = () =>
  trinoEngine(t.fixture.sandbox, {
    url: trino.url,
    user: 'svc',
    catalog: 'svc_{environment}',
    staging,
    pause: async () => undefined,
  });

let results = 0;
function run(sql: string, more: Partial<QueryRequest> = {}) {
  const { store, resolve } = t.fixture;
  const engine = engineOf();
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

const DEV = { id: 'e1', name: 'dev' };
const into = (fields: readonly IcebergField[] | null = null) =>
  ({ kind: 'data-files', tableLocation: joinLocation(t.fixture.store.root, 'w'), fields }) as const;

const fileOf = (rows: number): DataFileRecord => {
  const written = {
    location: joinLocation(t.fixture.store.root, 'w', 'data', 'a.parquet'),
    rows,
    bytes: 9,
    columns: {},
  };
  return dataFileRecord(written, { type: 'struct', fields: fieldsOfColumns([{ name: 'n', type: 'long' }]).fields });
};

test('Trino writes the rows of a table itself (QUERY-20)', async () => {
  staging.files = [fileOf(2)];
  trino.will({ page: { updateCount: 2 } });
  expect(await run('select n from s.numbers', { output: into(), environment: DEV })).toMatchObject({
    ok: true,
    rowCount: 2,
    files: [{ record_count: 2n }],
    staged: null,
  });
  expect(staging.requests).toMatchObject([{ environment: DEV, target: null, fields: [{ name: 'n', type: 'long' }] }]);
  const [{ body, headers }] = trino.received as [ReceivedRequest];
  expect(body).toMatch(/^INSERT INTO "svc_dev"\."svc_staging"\."s_1" \("n"\) SELECT CAST\(t\.c0 AS bigint\) FROM /);
  expect(headers['x-trino-session']).toBe('query_max_run_time=30s,svc_dev.collect_extended_statistics_on_write=false');
  expect(staging.closed).toBe(1);
});

test('an open query leaves its rows in the catalog until it is closed', async () => {
  staging.files = [fileOf(2)];
  trino.will({ page: { updateCount: 2 } });
  const opened = await engineOf().open({
    sql: 'select n from s.numbers',
    resolve: t.fixture.resolve,
    environment: DEV,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { kind: _kind, ...output } = into();
  expect(await opened.write(output)).toMatchObject({
    ok: true,
    staged: { environment: 'dev', namespace: 'svc_staging', table: 's_1', snapshotId: '5' },
  });
  expect(staging.closed).toBe(0);
  await opened.close();
  expect(staging.closed).toBe(1);
});

test('a statement that writes no rows, and one whose files have another number of rows', async () => {
  trino.will({ page: { updateCount: 0 } });
  expect(await run('select n from s.numbers', { output: into(), environment: DEV })).toMatchObject({ rowCount: 0 });
  staging.files = [fileOf(2)];
  trino.will({ page: { updateCount: 3 } });
  await expect(run('select n from s.numbers', { output: into(), environment: DEV })).rejects.toThrow(
    'Trino reports 3 written rows, and its files have 2',
  );
  expect(staging.closed).toBe(2);
});

test('a null in a column that must not be null is reported with its name', async () => {
  const message = 'NULL value not allowed for NOT NULL column: n';
  trino.will({ page: { error: { errorName: 'CONSTRAINT_VIOLATION', errorType: 'USER_ERROR', message } } });
  const fields = fieldsOfColumns([{ name: 'N', type: 'long', nullable: false }]).fields;
  expect(await run('select n from s.numbers', { output: into(fields), environment: DEV })).toMatchObject({
    error: { code: 'null-not-allowed', message: 'The column "N" must not be null, but the query returns a null.' },
  });
  expect(staging.closed).toBe(1);
});

test('why Trino cannot run a query is known without it', async () => {
  trino.will();
  const refusal = (sql: string) => engineOf().refusal({ sql, resolve: t.fixture.resolve });
  expect(await refusal('select n + 1 from s.plain')).toBeNull();
  expect(await refusal('select random() from s.plain')).toMatchObject({ code: 'function-not-allowed' });
  expect(await refusal('select l from s.kinds order by a')).toMatchObject({ code: 'not-supported' });
  expect(trino.received).toEqual([]);
});

test('a compaction runs on a copy of the table', async () => {
  trino.will({ page: {} });
  const target = createTableMetadata({ uuid: 'u', location: t.fixture.store.root, columns: [], now: 1 });
  const outcome = await engineOf().compact({ environment: DEV, target, smallBytes: 100 });
  expect(outcome).toMatchObject({ ok: true, change: { deletes: [] } });
  expect(trino.received[0]!.body).toBe(
    `ALTER TABLE "svc_dev"."svc_staging"."s_1" EXECUTE optimize(file_size_threshold => '100B')`,
  );
});

describe('changes of rows', () => {
  const COLUMNS = [
    { name: 'id', type: 'long' },
    { name: 'Name', type: 'string' },
    { name: 'd', type: 'double' },
  ];

  async function changed(sql: string) {
    const target = createTableMetadata({ uuid: 'u', location: t.fixture.store.root, columns: COLUMNS, now: 1 });
    const { fields } = fieldsOfColumns(COLUMNS);
    const catalogTable = { environment: 'dev', namespace: 's', table: 'changing', snapshotId: '42', fields };
    const own: Relation = { kind: 'managed', fields, files: [], catalogTables: [catalogTable] };
    const parsed = parseRowChange(sql);
    if (!parsed.ok) throw new Error(parsed.message);
    const params = new ChangeParameters(sql, null);
    const outcome = await engineOf().change({
      change: parsed.change as Rewriting,
      params: (statement) => params.in(statement),
      target,
      environment: DEV,
      resolve: async (tables) =>
        Promise.all(
          tables.map(async (table) =>
            ['svc_change.target', 's.changing'].includes(table.name.join('.'))
              ? own
              : (await t.fixture.resolve([table]))[0]!,
          ),
        ),
    });
    return outcome.ok ? trino.received.at(-1)!.body : `${outcome.error.code}: ${outcome.error.message}`;
  }

  test.each([
    "DELETE FROM s.changing WHERE id > 3 AND name LIKE 'a%'",
    'DELETE FROM s.changing',
    "UPDATE s.changing SET name = upper(name) || id, id = NULL WHERE d = 'nan'::double",
    'UPDATE s.changing c SET d = m.n FROM s.numbers m WHERE m.n = c.id',
    'DELETE FROM s.changing WHERE id NOT IN (SELECT n FROM s.plain) AND EXISTS (SELECT 1 FROM s.plain)',
    'UPDATE s.changing SET d = (SELECT max(n) FROM s.plain), id = id + (SELECT n FROM s.numbers) WHERE id > ANY (SELECT n FROM s.plain WHERE n > 3)',
    "MERGE INTO s.changing c USING (SELECT n + 1 AS k FROM s.numbers) m ON m.k = c.id WHEN MATCHED AND c.d > 1 THEN DO NOTHING WHEN MATCHED AND m.k > 7 THEN DELETE WHEN MATCHED THEN UPDATE SET d = c.d + m.k WHEN NOT MATCHED THEN INSERT (id, name) VALUES (m.k, 'new')",
  ])('%s', async (sql) => {
    trino.will({ page: { updateCount: 1 } });
    expect(await changed(sql)).toMatchSnapshot();
  });

  test.each([
    'DELETE FROM s.changing c WHERE id IN (SELECT n FROM s.plain p WHERE p.n = c.id)',
    'UPDATE s.changing c SET d = (SELECT max(n) FROM s.plain p WHERE p.n = c.id)',
    'DELETE FROM s.changing USING s.plain WHERE EXISTS (SELECT 1 FROM s.plain)',
    'UPDATE s.changing SET d = 1 FROM s.plain a, s.plain b WHERE a.n = b.n',
    'MERGE INTO s.changing c USING s.plain m ON m.n = c.id WHEN MATCHED AND c.id IN (SELECT n FROM s.plain) THEN DELETE',
  ])('a subquery of this form is refused: %s', async (sql) => {
    trino.will();
    expect(await changed(sql)).toMatch(/^not-supported: This form of subquery in a condition/);
    expect(trino.received).toEqual([]);
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
    ['MERGE_TARGET_ROW_MULTIPLE_MATCHES', 'ambiguous-change'],
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
