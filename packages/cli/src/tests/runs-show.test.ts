import { startService } from '@svc/sdk/testing';
import { run } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

const task = { status: 'failed', rows: null, started_at: null, ended_at: null, snapshot_id: null };
const failed = {
  ...run,
  status: 'failed',
  error: { code: 'tasks-failed', detail: '2 of 2 tasks failed.', remedy: 'svc runs logs r1 --env prod' },
  tasks: [
    {
      ...task,
      asset: 'marts.a',
      error: { code: 'task-failed', detail: `ValueError: ${'x'.repeat(90)}\nend`, remedy: null },
    },
    { ...task, asset: 'marts.b', error: { code: 'task-failed', detail: 'KeyError: 1', remedy: null } },
  ],
};

test('svc runs show prints the first line of every error of a task, however narrow the terminal is, and where their logs are', async () => {
  const service = await startService(() => ({ body: failed }));
  const outcome = await svc(['runs', 'show', run.id, '--env', 'prod'], { url: service.url, columns: 80 });
  await service.close();
  expect(outcome.stdout).toContain(`\n\nmarts.a: ValueError: ${'x'.repeat(90)} …\nmarts.b: KeyError: 1\n`);
  expect(outcome.stderr).toBe('Next: svc runs logs r1 --env prod\n');
});
