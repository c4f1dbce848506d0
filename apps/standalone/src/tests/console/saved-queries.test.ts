import { overflow, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

let shared: string;

describeConsole(
  'saved queries in a browser',
  {
    service: async ({ client }) => {
      const saved = await client.savedQueries.create('dev', HOSTILE.column, 'SELECT 1 AS shared_by_admin', {
        description: HOSTILE.text,
        shared: true,
      });
      shared = saved.id;
      await client.savedQueries.create('dev', 'private of admin', 'SELECT 2 AS hidden_from_others');
    },
  },
  (t) => {
    const editor = () => t.browser.page.getByRole('textbox', { name: 'SQL statement' });
    const write = async (sql: string) => {
      await editor().focus();
      await t.browser.page.keyboard.press('Control+a');
      await t.browser.page.keyboard.press('Delete');
      await t.browser.page.keyboard.insertText(sql);
      await t.browser.page.keyboard.press('Escape');
    };
    const bar = () => t.browser.page.getByRole('region', { name: 'Saved query', exact: true });
    const dialog = () => t.browser.page.getByRole('dialog');
    const button = (name: string) => bar().getByRole('button', { name, exact: true });

    test('a statement is saved with its parameters, opened by its address, changed, shared and deleted (SAVED-1, SAVED-4)', async () => {
      const { page } = t.browser;
      await t.open('/dev/sql', 'rita');
      await bar().getByText('Not saved under a name').waitFor();
      await write('SELECT $n AS n');
      await page.getByLabel('Type of $n').selectOption('int');
      await page.getByLabel('$n', { exact: true }).fill('41');
      await button('Save …').click();
      await dialog().getByLabel('Name').fill('the answer');
      await dialog().getByLabel('Description').fill('to everything');
      await dialog().getByText("svc saved-query create 'the answer' 'SELECT $n AS n' --env dev -p n:int=41").waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await dialog().getByRole('button', { name: 'Save query' }).click();
      await bar().getByText('private', { exact: true }).waitFor();
      await page.getByText(/^svc sql --env dev --saved [0-9a-f-]+$/).waitFor();

      // The address opens it, and the defaults are in the fields.
      await page.evaluate('sessionStorage.clear()');
      const { href, searchParams } = new URL(page.url());
      expect([...searchParams.keys()].sort()).toEqual(['open', 'saved']);
      await page.goto('about:blank');
      await page.goto(href);
      await editor().getByText('SELECT $n AS n').waitFor();
      expect(await page.getByLabel('$n', { exact: true }).inputValue()).toBe('41');
      await page.getByLabel('$n', { exact: true }).fill('42');
      await page.getByLabel('$n', { exact: true }).press('Enter');
      await page.getByRole('table', { name: 'Result' }).getByText('42', { exact: true }).waitFor();
      expect(await bar().getByText('changed').count()).toBe(0);
      expect(await button('Save changes').isDisabled()).toBe(true);

      await write('SELECT $n + 0 AS n');
      await bar().getByText('changed').waitFor();
      await bar()
        .getByText(
          /^printf %s 'SELECT \$n \+ 0 AS n' \| svc saved-query update \S+ --env dev --version 1 --from=- -p n:int=41$/,
        )
        .waitFor();
      await button('Save changes').click();
      await page.getByText('Updated the saved query the answer.').waitFor();
      await bar().getByText('changed').waitFor({ state: 'detached' });

      await button('Edit …').click();
      await dialog().getByLabel('Name').fill('the final answer');
      await dialog()
        .getByLabel(/^Share with everyone/)
        .check();
      await dialog().getByLabel('Replace the defaults with the values of the fields').check();
      await dialog()
        .getByText(/--name 'the final answer' --shared -p n:int=42$/)
        .waitFor();
      await dialog().getByRole('button', { name: 'Edit', exact: true }).click();
      await bar().getByText('shared', { exact: true }).waitFor();
      const [saved] = await t.s.client.savedQueries.list('dev', { owner: 'rita' });
      expect(saved).toMatchObject({
        name: 'the final answer',
        description: 'to everything',
        shared: true,
        sql_text: 'SELECT $n + 0 AS n',
        parameters: [{ name: 'n', type: 'int', default: '42' }],
      });

      await button('Delete …').click();
      await dialog().getByText('It is deleted for everyone who uses it.').waitFor();
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await bar().getByText('Not saved under a name').waitFor();
      expect(await t.s.client.savedQueries.list('dev', { owner: 'rita' })).toEqual([]);
      await editor().getByText('SELECT $n + 0 AS n').waitFor();
    });

    test('the list shows own and shared queries, and nothing of the private ones of others (SAVED-2, SAVED-3)', async () => {
      const { page } = t.browser;
      const received: Promise<string>[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/saved-queries')) received.push(response.text().catch(() => ''));
      });
      await t.open('/dev/sql?tab=saved', 'rita');
      await page.getByRole('link', { name: HOSTILE.column }).waitFor();
      await page.locator('header').getByText('svc saved-query list --env dev').waitFor();
      expect(await page.getByText('private of admin').count()).toBe(0);
      expect(await seriousViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await overflow(page)).toBe(0);
      await page.getByLabel('Search names, descriptions and statements').fill('hidden_from_others');
      await page.getByText('No saved query matches').waitFor();
      await page.getByRole('button', { name: 'Remove the filters' }).click();
      await page.getByRole('link', { name: HOSTILE.column }).press('Enter');
      await editor().getByText('SELECT 1 AS shared_by_admin').waitFor();
      await bar().getByText('of admin').waitFor();
      expect(await overflow(page)).toBe(0);
      // Only its owner and administrators change it; everyone can save a copy.
      expect(await bar().getByRole('button').allTextContents()).toEqual(['Save as …']);
      await button('Save as …').click();
      await dialog().getByLabel('Name').fill('the answer, again');
      await dialog().getByRole('button', { name: 'Save query' }).click();
      await bar().getByText('private', { exact: true }).waitFor();
      await button('Delete …').click();
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await bar().getByText('Not saved under a name').waitFor();
      const texts = (await Promise.all(received)).join('\n');
      expect(texts).toContain('shared_by_admin');
      expect(texts).not.toMatch(/private of admin|AS hidden_from_others/);
      expect(await page.evaluate('window.hostile')).toBeUndefined();
    });

    test('an administrator changes the shared query of someone else, except for its name, and loses sight of it (SAVED-4)', async () => {
      const { page } = t.browser;
      await t.open(`/dev/sql?saved=${shared}`, 'ann');
      await button('Edit …').click();
      await dialog().getByText('who alone can rename it').waitFor();
      expect(await dialog().getByLabel('Name').count()).toBe(0);
      await dialog()
        .getByLabel(/^Share with everyone/)
        .uncheck();
      await dialog().getByText('Once it is private, you no longer see it.').waitFor();
      await dialog().getByRole('button', { name: 'Edit', exact: true }).click();
      await bar().getByText('Not saved under a name').waitFor();
      await page.goto(`${t.s.url}/console/dev/sql?saved=${shared}`);
      await bar()
        .getByText(/saved query/)
        .waitFor();
      await t.s.client.savedQueries.update('dev', shared, { shared: true });
    });

    test('a query that was changed since shows both texts, and saving replaces none unseen (SAVED-9)', async () => {
      const { page } = t.browser;
      const { savedQueries } = t.s.client;
      const { id } = await savedQueries.create('dev', 'of two people', 'SELECT 1 AS first', { shared: true });
      const stored = () => savedQueries.get('dev', id);
      const conflict = () => page.getByRole('alert', { name: 'The saved query has changed' });
      await t.open(`/dev/sql?saved=${id}`, 'ann');
      await editor().getByText('SELECT 1 AS first').waitFor();
      await write('SELECT 1 AS mine');
      await bar().getByText('changed').waitFor();
      await savedQueries.update('dev', id, { sql: 'SELECT 1 AS theirs' });
      await button('Save changes').click();
      await conflict().waitFor();
      expect(await conflict().getByLabel('Saved text').inputValue()).toBe('SELECT 1 AS theirs');
      expect(await editor().textContent()).toContain('SELECT 1 AS mine');
      expect(await stored()).toMatchObject({ version: 2, sql_text: 'SELECT 1 AS theirs' });
      expect(await seriousViolations(page)).toEqual([]);

      // The version that the text comes from survives a reload, which loads the changed query.
      await page.getByText('Saved', { exact: true }).first().waitFor();
      await page.reload();
      await conflict().waitFor();
      expect(await button('Save changes').isDisabled()).toBe(true);
      await conflict().getByRole('button', { name: 'Replace it with mine' }).click();
      await page.getByText('Updated the saved query of two people.').waitFor();
      await conflict().waitFor({ state: 'detached' });
      expect(await stored()).toMatchObject({ version: 3, sql_text: 'SELECT 1 AS mine' });

      await write('SELECT 1 AS mine_again');
      await savedQueries.update('dev', id, { sql: 'SELECT 1 AS theirs_again' });
      await button('Save changes').click();
      await conflict().getByRole('button', { name: 'Use the saved text' }).click();
      await editor().getByText('SELECT 1 AS theirs_again').waitFor();
      await bar().getByText('changed').waitFor({ state: 'detached' });

      // The same in the dialog: fields that weren't changed there follow, and the others stay.
      await button('Edit …').click();
      await dialog().getByLabel('Description').fill('mine');
      await savedQueries.update('dev', id, { shared: false });
      await savedQueries.update('dev', id, { shared: true, description: 'theirs' });
      await dialog().getByRole('button', { name: 'Edit', exact: true }).click();
      await dialog().getByText('The query has changed since you opened this dialog').waitFor();
      expect(await dialog().getByLabel('Description').inputValue()).toBe('mine');
      expect((await stored()).description).toBe('theirs');
      await dialog().getByRole('button', { name: 'Edit', exact: true }).click();
      await dialog().waitFor({ state: 'detached' });
      expect(await stored()).toMatchObject({ description: 'mine', shared: true, sql_text: 'SELECT 1 AS theirs_again' });
      expect(await conflict().count()).toBe(0);
    });

    test('a name that is taken leaves the dialog with the reason', async () => {
      const { page } = t.browser;
      await t.open('/dev/sql', 'rita');
      await t.s.client.savedQueries.list('dev');
      for (const expected of [/^Saved the query/, /You already have a saved query named twice/]) {
        await write('SELECT 1');
        await page.getByRole('button', { name: /^Save( as)? …$/ }).click();
        await dialog().getByLabel('Name').fill('twice');
        await dialog().getByRole('button', { name: 'Save query' }).click();
        await page.getByText(expected).first().waitFor();
      }
    });

    test('a statement with the line endings of Windows opens unchanged, and its errors are marked where they are', async () => {
      const { page } = t.browser;
      const sql = 'SELECT 1 AS one,\r\n\r\n\r\n\r\nmissing\r\nFROM range(3)';
      const { id } = await t.s.client.savedQueries.create('dev', 'from Windows', sql, { shared: true });
      await t.open(`/dev/sql?saved=${id}`, 'rita');
      await editor().getByText('FROM range(3)').waitFor();
      await page.getByText(`svc sql --env dev --saved ${id}`).waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('missing').nth(1).waitFor();
      expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['missing']);
      expect(await bar().getByText('changed').count()).toBe(0);
      await editor().press('Control+End');
      await page.keyboard.insertText(' LIMIT 1');
      await bar().getByText('changed').waitFor();
    });
  },
);
