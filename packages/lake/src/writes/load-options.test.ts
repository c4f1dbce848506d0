import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { CsvOptions } from '@svc/core/writes';
import { fieldsOfColumns, joinLocation } from '@svc/iceberg';
import { QueryFixture } from '../queries/testing/query-fixture.ts';
import { type LoadFormat, type LoadOutcome, load } from './index.ts';

let f: QueryFixture;
let files = 0;
beforeAll(async () => {
  f = await QueryFixture.create();
});
afterAll(() => f.close());

const { fields } = fieldsOfColumns([
  { name: 'id', type: 'long' },
  { name: 'name', type: 'string' },
  { name: 'amount', type: 'decimal(10,2)' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamptz' },
]);

interface Options {
  format?: LoadFormat;
  csv?: CsvOptions;
  maxErrors?: number;
  sameColumns?: boolean;
}

async function stage(content: string | Buffer): Promise<string> {
  const location = joinLocation(f.store.root, 'uploads', `o${++files}`);
  await f.store.write(location, Buffer.from(content));
  return location;
}

const rejectedAt = () => joinLocation(f.store.root, 'results', `rejected-${files}`);

async function loadFiles(contents: Record<string, string | Buffer>, options: Options = {}): Promise<LoadOutcome> {
  const { format = 'csv', csv, maxErrors, sameColumns = false } = options;
  const staged: { name: string; locations: string[] }[] = [];
  for (const [name, content] of Object.entries(contents)) staged.push({ name, locations: [await stage(content)] });
  return load(f.sandbox, {
    source: { files: staged, format, ...(csv ? { csv } : {}) },
    skip: maxErrors === undefined ? null : { maxErrors, location: rejectedAt() },
    sameColumns,
    fields,
    tableLocation: joinLocation(f.store.root, `options${files}`),
  });
}

async function rowsOf(outcome: LoadOutcome): Promise<unknown> {
  if (!outcome.ok) return outcome.error.message;
  const scan = outcome.files.map((r) => ({ location: r.file_path, rows: 0, bytes: 0, deletes: [] }));
  f.relations.set('loaded', { kind: 'managed', fields, files: scan });
  return f.rows('select * from loaded order by id');
}

const loaded = async (content: string | Buffer, csv: CsvOptions) =>
  rowsOf(await loadFiles({ 'a.csv': content }, { csv }));

const ROW = [1, 'a', '1.50', '2026-01-31', '2026-01-31T10:30:00Z'];
const EUROPEAN = {
  delimiter: ';',
  quote: "'",
  decimal_separator: ',',
  date_format: '%d.%m.%Y',
  timestamp_format: '%d.%m.%Y %H:%M',
  null_text: 'NA',
} as const;

describe('options of CSV (TABLE-15)', () => {
  test('delimiter, quote, decimal separator, null and formats', async () => {
    const text = "id;name;amount;day;at\n1;a;1,50;31.01.2026;31.01.2026 10:30\n2;'NA;''x'';\n';NA;NA;NA\n";
    expect(await loaded(text, EUROPEAN)).toEqual([ROW, [2, "NA;'x';\n", null, null, null]]);
  });

  test.each([
    ['id,amount\n1,"1.234,5"\n', 'Line 2, column "amount": "1.234,5" isn\'t a valid decimal(10,2).'],
    ['id,amount\n1,"1,50"\n2,0.5\n', 'Line 3, column "amount": "0.5" isn\'t a valid decimal(10,2).'],
    ['id,amount\n1,"1,555"\n', 'Line 2, column "amount": "1,555" isn\'t a valid decimal(10,2).'],
    ['id,day\n1,31.01.2026\n2,2026-01-31\n', 'Line 3, column "day": "2026-01-31" isn\'t a valid date.'],
    ['id,day\n1,32.01.2026\n', 'Line 2, column "day": "32.01.2026" isn\'t a valid date.'],
    ['id,at\n1,infinity\n', 'Line 2, column "at": "infinity" isn\'t a valid timestamptz.'],
    ['id,at\n1,31.01.2026 10:30:00\n', 'Line 2, column "at": "31.01.2026 10:30:00" isn\'t a valid timestamptz.'],
  ])('%j is refused with line, column and value', async (text, message) => {
    const { delimiter: _, quote: __, ...csv } = EUROPEAN;
    expect(await loaded(text, csv)).toBe(message);
  });

  test('a date with a time and a time with an offset', async () => {
    const csv = { date_format: '%Y-%m-%d %H:%M', timestamp_format: '%Y-%m-%d %H:%M:%S.%f %z' };
    expect(await loaded('id,day,at\n1,2026-01-31 00:00,2026-01-31 12:30:00.5 +0200\n', csv)).toEqual([
      [1, null, null, '2026-01-31', '2026-01-31T10:30:00.500Z'],
    ]);
    const cut = 'Line 2, column "day": "2026-01-31 00:01" isn\'t a valid date.';
    expect(await loaded('id,day\n1,2026-01-31 00:01\n', csv)).toBe(cut);
  });

  test('without a header, columns are matched by position', async () => {
    const csv = { header: false };
    expect(await loaded('1,a,1.5,2026-01-31,2026-01-31T10:30:00Z\n', csv)).toEqual([ROW]);
    expect(await loaded('1,a\n', csv)).toBe('Line 1: The row has 2 values, but the table has 5 columns.');
    expect(await loaded('1,a,,,\n2,b,,,\nx,c,,,\n', csv)).toBe('Line 3, column "id": "x" isn\'t a valid long.');
    expect(await loaded('1,a,,,\n2,b,,\n', csv)).toBe('Line 2: The row has 4 values, but the table has 5 columns.');
    expect(await loaded('', csv)).toBe('The file is empty.');
  });

  test('values without quotes', async () => {
    const csv = { quote: '', delimiter: '\t' };
    expect(await loaded('id\tname\n1\t"a\n', csv)).toEqual([[1, '"a', null, null, null]]);
  });

  test.each([
    ['latin-1', Buffer.from('id,name\n1,é\n', 'latin1'), 'é'],
    ['windows-1252', Buffer.from([...Buffer.from('id,name\n1,'), 0x80, 10]), '€'],
    ['utf-16', Buffer.from('\ufeffid,name\n1,é😀\n', 'utf16le'), 'é😀'],
    ['utf-16', Buffer.from('\ufeffid,name\n1,é😀\n', 'utf16le').swap16(), 'é😀'],
    ['utf-16', Buffer.from('id,name\n1,é😀\n', 'utf16le'), 'é😀'],
  ] as const)('%s', async (encoding, bytes, name) => {
    expect(await loaded(bytes, { encoding })).toEqual([[1, name, null, null, null]]);
  });

  test.each([
    ['latin-1', Buffer.from([...Buffer.from('id,name\n1,'), 0x80, 10])],
    ['utf-16', Buffer.from('id,name\n1,\ud800\n', 'utf16le')],
    ['utf-16', Buffer.from('id,name\n1').subarray(0, 9)],
  ] as const)('text that is not valid %s is refused with its line', async (encoding, bytes) => {
    expect(await loaded(bytes, { encoding })).toMatch(/^Line \d+: The text isn't valid (latin-1|utf-16)\.$/);
  });
});

describe('detection (TABLE-15)', () => {
  test.each([
    ['id,name\n1,a;b\n', { delimiter: ',' }, 'a;b'],
    ['id;name\n1;a,b\n', { delimiter: ';' }, 'a,b'],
    ['NAME\tID\na\t1\n', { delimiter: '\t' }, 'a'],
    ["'id'|'name'\n1|'a|b'\n", { delimiter: '|', quote: "'" }, 'a|b'],
    [Buffer.from('\ufeffid;name\n1;é\n', 'utf16le'), { delimiter: ';', encoding: 'utf-16' }, 'é'],
    ['1;a;;;\n', { delimiter: ';', header: false }, 'a'],
  ])('%j', async (text, csv, name) => {
    const outcome = await loadFiles({ 'a.csv': text }, { csv: { detect: true } });
    expect(outcome).toMatchObject({ ok: true, csv });
    expect(await rowsOf(outcome)).toEqual([[1, name, null, null, null]]);
  });

  test('what fits nothing is refused as without detection', async () => {
    expect(await loaded('idd;name\n1;a\n', { detect: true })).toContain('Line 1: The table has no column "idd;name".');
    expect(await loaded('id;name\n1;a\n', {})).toContain('Line 1: The table has no column "id;name".');
    expect(await loaded('id;name\n1;a\n', { detect: true, delimiter: ',' })).toContain('no column "id;name"');
    // A row of texts may be a header row with a mistake.
    expect(await loaded('a,b,,,\n', { detect: true })).toContain('no column "a"');
  });
});

const ZSTD = fileURLToPath(new URL('testing/rows.csv.zst', import.meta.url));

describe('compressed files (TABLE-16)', () => {
  test('gzip and zstd are recognized by their content', async () => {
    const row = [1, 'a', null, null, null];
    expect(await loaded(gzipSync('id,name\n1,a\n'), {})).toEqual([row]);
    expect(await loaded(await readFile(ZSTD), {})).toEqual([row]);
    const latin = gzipSync(Buffer.from('id;name\n1;é\n', 'latin1'));
    expect(await loaded(latin, { encoding: 'latin-1', delimiter: ';' })).toEqual([[1, 'é', null, null, null]]);
    const ndjson = await loadFiles({ a: gzipSync('\ufeff{"id":1,"name":"a"}\n') }, { format: 'ndjson' });
    expect(await rowsOf(ndjson)).toEqual([row]);
  });

  test('damaged and cut ones are refused', async () => {
    const gzip = gzipSync('id,name\n1,a\n');
    const cut = (name: string) => `The file is compressed with ${name}, but its end is missing.`;
    expect(await loaded(gzip.subarray(0, -9), {})).toBe(cut('gzip'));
    const zstd = await readFile(ZSTD);
    expect(await loaded(zstd.subarray(0, -3), {})).toMatch(/^The file is compressed with zstd, but /);
    const damaged = Buffer.from(gzip);
    damaged[12] = damaged[12]! ^ 0xff;
    expect(await loaded(damaged, {})).toBe('The file is compressed with gzip, but it is damaged.');
  });
});

describe('several files (TABLE-16)', () => {
  test('with different headers, in one load', async () => {
    const contents = { 'a.csv': 'id,name\n1,a\n', 'b.csv': 'name,id\nb,2\n', 'c.csv': gzipSync('id,name\n3,c\n') };
    const outcome = await loadFiles(contents);
    expect(outcome).toMatchObject({ ok: true, rowCount: 3 });
    expect(await rowsOf(outcome)).toEqual([1, 2, 3].map((id, i) => [id, 'abc'[i], null, null, null]));
  });

  test('NDJSON and empty files', async () => {
    const outcome = await loadFiles({ a: '{"id":1}\n', b: '', c: '\ufeff{"id":2}' }, { format: 'ndjson' });
    expect(outcome).toMatchObject({ ok: true, rowCount: 2 });
  });

  test('an error names the file, and nothing is loaded', async () => {
    const contents = { 'a.csv': 'id,name\n1,a\n', 'b.csv': 'id,name\n2,b\nx,c\n' };
    expect(await rowsOf(await loadFiles(contents))).toBe('b.csv: Line 3, column "id": "x" isn\'t a valid long.');
    expect(await rowsOf(await loadFiles({ ...contents, 'b.csv': '' }))).toContain('b.csv: The file is empty.');
    const lines = { a: '{"id":1}\n', b: '{"id":2}\n{"id":\n' };
    expect(await rowsOf(await loadFiles(lines, { format: 'ndjson' }))).toBe("b: Line 2: The line isn't valid JSON.");
    const uneven = await loadFiles({ a: 'id,name\n1,a\n', b: 'id\n2\n' }, { sameColumns: true });
    expect(await rowsOf(uneven)).toContain('Only some of the files have the column "name".');
    for await (const left of f.store.list(joinLocation(f.store.root, `options${files}`)))
      throw new Error(`${left.location} was left`);
  });
});

describe('lines that are left out (TABLE-17)', () => {
  async function skipped(contents: Record<string, string | Buffer>, options: Options = {}) {
    const outcome = await loadFiles(contents, { maxErrors: 1000, ...options });
    if (!outcome.ok) return outcome.error.message;
    const pieces: Buffer[] = [];
    if (outcome.rejected > 0) for await (const p of await f.store.readStream(rejectedAt())) pieces.push(p as Buffer);
    const rows = ((await rowsOf(outcome)) as unknown[][]).map((row) => row.slice(0, 2));
    return { rows, rejected: outcome.rejected, file: Buffer.concat(pieces).toString() };
  }

  test('CSV', async () => {
    const text = [
      'id,name,amount',
      '1,a,1.5',
      '2,b',
      'x,"c, ""d""",2',
      '',
      '4,"e',
      'f",3',
      '5,"g"h,3',
      '6,i,1.555',
      '7,"j',
      '8,k,',
      '',
    ].join('\r\n');
    expect(await skipped({ 'a.csv': Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x2c, 0x2c])]) })).toEqual({
      rows: [
        [1, 'a'],
        [4, 'e\r\nf'],
        [8, 'k'],
      ],
      rejected: 6,
      file: [
        'file,line,column,reason,text',
        'a.csv,3,,"The row has 2 values, but the header has 3 columns.","2,b"',
        'a.csv,4,id,"""x"" isn\'t a valid long.","x,""c, """"d"""""",2"',
        'a.csv,8,,A closing quote is followed by text. Double quotes inside a value.,"5,""g""h,3"',
        'a.csv,9,amount,"""1.555"" isn\'t a valid decimal(10,2).","6,i,1.555"',
        'a.csv,10,,A quoted value that starts here has no closing quote.,"7,""j"',
        'a.csv,12,,The text isn\'t valid UTF-8.,"\ufffd,,"',
        '',
      ].join('\n'),
    });
  });

  test('none of their texts is a formula of a spreadsheet', async () => {
    const text = 'id,name,amount\n=1+1,a,1\n"@x",b,1\n-2x,c,1\n3,d,\n';
    expect(await skipped({ '=cmd.csv': text })).toMatchObject({
      file: [
        'file,line,column,reason,text',
        `'=cmd.csv,2,id,"""=1+1"" isn't a valid long.","'=1+1,a,1"`,
        `'=cmd.csv,3,id,"""@x"" isn't a valid long.","'@x,b,1"`,
        `'=cmd.csv,4,id,"""-2x"" isn't a valid long.","'-2x,c,1"`,
        '',
      ].join('\n'),
    });
  });

  test('NDJSON', async () => {
    const text = '{"id":1,"name":"a"}\n{"id":2\n\n{"id":"x","name":"\\""}\n[]\n{"ID":5,"id":5}\n{"ix":6}\n{"Id":7}\n';
    expect(await skipped({ a: text }, { format: 'ndjson' })).toEqual({
      rows: [
        [1, 'a'],
        [7, null],
      ],
      rejected: 5,
      file: [
        'file,line,column,reason,text',
        'a,2,,The line isn\'t valid JSON.,"{""id"":2"',
        'a,4,id,"""x"" isn\'t a valid long.","{""id"":""x"",""name"":""\\""""}"',
        'a,5,,Each line must be one JSON object.,[]',
        'a,6,,A key appears twice (ignoring letter case).,"{""ID"":5,""id"":5}"',
        'a,7,,"The table has no column ""ix"".","{""ix"":6}"',
        '',
      ].join('\n'),
    });
  });

  test('in several files with a dialect', async () => {
    const contents = { a: "id;name\n1;'a;'\nx;'b;'\n", b: "name;id\n'c';2\n", c: 'id;name\n;\n3;c;\n' };
    const result = await skipped(contents, { csv: { delimiter: ';', quote: "'" } });
    expect(result).toMatchObject({ rejected: 2 });
    expect((result as { file: string }).file).toBe(
      'file,line,column,reason,text\na,3,id,"""x"" isn\'t a valid long.",x;\'b;\'\n' +
        'c,3,,"The row has 3 values, but the header has 2 columns.",3;c;\n',
    );
  });

  test('more than the limit fails the load and names the first one', async () => {
    const contents = { a: 'id,name\n1,a\nx,b\n2\n' };
    const message = `More than 1 line can't be loaded, so nothing was loaded. The first: Line 3, column "id": "x" isn't a valid long.`;
    expect(await skipped(contents, { maxErrors: 1 })).toBe(message);
    expect(await skipped(contents, { maxErrors: 0 })).toContain('More than 0 lines');
    expect(await skipped(contents, { maxErrors: 2 })).toMatchObject({ rejected: 2 });
  });

  test('many lines', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => (i % 2 === 0 ? `"x${i}` : `y${i},z`)).join('\n');
    const contents = { a: `id,name\n7,ok\n${lines}\n` };
    expect(await skipped(contents, { maxErrors: 10 })).toContain('More than 10 lines');
    const outcome = await loadFiles(contents, { maxErrors: 100_000 });
    expect(outcome).toMatchObject({ ok: true, rejected: 100_000, rowCount: 1 });
  });
});
