import { JOB_STATES } from './contract.ts';
import { type JobSituation, jobState } from './state.ts';

const nothing: JobSituation = {
  hasSchedule: true,
  paused: false,
  waiting: false,
  projectBusy: false,
  runPrincipal: { usable: true },
};

test.each<[Partial<JobSituation>, string]>([
  [{ waiting: true, projectBusy: true, hasSchedule: false, paused: true, runPrincipal: null }, 'waiting'],
  [{ waiting: true, hasSchedule: false, paused: true, runPrincipal: null }, 'waiting to start'],
  [{ projectBusy: true, hasSchedule: false, paused: true, runPrincipal: null }, 'no schedule'],
  [{ projectBusy: true, paused: true, runPrincipal: null }, 'paused'],
  [{ projectBusy: true, runPrincipal: null }, 'no run principal'],
  [{ projectBusy: true, runPrincipal: { usable: false } }, 'run principal unusable'],
  [{ projectBusy: true }, 'scheduled'],
])('the state of a job with %j is %s (JOBS-15)', (more, state) =>
  expect(jobState({ ...nothing, ...more })).toBe(state),
);

test('the states are listed in the order in which they apply (JOBS-15)', () => {
  expect(JOB_STATES).toEqual([
    'waiting',
    'waiting to start',
    'no schedule',
    'paused',
    'no run principal',
    'run principal unusable',
    'scheduled',
  ]);
});
