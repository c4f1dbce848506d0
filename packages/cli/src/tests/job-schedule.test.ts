import { startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const SCHEDULE = {
  cron: '30 2 * * *',
  timezone: 'Europe/Berlin',
  paused: false,
  times: [
    { at: '2026-03-28T01:30:00.000Z', local: '2026-03-28T02:30:00+01:00', note: null },
    { at: '2026-03-29T01:00:00.000Z', local: '2026-03-29T03:00:00+02:00', note: 'moved' },
    { at: '2026-03-30T00:30:00.000Z', local: '2026-03-30T02:30:00+02:00', note: 'of a newer service\u001b[2J' },
  ],
};

async function schedule(paused: boolean, ...options: string[]) {
  const requests: string[] = [];
  const service = await startService(({ url }) => {
    requests.push(url);
    return { body: { ...SCHEDULE, paused } };
  });
  try {
    return {
      requests,
      ...(await svc(['job', 'schedule', 'nightly', '--env', 'dev', ...options], { url: service.url })),
    };
  } finally {
    await service.close();
  }
}

test('job schedule lists the times with notes about daylight saving time (JOBS-18)', async () => {
  const { requests, code, stdout, stderr } = await schedule(false, '--repo', 'shop', '--count', '3');
  expect([code, stderr]).toEqual([0, '']);
  expect(requests).toEqual(['/api/v1/environments/dev/jobs/nightly/schedule?repository=shop&count=3']);
  expect(stdout).toBe(`2026-03-28 01:30:00Z  2026-03-28 02:30:00+01:00
2026-03-29 01:00:00Z  2026-03-29 03:00:00+02:00  moved: the clocks skip this time
2026-03-30 00:30:00Z  2026-03-30 02:30:00+02:00  of a newer service\\u001b[2J
`);
});

test('job schedule says that the schedule is paused, and prints the whole body as JSON (JOBS-18)', async () => {
  expect((await schedule(true)).stderr).toBe("The schedule of nightly is paused, so it doesn't fire.\n");
  expect(JSON.parse((await schedule(true, '--output', 'json')).stdout)).toEqual({ ...SCHEDULE, paused: true });
});
