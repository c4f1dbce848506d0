import { isSafeNumber, parse } from 'lossless-json';
import { parseLossless } from './parse-lossless.ts';

test.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['[1, 12345678901234567890 ,2]', [1, 12345678901234567890n, 2]],
  ['{"a":12345678901234567890}', { a: 12345678901234567890n }],
  [
    '{"a":"12345678901234567890","b":"x\\"12345678901234567890"}',
    { a: '12345678901234567890', b: 'x"12345678901234567890' },
  ],
  ['{"12345678901234567890":"\\\\"}', { '12345678901234567890': '\\' }],
  [
    '[0.12345678901234567890, 1e400, 12345678901234567890.5, 5e2]',
    [0.12345678901234568, Number.POSITIVE_INFINITY, 12345678901234567000, 500],
  ],
  ['"\\u0022,12345678901234567890"', '",12345678901234567890'],
])('%s', (text, value) => expect(parseLossless(text)).toEqual(value));

test.each([
  '{12345678901234567890:1}',
  '[012345678901234567890]',
  '12345678901234567890x',
  '"a',
  '[1,]',
  '--12345678901234567890',
])('%s is not JSON', (text) => expect(() => parseLossless(text)).toThrow(SyntaxError));

test('a document that names a prototype gets none', () => {
  const value = parseLossless('{"__proto__":{"a":12345678901234567890}}') as object;
  expect([Object.keys(value), 'a' in value]).toEqual([['__proto__'], false]);
});

test('is what a parser in JavaScript reads', () => {
  const text = `{"s": ["a\\\\", "\\"", "\u2028", "12345678901234567"], "n": [36893488147419103232123, -0, 1e21, 123456789012345680000, 1.5]}`;
  const number = (digits: string) =>
    /^-?\d+$/.test(digits) && !isSafeNumber(digits) ? BigInt(digits) : Number(digits);
  expect(parseLossless(text)).toEqual(parse(text, null, number));
});

test('a deeply nested document with a large integer is parsed', () => {
  const depth = 20_000;
  let value = parseLossless(`${'['.repeat(depth)}12345678901234567890${']'.repeat(depth)}`);
  while (Array.isArray(value)) [value] = value;
  expect(value).toBe(12345678901234567890n);
});
