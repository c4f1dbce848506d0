import type { Run } from '@svc/sdk/browser';
import { causeOf, failuresOf } from './failures.ts';

const run = (id: string, job: string | null, select = ['*']) => ({ id, job, select, repository: 'shop' }) as Run;

test('failures of one job are one entry with the latest run', () => {
  const runs = [run('d', 'nightly'), run('c', null, ['a']), run('b', 'nightly'), run('a', null, ['b'])];
  expect(failuresOf(runs).map(({ run: { id }, times }) => [id, times])).toEqual([
    ['d', 2],
    ['c', 1],
    ['a', 1],
  ]);
});

test('the cause is the first line of the first failed task, or of the run', () => {
  const error = (detail: string) => ({ code: 'x', detail, remedy: null });
  const tasks = [
    { status: 'succeeded', error: null },
    { status: 'failed', error: error('no column "a"\nat line 3') },
  ];
  const failed = { error: error('1 of 2 tasks failed'), tasks } as Run;
  expect(causeOf(failed)).toBe('no column "a"');
  expect(causeOf({ ...failed, tasks: [] })).toBe('1 of 2 tasks failed');
  expect(causeOf({ ...failed, tasks: [], error: null })).toBe('');
});
