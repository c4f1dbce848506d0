import { parseCopy } from './copy-statement.ts';

const DEFAULTS = { format: 'text', delimiter: '\t', nullText: '\\N', header: false, encoding: 'utf-8' };
const CSV = { format: 'csv', delimiter: ',', nullText: '', header: false, quote: '"', escape: '"' };

test.each<[string, object]>([
  [
    'COPY t TO STDOUT',
    { direction: 'to', source: { kind: 'table', name: ['t'], sql: 't', columns: null }, options: DEFAULTS },
  ],
  [
    'copy a.b."C""d" (x, "Y") from stdin;',
    { direction: 'from', source: { name: ['a', 'b', 'C"d'], sql: 'a.b."C""d"', columns: ['x', 'Y'] } },
  ],
  ["COPY (SELECT (1), ')' -- )\n FROM t) TO STDOUT", { source: { kind: 'query', sql: "SELECT (1), ')' \n FROM t" } }],
  ['COPY ((SELECT 1)) TO STDOUT', { source: { kind: 'query', sql: '(SELECT 1)' } }],
  ['/* x */ COPY t TO STDOUT WITH (FORMAT CSV, HEADER)', { options: { ...CSV, header: true } }],
  [
    "COPY t TO STDOUT (FORMAT 'csv', HEADER off, DELIMITER E'\\t', NULL 'x')",
    { options: { ...CSV, delimiter: '\t', nullText: 'x' } },
  ],
  [
    "COPY t TO STDOUT WITH CSV HEADER QUOTE AS '''' FORCE QUOTE a, \"B\"",
    { options: { ...CSV, header: true, quote: "'", escape: "'", forceQuote: ['a', 'B'] } },
  ],
  ['COPY t TO STDOUT (FORMAT csv, FORCE_QUOTE (a, b))', { options: { forceQuote: ['a', 'b'] } }],
  ['COPY t TO STDOUT (FORMAT csv, FORCE_QUOTE *)', { options: { forceQuote: '*' } }],
  [
    'COPY t FROM STDIN (FORMAT csv, FORCE_NOT_NULL (a), FORCE_NULL *, HEADER match)',
    { options: { forceNotNull: ['a'], forceNull: '*', header: 'match' } },
  ],
  [
    "COPY t FROM STDIN USING DELIMITERS '|' WITH NULL AS ''",
    { options: { ...DEFAULTS, delimiter: '|', nullText: '' } },
  ],
  ['COPY BINARY t FROM STDIN', { source: { name: ['t'] }, options: { format: 'binary' } }],
  ['COPY binary TO STDOUT', { source: { name: ['binary'] }, options: DEFAULTS }],
  ['COPY t TO STDOUT BINARY', { options: { format: 'binary' } }],
  ['COPY t FROM STDOUT (FREEZE, FREEZE false)', { direction: 'from' }],
  ["COPY t FROM STDIN ENCODING 'UTF-8'", { options: { encoding: 'utf-8' } }],
])('%s', (sql, expected) => {
  expect(parseCopy(sql)).toMatchObject(expected);
});

test('other statements are not COPY', () => {
  for (const sql of ['SELECT 1', '', 'COPYING t', '"COPY" t', 'EXPLAIN COPY t TO STDOUT'])
    expect(parseCopy(sql)).toBeNull();
});

test.each<[string, string, RegExp]>([
  ["COPY t TO '/etc/passwd'", '42501', /files of the server/],
  ["COPY t FROM '/etc/passwd'", '42501', /COPY … FROM STDIN/],
  ["COPY t FROM PROGRAM 'id'", '42501', /programs of the server/],
  ['COPY t', '42601', /end of input/],
  ['COPY t TO', '42601', /needs STDOUT here/],
  ['COPY (SELECT 1) FROM STDIN', '42601', /needs a table/],
  ['COPY () TO STDOUT', '42601', /needs a query/],
  ['COPY (SELECT 1 TO STDOUT', '42601', /no end/],
  ['COPY t TO STDOUT (FORMAT parquet)', '22023', /not recognized/],
  ['COPY t TO STDOUT (FORMAT csv, FORMAT csv)', '42601', /redundant/],
  ['COPY t TO STDOUT (LOG_VERBOSITY verbose)', '0A000', /Supported options/],
  ["COPY t TO STDOUT (QUOTE 'x')", '42601', /only in CSV mode/],
  ["COPY t TO STDOUT (FORMAT binary, DELIMITER ',')", '42601', /BINARY/],
  ["COPY t TO STDOUT (DELIMITER 'ab')", '0A000', /one ASCII character/],
  ["COPY t TO STDOUT (DELIMITER 'n')", '22023', /delimiter/],
  ["COPY t TO STDOUT CSV DELIMITER '\"'", '22023', /differ/],
  ["COPY t TO STDOUT CSV NULL ','", '22023', /delimiter/],
  ['COPY t TO STDOUT (FORMAT csv, FORCE_NULL (a))', '42601', /COPY TO/],
  ['COPY t FROM STDIN (FORMAT csv, FORCE_QUOTE *)', '42601', /COPY FROM/],
  ["COPY t TO STDOUT ENCODING 'LATIN1'", '0A000', /UTF-8 only/],
  ["COPY t FROM STDIN ENCODING 'KOI8R'", '0A000', /UTF8 or LATIN1/],
  ['COPY t FROM STDIN WHERE a > 1', '0A000', /WHERE/],
  ['COPY t TO STDOUT; SELECT 1', '42601', /near ";"/],
])('%s is refused with %s', (sql, sqlState, message) => {
  expect(() => parseCopy(sql)).toThrow(expect.objectContaining({ sqlState, message: expect.stringMatching(message) }));
});
