import type { RunTimeline } from '@svc/sdk';
import { runsByJob } from './runs-by-job.ts';

type RunSpan = RunTimeline['runs'][number];

const run = (job: string | null, seconds: number | null, status: RunSpan['status'] = 'succeeded'): RunSpan => ({
  id: '01997c2e-7b7a-7c1e-8000-000000000003',
  repository: 'shop',
  status,
  select: ['*'],
  created_at: '2026-02-01T08:00:00.000Z',
  started_at: '2026-02-01T08:00:00.000Z',
  ended_at: seconds === null ? null : new Date(Date.UTC(2026, 1, 1, 8, 0, seconds)).toISOString(),
  job,
  trigger: job === null ? null : 'schedule',
  scheduled_for: null,
});

test('runs are counted by job, with their median and longest duration', () => {
  const runs = [
    run('nightly', null, 'running'),
    run('nightly', 30),
    run(null, 5, 'failed'),
    run('nightly', 10),
    run('nightly', 20),
  ];
  expect(runsByJob(runs)).toEqual([
    { job: null, repository: 'shop', runs: 1, active: 0, failed: 1, median: 5000, longest: 5000, last: runs[2] },
    {
      job: 'nightly',
      repository: 'shop',
      runs: 4,
      active: 1,
      failed: 0,
      median: 20_000,
      longest: 30_000,
      last: runs[0],
    },
  ]);
});

test('without a finished run there is no duration', () => {
  expect(runsByJob([run('nightly', null, 'queued')])).toMatchObject([{ median: null, longest: null, active: 1 }]);
});
