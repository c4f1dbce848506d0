import { overflow, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

describeConsole('the SQL page in a browser', {}, (t) => {
  const editor = () => t.browser.page.getByRole('textbox', { name: 'SQL statement' });
  const write = async (sql: string) => {
    await editor().focus();
    await t.browser.page.keyboard.press('Control+a');
    await t.browser.page.keyboard.press('Delete');
    await t.browser.page.keyboard.insertText(sql);
    // Closes the completions.
    await t.browser.page.keyboard.press('Escape');
  };
  const cell = (text: string) => t.browser.page.getByRole('table', { name: 'Result' }).getByText(text, { exact: true });

  test('parameters have fields while the statement is written, and are sent as values (QUERY-12)', async () => {
    const { page } = t.browser;
    await t.open('/dev/sql', 'rita');
    await write('SELECT id, $text AS text FROM sales.orders WHERE id = $n');
    await page.getByLabel('$text', { exact: true }).fill(HOSTILE.column);
    await page.getByLabel('$n', { exact: true }).fill('7x');
    await page.getByLabel('Type of $n').selectOption('int');
    await page.getByLabel('$n', { exact: true }).press('Enter');
    await page.getByText(/^\$n: .*Could not convert string '7x' to INT32/).waitFor();
    expect(await page.getByLabel('$n', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('$n', { exact: true }).fill('7');
    const submitted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/queries'),
    );
    await page.getByLabel('$n', { exact: true }).press('Enter');
    await cell(HOSTILE.column).waitFor();
    await page.getByText('-p n:int=7').waitFor();
    expect((await submitted).postDataJSON()).toEqual({
      sql: 'SELECT id, $text AS text FROM sales.orders WHERE id = $n',
      params: { text: HOSTILE.column, n: { type: 'int', value: '7' } },
    });
    expect(await page.evaluate('window.hostile')).toBeUndefined();
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflow(page)).toBe(0);
    await page.reload();
    await cell(HOSTILE.column).waitFor();
    expect(await page.getByLabel('$n', { exact: true }).inputValue()).toBe('7');
    await write('SELECT ? + ?');
    await page.getByLabel('number 1', { exact: true }).fill('40');
    await page.getByLabel('Type of number 1').selectOption('long');
    await page.getByLabel('number 2', { exact: true }).fill('2');
    await page.getByLabel('Type of number 2').selectOption('long');
    await page.getByRole('button', { name: 'Run' }).click();
    await cell('42').waitFor();
    await page.getByText(/svc api POST environments\/dev\/queries/).waitFor();
  });

  test('the plan of a statement is a tree, without running it; a policy shows nothing of itself (QUERY-19)', async () => {
    const { page } = t.browser;
    const ran: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/queries')) ran.push(request.postDataJSON().sql);
    });
    await t.open('/dev/sql', 'rita');
    await write('SELECT customer, count(*) FROM sales.orders WHERE id > 5 GROUP BY 1');
    await page.getByRole('link', { name: 'Plan' }).click();
    const plan = page.getByRole('region', { name: 'Operators' });
    const scan = plan.getByRole('listitem').filter({ hasText: 'sales.orders' }).last();
    await scan.getByText(/Filters: .*id/).waitFor();
    await scan.getByText(/^about [\d,]+ rows$/).waitFor();
    await page
      .getByText("svc sql 'EXPLAIN SELECT customer, count(*) FROM sales.orders WHERE id > 5 GROUP BY 1'")
      .waitFor();
    await page.getByRole('button', { name: 'Copy the plan as text' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });

    const filter = { principal: 'rita', predicate: "customer <> 'hidden'" };
    const { id } = await t.s.client.rowFilters.create('dev', 'sales.orders', filter);
    const received: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/queries')) received.push(await response.text().catch(() => ''));
    });
    await page.getByRole('button', { name: 'Update the plan' }).press('Enter');
    await page.getByText(/^There are no estimates/).waitFor();
    await scan.waitFor();
    expect(received.join('\n')).not.toContain('hidden');
    await t.s.client.rowFilters.delete(id);
    await write('SELECT * FROM secret_plans.budget');
    await page.getByText('The statement has changed since.').waitFor();
    await page.getByRole('button', { name: 'Update the plan' }).click();
    await page
      .getByRole('alert')
      .getByText(/secret_plans.budget.* doesn't exist, or you don't have READ_TABLE/)
      .waitFor();
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.filter((sql) => !sql.startsWith('EXPLAIN '))).toEqual([]);
  });
});
