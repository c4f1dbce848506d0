import { randomUUID } from 'node:crypto';
import type { SvcClient } from '@svc/sdk';
import { type Browser, openBrowser, overflow, seriousViolations, signIn } from '../../testing/browser.ts';
import { type ConsoleService, HOSTILE, PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

let rita: SvcClient;

/** The tabs of rita need a client of rita: nobody else reads them. */
async function signInRita({ client, clientOf }: ConsoleService): Promise<void> {
  rita = clientOf((await client.tokens.issue('rita', 'test')).token);
}

describeConsole('the tabs of the SQL page in a browser', { service: signInRita }, (t) => {
  const editorOf = ({ page }: Browser) => page.getByRole('textbox', { name: 'SQL statement' });
  const write = async (browser: Browser, sql: string) => {
    await editorOf(browser).focus();
    for (const key of ['Control+a', 'Delete']) await browser.page.keyboard.press(key);
    await browser.page.keyboard.insertText(sql);
    await browser.page.keyboard.press('Escape');
  };
  const titles = ({ page }: Browser) =>
    page.getByRole('tablist', { name: 'Statements' }).getByRole('tab').allTextContents();
  const tab = ({ page }: Browser, name: string) => page.getByRole('tab', { name, exact: true });
  const saved = ({ page }: Browser) => page.getByText('Saved', { exact: true }).waitFor();
  const stored = async () => (await rita.queryTabs.list('dev')).map(({ sql_text }) => sql_text);
  const second = async (path = '/dev/sql') => {
    const browser = await openBrowser(t.s.url);
    others.push(browser);
    await browser.page.goto(`${t.s.url}/console${path}`);
    await signIn(browser.page, 'rita', PASSWORD);
    return browser;
  };
  const refocus = ({ page }: Browser) => page.evaluate("window.dispatchEvent(new Event('focus'))");

  const others: Browser[] = [];
  afterEach(async () => {
    for (const other of others.splice(0)) {
      await other.close();
      expect(other.incidents).toEqual([]);
    }
    for (const { id, version } of await rita.queryTabs.list('dev')) await rita.queryTabs.delete('dev', id, version);
  });

  test('tabs are stored, restored in another browser, renamed, closed and opened again with the keyboard (TAB-1)', async () => {
    const { page } = t.browser;
    await t.open('/dev/sql', 'rita');
    await write(t.browser, 'SELECT $n + 1 AS first');
    await page.getByLabel('Type of $n').selectOption('int');
    await page.getByLabel('$n', { exact: true }).fill('40');
    await page.getByLabel('$n', { exact: true }).press('Enter');
    await page.getByRole('table', { name: 'Result' }).getByText('41', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Chart' }).click();
    await saved(t.browser);
    await page.getByRole('button', { name: 'New tab', exact: true }).press('Enter');
    await tab(t.browser, 'New tab').waitFor();
    await page.getByText('Run a statement to see its result').waitFor();
    await write(t.browser, `SELECT 2 -- ${HOSTILE.text}`);
    await saved(t.browser);
    expect(await stored()).toEqual(['SELECT $n + 1 AS first', `SELECT 2 -- ${HOSTILE.text}`]);
    expect(await seriousViolations(page)).toEqual([]);

    const other = await second();
    await tab(other, 'SELECT $n + 1 AS first').focus();
    await other.page.keyboard.press('ArrowRight');
    await other.page.keyboard.press('Home');
    await other.page.keyboard.press('Enter');
    await editorOf(other).getByText('SELECT $n + 1 AS first').waitFor();
    expect(await other.page.getByLabel('$n', { exact: true }).inputValue()).toBe('40');
    await other.page.getByRole('img', { name: /^first by first: 1 point/ }).waitFor();
    expect([...new URL(other.page.url()).searchParams.keys()].sort()).toEqual(['open', 'query', 'tab']);
    await tab(other, 'SELECT $n + 1 AS first').focus();
    await other.page.keyboard.press('F2');
    await other.page.getByLabel('Title of the tab').fill('the first');
    await other.page.keyboard.press('Enter');
    await tab(other, 'the first').waitFor();
    expect(await other.page.evaluate('document.activeElement.textContent')).toBe('the first');
    await saved(other);
    const deleted = other.page.waitForResponse((response) => response.request().method() === 'DELETE');
    await other.page.keyboard.press('Delete');
    await editorOf(other).getByText('SELECT 2').waitFor();
    expect((await deleted).status()).toBe(204);
    await other.page.getByRole('button', { name: 'Reopen the tab that was closed last' }).click();
    await editorOf(other).getByText('SELECT $n + 1 AS first').waitFor();
    await saved(other);
    expect(await stored()).toHaveLength(2);
    await other.page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(other.page)).toBe(0);
    expect(await other.page.evaluate('window.hostile')).toBeUndefined();
    // The tab that was closed there goes here too, and the one that was opened comes.
    await refocus(t.browser);
    await tab(t.browser, 'the first').waitFor();
    expect(await titles(t.browser)).toHaveLength(2);
  });

  test('of two texts of the same tab none is lost: both are shown, and the choice is stored (TAB-3)', async () => {
    await t.open('/dev/sql', 'rita');
    const { page } = t.browser;
    await write(t.browser, 'SELECT 1');
    await saved(t.browser);
    const other = await second(page.url().replace(`${t.s.url}/console`, ''));
    await editorOf(other).getByText('SELECT 1').waitFor();
    await write(other, 'SELECT 1 AS theirs');
    await saved(other);
    await write(t.browser, 'SELECT 1 AS mine');
    const notice = page.getByRole('alert', { name: 'Two texts of this tab' });
    const theirs = page.getByLabel('Text from the other browser');
    expect(await theirs.inputValue()).toBe('SELECT 1 AS theirs');
    await editorOf(t.browser).getByText('SELECT 1 AS mine').waitFor();
    expect(await stored()).toEqual(['SELECT 1 AS theirs']);
    expect(await seriousViolations(page)).toEqual([]);
    await notice.getByRole('button', { name: 'Keep both in two tabs' }).click();
    await tab(t.browser, 'SELECT 1 AS mine').waitFor();
    await saved(t.browser);
    expect(await stored()).toEqual(['SELECT 1 AS theirs', 'SELECT 1 AS mine']);

    // A text that nothing was changed in here is replaced by the newer one.
    await refocus(other);
    await tab(other, 'SELECT 1 AS mine').click();
    await write(other, 'SELECT 1 AS newer');
    await saved(other);
    await refocus(t.browser);
    await editorOf(t.browser).getByText('SELECT 1 AS newer').waitFor();

    await write(other, 'SELECT 1 AS first_choice');
    await saved(other);
    await write(t.browser, 'SELECT 1 AS second_choice');
    await notice.getByRole('button', { name: 'Use the other text' }).click();
    await editorOf(t.browser).getByText('first_choice').waitFor();
    await page.getByRole('button', { name: 'Reopen the tab that was closed last' }).click();
    await editorOf(t.browser).getByText('second_choice').waitFor();
    await saved(t.browser);
    expect(await stored()).toEqual(['SELECT 1 AS theirs', 'SELECT 1 AS first_choice', 'SELECT 1 AS second_choice']);
  });

  test('a text that could not be saved is shown as such, survives a reload, and is saved later', async () => {
    const { page } = t.browser;
    await t.open('/dev/sql', 'rita');
    await write(t.browser, 'SELECT 1');
    await saved(t.browser);
    await page.route('**/query-tabs/*', (route) => route.abort());
    await write(t.browser, 'SELECT 1 AS while_offline');
    await page.getByText("This tab isn't saved.").waitFor();
    await tab(t.browser, 'SELECT 1 AS while_offline (not saved)').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(await stored()).toEqual(['SELECT 1']);
    await page.reload();
    await editorOf(t.browser).getByText('SELECT 1 AS while_offline').waitFor();
    await page.getByText("This tab isn't saved.").waitFor();
    await page.unroute('**/query-tabs/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await saved(t.browser);
    expect(await stored()).toEqual(['SELECT 1 AS while_offline']);

    // One that another browser has closed is stored again once something is written in it.
    const [closed] = await rita.queryTabs.list('dev');
    await rita.queryTabs.delete('dev', closed!.id, closed!.version);
    await write(t.browser, 'SELECT 1 AS still_here');
    await saved(t.browser);
    expect(await stored()).toEqual(['SELECT 1 AS still_here']);
  });

  test('the 31st tab says that there are too many, and keeps its text (TAB-4)', async () => {
    const { page } = t.browser;
    await t.open('/dev/sql', 'rita');
    await write(t.browser, 'SELECT 0');
    await saved(t.browser);
    for (let n = 1; n < 30; n++)
      await rita.queryTabs.save('dev', randomUUID(), { version: 0, sql: `SELECT ${n} -- ${'long '.repeat(20)}` });
    await refocus(t.browser);
    await page.getByRole('tab', { name: /^SELECT 29/ }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'New tab', exact: true }).click();
    await write(t.browser, 'SELECT 31');
    await page.getByText('You have 30 query tabs in this environment, and at most 30 are possible.').waitFor();
    await page.getByRole('tab', { name: /^SELECT 29/ }).click();
    await page.getByRole('button', { name: /^Close the tab SELECT 29/ }).click();
    // It is stored as soon as there is space.
    await page.getByRole('tab', { name: 'SELECT 31', exact: true }).click();
    await saved(t.browser);
    expect(await stored()).toContain('SELECT 31');
  });

  test('links open a new tab that is not stored, or the one with the same text, and run nothing', async () => {
    const { page } = t.browser;
    const ran: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/queries')) ran.push(request.url());
    });
    const { id } = await rita.queries.run('dev', 'SELECT 7 AS linked').then(({ query }) => query);
    await t.open('/dev/sql', 'rita');
    await write(t.browser, 'SELECT 1 AS draft');
    await saved(t.browser);
    for (const [path, text] of [
      [`query=${id}`, 'SELECT 7 AS linked'],
      ['sql=SELECT%208%20AS%20written', 'SELECT 8 AS written'],
      ['table=sales.orders', 'FROM "sales"."orders"'],
    ] as const)
      for (const _ of ['opens it', 'finds it again']) {
        await page.goto(`${t.s.url}/console/dev/sql?${path}`);
        await editorOf(t.browser).getByText(text).waitFor();
      }
    await page.waitForURL((url) => url.searchParams.has('open') && !url.searchParams.has('table'));
    expect(await titles(t.browser)).toEqual([
      'SELECT 1 AS draft',
      'SELECT 7 AS linked',
      'SELECT 8 AS written',
      'SELECT * FROM "sales"."orders" LIMIT 100',
    ]);
    expect(await stored()).toEqual(['SELECT 1 AS draft']);
    expect(ran).toEqual([]);

    // For someone without this tab, the address opens the same query.
    const url = new URL(page.url());
    url.search = `?open=${randomUUID()}&query=${id}`;
    await page.goto(url.href);
    await page.getByRole('table', { name: 'Result' }).getByText('7', { exact: true }).waitFor();
    expect(await titles(t.browser)).toHaveLength(4);
  });

  test('the tabs of one person are nowhere in the traffic of another, who signs in in the same browser (TAB-2)', async () => {
    const { page } = t.browser;
    await t.open('/dev/sql', 'rita');
    await write(t.browser, "SELECT 'secret of rita'");
    await page.getByRole('button', { name: 'Account of rita' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const texts: Promise<string>[] = [];
    page.on('response', (response) => {
      if (/\/api\/(?!v1\/events)/.test(response.url())) texts.push(response.text().catch(() => ''));
    });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await signIn(page, 'ann', PASSWORD);
    await page.getByRole('button', { name: 'Account of ann' }).waitFor();
    await page.goto(`${t.s.url}/console/dev/sql`);
    await tab(t.browser, 'New tab').waitFor();
    await write(t.browser, 'SELECT 1 AS ann');
    await saved(t.browser);
    expect((await Promise.all(texts)).join('\n')).not.toContain('secret of rita');
    expect(sent.join('\n')).not.toContain('secret of rita');
    expect(await stored()).toEqual(["SELECT 'secret of rita'"]);
    await page.getByRole('button', { name: /^Close the tab/ }).click();
    await tab(t.browser, 'New tab').waitFor();
  });

  test('a person who signs in in one tab of the browser sees nothing of the earlier one in the others (TAB-2)', async () => {
    const { page, context } = t.browser;
    await t.open('/dev/sql', 'rita');
    await write(t.browser, "SELECT 'secret of rita'");
    await saved(t.browser);
    const other = await context.newPage();
    await other.goto(`${t.s.url}/console/dev`);
    await other.getByRole('button', { name: 'Account of rita' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(other, 'ann', PASSWORD);
    await page.getByRole('button', { name: 'Account of ann' }).waitFor();
    expect(await page.content()).not.toContain('secret of rita');
    await tab(t.browser, 'New tab').waitFor();
    expect(await titles(t.browser)).toEqual(['New tab']);
  });

  test('the result of a statement is shown in the tab that ran it, also if another one is shown when it arrives', async () => {
    const { page } = t.browser;
    await t.open('/dev/sql', 'rita');
    await write(t.browser, 'SELECT 41 + 1 AS answer');
    await saved(t.browser);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/environments/dev/queries', async (route) => {
      if (route.request().method() === 'POST') await released;
      await route.continue();
    });
    const submitted = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'New tab', exact: true }).click();
    await tab(t.browser, 'New tab').waitFor();
    release();
    expect((await submitted).status()).toBe(201);
    await page.getByRole('tab', { name: 'SELECT 41 + 1 AS answer' }).click();
    await page.getByRole('table', { name: 'Result' }).getByText('42', { exact: true }).waitFor();
    await tab(t.browser, 'New tab').click();
    await page.getByText('Run a statement to see its result').waitFor();
    expect(new URL(page.url()).searchParams.has('query')).toBe(false);
  });
});
