import type { LogLine } from '@svc/sdk/browser';
import { logText, matchingLines } from './log-text.ts';

test.each([
  ['plain', 'plain'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['a\tb', 'a    b'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('%j is shown as %j', (line, text) => expect(logText({ line })).toBe(text));

test('lines are filtered by task and text', () => {
  const lineOf = (asset: string | null, line: string): LogLine => ({
    sequence: 1,
    time: '',
    asset,
    stream: 'stdout',
    line,
  });
  const lines = [lineOf('a', 'Loaded rows'), lineOf('b', 'loaded'), lineOf(null, 'done')];
  expect(matchingLines(lines, undefined, ' ')).toBe(lines);
  expect(matchingLines(lines, undefined, 'LOADED')).toEqual(lines.slice(0, 2));
  expect(matchingLines(lines, 'b', '')).toEqual([lines[1]]);
  expect(matchingLines(lines, 'a', 'done')).toEqual([]);
});
