import { overflow, seriousViolations } from './testing/browser.ts';
import { HOSTILE } from './testing/console-data.ts';
import { describeConsole } from './testing/console-tests.ts';

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
});
