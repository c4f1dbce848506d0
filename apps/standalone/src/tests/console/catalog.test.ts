import { overflow, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

describeConsole('the catalog in the console', {}, (t) => {
  test('comments of a table, its columns and its namespace are edited in place with the keyboard', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales/old?tab=columns');
    await page.getByRole('alert').getByRole('heading', { name: 'Not found' }).waitFor();
    await page.goto(`${t.s.url}/console/dev/catalog/sales/orders`);
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
    const table = await t.s.client.tables.get('dev', 'sales.orders');
    expect(table.description).toBe('Orders of all shops\nsince 2020');
    expect(table.columns.map(({ description }) => description)).toEqual([null, null, 'In euros']);
    await t.s.client.tables.update('dev', 'sales.orders', { description: HOSTILE.text });
    await page.goto(`${t.s.url}/console/dev/catalog/sales`);
    await page.getByRole('button', { name: 'Add description of sales', exact: true }).click();
    await page.keyboard.insertText('What we sell');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Edit description of sales', exact: true }).waitFor();
    expect((await t.s.client.namespaces.get('dev', 'sales')).description).toBe('What we sell');
  });

  test('a comment that is refused stays in its field, and the comment of a hostile column is saved', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales/hostile');
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
    expect((await t.s.client.tables.get('dev', 'sales.hostile')).columns[0]?.description).toBe(HOSTILE.text);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });

  test('a comment in a protected environment needs a reason, and a reader has no button', async () => {
    const { page } = t.browser;
    await t.s.client.namespaces.create('prod', 'shop', { breakGlass: 'test' });
    await t.open('/prod/catalog/shop');
    await page.getByRole('button', { name: 'Add description of shop' }).click();
    await page.keyboard.insertText('Live');
    await page.getByLabel('Reason for the change').fill('described for the audit');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit description of shop' }).waitFor();
    expect((await t.s.client.namespaces.get('prod', 'shop')).description).toBe('Live');
    await t.browser.context.clearCookies();
    await t.open('/dev/catalog/sales/orders', 'rita');
    await page.getByRole('cell', { name: 'customer' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBe(0);
    expect(await page.getByRole('button', { name: /^(Add|Edit) / }).count()).toBe(0);
  });

  test('the profile of a table shows nulls, extremes and distributions, with statements that the SQL page opens', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales/orders?tab=profile');
    const amount = page.getByRole('row', { name: /^amount double/ });
    await amount.getByRole('img', { name: /^Rows of amount in 10 equal ranges: 150, 150/ }).waitFor();
    expect(await amount.getByRole('cell').nth(5).textContent()).toBe('1499.5');
    const customer = page.getByRole('row', { name: /^customer string/ });
    expect(await customer.getByRole('listitem').first().textContent()).toMatch(/^customer \d14 %$/);
    await page.getByText('2 statements').click();
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBe(0);
    await page.getByRole('link', { name: 'Open statement 1 in SQL' }).click();
    await page.getByText('approx_count_distinct').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/dev/sql');
  });

  test('a profile of 200 columns with hostile names and unsupported types, on request and within policies', async () => {
    const { page } = t.browser;
    const types = ['int', 'string', 'timestamptz', 'decimal(10,2)', 'binary', 'list<int>', 'uuid', 'boolean'];
    const columns = Array.from({ length: 200 }, (_, index) => ({
      name: index === 1 ? HOSTILE.column : index === 2 ? 'a" FROM x; --' : `c${index}`,
      type: types[index % types.length]!,
    }));
    await t.s.client.tables.create('dev', 'sales.wide', { columns });
    const lines = Array.from({ length: 30 }, (_, row) => ({
      c0: row,
      [HOSTILE.column]: `it's <b>${row % 2}</b>`,
      c3: row / 4,
    }));
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    await t.s.client.writes.wait(
      'dev',
      (await t.s.client.tables.load('dev', 'sales.wide', body, { format: 'ndjson' })).id,
    );
    const object = {
      kind: 'TABLE',
      environment: 'dev',
      namespace: 'sales',
      table: 'wide',
      action: 'READ_TABLE',
    } as const;
    await t.s.client.grants.create({ principal: 'rita', ...object });
    await t.s.client.rowFilters.create('dev', 'sales.wide', { principal: 'rita', predicate: 'c0 < 10' });
    await t.s.client.columnMasks.create('dev', 'sales.wide', { principal: 'rita', column: 'c3', expression: 'NULL' });
    await page.route('**/namespaces/sales/tables/wide', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), row_count: 2_000_000 } });
    });
    await t.open('/dev/catalog/sales/wide?tab=profile', 'rita');
    await page.getByRole('button', { name: /^Profile 2,000,000 rows/ }).click();
    await page.getByText('10 rows, read by queries with your permissions').waitFor();
    const hostile = page.getByRole('row', { name: HOSTILE.column });
    await hostile.getByText("it's <b>1</b>").first().waitFor();
    expect(await page.getByRole('row', { name: /^c0 / }).getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['0', '9']),
    );
    expect(await page.getByRole('row', { name: /^c3 / }).getByText('10 (100 %)').count()).toBe(1);
    expect(await page.getByText('no profile for this type').count()).toBe(50);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
    await page.getByText(/^\d+ statements$/).waitFor();
  });

  test('a profile is canceled with its query', async () => {
    const { page } = t.browser;
    let start: () => void;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    await page.route('**/queries/*', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      // Never answered: the query runs until it is canceled.
      start();
    });
    const canceled = page.waitForRequest(
      (request) => /queries\/[^/]+\/cancel$|queries\/[^/]+$/.test(request.url()) && request.method() !== 'GET',
    );
    await t.open('/dev/catalog/sales/orders?tab=profile');
    await started;
    await page.getByRole('button', { name: 'Cancel' }).click();
    await canceled;
    await page.getByRole('button', { name: 'Profile 1,500 rows' }).waitFor();
  });

  test('a retention is set, and a legal hold placed and released', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales/orders?tab=retention');
    await page.getByRole('button', { name: 'Set retention …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Days without use').fill('90');
    await dialog.getByText('svc table retention sales.orders --env dev --days 90').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Set retention' }).click();
    await page.getByText('90 days without use').waitFor();
    expect(await t.s.client.tables.retention('dev', 'sales.orders')).toMatchObject({ days: 90, set_by: 'ann' });
    await page.getByRole('button', { name: 'Set retention …' }).click();
    await dialog.getByLabel('The table expires').selectOption('On a day');
    await dialog.getByLabel('Day', { exact: true }).fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Set retention' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('The table expires').selectOption('Never');
    await dialog.getByRole('button', { name: 'Set retention' }).click();
    await page.getByText('never expires').waitFor();
    await page.getByRole('button', { name: 'Place a legal hold …' }).click();
    await dialog.getByLabel('Reason').fill(HOSTILE.text);
    await dialog.getByLabel(/^Ends on/).fill('2999-01-01');
    await dialog.getByRole('button', { name: 'Place a legal hold on' }).click();
    await page.getByText('Legal hold: <script>').waitFor();
    const { hold } = await t.s.client.tables.get('dev', 'sales.orders');
    expect(hold).toMatchObject({ reason: HOSTILE.text, until: '2999-01-01T00:00:00.000Z', set_by: 'ann' });
    await page.getByRole('button', { name: 'Release the legal hold …' }).click();
    await dialog.getByRole('button', { name: 'Release the legal hold on' }).click();
    await page.getByText('No legal hold.').waitFor();
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });

  test('a reader sees the rule without its buttons, and a protected environment says that nothing expires', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales/orders?tab=retention', 'rita');
    await page.getByRole('heading', { name: 'Legal hold' }).waitFor();
    expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
    await t.s.client.namespaces.create('prod', 'live', { breakGlass: 'test' });
    await t.s.client.tables.create('prod', 'live.t', { columns: [{ name: 'id', type: 'long' }], breakGlass: 'test' });
    await t.browser.context.clearCookies();
    await t.open('/prod/catalog/live/t?tab=retention');
    await page.getByText('The environment prod is protected: its tables never expire').waitFor();
    await page.getByRole('button', { name: 'Place a legal hold …' }).waitFor();
    expect(await page.getByRole('button', { name: 'Set retention …' }).count()).toBe(0);
  });
});
