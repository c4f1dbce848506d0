import { attemptsOf } from './attempts.ts';
import type { RunTask, TaskAttempt } from './contract.ts';

const [FIRST, SECOND, THIRD] = ['2026-03-01T08:00:00.000Z', '2026-03-01T08:01:00.000Z', '2026-03-01T08:02:00.000Z'];
const error = { code: 'execution-error', detail: 'It failed.', remedy: null };

const task = (status: RunTask['status'], more: Partial<RunTask> = {}): RunTask => ({
  ...{ asset: 'a.b', status, started_at: SECOND, ended_at: THIRD, rows: null, error: null },
  ...more,
});
const failed: TaskAttempt = { number: 1, status: 'failed', started_at: FIRST, ended_at: SECOND, error };
const lost: TaskAttempt = { number: 1, status: 'lost', started_at: FIRST, ended_at: SECOND, error: null };
const latest = (status: TaskAttempt['status'], number: number) => ({
  ...{ number, status, started_at: SECOND, ended_at: THIRD, error: null },
});

test.each([
  ['a task that succeeded at once', task('succeeded'), 1, [], [latest('succeeded', 1)]],
  ['a retried task', task('succeeded'), 2, [failed], [failed, latest('succeeded', 2)]],
  ['a task that waits for its next attempt', task('queued'), 1, [failed], [failed]],
  ['a task that was cancelled before its next attempt', task('cancelled'), 1, [failed], [failed]],
  ['a task of a run that was lost for good', task('failed'), 1, [lost], [lost]],
  ['a task of an older version', task('failed'), 3, [], [latest('failed', 3)]],
  ['a skipped task', task('skipped', { started_at: null }), 0, [], []],
  ['a queued task', task('queued', { started_at: null, ended_at: null }), 0, [], []],
] as const)('%s (RUN-16)', (_, one, count, past, attempts) => {
  expect(attemptsOf(one, { count, past })).toEqual(attempts);
});
