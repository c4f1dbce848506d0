import { engineError } from './query-errors.ts';

const shown = (raw: string, restricted = false) => engineError(raw, { restricted });

test('an error names what the statement has, without the engine’s own text', () => {
  expect(shown('Binder Error: no column x in lake.s.t\n\nLINE 1: SELECT x FROM lake.s.t\n               ^')).toEqual({
    code: 'binder-error',
    message: 'No column x in s.t',
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

test.each([
  'IO Error: Failed to create directory "/w/.stages/s-1/data": Read-only file system',
  'IO Error: Could not read from file "/w/t/f.parquet": Input/output error',
])('a disk that is read-only or faulty is not an error of the statement: %s', (raw) => {
  for (const restricted of [true, false]) {
    expect(shown(raw, restricted)).toMatchObject({ code: 'storage-unavailable' });
    expect(shown(raw, restricted).message).not.toContain('/w');
  }
});

test('an error that a statement raises itself is not taken for a damaged file', () => {
  expect(shown('Invalid Input Error: Out of buffer').message).toBe('Out of buffer');
});

test.each([
  [
    'Binder Error: Referenced column "custmer" not found in FROM clause!\nCandidate bindings: "customer", "amount", "svc:row"',
    'The column "custmer" doesn\'t exist. Did you mean "customer"?',
  ],
  [
    'Binder Error: Referenced column "zzz" not found in FROM clause!\nCandidate bindings: "amount", "svc:row"',
    'The column "zzz" doesn\'t exist.',
  ],
  [
    'Binder Error: Referenced column "svc:roww" not found in FROM clause!\nCandidate bindings: "svc:row"',
    'The column "svc:roww" doesn\'t exist.',
  ],
  [
    'Binder Error: Values list "orders" does not have a column named "custmer"',
    'The column "custmer" doesn\'t exist in orders.',
  ],
  [
    'Binder Error: Referenced table "shop.order" not found!\nCandidate tables: "shop.orders"',
    'The statement has no table or alias "shop.order" in FROM. Did you mean "shop.orders"?',
  ],
  [
    'Binder Error: Could not find key "custmer" in struct\n\nCandidate Entries: "customer"',
    'The struct has no field "custmer". Did you mean "customer"?',
  ],
  [
    'Binder Error: Column "id2" does not exist on left side of join!',
    'The column "id2" in USING doesn\'t exist on the left side of the join.',
  ],
  [
    'Binder Error: Ambiguous reference to column name "id" (use: "o.id" or "p.id")',
    'The column "id" is ambiguous. Write o.id or p.id.',
  ],
  [
    "Binder Error: No function matches the given name and argument types 'upper(DATE)'. You might need to add explicit type casts.\n\tCandidate functions:\n\tupper(VARCHAR) -> VARCHAR\n",
    'The function "upper" doesn\'t accept (DATE). It accepts (VARCHAR). Convert the arguments with CAST(… AS …).',
  ],
  [
    `Binder Error: No function matches the given name and argument types '+(DECIMAL(10,2), DATE)'. You might need to add explicit type casts.\n\tCandidate functions:\n${'\t+(TINYINT) -> TINYINT\n'.repeat(50)}`,
    "The operator + doesn't accept (DECIMAL(10,2), DATE). Convert the arguments with CAST(… AS …).",
  ],
  [
    `Binder Error: Could not choose a best candidate function for the function call "+(STRING_LITERAL, INTEGER_LITERAL)". In order to select one, please add explicit type casts.\n\tCandidate functions:\n${'\t+(DATE, INTEGER) -> DATE\n'.repeat(30)}`,
    'The operator + accepts (text, integer) as several types. Convert the arguments with CAST(… AS …).',
  ],
  [
    'Binder Error: Could not choose a best candidate function for the function call "date_trunc(STRING_LITERAL, STRING_LITERAL)". In order to select one, please add explicit type casts.\n\tCandidate functions:\n\tdate_trunc(VARCHAR, DATE) -> TIMESTAMP\n',
    'The function "date_trunc" accepts (text, text) as several types. Convert the arguments with CAST(… AS …).',
  ],
  [
    'Catalog Error: Type with name intt does not exist!\nDid you mean "int"?',
    'The type "intt" doesn\'t exist. Did you mean "int"?',
  ],
  ['Binder Error: WHERE clause cannot contain aggregates!', 'WHERE clause cannot contain aggregates.'],
  ["Conversion Error: Could not convert string 'x' to INT32", "Could not convert string 'x' to INT32"],
])('the engine’s text of a frequent mistake is replaced: %s', (raw, message) => {
  expect(shown(raw).message).toBe(message);
});

test('an error inside the engine never shows its stack', () => {
  const raw = 'INTERNAL Error: Attempted to access index 3\n\nStack Trace:\n/duckdb/src/x.cpp(0x7f)';
  for (const restricted of [false, true])
    expect(shown(raw, restricted).message).toMatch(/^The query engine has a defect .*\.$/);
});
