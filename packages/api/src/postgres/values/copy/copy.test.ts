import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { load } from '@svc/lake/writes';
import fc from 'fast-check';
import { formatArray } from '../array-literals.ts';
import { copyEnd, copyLoad, copyStart, parseCopy, rowsOfJson } from '../index.ts';
import { batches, Engine } from '../testing/engine.ts';
import { cellsOf, Oracle } from '../testing/oracle.ts';
import type { CopyOptions } from './copy-options.ts';

let oracle: Oracle;
let engine: Engine;
let folder: string;
beforeAll(async () => {
  [oracle, engine] = await Promise.all([Oracle.open(), Engine.open()]);
  folder = await mkdtemp(join(tmpdir(), 'svc-copy-'));
  // The server may run as another user.
  await chmod(folder, 0o777);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await engine.close();
  await oracle.close();
});

const optionsOf = (text: string, direction: 'TO STDOUT' | 'FROM STDIN'): CopyOptions =>
  parseCopy(`COPY t ${direction} ${text}`)!.options;

/** Columns of a table in PostgreSQL and in svc. */
const COLUMNS = [
  { name: 'id', type: 'int', pg: 'int4' },
  { name: 'Text', type: 'string', pg: 'text' },
  { name: 'd', type: 'double', pg: 'float8' },
  { name: 'n', type: 'decimal(20,3)', pg: 'numeric(20,3)' },
  { name: 'b', type: 'boolean', pg: 'bool' },
  { name: 'x', type: 'binary', pg: 'bytea' },
  { name: 'day', type: 'date', pg: 'date' },
  { name: 'ts', type: 'timestamp', pg: 'timestamp' },
  { name: 'tz', type: 'timestamptz', pg: 'timestamptz' },
  { name: 'list', type: 'list<string>', pg: 'text[]' },
  { name: 'u', type: 'uuid', pg: 'uuid' },
  { name: 'l', type: 'long', pg: 'int8' },
  { name: 't', type: 'time', pg: 'time' },
];

const nullable = <T>(values: fc.Arbitrary<T>) => fc.oneof({ weight: 5, arbitrary: values }, fc.constant(null));
const part = fc.oneof(
  fc.constantFrom(...'"\\\t\n\r\b\f\v,;|\'{}.N'),
  fc.constantFrom('NULL', '\\N', '\\.', 'a', ' ', ''),
  fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => text.replaceAll('\0', '')),
);
const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
const day = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-30'), noInvalidDate: true });
const row = fc.tuple(
  nullable(fc.integer()),
  nullable(text),
  nullable(fc.double({ noDefaultInfinity: true, noNaN: true }).map((n) => n + 0)),
  nullable(fc.integer().map((n) => (n / 1000).toFixed(3).replace(/^-0\.000$/, '0.000'))),
  nullable(fc.boolean()),
  nullable(fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64'))),
  nullable(day.map((d) => d.toISOString().slice(0, 10))),
  nullable(day.map((d) => d.toISOString().slice(0, 23))),
  nullable(day.map((d) => d.toISOString())),
  nullable(fc.array(nullable(text), { maxLength: 4 })),
  nullable(fc.uuid()),
  nullable(fc.integer()),
  nullable(day.map((d) => d.toISOString().slice(11, 23))),
);

/** Fills PostgreSQL's table t with rows in the JSON form of results. */
async function fill(rows: readonly (readonly unknown[])[]): Promise<void> {
  await oracle.run('DROP TABLE IF EXISTS t');
  await oracle.run(`CREATE TABLE t (${COLUMNS.map(({ name, pg }) => `"${name}" ${pg}`).join(', ')}, n_ serial)`);
  const names = COLUMNS.map(({ name }) => `"${name}"`).join(', ');
  const values = COLUMNS.map(({ type, pg }, i) =>
    type === 'binary' ? `decode(r[${i + 1}], 'base64')` : `CAST(r[${i + 1}] AS ${pg})`,
  );
  const text = (value: unknown) => (Array.isArray(value) ? formatArray(value) : value === null ? null : String(value));
  const insert = `INSERT INTO t (${names}) SELECT ${values.join(', ')} FROM (SELECT CAST($1 AS text[]) AS r)`;
  for (const row of rows) await oracle.run(insert, [row.map(text)]);
}

const QUERY = `(SELECT ${COLUMNS.map(({ name }) => `"${name}"`).join(', ')} FROM t ORDER BY n_)`;
const OPTIONS = [
  '',
  "WITH (DELIMITER '|', NULL 'none')",
  'WITH (HEADER)',
  'WITH (FORMAT csv)',
  `WITH (FORMAT csv, HEADER true, DELIMITER ';', NULL 'NULL', QUOTE '''', ESCAPE '\\')`,
  'WITH (FORMAT csv, FORCE_QUOTE *)',
  'WITH (FORMAT csv, FORCE_QUOTE ("Text", d))',
  "CSV HEADER DELIMITER AS E'\\t' QUOTE AS ''''",
  'BINARY',
];

test.each(OPTIONS)('COPY TO STDOUT %s writes what PostgreSQL writes', async (options) => {
  const file = join(folder, 'to');
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      await fill(rows);
      await oracle.run(`COPY ${QUERY} TO '${file}' ${options}`);
      const format = optionsOf(options, 'TO STDOUT');
      const batch = rowsOfJson(COLUMNS, rows);
      const names = COLUMNS.map(({ name }) => name);
      const written = [copyStart(names, format), dataOf(batch.copyData(0, rows.length, format)), copyEnd(format)];
      expect(Buffer.concat(written).toString('latin1')).toBe((await readFile(file)).toString('latin1'));
    }),
    { numRuns: 6 },
  );
});

test.each(['', "WITH (NULL 'x')", 'CSV', 'CSV HEADER'])('one column: COPY TO and FROM %s', async (options) => {
  const rows = ['', 'x', '\\.', 'null', null, '\\N', 'a\r\nb', '"'].map((value) => [value]);
  const file = join(folder, 'one');
  await oracle.run('DROP TABLE IF EXISTS o');
  await oracle.run('CREATE TABLE o (v text, n serial)');
  for (const values of rows) await oracle.run('INSERT INTO o (v) VALUES (CAST($1 AS text))', values);
  await oracle.run(`COPY (SELECT v FROM o ORDER BY n) TO '${file}' ${options}`);
  const columns = [{ name: 'v', type: 'string' }];
  const format = optionsOf(options, 'TO STDOUT');
  const written = Buffer.concat([
    copyStart(['v'], format),
    dataOf(rowsOfJson(columns, rows).copyData(0, rows.length, format)),
  ]);
  expect(written.toString()).toBe(await readFile(file, 'utf8'));
  // A value that equals the NULL text can't be distinguished from null.
  const expected = rows.map(([value]) => [options.includes("'x'") && value === 'x' ? null : value]);
  expect(await loaded(columns, written, options, 3)).toEqual(expected);
});

let loads = 0;
/** The rows of a table after COPY FROM: the data arrives in pieces of this size. */
async function loaded(
  columns: readonly { name: string; type: string }[],
  data: Buffer,
  options: string,
  size: number,
): Promise<readonly (readonly unknown[])[]> {
  const { fields } = fieldsOfColumns(columns.map(({ name, type }) => ({ name, type })));
  const location = joinLocation(engine.store.root, 'uploads', `u${++loads}`);
  await engine.store.write(location, converted(columns, data, options, size));
  const outcome = await load(engine.sandbox, {
    source: { files: [{ locations: [location] }], format: 'csv' },
    fields,
    tableLocation: joinLocation(engine.store.root, `loaded${loads}`),
    owner: 'ann',
  });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  const rows: unknown[][] = [];
  for (const { file_path } of outcome.files) {
    for (const batch of await batches(columns, engine.reader.arrow(file_path))) {
      rows.push(...cellsOf(batch, [0]).map((cells) => cells.map((cell) => cell?.toString() ?? null)));
    }
  }
  return rows;
}

function converted(
  columns: readonly { name: string; type: string }[],
  data: Buffer,
  options: string,
  size: number,
): Buffer {
  const copy = copyLoad(optionsOf(options, 'FROM STDIN'), columns);
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.length; at += size) pieces.push(copy.write(data.subarray(at, at + size)));
  return Buffer.concat([...pieces, copy.end()]);
}

test.each(OPTIONS.map((options) => options.replace(/, FORCE_QUOTE.*(?=\))/, '')))(
  'COPY FROM STDIN %s loads what PostgreSQL wrote',
  async (options) => {
    const file = join(folder, 'from');
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 400 }),
        async (rows, size) => {
          await fill(rows);
          await oracle.run(`COPY ${QUERY} TO '${file}' ${options}`);
          const found = await loaded(COLUMNS, await readFile(file), options, size);
          const expected = cellsOf(rowsOfJson(COLUMNS, rows), [0]);
          expect(found).toEqual(expected.map((cells) => cells.map((cell) => cell?.toString() ?? null)));
        },
      ),
      { numRuns: 4 },
    );
  },
);

/** Data as clients may write it, and not as PostgreSQL does. */
test.each<[string, string]>([
  ['', 'a\\tb\t\\x41\\101\\q\\\\\n\\N\t\\\\N\n\t\n'],
  ['', 'a\tb\nc\td\n\\.\n'],
  ['', 'a\tb\r\nc\td\r\n'],
  ['', 'a\tline\\\nbreak\n'],
  ['CSV', 'a,"b"c"d,e"\n,""\n"",\n"x\ny",z'],
  ['CSV', 'a,b\r\n\\.,c\r\n'],
  ["CSV NULL 'n' FORCE NOT NULL a FORCE NULL b", 'n,n\n"n","n"\n,\n'],
  ['CSV FORCE NOT NULL a, b', ',\n"",x\n'],
  [`CSV QUOTE '''' ESCAPE '\\'`, `'it\\'s','\\\\'\n'a\\b',c\\d\n`],
  ['CSV HEADER', 'x,y,z\na,b\n'],
  ['WITH (FORMAT csv, HEADER MATCH)', 'a,b\n1,2\n'],
  ["CSV ENCODING 'LATIN1'", 'é,ü\n'],
])('COPY FROM STDIN %s of %j loads what PostgreSQL loads', async (options, data) => {
  const bytes = Buffer.from(data, options.includes('ENCODING') ? 'latin1' : 'utf8');
  const file = join(folder, 'data');
  await writeFile(file, bytes);
  await oracle.run('DROP TABLE IF EXISTS p');
  await oracle.run('CREATE TABLE p (a text, b text, n serial)');
  await oracle.run(`COPY p (a, b) FROM '${file}' ${options}`);
  const expected = await oracle.rows<{ a: string | null; b: string | null }>('SELECT a, b FROM p ORDER BY n');
  const columns = ['a', 'b'].map((name) => ({ name, type: 'string' }));
  for (const size of [1, 7, 1000]) {
    expect(await loaded(columns, bytes, options, size)).toEqual(expected.map(({ a, b }) => [a, b]));
  }
});

test.each<[string, string | Buffer, string, RegExp]>([
  ['', 'a\n', '22P04', /missing data for column "b" \(COPY line 1\)/],
  ['', '1\t2\n1\t2\t3\n', '22P04', /extra data after last expected column \(COPY line 2\)/],
  ['', '1\t2\\', '22P04', /a backslash ends the data/],
  ['CSV', '1,"2\n', '22P04', /unterminated CSV quoted field/],
  ['WITH (FORMAT csv, HEADER MATCH)', 'a,c\n', '22P04', /The header has the columns a, c/],
  ['', Buffer.from([0x31, 9, 0xff, 10]), '22021', /UTF8/],
  ['', '1\t\\000\n', '22021', /UTF8/],
  ['CSV', '1,\\x4\n', '22P02', /invalid input syntax for type bytea.*COPY line 1, column "b"/],
  ['BINARY', 'PGCOPX', '22P04', /signature/],
  ['BINARY', 'PGCOPY\n', '22P04', /signature|unexpected EOF/],
  [
    'BINARY',
    Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0\0\x03', 'latin1'),
    '22P04',
    /field count is 3, expected 2/,
  ],
  ['BINARY', Buffer.from('PGCOPY\n\xff\r\n\0\0\x01\0\0\0\0\0\0', 'latin1'), '22P04', /critical flags/],
  [
    'BINARY',
    Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0', 'latin1'),
    '22P04',
    /unexpected EOF/,
  ],
])('COPY FROM STDIN %s of %j is refused with %s', (options, data, sqlState, message) => {
  const columns = [
    { name: 'a', type: 'int' },
    { name: 'b', type: 'binary' },
  ];
  const run = () => converted(columns, Buffer.from(data as string), options, 1000);
  const textColumns = message.source === 'UTF8' ? [columns[0]!, { name: 'b', type: 'string' }] : columns;
  const runTexts = () => converted(textColumns, Buffer.from(data as string), options, 1000);
  expect(message.source === 'UTF8' ? runTexts : run).toThrow(
    expect.objectContaining({ sqlState, message: expect.stringMatching(message) }),
  );
});

test('a row that is too long is refused before it fills the memory', () => {
  const copy = copyLoad(optionsOf('CSV', 'FROM STDIN'), [{ name: 'a', type: 'string' }]);
  copy.write(Buffer.from('"'));
  const piece = Buffer.alloc(1_000_000, 'x');
  expect(() => {
    for (let i = 0; i < 100; i++) copy.write(piece);
  }).toThrow(expect.objectContaining({ sqlState: '54000' }));
});

test('COPY without rows still has a header', () => {
  for (const options of ['', 'CSV']) {
    expect(converted([{ name: 'a"b', type: 'string' }], Buffer.alloc(0), options, 1).toString()).toBe('"a""b"\n');
  }
});

/** The data of CopyData messages. */
function dataOf(messages: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < messages.length; ) {
    expect(messages[at]).toBe('d'.charCodeAt(0));
    const end = at + 1 + messages.readInt32BE(at + 1);
    pieces.push(messages.subarray(at + 5, end));
    at = end;
  }
  return Buffer.concat(pieces);
}
