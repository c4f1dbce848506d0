import { describeConsole } from '../../testing/console-tests.ts';

// In these tests no interval ever fires, so that pages update only because of messages.

/** Starts no interval, and shows in attributes of the document which ones the page has set. */
const WITHOUT_INTERVALS = `
  const intervals = new Map();
  let last = 0;
  const show = () => {
    const all = [...intervals.values()];
    const { dataset } = document.documentElement;
    // The times on a page are updated every 30 seconds.
    dataset.calm = String(all.filter((ms) => ms === 60_000).length > 2 && all.every((ms) => ms >= 30_000));
    dataset.polls = String(all.filter((ms) => ms === 15_000).length > 1);
  };
  window.setInterval = (_, ms) => { intervals.set(++last, ms); show(); return last; };
  window.clearInterval = (id) => { intervals.delete(id); show(); };`;

describeConsole('live pages of the console', { browser: ({ page }) => page.addInitScript(WITHOUT_INTERVALS) }, (t) => {
  const open = async (path: string, name = 'ann') => {
    const stream = t.browser.page.waitForResponse((response) => response.url().includes('/api/v1/events/stream'));
    await t.open(path, name);
    return stream;
  };
  const startRun = () =>
    t.s.client.runs.create('dev', { repository: 'shop', select: ['*'], upstream: false, downstream: false });

  test('a run that a colleague starts appears and fails on the page without a reload (LIVE-1)', async () => {
    const { page } = t.browser;
    expect((await open('/dev/runs?view=list')).status()).toBe(200);
    await page.locator(`a[href*="${t.s.failedRun}"]`).first().waitFor();
    const run = await startRun();
    const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${run.id}"]`) });
    await row.getByText('failed').waitFor();
  });

  test('a description that a colleague changes is shown without a reload (LIVE-1)', async () => {
    const { page } = t.browser;
    expect((await open('/dev/catalog/sales/orders')).status()).toBe(200);
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    await t.s.client.tables.update('dev', 'sales.orders', { description: 'All orders since 2019.' });
    await page.getByText('All orders since 2019.').waitFor();
  });

  test('an idle tab sends at most 0.2 requests a second, and polls faster only without messages (LIVE-7)', async () => {
    const { page } = t.browser;
    await open('/dev');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.locator('html[data-calm="true"]').waitFor();
    await page.route('**/api/v1/events/stream*', (route) => route.abort());
    await page.reload();
    await page.locator('html[data-polls="true"]').waitFor();
  });
});
