import { formatColumnType, normalizeColumnType, parseColumnType } from './index.ts';

test.each([
  ['boolean', 'boolean'],
  ['BOOL', 'boolean'],
  ['int', 'int'],
  ['Integer', 'int'],
  ['smallint', 'int'],
  ['bigint', 'long'],
  ['LONG', 'long'],
  ['real', 'float'],
  ['float', 'float'],
  ['double precision', 'double'],
  ['numeric(10, 2)', 'decimal(10,2)'],
  ['decimal(5)', 'decimal(5,0)'],
  ['decimal', 'decimal(18,3)'],
  ['date', 'date'],
  ['time', 'time'],
  ['datetime', 'timestamp'],
  ['timestamp with time zone', 'timestamptz'],
  ['TIMESTAMP WITHOUT TIME ZONE', 'timestamp'],
  ['varchar', 'string'],
  ['varchar(20)', 'string'],
  ['character varying(3)', 'string'],
  ['text', 'string'],
  ['uuid', 'uuid'],
  ['bytea', 'binary'],
  ['list<bigint>', 'list<long>'],
  ['INTEGER[]', 'list<int>'],
  ['integer[][]', 'list<list<int>>'],
  ['map<varchar, int>', 'map<string,int>'],
  ['MAP(VARCHAR, INTEGER[])', 'map<string,list<int>>'],
  ['struct<a: int, "b c": list<text>>', 'struct<a: int, "b c": list<string>>'],
  ['STRUCT(a INTEGER, b VARCHAR)[]', 'list<struct<a: int, b: string>>'],
  ['struct<"q""x": int>', 'struct<"q""x": int>'],
])('%s is normalized to %s (TABLE-3)', (text, wire) => {
  expect(normalizeColumnType(text)).toBe(wire);
  const parsed = parseColumnType(wire);
  expect(parsed.ok && formatColumnType(parsed.type)).toBe(wire);
});

test('the maximum nesting of brackets is accepted, and the formatted type can be parsed again', () => {
  for (const text of [`int${'[]'.repeat(16)}`, `list<int[]>${'[]'.repeat(14)}`]) {
    const parsed = parseColumnType(text);
    expect(parsed.ok && parseColumnType(formatColumnType(parsed.type))).toEqual(parsed);
  }
});

test.each([
  '',
  'hugeint',
  'interval',
  'decimal(0,0)',
  'decimal(39,2)',
  'decimal(5,6)',
  'decimal(a)',
  'list<>',
  'list<int',
  'map<int>',
  'struct<>',
  'struct<a: int, A: int>',
  'int int',
  'int(3)',
  'constructor',
  'toString',
  'timestamp with zone',
  'int; drop table x',
  "int'",
  `${'list<'.repeat(40)}int${'>'.repeat(40)}`,
  `int${'[]'.repeat(17)}`,
  `list<int${'[]'.repeat(16)}>`,
  `list<list<int>${'[]'.repeat(15)}>`,
  `int${'[]'.repeat(4000)}`,
  'x'.repeat(20_000),
])('%p is refused with a message', (text) => {
  const parsed = parseColumnType(text);
  expect(parsed.ok).toBe(false);
  expect(!parsed.ok && parsed.message).toMatch(/column type/);
});
