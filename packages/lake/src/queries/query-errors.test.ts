import { engineError } from './query-errors.ts';

const shown = (raw: string, restricted = false) => engineError(raw, { restricted });

test('an error names what the statement has, without the engine’s own text', () => {
  expect(shown('Binder Error: no column x in lake.s.t\n\nLINE 1: SELECT x FROM lake.s.t\n               ^')).toEqual({
    code: 'binder-error',
    message: 'Binder Error: no column x in s.t',
  });
  expect(shown('Invalid Input Error: svc:null:qty:svc')).toMatchObject({
    code: 'null-not-allowed',
    message: 'The column "qty" must not be null, but the query returns a null.',
  });
});

test('an error of a statement that runs as a tree reads like any other, and is hidden like any other', () => {
  const raw = "Conversion Error: Could not convert string 'x' to INT64";
  const ofTree = `Invalid Input Error: Attempting to fetch from an unsuccessful query result\nError: ${raw}`;
  for (const restricted of [false, true]) expect(shown(ofTree, restricted)).toEqual(shown(raw, restricted));
  expect(shown(ofTree, true).message).not.toContain("'x'");
});

test.each([
  ['line breaks', '\n'],
  ['partial marks', 'svc:null: '],
  ['slashes', '/'],
  ['folders', '/a'],
  ['quotes', '"lake'],
])('an error text of %s is cut before anything is looked for in it', (_, piece) => {
  const raw = `Conversion Error: ${piece.repeat(2_000_000)}`;
  expect(shown(raw).message.length).toBeLessThanOrEqual(2000);
  expect(shown(raw, true).message).toContain('conversion');
});

test.each([
  'Invalid Error: TProtocolException: Invalid data',
  'Invalid Error: Out of buffer',
  'Invalid Input Error: Failed to read file "/w/t/f.parquet": ZSTD Decompression failure',
  'Invalid Input Error: Invalid string encoding found in Parquet file "/w/f.parquet": value "secret" is not valid UTF8!',
  'IO Error: Could not read enough bytes from file "/w/f.parquet": attempted to read 5808 bytes from location 328',
])('a damaged file is called so: %s', (raw) => {
  for (const restricted of [true, false])
    expect(shown(raw, restricted)).toEqual({
      code: 'execution-error',
      message: expect.stringMatching(/^A file that the query reads is damaged\. Roll the table back .*\.$/),
    });
});

test('an error that a statement raises itself is not taken for a damaged file', () => {
  expect(shown('Invalid Input Error: Out of buffer').message).toBe('Invalid Input Error: Out of buffer');
});
