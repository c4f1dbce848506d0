import { taskLimitText } from './index.ts';

test.each([
  ['memory', 4e9, '4 GB'],
  ['memory', 4_000_000_001, '4.01 GB'],
  ['disk', 2 ** 29, '536.88 MB'],
  ['disk', 1500, '1.5 KB'],
  ['disk', 0, '0 bytes'],
  ['processes', 1000, '1000 processes and threads'],
  ['open_files', 4096, '4096 open files'],
] as const)('%s of %d is formatted as %s', (limit, amount, text) => {
  expect(taskLimitText(limit, amount)).toBe(text);
});
