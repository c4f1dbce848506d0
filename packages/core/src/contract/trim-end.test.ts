import { trimEnd } from './index.ts';

test.each([
  ['', ''],
  ['a', 'a'],
  ['a/', 'a'],
  ['a//b///', 'a//b'],
  ['///', ''],
])('trimEnd(%j)', (text, trimmed) => expect(trimEnd(text, '/')).toBe(trimmed));

test('a run in the middle of a long text is scanned only once', () => {
  const text = `${'/'.repeat(5_000_000)}x`;
  expect(trimEnd(text, '/')).toBe(text);
});
