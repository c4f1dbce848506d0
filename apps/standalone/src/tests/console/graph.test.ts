import { readFile } from 'node:fs/promises';
import { apiBodies } from '../../testing/browser.ts';
import { PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';
import { deployFiles } from '../../testing/projects.ts';

const ALL = { repository: 'shop', select: ['*'], upstream: false, downstream: false };

describeConsole(
  'graphs in the console',
  {
    service: async (s) => {
      const { client } = s;
      await client.principals.create({ name: 'rob', type: 'person', password: PASSWORD });
      await client.repositories.create({ name: 'report' });
      const files = { 'svc.yaml': '', 'assets/report/days.sql': 'SELECT day AS reported FROM marts.days' };
      await deployFiles(client, { env: 'dev', repository: 'report', folder: s.folder }, files);
      await client.runs.wait('dev', (await client.runs.create('dev', { ...ALL, repository: 'report' })).id);
      await client.grants.create({ principal: 'rob', kind: 'ENVIRONMENT', environment: 'dev', action: 'RUN' });
    },
  },
  (t) => {
    test('the graph of a run leads to a task, its facts and its log', async () => {
      const { page } = t.browser;
      await t.open(`/dev/runs/${t.s.failedRun}`);
      await page.getByRole('link', { name: 'Graph' }).click();
      await page.getByRole('link', { name: 'marts.busy, failed · marts' }).click();
      const details = page.getByRole('complementary', { name: 'Selection' });
      await details.getByText('row_count failed: 1 row').waitFor();
      expect(new URL(page.url()).search).toBe('?tab=graph&task=marts.busy');
      await details.getByRole('link', { name: 'marts.days' }).click();
      await details.getByRole('heading', { name: 'marts.days' }).waitFor();
      await page.goBack();
      await details.getByRole('heading', { name: 'marts.busy' }).waitFor();
      await details.getByRole('link', { name: 'Log' }).click();
      await page.getByRole('log').getByText('check row_count failed: it returned 1 row').waitFor();
    });

    test('the graph is used with the keyboard: arrows follow dependencies, Enter selects, Escape ends the selection', async () => {
      const { page } = t.browser;
      await t.open(`/dev/runs/${t.s.failedRun}?tab=graph`);
      const node = (name: string) => page.getByRole('link', { name: `marts.${name}, ` });
      await node('days').waitFor();
      await page.getByRole('button', { name: 'SVG' }).focus();
      await page.keyboard.press('Tab');
      const canvas = page.getByRole('group', { name: 'Graph of the tasks' });
      const before = await canvas.locator('> g').getAttribute('transform');
      await page.keyboard.press('+');
      await page.keyboard.press('ArrowRight');
      expect(await canvas.locator('> g').getAttribute('transform')).not.toBe(before);
      await page.keyboard.press('0');
      expect(await canvas.locator('> g').getAttribute('transform')).toBe(before);
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page
        .getByRole('complementary', { name: 'Selection' })
        .getByRole('heading', { name: 'marts.busy' })
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('complementary', { name: 'Selection' }).waitFor({ state: 'detached' });
    });

    test('a search finds tasks, and the list has the graph as text', async () => {
      const { page } = t.browser;
      await t.open(`/dev/runs/${t.s.failedRun}?tab=graph&q=bus`);
      await page.getByRole('status').getByText('1 match').waitFor();
      await page.getByRole('searchbox', { name: 'Find in the graph' }).press('Enter');
      await page.waitForURL((url) => url.searchParams.get('task') === 'marts.busy');
      await page.getByText('List of dependencies').click();
      const row = page.getByRole('row').filter({ has: page.getByText('failed · marts') });
      expect(await row.getByRole('link').allTextContents()).toEqual(['marts.busy', 'marts.days']);
    });

    test('the graph is saved as a file that needs nothing else', async () => {
      const { page } = t.browser;
      await t.open(`/dev/runs/${t.s.failedRun}?tab=graph`);
      await page.getByRole('link', { name: 'marts.days, ' }).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'SVG' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`run-${t.s.failedRun}.svg`);
      const text = await readFile(await file.path(), 'utf8');
      expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d/);
      expect(text).toContain('>busy</text>');
      expect(text).toMatch(/<rect[^>]* fill="rgb\(/);
      expect(text).not.toMatch(/var\(|class=|href|style=|<a /);
    });

    test('without READ_ENVIRONMENT, the graph of an own run explains what is missing', async () => {
      const { page } = t.browser;
      const rob = t.s.clientOf((await t.s.client.tokens.issue('rob', 'test')).token);
      const run = await t.s.client.runs.wait('dev', (await rob.runs.create('dev', ALL)).id);
      await t.open(`/dev/runs/${run.id}?tab=graph`, 'rob');
      await page.getByRole('heading', { name: "You can't see what depends on what" }).waitFor();
      await page.getByRole('link', { name: 'Tasks' }).click();
      await page.getByRole('link', { name: 'marts.days' }).waitFor();
    });

    test('the lineage of an environment leads to an asset, to its table and to the lineage of the table', async () => {
      const { page } = t.browser;
      await t.open('/dev/catalog');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Lineage' }).click();
      await page.getByRole('combobox', { name: 'Repository' }).selectOption('shop');
      await page.getByRole('link', { name: 'marts.busy, table · marts' }).click();
      const details = page.getByRole('complementary', { name: 'Selection' });
      await details.getByText('Last write').waitFor();
      expect(new URL(page.url()).search).toBe('?repository=shop&asset=marts.busy');
      await page.getByText('svc lineage marts.busy --env dev').waitFor();
      await details.getByRole('link', { name: 'Table', exact: true }).click();
      await page.getByRole('heading', { name: 'busy' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Lineage' }).click();
      await page.waitForURL((url) => url.pathname === '/console/dev/lineage/marts/busy');
      await details.getByRole('heading', { name: 'marts.busy' }).waitFor();
      await details.getByText('declared').waitFor();
      await page.getByRole('combobox', { name: 'Direction' }).selectOption('downstream');
      await details.getByText('Nothing that you can see.').first().waitFor();
      await page.getByText('svc lineage marts.busy --env dev --direction downstream').waitFor();
    });

    test('a connection shows the run and the columns that it is known from', async () => {
      const { page } = t.browser;
      await t.open('/dev/lineage/marts/days?asset=report.days');
      const details = page.getByRole('complementary', { name: 'Selection' });
      await details.getByText('1 column').click();
      expect(await details.getByRole('cell').allTextContents()).toEqual(['day', 'reported']);
      await details.getByRole('link', { name: 'this run' }).click();
      await page.getByRole('link', { name: 'report.days' }).waitFor();
    });

    test('a reader of one table sees its lineage, and no asset of others, on the page or in the traffic', async () => {
      const { page } = t.browser;
      const bodies = apiBodies(page);
      await t.open('/dev/lineage', 'rita');
      await page.getByRole('heading', { name: "You can't see the assets of this environment" }).waitFor();
      await page.goto(`${t.s.url}/console/dev/lineage/sales/orders`);
      await page.getByRole('link', { name: 'sales.orders, managed · sales' }).waitFor();
      await page.goto(`${t.s.url}/console/dev/lineage/marts/days`);
      await page.getByRole('alert').waitFor();
      const named = bodies.filter((body) => /marts\.busy|secret_plans/.test(body));
      expect(named).toEqual([]);
    });

    test('an environment without projects teaches the next step', async () => {
      await t.open('/prod/lineage');
      await t.browser.page.getByText('svc deploy . --env prod').waitFor();
    });
  },
);
