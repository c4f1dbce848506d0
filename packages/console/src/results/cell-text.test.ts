import { cellText, columnWidth, isNumeric } from './cell-text.ts';

test.each([
  [null, null],
  [undefined, null],
  ['', ''],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['a\nb', 'a\\u000ab'],
  [false, 'false'],
  [1.5, '1.5'],
  [{ a: [1, null] }, '{"a":[1,null]}'],
])('%j is shown as %j', (value, text) => expect(cellText(value)).toBe(text));

test('a long value is cut', () => expect(cellText('x'.repeat(5000))).toHaveLength(2001));

test.each([
  ['BIGINT', true],
  ['UINTEGER', true],
  ['DECIMAL(10,2)', true],
  ['long', true],
  ['INTERVAL', false],
  ['VARCHAR', false],
  ['TIMESTAMP', false],
])('%s is numeric: %s', (type, numeric) => expect(isNumeric(type)).toBe(numeric));

test('the width fits the name and the values, within limits', () => {
  expect([columnWidth('id', [1, 2]), columnWidth('a'.repeat(30), []), columnWidth('t', ['x'.repeat(500)])]).toEqual([
    8, 32, 44,
  ]);
});
