import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  applyUpdates,
  createTableMetadata,
  currentSchema,
  formatMetadata,
  pathOfLocation,
  prepareSnapshot,
  type TableMetadata,
  writeLayout,
} from '@svc/iceberg';
import { countingIds, PYICEBERG_READER } from '@svc/iceberg/testing';
import { type ObjectStore, openLocalStore } from '../storage/index.ts';
import { runQuery, Sandbox } from './index.ts';

const UV = process.env['SVC_RUN__UV'];
const run = promisify(execFile);
const ids = countingIds(9_000_000);

let dir: string;
let store: ObjectStore;
let sandbox: Sandbox;
beforeAll(async () => {
  if (!UV) console.log('What PyIceberg reads was not tried: SVC_RUN__UV does not name uv.');
  dir = await fs.mkdtemp(path.join(os.tmpdir(), 'pyiceberg-'));
  store = await openLocalStore(path.join(dir, 'tables'));
  const limits = { memoryLimit: 2 ** 30, timeoutMs: 60_000, threads: 2, tempLimit: 200 * 1024 * 1024 };
  sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), prefork: 1, ...limits });
});
afterAll(async () => {
  await sandbox.close();
  await fs.rm(dir, { recursive: true, force: true });
});

const COLUMNS = [
  ['id', 'long'],
  ['b', 'boolean'],
  ['i', 'int'],
  ['l', 'long'],
  ['f', 'float'],
  ['d', 'double'],
  ['m9', 'decimal(9,2)'],
  ['m18', 'decimal(18,4)'],
  ['m38', 'decimal(38,10)'],
  ['day', 'date'],
  ['t', 'time'],
  ['ts', 'timestamp'],
  ['tz', 'timestamptz'],
  ['s', 'string'],
  ['x', 'binary'],
  ['li', 'list<int>'],
  ['ma', 'map<string, double>'],
  ['st', 'struct<a: int, b: list<struct<c: string>>>'],
] as const;

/** One row a line, in the order of the columns. */
const ROWS = [
  `1, true, 34, 34, '1.5', '1.5', '14.20', '14.2', '14.2', DATE '2017-11-16', TIME '22:31:08', TIMESTAMP '2017-11-16 22:31:08',
   TIMESTAMPTZ '2017-11-16 22:31:08.000001+00', 'iceberg', '\\x00\\x01'::BLOB, [1, NULL], MAP {'k': 1.5::DOUBLE}, {'a': 1, 'b': [{'c': 'x'}]}`,
  `2, ${COLUMNS.slice(1)
    .map(() => 'NULL')
    .join(', ')}`,
  `3, false, -2147483648, -9223372036854775808, '-inf', '-inf', '-9999999.99', '-99999999999999.9999',
   '-9999999999999999999999999999.9999999999', DATE '0001-02-01', TIME '00:00:00', TIMESTAMP '0001-02-01 00:00:00',
   TIMESTAMPTZ '0001-02-01 00:00:00+00', '', ''::BLOB, [], MAP {}::MAP(VARCHAR, DOUBLE), {'a': NULL, 'b': []}`,
  `4, true, 2147483647, 9223372036854775807, 'inf', 'inf', '9999999.99', '99999999999999.9999',
   '9999999999999999999999999999.9999999999', DATE '9999-11-30', TIME '23:59:59.999999',
   TIMESTAMP '9999-11-30 23:59:59.999999', TIMESTAMPTZ '9999-11-30 23:59:59.999999+00',
   '😀𝄞 a text that is longer than any bound \u{10ffff}', '\\xFF\\xFE'::BLOB, [2147483647], MAP {'ü': 'nan'::DOUBLE}, NULL`,
  `5, true, -1, -1, '-0.0', '-0.0', '-0.05', '0', '0', DATE '1969-12-31', TIME '12:00:00.000001',
   TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMPTZ '1969-12-31 23:59:59.999999+00', 'it''s %', 'a'::BLOB, NULL, NULL, {'a': 0, 'b': NULL}`,
  `6, false, 0, 0, 'nan', 'nan', '0', '-0.0001', '-0.0000000001', DATE '1970-01-01', TIME '01:00:00', TIMESTAMP '1970-01-01 00:00:00',
   TIMESTAMPTZ '1970-01-01 00:00:00+00', '${'\u{10ffff}'.repeat(20)}', 'b'::BLOB, [0], MAP {'': NULL::DOUBLE}, {'a': 1, 'b': [NULL, {'c': NULL}]}`,
];

type Partition = readonly { readonly column: string; readonly transform: string }[];

async function written(name: string, partition: Partition): Promise<{ metadata: TableMetadata; location: string }> {
  const columns = COLUMNS.map(([column, type]) => ({ name: column, type }));
  const location = `${store.root}/${name}`;
  const empty = createTableMetadata({ uuid: ids.uuid(), location, columns, now: 1 });
  const idOf = (column: string) => currentSchema(empty).fields.find((f) => f.name === column)!.id;
  const fields = partition.map(({ column, transform }, i) => ({
    'source-id': idOf(column),
    'field-id': 1000 + i,
    name: `${column}_${transform.replaceAll(/\W/g, '_')}`,
    transform,
  }));
  const spec = { action: 'add-spec', spec: { 'spec-id': 1, fields } };
  const partitioned = applyUpdates(empty, [], [spec, { action: 'set-default-spec', 'spec-id': -1 }], 1);
  if (!partitioned.ok) throw new Error(partitioned.message);
  const { metadata } = partitioned;
  const schema = currentSchema(metadata);
  const outcome = await runQuery(sandbox, {
    sql: `SELECT * FROM (VALUES ${ROWS.map((row) => `(${row})`).join(', ')}) r(${COLUMNS.map(([c]) => c).join(', ')})`,
    resolve: async () => [],
    owner: 'test',
    output: {
      kind: 'data-files',
      tableLocation: location,
      fields: schema.fields,
      layout: writeLayout(metadata, schema.fields),
    },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  const prepared = await prepareSnapshot({ store, metadata, files: outcome.files, mode: 'append', now: 2, ids });
  const applied = applyUpdates(metadata, prepared.requirements, prepared.updates, 2);
  if (!applied.ok) throw new Error(applied.message);
  const file = `${location}/metadata/v1.metadata.json`;
  await store.write(file, formatMetadata(applied.metadata));
  return { metadata: applied.metadata, location: pathOfLocation(file)! };
}

async function readByEngine(location: string): Promise<{ rows: string[]; wrong: unknown[] }> {
  const environment = ['run', '--quiet', '--no-project', '--with', 'pyiceberg[pyarrow]==0.12.0', 'python'];
  const { stdout } = await run(UV!, [...environment, PYICEBERG_READER, location], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout.split('\n').at(-2)!) as { rows: string[]; wrong: unknown[] };
}

const LAYOUTS: [string, Partition][] = [
  ['unpartitioned', []],
  ['identity', ['b', 'i', 'm9', 'day', 's'].map((column) => ({ column, transform: 'identity' }))],
  [
    'transforms',
    [
      { column: 'l', transform: 'bucket[4]' },
      { column: 's', transform: 'truncate[2]' },
      { column: 'ts', transform: 'month' },
      { column: 'tz', transform: 'hour' },
    ],
  ],
];

let first: string[] | undefined;

(UV ? test : test.skip).each(LAYOUTS)(
  '%s: PyIceberg reads what was written, and its filters find it',
  async (name, layout) => {
    const { location } = await written(name, layout);
    const { rows, wrong } = await readByEngine(location);
    expect(wrong).toEqual([]);
    expect(rows.length).toBe(ROWS.length);
    if (first === undefined) expect(rows.map((row) => JSON.parse(row) as object)).toMatchSnapshot();
    else expect(rows).toEqual(first);
    first = rows;
  },
);
