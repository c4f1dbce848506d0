import { readFile } from 'node:fs/promises';
import { BROWSER_NOTE, type Browser, inBrowser, openBrowser, signIn } from './testing/browser.ts';
import { PASSWORD, startConsoleService } from './testing/console-data.ts';

let s: Awaited<ReturnType<typeof startConsoleService>>;
let browser: Browser;

inBrowser(`graphs in the console${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    s = await startConsoleService();
    const { client } = s;
    await client.principals.create({ name: 'rob', type: 'person', password: PASSWORD });
    await client.grants.create({ principal: 'rob', kind: 'ENVIRONMENT', environment: 'dev', action: 'RUN' });
  });
  afterAll(() => s?.stop());
  beforeEach(async () => {
    browser = await openBrowser(s.url);
  });
  afterEach(async () => {
    await browser.close();
    expect(browser.incidents).toEqual([]);
  });

  const open = async (path: string, name = 'ann') => {
    await browser.page.goto(`${s.url}/console${path}`);
    await signIn(browser.page, name, PASSWORD);
  };

  test('the graph of a run leads to a task, its facts and its log', async () => {
    const { page } = browser;
    await open(`/dev/runs/${s.failedRun}`);
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
    const { page } = browser;
    await open(`/dev/runs/${s.failedRun}?tab=graph`);
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
    await page.getByRole('complementary', { name: 'Selection' }).getByRole('heading', { name: 'marts.busy' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Selection' }).waitFor({ state: 'detached' });
  });

  test('a search finds tasks, and the list has the graph as text', async () => {
    const { page } = browser;
    await open(`/dev/runs/${s.failedRun}?tab=graph&q=bus`);
    await page.getByRole('status').getByText('1 match').waitFor();
    await page.getByRole('searchbox', { name: 'Find in the graph' }).press('Enter');
    await page.waitForURL((url) => url.searchParams.get('task') === 'marts.busy');
    await page.getByText('List of dependencies').click();
    const row = page.getByRole('row').filter({ has: page.getByText('failed · marts') });
    expect(await row.getByRole('link').allTextContents()).toEqual(['marts.busy', 'marts.days']);
  });

  test('the graph is saved as a file that needs nothing else', async () => {
    const { page } = browser;
    await open(`/dev/runs/${s.failedRun}?tab=graph`);
    await page.getByRole('link', { name: 'marts.days, ' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'SVG' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`run-${s.failedRun}.svg`);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d/);
    expect(text).toContain('>busy</text>');
    expect(text).toMatch(/<rect[^>]* fill="rgb\(/);
    expect(text).not.toMatch(/var\(|class=|href|style=|<a /);
  });

  test('without READ_ENVIRONMENT, the graph of an own run explains what is missing', async () => {
    const { page } = browser;
    const rob = s.clientOf((await s.client.tokens.issue('rob', 'test')).token);
    const body = { repository: 'shop', select: ['*'], upstream: false, downstream: false };
    const run = await s.client.runs.wait('dev', (await rob.runs.create('dev', body)).id);
    await open(`/dev/runs/${run.id}?tab=graph`, 'rob');
    await page.getByRole('heading', { name: "You can't see what depends on what" }).waitFor();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('link', { name: 'marts.days' }).waitFor();
  });
});
