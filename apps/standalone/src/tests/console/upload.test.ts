import { overflow, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

const csvFile = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

describeConsole('uploads in the console', {}, (t) => {
  const choose = async (file: ReturnType<typeof csvFile>) => {
    const input = t.browser.page.locator('input[type=file]');
    await input.waitFor({ state: 'attached' });
    await input.setInputFiles(file);
  };

  test('a file becomes a table with edited columns; the error of a line leaves everything as it was entered', async () => {
    const { page } = t.browser;
    const csv = 'id;day;note\n1;2024-01-01;<b>x</b>\n2;2024-01-02;y\n';
    await t.open('/dev/catalog/sales');
    await page.getByRole('link', { name: 'Upload a file' }).click();
    await choose(csvFile('notes.txt', csv));
    await page.getByRole('alert').getByText('The format of notes.txt is unknown').waitFor();
    await choose(csvFile('day notes.csv', csv));
    await page.getByText("svc table load sales.day_notes 'day notes.csv' --env dev --create").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel('Name of the table').fill('visits');
    await page.getByLabel('Name of id').fill('visit');
    await page.getByLabel('Type of note').fill('int');
    await page.getByLabel('id may be null').uncheck();
    await page.getByText("--column 'id:long!' --column note:int").waitFor();
    await page.getByRole('button', { name: 'Create and load' }).click();
    const error = page.getByRole('alert').getByText('Line 2, column "note"');
    await error.waitFor();
    expect(await page.getByLabel('Name of id').inputValue()).toBe('visit');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBe(0);
    await page.getByLabel('Type of note').fill('nonsense');
    await page.getByRole('button', { name: 'Create and load' }).click();
    await page.getByRole('listitem').getByText('"nonsense" is not a column type').waitFor();
    await page.getByLabel('Type of note').fill('string');
    await page.getByRole('button', { name: 'Create and load' }).click();
    await page.getByText('Loaded 2 rows into sales.visits.').waitFor();
    await page.waitForURL('**/console/dev/catalog/sales/visits');
    const { columns, row_count } = await t.s.client.tables.get('dev', 'sales.visits');
    expect(row_count).toBe(2);
    expect(columns.map(({ name, type, nullable }) => `${name} ${type} ${nullable}`)).toEqual([
      'visit long false',
      'day date true',
      'note string true',
    ]);
  });

  test('a file with hostile names, dropped anywhere on the page, is shown as text', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales');
    await page.getByRole('link', { name: 'Upload a file' }).waitFor();
    const text = `${JSON.stringify({ [HOSTILE.column]: 1, b: 'x' })}\n`;
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(text)}], '<img src=x onerror=alert(1)>.jsonl'));
      document.querySelector('h1').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    })()`);
    const name = page.getByLabel(`Name of ${HOSTILE.column}`);
    await name.waitFor();
    expect(await page.getByLabel('Name of the table').inputValue()).toBe('img_src_x_onerror_alert_1');
    await name.fill('b');
    await page.getByText('Two columns are named "b".').waitFor();
    expect(await page.getByRole('button', { name: 'Create and load' }).isDisabled()).toBe(true);
    await name.fill('a');
    await page.getByRole('button', { name: 'Create and load' }).click();
    await page.getByText('Loaded 1 row into sales.img_src_x_onerror_alert_1.').waitFor();
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });

  test('a file is added, replaces or updates the rows of a table, and broken lines are left out on request', async () => {
    const { page } = t.browser;
    const columns = [
      { name: 'id', type: 'int' },
      { name: 'note', type: 'string' },
    ];
    await t.s.client.tables.create('dev', 'sales.notes', { columns });
    const rows = async () => {
      const { query } = await t.s.client.queries.run('dev', 'SELECT id, note FROM sales.notes ORDER BY id');
      return (await t.s.client.queries.results('dev', query.id)).rows;
    };
    await t.open('/dev/catalog/sales/notes');
    await page.getByRole('link', { name: 'Load a file' }).click();
    await choose(csvFile('notes.csv', 'id,note\n1,a\nx,b\n'));
    await page.getByText('svc table load sales.notes notes.csv --env dev').waitFor();
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByRole('alert').getByText('Line 3, column "id"').waitFor();
    await page.getByLabel(/^Leave out up to 1,000 lines/).check();
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText("Left out 1 line that can't be loaded.").waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the lines' }).click();
    expect((await download).suggestedFilename()).toBe('sales.notes.rejected.csv');
    expect(await rows()).toEqual([[1, 'a']]);
    await choose(csvFile('more.csv', 'id,note\n1,c\n2,d\n'));
    await page.getByLabel('Rows of the table').selectOption('merge');
    expect(await page.getByRole('button', { name: 'Load', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('id', { exact: true }).check();
    await page.getByText('svc table load sales.notes more.csv --env dev --mode merge --key id').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText('Loaded 2 rows (merge).').waitFor();
    expect(await rows()).toEqual([
      [1, 'c'],
      [2, 'd'],
    ]);
    await choose(csvFile('new.ndjson', '{"id":9}\n'));
    await page.getByLabel('Rows of the table').selectOption('replace');
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText('Loaded 1 row (replace).').waitFor();
    expect(await rows()).toEqual([[9, null]]);
  });

  test('a large file is sent in parts, and after a broken connection only the missing ones', async () => {
    const { page } = t.browser;
    await t.s.client.tables.create('dev', 'sales.texts', { columns: [{ name: 'text', type: 'string' }] });
    await t.open('/dev/catalog/sales/texts?tab=load');
    const sent: string[] = [];
    await page.route('**/parts/*', (route) => {
      const part = route.request().url().split('/').at(-1)!;
      const isBroken = part === '2' && !sent.includes('broken');
      sent.push(isBroken ? 'broken' : part);
      return isBroken ? route.fulfill({ status: 409, json: { detail: 'The line is down.' } }) : route.continue();
    });
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    await page.evaluate(`(() => {
      const input = document.querySelector('input[type=file]');
      const line = 'x'.repeat(1024 * 1024) + '\\n';
      const files = new DataTransfer();
      files.items.add(new File(['text\\n', ...Array.from({ length: 65 }, () => line)], 'texts.csv'));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByRole('alert').getByText('The line is down.').waitFor();
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText('Loaded 65 rows (append).').waitFor();
    expect(sent).toEqual(['1', 'broken', '2']);
  });

  test('another attempt after a lost response does not load the rows twice', async () => {
    const { page } = t.browser;
    await t.s.client.tables.create('dev', 'sales.once', { columns: [{ name: 'id', type: 'int' }] });
    await t.open('/dev/catalog/sales/once?tab=load');
    await choose(csvFile('once.csv', 'id\n1\n'));
    await page.route('**/writes/*', (route) => route.fulfill({ status: 500, json: { detail: 'Lost.' } }));
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByRole('alert').getByText('Lost.').waitFor();
    await page.getByText('The load has started. Try again to see its result.').waitFor();
    expect(await page.getByLabel('Rows of the table').isDisabled()).toBe(true);
    await page.unroute('**/writes/*');
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText('Loaded 1 row (append).').waitFor();
    expect((await t.s.client.tables.get('dev', 'sales.once')).row_count).toBe(1);
  });

  test('callers without permission see no upload, and the service refuses theirs', async () => {
    const { page } = t.browser;
    await t.open('/dev/catalog/sales/orders', 'rita');
    await page.getByRole('link', { name: 'Preview' }).waitFor();
    expect(await page.getByRole('link', { name: 'Load a file' }).count()).toBe(0);
    await page.goto(`${t.s.url}/console/dev/catalog/sales?tab=upload`);
    await choose(csvFile('few.csv', 'a\n1\n'));
    await page
      .getByRole('alert')
      .getByText(/may not CREATE_TABLE/)
      .waitFor();
    await page.goto(`${t.s.url}/console/dev/catalog/sales/orders?tab=load`);
    await choose(csvFile('few.csv', 'id\n1\n'));
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/may not WRITE_TABLE/)
      .waitFor();
  });
});
