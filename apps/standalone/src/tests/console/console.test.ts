import { apiBodies, signIn } from '../../testing/browser.ts';
import { HOSTILE, PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

describeConsole('the console in a browser', {}, (t) => {
  test('the sign-in reports a wrong password, leads back to the page, and leaves no token to scripts (ACCESS-28)', async () => {
    const { page, context } = t.browser;
    await page.goto(`${t.s.url}/console/dev/catalog/sales?tab=dropped`);
    await signIn(page, 'ann', 'wrong');
    await page
      .getByRole('alert')
      .getByText(/The name or the password is wrong/)
      .waitFor();
    await signIn(page, 'ann', PASSWORD);
    await page.getByRole('button', { name: 'Undrop old' }).waitFor();
    expect(page.url()).toBe(`${t.s.url}/console/dev/catalog/sales?tab=dropped`);
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'svc_session', httpOnly: true, sameSite: 'Strict' });
    expect(stored).not.toContain(cookie!.value);
    expect(stored).not.toMatch(/svc_(pat|ses|task)_/);
    await page.getByRole('button', { name: 'Account of ann' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    expect(await context.cookies()).toEqual([]);
  });

  test('an address that leads to another host after the sign-in is ignored', async () => {
    await t.open(`/sign-in?to=${encodeURIComponent('//example.org/')}`);
    await t.browser.page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(t.browser.page.url()).toBe(`${t.s.url}/console/dev`);
  });

  test('a dropped table is restored, and a table rolled back', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales?tab=dropped');
    await page.getByRole('button', { name: 'Undrop old' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undrop' }).click();
    await page.getByRole('heading', { name: 'No dropped tables' }).waitFor();
    expect((await t.s.client.tables.get('dev', 'sales.old')).name).toBe('old');
    await page.goto(`${t.s.url}/console/dev/catalog/sales/orders?tab=snapshots`);
    await page.getByRole('button', { name: 'Roll back' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Rolled back sales.orders.').waitFor();
    expect((await t.s.client.tables.get('dev', 'sales.orders')).row_count).toBe(10);
    const [current] = (await t.s.client.tables.snapshots('dev', 'sales.orders')).slice(0, 1);
    expect(current).toBeDefined();
    await t.s.client.tables.rollback('dev', 'sales.orders', current!.snapshot_id);
  });

  test('hostile names and texts are shown as they are and do nothing', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales/hostile');
    await page.getByText(HOSTILE.column).waitFor();
    await page.getByText(HOSTILE.long).waitFor();
    await page.goto(`${t.s.url}/console/dev/catalog/sales/orders`);
    await page.getByText('<script>window.hostile=1</script> \\u202egpj.exe').waitFor();
    await page.goto(`${t.s.url}/console/dev/catalog/sales/hostile?tab=preview`);
    await page.getByRole('columnheader', { name: HOSTILE.column }).waitFor();
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });

  test('a reader of one table sees no other names, on the page or in the traffic', async () => {
    const { page } = t.browser;
    const bodies = apiBodies(page);
    await t.open('/dev/catalog?q=id', 'rita');
    await page.getByRole('link', { name: 'sales.orders.id' }).waitFor();
    const shownFor = async (table: string) => {
      await page.goto(`${t.s.url}/console/dev/catalog/${table.replace('.', '/')}`);
      const text = (await page.getByRole('alert').textContent()) ?? '';
      return text.replace(/budget|absent/g, 'TABLE').replace(/Request .*/, '');
    };
    expect(await shownFor('secret_plans.budget')).toBe(await shownFor('secret_plans.absent'));
    await page.goto(`${t.s.url}/console/dev`);
    await page.getByRole('region', { name: 'Read last' }).getByText('sales.orders').waitFor();
    expect(await page.getByRole('region', { name: 'Needs attention' }).count()).toBe(0);
    await page.goto(`${t.s.url}/console/dev/runs`);
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    // An error repeats the name of the address, and no more.
    const named = bodies.filter((body) => /secret_plans|hostile/.test(body)).map((body) => JSON.parse(body).status);
    expect(named.filter((status) => status !== 403 && status !== 404)).toEqual([]);
  });

  test('a statement is written with completion and run with the keyboard; errors are marked at their place', async () => {
    const { page } = t.browser;
    await t.open('/dev/sql');
    const editor = page.getByRole('textbox', { name: 'SQL statement' });
    await editor.focus();
    await page.keyboard.type('SELECT nope FROM sales.ord');
    await page.getByRole('option', { name: /sales\.orders/ }).waitFor();
    await page.keyboard.type('ers');
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('alert')
      .getByText(/column "nope" doesn't exist/)
      .waitFor();
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('nope');
    await editor.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Delete');
    await page.keyboard.type('SELECT * FROM sales.orders ORDER BY id');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('table', { name: 'Result' }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'SELECT * FROM sales.orders ORDER BY id' }).first().click();
    await page.getByRole('table', { name: 'Result' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^query-.*\.csv$/);
  });

  test('the palette opens a table with the keyboard', async () => {
    const { page } = t.browser;
    await t.open('/dev/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('orders');
    await page.getByRole('option', { name: /sales\.orders Table/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    expect(page.url()).toBe(`${t.s.url}/console/dev/catalog/sales/orders`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  test('the home page leads to what failed, and to what can be restored', async () => {
    const { page } = t.browser;
    await t.open('/dev');
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'All assets' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(t.s.failedRun));
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('region', { name: 'Can be restored' }).getByRole('link', { name: 'sales.eu.gone' }).click();
    await page.getByRole('button', { name: 'Undrop gone' }).waitFor();
  });

  test('the timeline is moved with the keyboard, its address has the period, and a line leads to the runs of its job', async () => {
    const { page } = t.browser;
    await t.open('/dev/runs?since=6h');
    const timeline = page.getByRole('region', { name: /^Timeline\./ });
    await timeline.getByText('without a job · 1 run, 1 failed').waitFor();
    await timeline.focus();
    await page.keyboard.press('-');
    await page.waitForURL((url) => url.searchParams.get('since') === '12h' && url.searchParams.has('until'));
    // The runs of some lengths around the period are loaded with it, but have no line.
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Earlier' }).click();
    await timeline.getByText('No runs in this period. Move it').waitFor();
    await timeline.getByText('without a job').waitFor({ state: 'detached' });
    for (let i = 0; i < 8; i++) await page.getByRole('button', { name: 'Earlier' }).click();
    await timeline.getByText('No runs in this period or close to it').waitFor();
    await page.getByRole('button', { name: 'Now' }).click();
    await page.waitForURL((url) => !url.searchParams.has('until'));
    await timeline.getByRole('link', { name: 'shop' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'list');
    await page.getByRole('link', { name: 'All assets' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(t.s.failedRun));
    await page.goBack();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByLabel('Status').selectOption('succeeded');
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await timeline.getByText('without a job · 1 run, 1 failed').waitFor();
  });

  test('the rows that failed a check are a query away, with the permissions of the viewer', async () => {
    const { page } = t.browser;
    await t.open(`/dev/runs/${t.s.failedRun}`);
    await page.getByRole('link', { name: 'Query the rejected rows' }).click();
    await page.getByText(`"marts"."busy" AT (VERSION => 'failed_check')`).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('columnheader', { name: 'day' }).waitFor();
  });

  test('a failed run shows its checks and its log, and is retried', async () => {
    const { page } = t.browser;
    await t.open(`/dev/runs/${t.s.failedRun}`);
    await page.getByText('row_count failed: 1 row').waitFor();
    await page.getByRole('link', { name: 'Logs' }).click();
    await page.getByRole('log').getByText('check row_count failed: it returned 1 row').waitFor();
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('no such line');
    await page.getByRole('heading', { name: 'No line matches' }).waitFor();
    await page.getByRole('button', { name: 'Retry failed tasks' }).click();
    await page.waitForURL((url) => url.pathname.includes('/runs/') && !url.pathname.endsWith(t.s.failedRun));
    await page.getByText('row_count failed: 1 row').waitFor();
  });
});
