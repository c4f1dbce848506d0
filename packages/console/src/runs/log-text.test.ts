import type { LogLine } from '@svc/sdk/browser';
import { attemptTime, logText, matchingLines } from './log-text.ts';

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
  expect(matchingLines(lines, { task: undefined, text: ' ' })).toBe(lines);
  expect(matchingLines(lines, { task: undefined, text: 'LOADED' })).toEqual(lines.slice(0, 2));
  expect(matchingLines(lines, { task: 'b', text: '' })).toEqual([lines[1]]);
  expect(matchingLines(lines, { task: 'a', text: 'done' })).toEqual([]);
});

test('lines of an attempt are those until the next one starts', () => {
  const at = (second: number) => `2026-03-01T08:00:0${second}.000Z`;
  const attempt = (number: number, second: number) => ({
    ...{ number, status: 'failed' as const, started_at: at(second), ended_at: at(second + 1), error: null },
  });
  const task = { attempts: [attempt(2, 3), attempt(3, 6)] };
  const lines = [2, 3, 5, 6, 9].map(
    (second): LogLine => ({ sequence: second, time: at(second), asset: 'a', stream: 'stdout', line: 'x' }),
  );
  const numbers = (number: string) =>
    matchingLines(lines, { task: 'a', text: '', during: attemptTime(task, number) }).map(({ sequence }) => sequence);
  expect([numbers('2'), numbers('3'), numbers('7')]).toEqual([
    [3, 5],
    [6, 9],
    [2, 3, 5, 6, 9],
  ]);
});
