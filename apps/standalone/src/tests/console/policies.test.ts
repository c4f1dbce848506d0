import { overflow, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE, PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

const TABLE = '/dev/catalog/sales/orders?tab=access';

describeConsole(
  'policies in the console',
  {
    async service({ client }) {
      await client.groups.create('emea');
      await client.groups.addMember('emea', 'rita');
      await client.principals.create({ name: 'pam', type: 'person', password: PASSWORD });
      const sales = { environment: 'dev', namespace: 'sales', table: 'orders' };
      for (const grant of [
        { kind: 'TABLE', ...sales, action: 'READ_TABLE' },
        { kind: 'ENVIRONMENT', environment: 'dev', action: 'SUBMIT_QUERY' },
        { kind: 'INSTANCE', action: 'MANAGE_POLICY' },
      ] as const)
        await client.grants.create({ principal: 'pam', ...grant });
    },
  },
  (t) => {
    test('a row filter and a mask are created after their effect was shown, changed in one moment, and removed', async () => {
      const { page } = t.browser;
      // Without ADMIN: who manages policies needs nothing else.
      await t.open(TABLE, 'pam');
      const policies = page.getByRole('region', { name: 'Row filters and column masks' });
      await policies.getByText('No policies: everyone who can read').waitFor();
      await policies.getByRole('button', { name: 'Filter rows …' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Kind of target').selectOption('group');
      await dialog.getByLabel('Group', { exact: true }).fill('emea');
      await dialog.getByLabel('Rows that stay visible').fill('id < 100 -- few');
      await dialog
        .getByText("svc policy row-filter create sales.orders --env dev --group emea --predicate 'id < 100")
        .waitFor();
      await dialog.getByRole('button', { name: 'Show the effect' }).click();
      await dialog.getByText('100 of 1,500 rows stay visible.').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await dialog.getByLabel('Rows that stay visible').fill('nope = 1');
      expect(await dialog.getByText(/rows stay visible/).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Create row filter' }).click();
      await dialog.getByRole('alert').getByText('nope').first().waitFor();
      expect(await dialog.getByLabel('Rows that stay visible').inputValue()).toBe('nope = 1');
      await dialog.getByLabel('Rows that stay visible').fill('id < 100');
      await dialog.getByRole('button', { name: 'Create row filter' }).click();
      await page.getByText('Created the row filter of sales.orders.').waitFor();
      await policies.getByRole('button', { name: 'Mask a column …' }).click();
      await dialog.getByLabel('Principal', { exact: true }).fill('rita');
      await dialog.getByLabel('Column').selectOption('customer');
      await dialog.getByLabel('Shown instead').fill("upper(left(customer, 1)) || '***'");
      await dialog.getByRole('button', { name: 'Show the effect' }).click();
      await dialog.getByRole('cell', { name: 'C***' }).first().waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflow(page)).toBe(0);
      await dialog.getByRole('button', { name: 'Create column mask' }).click();
      await policies.getByText('mask of customer', { exact: true }).waitFor();
      const [before] = await t.s.client.rowFilters.list('dev', 'sales.orders');
      await policies.getByRole('button', { name: 'Change row filter for group emea' }).click();
      await dialog.getByLabel('Rows that stay visible').fill('id < 7');
      await dialog.getByText(`--replace ${before!.id}`).waitFor();
      await dialog.getByRole('button', { name: 'Change row filter' }).click();
      await policies.getByRole('cell', { name: 'id < 7' }).waitFor();
      expect((await t.s.client.rowFilters.list('dev', 'sales.orders')).map(({ predicate }) => predicate)).toEqual([
        'id < 7',
      ]);
      await policies.getByRole('button', { name: 'Remove row filter for group emea' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Removed the row filter for group emea.').waitFor();
      expect(await t.s.client.rowFilters.list('dev', 'sales.orders')).toEqual([]);
      await policies.getByRole('link', { name: 'View as rita' }).click();
      await page.getByText('The first 100 rows as').waitFor();
      const masks = await t.s.client.columnMasks.list('dev', 'sales.orders');
      expect(masks.map(({ column, principal }) => [column, principal])).toEqual([['customer', 'rita']]);
      for (const { id } of masks) await t.s.client.columnMasks.delete(id);
    });

    test('a table is viewed as another principal, with what is filtered and masked, or why it is not readable', async () => {
      const { page } = t.browser;
      const { client } = t.s;
      await client.rowFilters.create('dev', 'sales.orders', { group: 'emea', predicate: 'id < 3' });
      await client.columnMasks.create('dev', 'sales.orders', {
        ...{ principal: 'rita', column: 'customer', expression: `'<img src=x onerror="window.hostile=1">'` },
      });
      await client.principals.create({ name: HOSTILE.column, type: 'person' });
      await t.open('/dev/catalog/sales/orders?tab=preview', 'pam');
      await page.getByText('The first 100 rows').waitFor();
      const form = page.getByRole('form', { name: 'View as' });
      await form.getByLabel('Principal').fill('rita');
      await page.keyboard.press('Enter');
      await page.getByText('3 rows as').waitFor();
      expect(new URL(page.url()).searchParams.get('as')).toBe('rita');
      await page.getByText('svc policy preview sales.orders --env dev --principal rita').waitFor();
      await page.getByText('Row filter (group emea)').waitFor();
      const rows = page.getByRole('table', { name: 'First rows of orders for rita' });
      expect(await rows.getByRole('cell', { name: '<img src=x' }).count()).toBe(3);
      await rows.getByText('masked').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflow(page)).toBe(0);
      const views = async () =>
        (await t.s.events('TABLE_PREVIEWED')).map(({ principal, detail }) => [principal, detail['principal']]);
      expect((await views()).slice(-1)).toEqual([['pam', 'rita']]);
      // The address is the view, and going back is the own one.
      await form.getByLabel('Principal').fill(HOSTILE.column);
      await form.getByRole('button', { name: 'View', exact: true }).click();
      await page.getByRole('heading', { name: "can't read this table" }).waitFor();
      await page.getByText('no grant allows READ_TABLE on dev/sales/orders').waitFor();
      await page.goBack();
      await page.getByText('3 rows as').waitFor();
      await form.getByRole('button', { name: 'View as yourself' }).click();
      await page.getByText('The first 100 rows').waitFor();
      expect((await views()).slice(-3)).toEqual([
        ['pam', 'rita'],
        ['pam', HOSTILE.column],
        ['pam', 'rita'],
      ]);
      expect(await page.evaluate('window.hostile')).toBeUndefined();
      for (const policy of await client.rowFilters.list('dev', 'sales.orders'))
        await client.rowFilters.delete(policy.id);
    });

    test('a reader has no view of others, and a deep link to one is refused', async () => {
      const { page } = t.browser;
      await t.open('/dev/catalog/sales/orders?tab=preview', 'rita');
      await page.getByRole('table', { name: 'First rows of orders' }).waitFor();
      expect(await page.getByRole('form', { name: 'View as' }).count()).toBe(0);
      let requests = 0;
      page.on('response', (response) => {
        if (response.url().includes('/previews')) requests++;
      });
      await page.goto(`${t.s.url}/console/dev/catalog/sales/orders?tab=preview&as=ann`);
      await page.getByText('rita may not MANAGE_POLICY on the instance').first().waitFor();
      expect(requests).toBe(1);
      const denials = (await t.s.events('AUTHORIZATION_DENIED')).filter(({ principal }) => principal === 'rita');
      expect(denials.map(({ detail }) => detail['action'])).toEqual(['MANAGE_POLICY']);
    });

    test('hostile names and expressions are shown as text, and a reader sees no policy', async () => {
      const { page } = t.browser;
      await t.s.client.groups.create(HOSTILE.column.replaceAll('/', ''));
      const expression = `'<img src=x onerror="window.hostile=1">'`;
      await t.s.client.columnMasks.create('dev', 'sales.hostile', {
        ...{ group: HOSTILE.column.replaceAll('/', ''), column: HOSTILE.column, expression },
      });
      await t.open('/dev/catalog/sales/hostile?tab=access');
      await page.getByText(expression).waitFor();
      await page.getByRole('button', { name: /^Change mask of <img/ }).click();
      expect(await page.getByLabel('Shown instead').inputValue()).toBe(expression);
      expect(await page.evaluate('window.hostile')).toBeUndefined();
      await t.browser.context.clearCookies();
      const traffic: string[] = [];
      page.on('request', (request) => traffic.push(request.url()));
      await t.open(TABLE, 'rita');
      await page.getByRole('region', { name: 'What you can do' }).getByText('READ_TABLE').first().waitFor();
      expect(await page.getByRole('region', { name: 'Row filters and column masks' }).count()).toBe(0);
      expect(traffic.filter((url) => /row-filters|column-masks/.test(url))).toEqual([]);
    });
  },
);
