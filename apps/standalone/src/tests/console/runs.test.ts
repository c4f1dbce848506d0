import { apiBodies } from '../../testing/browser.ts';
import { PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';
import { deployFiles } from '../../testing/projects.ts';

let retried: string;

describeConsole(
  'runs in a browser',
  {
    service: async ({ client, folder }) => {
      await client.repositories.create({ name: 'flaky' });
      const files = {
        'svc.yaml': 'name: flaky\ndefaults:\n  retries: 1\n',
        'assets/flaky/days.sql': "SELECT CAST('x' AS INTEGER) AS n",
      };
      await deployFiles(client, { env: 'dev', repository: 'flaky', folder }, files);
      retried = (await client.runs.create('dev', { repository: 'flaky', select: ['*'] })).id;
      await client.runs.wait('dev', retried);
      await client.principals.create({ name: 'vera', type: 'person', password: PASSWORD });
      const marts = { kind: 'TABLE', environment: 'dev', namespace: 'marts', table: 'days' } as const;
      await client.grants.create({ principal: 'vera', ...marts, action: 'READ_TABLE' });
    },
  },
  (t) => {
    test('a task leads to its snapshot, and the snapshot to the run and task that made it', async () => {
      const { page } = t.browser;
      await t.open(`/dev/runs/${t.s.failedRun}`);
      const task = page.getByRole('row').filter({ hasText: 'marts.days' }).first();
      await task.getByRole('link', { name: /^snapshot \d+$/ }).click();
      const snapshot = page.getByRole('row').filter({ hasText: 'current' });
      await snapshot.getByRole('link', { name: 'Run of marts.days' }).click();
      await page.getByText(`svc runs logs ${t.s.failedRun} --env dev`).first().waitFor();
      expect(new URL(page.url()).searchParams.get('task')).toBe('marts.days');
    });

    test('loads and queries name their principal, and a query opens in SQL', async () => {
      const { page } = t.browser;
      await t.s.client.queries.run('dev', "INSERT INTO sales.orders VALUES (9000, 'x', 1)");
      await t.open('/dev/catalog/sales/orders?tab=snapshots');
      await page.getByRole('row').filter({ hasText: 'Load admin' }).first().waitFor();
      await page.getByRole('row').filter({ hasText: 'current' }).getByRole('link', { name: 'Query' }).click();
      await page.waitForURL(/\/console\/dev\/sql\?query=[0-9a-f-]{36}$/);
    });

    test('what made a snapshot is neither shown nor sent to a reader of the table alone', async () => {
      const { page } = t.browser;
      const bodies = apiBodies(page);
      await t.open('/dev/catalog/marts/days?tab=snapshots', 'vera');
      const snapshot = page.getByRole('row').filter({ hasText: 'current' });
      await snapshot.waitFor();
      expect(await snapshot.getByRole('link').count()).toBe(0);
      expect(bodies.join('\n')).toContain('"made_by":null');
      expect(bodies.join('\n')).not.toContain(t.s.failedRun);
    });

    test('the attempts of a task show how they finished and lead to their part of the log', async () => {
      const { page } = t.browser;
      await t.open(`/dev/runs/${retried}`);
      const attempts = page.getByRole('list', { name: 'Attempts of flaky.days' });
      await attempts.getByText('failed', { exact: true }).nth(1).waitFor();
      await attempts.getByRole('link', { name: 'Attempt 1' }).click();
      await page.getByText('retrying (1 left)').waitFor();
      const lines = page.getByRole('log').getByText(/building table flaky.days/);
      expect(await lines.count()).toBe(1);
      await page.getByRole('button', { name: 'Attempt: 1' }).click();
      await lines.nth(1).waitFor();
      expect(new URL(page.url()).searchParams.get('attempt')).toBeNull();
    });

    test('a run and its retry lead to each other', async () => {
      const { page } = t.browser;
      await t.open(`/dev/runs/${retried}`);
      await page.getByRole('button', { name: 'Retry failed tasks' }).click();
      await page.getByText('Retry of').waitFor();
      const retry = new URL(page.url()).pathname.split('/').at(-1)!;
      await page.getByRole('link', { name: `…${retried.slice(-8)}` }).click();
      await page.getByText('Retried by').waitFor();
      await page.getByRole('link', { name: `…${retry.slice(-8)}` }).click();
      await page.getByText('Retry of').waitFor();
      await t.s.client.runs.wait('dev', retry);
    });

    test('the timeline can be dragged in the oldest supported browsers too', async () => {
      const { page } = t.browser;
      await page.addInitScript('delete AbortSignal.any');
      await t.open('/dev/runs');
      await page.locator('.lane-header').first().waitFor();
      const { x, y, width, height } = (await page.locator('canvas.timeline-canvas').boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 4, y + height / 2, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL((url) => url.searchParams.has('until'), { timeout: 10_000 });
    });
  },
);
