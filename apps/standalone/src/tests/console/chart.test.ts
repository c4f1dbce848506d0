import { overflow, seriousViolations, signIn } from '../../testing/browser.ts';
import { HOSTILE, PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

describeConsole('results in the console', {}, (t) => {
  /** Runs a statement in a new tab of a new page. */
  const run = async (sql: string) => {
    const { page } = t.browser;
    await page.goto(`${t.s.url}/console/dev/sql`);
    await signIn(page, 'ann', PASSWORD);
    // The tab of the test before shows its result.
    await page.getByRole('button', { name: 'New tab', exact: true }).click();
    await page.getByText('Run a statement to see its result').waitFor();
    await replace(sql);
    await page.getByText('Succeeded').waitFor();
  };

  const replace = async (sql: string) => {
    const { keyboard } = t.browser.page;
    await t.browser.page.getByRole('textbox', { name: 'SQL statement' }).focus();
    for (const key of ['Control+a', 'Delete']) await keyboard.press(key);
    await keyboard.insertText(sql);
    await keyboard.press('Control+Enter');
  };

  const choose = (label: string, option: string) =>
    t.browser.page.getByRole('main').getByRole('combobox', { name: label, exact: true }).selectOption(option);

  test('a result is drawn as a chart, which is a part of the address', async () => {
    const { page } = t.browser;
    await run('SELECT id, amount, amount * 2 AS double FROM sales.orders');
    await page.getByRole('link', { name: 'Chart' }).click();
    await page.getByRole('img', { name: 'amount by id: 1,500 points. The tab Result has the rows.' }).waitFor();
    await choose('Chart', 'scatter');
    await choose('y', 'double');
    await page.getByRole('img', { name: /^double by id: / }).waitFor();
    const address = new URL(page.url());
    expect([...address.searchParams.keys()].sort()).toEqual(['chart', 'open', 'query', 'tab', 'y']);
    await page.reload();
    await page.getByRole('img', { name: /^double by id: / }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBe(0);
    await replace('SELECT id, id * 3 AS double FROM sales.orders WHERE id < 10');
    await page.getByRole('img', { name: 'double by id: 10 points. The tab Result has the rows.' }).waitFor();
  });

  test('a chart of too many rows says so, and one without numbers teaches what it needs', async () => {
    const { page } = t.browser;
    await run('SELECT i AS n FROM range(10001) t(i)');
    await page.getByRole('link', { name: 'Chart' }).click();
    await page.getByText('Only the first 10,000 rows are drawn.').waitFor();
    await page.getByRole('img', { name: /^n by n: 10,000 points/ }).waitFor();
    await replace("SELECT 'a' AS name");
    await page.getByRole('heading', { name: 'The result has no column of numbers' }).waitFor();
  });

  test('hostile names and values in a chart do nothing', async () => {
    const { page } = t.browser;
    await run(`SELECT '${HOSTILE.text}' AS "${HOSTILE.column.replaceAll('"', '""')}", 1 AS "<b>n</b>"`);
    await page.getByRole('link', { name: 'Chart' }).click();
    await page.getByRole('img', { name: `<b>n</b> by ${HOSTILE.column}: 1 point.` }).waitFor();
    expect(await page.locator('.plot').locator('b, img, script').count()).toBe(0);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });

  test('the rows of a page are sorted by the title of a column, and copied', async () => {
    const { page, context } = t.browser;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await run("SELECT * FROM (VALUES ('b', 10), ('a', 9), ('tab\there', NULL)) t(name, n)");
    const grid = page.getByRole('table', { name: 'Result' });
    const names = async () => (await grid.getByRole('row').allTextContents()).slice(1);
    expect(await names()).toEqual(['1b10', '2a9', '3tab\\u0009herenull']);
    const header = grid.getByRole('columnheader', { name: /^n integer|^n int/ });
    await header.getByRole('button').press('Enter');
    expect(await names()).toEqual(['2a9', '1b10', '3tab\\u0009herenull']);
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await header.getByRole('button').press('Enter');
    await header.getByRole('button').press('Enter');
    expect(await names()).toEqual(['1b10', '2a9', '3tab\\u0009herenull']);
    await page.getByRole('button', { name: 'Copy these rows for a spreadsheet' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('name\tn\nb\t10\na\t9\n"tab\there"\t');
  });
});
