import { formatOfName, sampleRange, wholeLines } from './index.ts';

test.each([
  ['Orders.CSV', 'csv'],
  ['a/b.jsonl.gz', 'ndjson'],
  ['b.ndjson.zst', 'ndjson'],
  ['c.parquet', 'parquet'],
  ['csv', 'csv'],
  ['notes.txt', undefined],
  ['notes.constructor', undefined],
])('the format of %s is %s', (file, format) => expect(formatOfName(file)).toBe(format));

test('the sample is the start of a text and the end of Parquet', () => {
  const mb = 1024 * 1024;
  expect(sampleRange(9 * mb, 'csv')).toEqual({ start: 0, end: 8 * mb });
  expect(sampleRange(9 * mb, 'parquet')).toEqual({ start: mb, end: 9 * mb });
  expect(sampleRange(5, 'ndjson')).toEqual({ start: 0, end: 5 });
});

test('a line that is cut is left out, also in UTF-16, but not of compressed files, Parquet and whole ones', () => {
  const text = (lines: string, encoding: BufferEncoding = 'utf8') => Buffer.from(lines, encoding);
  expect(wholeLines(text('a\nb\nhal'), 99, 'csv').toString()).toBe('a\nb\n');
  expect(wholeLines(text('a\nb\nhal', 'utf16le'), 99, 'csv').toString('utf16le')).toBe('a\nb\n');
  expect(wholeLines(text('a\nwhole'), 7, 'csv').toString()).toBe('a\nwhole');
  expect(wholeLines(text('a\nfooter'), 99, 'parquet').toString()).toBe('a\nfooter');
  expect(wholeLines(Buffer.from([0x1f, 0x8b, 10, 1]), 99, 'csv')).toHaveLength(4);
});
