import {
  BROWSER_NOTE,
  type Browser,
  inBrowser,
  openBrowser,
  overflow,
  seriousViolations,
  signIn,
} from './testing/browser.ts';
import { HOSTILE, PASSWORD, startConsoleService } from './testing/console-data.ts';

let s: Awaited<ReturnType<typeof startConsoleService>>;
let browser: Browser;

inBrowser(`the catalog in the console${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    s = await startConsoleService();
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

  test('comments of a table, its columns and its namespace are edited in place with the keyboard', async () => {
    const { page } = browser;
    await open('/dev/catalog/sales/old?tab=columns');
    await page.getByRole('alert').getByRole('heading', { name: 'Not found' }).waitFor();
    await page.goto(`${s.url}/console/dev/catalog/sales/orders`);
    const edit = page.getByRole('button', { name: 'Edit description of sales.orders' });
    await edit.focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'description of sales.orders' });
    expect(await field.inputValue()).toBe(HOSTILE.text);
    await field.fill('Orders of all shops\nsince 2020');
    await page.getByText("svc table update sales.orders --env dev --description 'Orders of all shops").waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved the description of sales.orders.').waitFor();
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(await edit.getAttribute('aria-label'));
    await page.getByRole('button', { name: 'Add comment of amount' }).click();
    await page.keyboard.insertText('In euros');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'In euros' }).waitFor();
    const table = await s.client.tables.get('dev', 'sales.orders');
    expect(table.description).toBe('Orders of all shops\nsince 2020');
    expect(table.columns.map(({ description }) => description)).toEqual([null, null, 'In euros']);
    await s.client.tables.update('dev', 'sales.orders', { description: HOSTILE.text });
    await page.goto(`${s.url}/console/dev/catalog/sales`);
    await page.getByRole('button', { name: 'Add description of sales', exact: true }).click();
    await page.keyboard.insertText('What we sell');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Edit description of sales', exact: true }).waitFor();
    expect((await s.client.namespaces.get('dev', 'sales')).description).toBe('What we sell');
  });

  test('a comment that is refused stays in its field, and the comment of a hostile column is saved', async () => {
    const { page } = browser;
    await open('/dev/catalog/sales/hostile');
    await page.route('**/tables/hostile', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 409, json: { detail: 'The table has changed.', code: 'write-conflict' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: `Add comment of ${HOSTILE.column}` }).click();
    await page.keyboard.insertText(HOSTILE.text);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('The table has changed.').waitFor();
    const field = page.getByRole('textbox', { name: `comment of ${HOSTILE.column}` });
    expect(await field.inputValue()).toBe(HOSTILE.text);
    await page.unroute('**/tables/hostile');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '<script>window.hostile=1</script> \\u202egpj.exe' }).waitFor();
    expect((await s.client.tables.get('dev', 'sales.hostile')).columns[0]?.description).toBe(HOSTILE.text);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });

  test('a comment in a protected environment needs a reason, and a reader has no button', async () => {
    const { page } = browser;
    await s.client.namespaces.create('prod', 'shop', { breakGlass: 'test' });
    await open('/prod/catalog/shop');
    await page.getByRole('button', { name: 'Add description of shop' }).click();
    await page.keyboard.insertText('Live');
    await page.getByLabel('Reason for the change').fill('described for the audit');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit description of shop' }).waitFor();
    expect((await s.client.namespaces.get('prod', 'shop')).description).toBe('Live');
    await browser.context.clearCookies();
    await open('/dev/catalog/sales/orders', 'rita');
    await page.getByRole('cell', { name: 'customer' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBe(0);
    expect(await page.getByRole('button', { name: /^(Add|Edit) / }).count()).toBe(0);
  });
});
