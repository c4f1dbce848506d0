import { jsonText } from './json-text.ts';

test.each([
  [{ a: 'x\0y' }, { a: 'x\ufffdy' }],
  [{ 'k\0': ['\ud800', '\udfff!'] }, { 'k\ufffd': ['\ufffd', '\ufffd!'] }],
  ['\\u0000 as written, \\', '\\u0000 as written, \\'],
  ['😀 "quoted" \u0001\n', '😀 "quoted" \u0001\n'],
  [null, null],
])('%j is stored as %j', (value, stored) => {
  expect(JSON.parse(jsonText(value))).toEqual(stored);
});
