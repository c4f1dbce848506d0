import { apiBodies, openBrowser, seriousViolations, signIn } from '../../testing/browser.ts';
import { HOSTILE, PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

describeConsole(
  'access in the console',
  {
    service: async (s) => {
      const { client } = s;
      for (const name of ['analysts', HOSTILE.column]) await client.groups.create(name);
      await client.groups.addMember('analysts', 'rita');
      await client.grants.create({
        group: 'analysts',
        kind: 'NAMESPACE',
        environment: 'dev',
        namespace: 'sales',
        role: 'ANALYST',
      });
      await client.grants.create({ group: HOSTILE.column, kind: 'ENVIRONMENT', environment: 'dev', action: 'RUN' });
      await client.rowFilters.create('dev', 'sales.orders', { group: 'analysts', predicate: 'id < 100' });
      await client.principals.create({ name: 'robot', type: 'service-account' });
    },
  },
  (t) => {
    test('the readers of a table are shown with their chains, and the address has the question', async () => {
      const { page } = t.browser;
      await t.open('/dev/access?tab=object');
      await page.getByLabel('Kind of object').selectOption('TABLE');
      await page.getByLabel('Namespace').fill('sales');
      await page.getByLabel('Table').fill('orders');
      await page.getByRole('button', { name: 'Show' }).click();
      const rita = page.getByRole('row').filter({ has: page.getByText('rita', { exact: true }) });
      await rita.getByText('granted action READ_TABLE').waitFor();
      expect(await rita.getByRole('list').nth(1).getByRole('listitem').allTextContents()).toEqual([
        'member of group analysts',
        'granted role ANALYST',
        'on namespace dev/sales',
        'which contains dev/sales/orders',
      ]);
      await page.getByText('svc access who --action READ_TABLE --scope dev/sales/orders', { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('table')).toBe('orders');
      await page.getByLabel('Table').fill('absent');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.goBack();
      await rita.getByText('granted action READ_TABLE').waitFor();
      expect(await page.getByLabel('Table').inputValue()).toBe('orders');
    });

    test('a permission is explained, and a denied one with the command that grants it', async () => {
      const { page } = t.browser;
      await t.open('/dev/access?tab=explain&principal=rita&kind=TABLE&namespace=sales&table=orders');
      await page.getByRole('heading', { name: 'rita has READ_TABLE on dev/sales/orders' }).waitFor();
      await page.getByLabel('Action', { exact: true }).selectOption('DROP_TABLE');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('heading', { name: "rita doesn't have DROP_TABLE on dev/sales/orders" }).waitFor();
      const command =
        'svc grant create --kind TABLE --principal rita --action DROP_TABLE --env dev --ns sales --table orders';
      await page.getByText(command, { exact: true }).waitFor();
      // The address has the time as an instant, which is the same for everyone who opens it.
      await page.getByLabel('Time in the past (default: now)').fill('2020-01-02T03:04');
      await page.getByRole('button', { name: 'Explain' }).click();
      const at = (await page.evaluate("new Date('2020-01-02T03:04').toISOString()")) as string;
      await page.getByText(`--at ${at}`).waitFor();
      expect(new URL(page.url()).searchParams.get('at')).toBe(at);
      await page.reload();
      expect(await page.getByLabel('Time in the past (default: now)').inputValue()).toBe('2020-01-02T03:04');
      await page.goBack();
      await page.getByText(command, { exact: true }).waitFor();
      expect(await page.getByLabel('Time in the past (default: now)').inputValue()).toBe('');
    });

    test('the address has for how long grants are unused; anything but a number of days is ignored', async () => {
      const { page } = t.browser;
      await t.open('/dev/access?tab=grants&unused=30');
      await page.getByText('svc grant list --unused-for 30d', { exact: true }).waitFor();
      await page.getByLabel('Unused for 30 days').uncheck();
      await page.getByText('svc grant list', { exact: true }).waitFor();
      await page.getByLabel('Unused for 90 days').check();
      await page.getByText('svc grant list --unused-for 90d', { exact: true }).waitFor();
      await page.goto(`${t.s.url}/console/dev/access?tab=grants&unused=many`);
      await page.getByText(`group ${HOSTILE.column}`, { exact: true }).waitFor();
      await page.getByText('svc grant list', { exact: true }).waitFor();
    });

    test('a grant is made and revoked; both show their effect before', async () => {
      const { page } = t.browser;
      await t.open('/dev/access?tab=grants');
      await page.getByText(`group ${HOSTILE.column}`, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Grant …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Principal', { exact: true }).fill('robot');
      await dialog.getByLabel('Role or action').selectOption('SUBMIT_QUERY');
      await dialog.getByText('robot gains on dev: SUBMIT_QUERY').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
      await page.getByText('Granted SUBMIT_QUERY to robot.').waitFor();
      await page.getByRole('button', { name: 'Revoke SUBMIT_QUERY from robot' }).click();
      await dialog.getByText('1 principal will lose permissions:').waitFor();
      await dialog.getByText('robot: SUBMIT_QUERY').waitFor();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked SUBMIT_QUERY from robot.').waitFor();
      expect(await t.s.client.grants.list({ principal_name: 'robot' })).toEqual([]);
      await page.getByLabel('Name of the grantee').fill('rita');
      await page.keyboard.press('Enter');
      await page.getByText('svc grant list --principal rita', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Revoke READ_TABLE from rita' }).click();
      await dialog.getByText('Nobody loses a permission').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.evaluate('window.hostile')).toBeUndefined();
    });

    test('the last administrator stays: the service says why before the button works', async () => {
      const { page } = t.browser;
      const admins = (await t.s.client.grants.list({ action: 'MANAGE_GRANT' })).filter(
        ({ principal }) => principal !== 'ann',
      );
      for (const { id } of admins) await t.s.client.grants.revoke(id);
      await t.open('/dev/access?tab=grants&principal=ann');
      await page.getByRole('button', { name: 'Revoke ADMIN from ann' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('alert').waitFor();
      expect(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Grant …' }).click();
      await dialog.getByLabel('Principal', { exact: true }).fill('admin');
      await dialog.getByLabel('Role or action').selectOption('ADMIN');
      await dialog.getByLabel('Kind of object').selectOption('INSTANCE');
      await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
      await page.getByText('Granted ADMIN to admin.').waitFor();
    });

    test('groups and principals are managed', async () => {
      const { page } = t.browser;
      await t.open('/dev/access?tab=groups');
      await page.getByRole('button', { name: 'Create group …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('stewards');
      await dialog.getByRole('button', { name: 'Create group' }).click();
      await page.getByRole('link', { name: 'stewards' }).click();
      await page.getByLabel('Principal', { exact: true }).fill('nobody');
      await page.keyboard.press('Enter');
      await page
        .getByRole('alert')
        .getByText(/nobody/)
        .waitFor();
      await page.getByLabel('Principal', { exact: true }).fill('robot');
      await page.keyboard.press('Enter');
      await page.getByText('Added robot to stewards.').waitFor();
      await page.getByRole('button', { name: 'Remove robot' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('heading', { name: 'No members' }).waitFor();
      await page.goto(`${t.s.url}/console/dev/access?tab=principals&q=robot`);
      await page.getByRole('button', { name: 'Deactivate robot' }).click();
      await dialog.getByRole('button', { name: 'Deactivate' }).click();
      await page.getByRole('button', { name: 'Activate robot', exact: true }).waitFor();
      expect((await t.s.client.principals.get('robot')).active).toBe(false);
      await page.getByRole('button', { name: 'Workloads of robot' }).click();
      await dialog.getByLabel('Subject').fill('repo:shop/pipelines:ref:refs/heads/main');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await dialog.getByRole('button', { name: 'Delete repo:shop/pipelines' }).waitFor();
      const [identity] = await t.s.client.workloadIdentities.list('robot');
      expect(identity).toMatchObject({ audience: t.s.url, environments: ['dev'] });
      await dialog.getByRole('cell', { name: 'in dev' }).waitFor();
      await dialog.getByRole('button', { name: 'Delete repo:shop/pipelines' }).click();
      await dialog.getByText('the tokens that it got stop working immediately').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await t.s.client.workloadIdentities.list('robot')).toHaveLength(1);
      await dialog.getByRole('button', { name: 'Delete repo:shop/pipelines' }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByText('No workloads').waitFor();
    });

    test('a token is shown once and stored nowhere; another session is revoked', async () => {
      const { page } = t.browser;
      await t.s.client.principals.create({ name: 'sam', type: 'person', password: PASSWORD });
      await t.s.client.grants.create({ principal: 'sam', kind: 'ENVIRONMENT', environment: 'dev', role: 'ANALYST' });
      const other = await openBrowser(t.s.url);
      await other.page.goto(`${t.s.url}/console/dev/catalog`);
      await signIn(other.page, 'sam', PASSWORD);
      await other.page.getByRole('heading', { name: 'Catalog' }).waitFor();
      await t.open('/dev/access?tab=tokens', 'sam');
      await page.getByText('this browser').waitFor();
      await page.getByRole('button', { name: 'Issue token …' }).click();
      await page.getByLabel('Name').fill('laptop');
      await page.getByRole('button', { name: 'Issue', exact: true }).click();
      const token = (await page.getByText(/^svc_pat_/).textContent())!;
      expect((await t.s.clientOf(token).access.me()).name).toBe('sam');
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Revoke laptop' }).waitFor();
      expect(await page.content()).not.toContain(token);
      const stored = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      expect(stored).not.toContain(token);
      await page.getByRole('button', { name: 'Revoke session' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked session.').waitFor();
      await other.page.reload();
      await other.page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
      await other.close();
    });

    test('all other sessions are signed out, also if one was signed out since', async () => {
      const { page } = t.browser;
      await t.s.client.principals.create({ name: 'tom', type: 'person', password: PASSWORD });
      await t.s.client.grants.create({ principal: 'tom', kind: 'ENVIRONMENT', environment: 'dev', role: 'ANALYST' });
      const clients = await Promise.all(
        [0, 1, 2].map(async () => t.s.clientOf((await t.s.client.access.signIn('tom', PASSWORD)).token)),
      );
      await t.open('/dev/access?tab=tokens', 'tom');
      await page.getByRole('button', { name: 'Sign out all others …' }).click();
      await page.getByRole('list', { name: 'Sessions that end' }).getByRole('listitem').nth(2).waitFor();
      const { token } = await clients[0]!.access.me();
      await clients[0]!.tokens.revoke(token.id);
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('Signed out 2 other sessions.').waitFor();
      await page.getByRole('button', { name: 'Sign out all others …' }).waitFor({ state: 'detached' });
      for (const client of clients) await expect(client.access.me()).rejects.toMatchObject({ status: 401 });
      await page.getByText('this browser').waitFor();
    });

    test('a reader sees the own access and nothing of others, on the page or in the traffic', async () => {
      const { page } = t.browser;
      const bodies = apiBodies(page);
      await t.open('/dev/access', 'rita');
      await page.getByText('granted role ANALYST').waitFor();
      expect(await page.getByRole('form', { name: 'Principal' }).count()).toBe(0);
      await page.goto(`${t.s.url}/console/dev/catalog/sales/orders?tab=access`);
      await page.getByRole('region', { name: 'What you can do' }).getByText('granted role ANALYST').waitFor();
      expect(await page.getByRole('region', { name: 'Who can read it' }).count()).toBe(0);
      const denials = (await t.s.events('AUTHORIZATION_DENIED')).filter(({ principal }) => principal === 'rita');
      expect(denials).toEqual([]);
      for (const tab of ['object', 'grants', 'groups', 'principals']) {
        await page.goto(`${t.s.url}/console/dev/access?tab=${tab}`);
        await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
        expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
      }
      await page.goto(`${t.s.url}/console/dev/access?principal=ann`);
      await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
      expect(bodies.filter((body) => /robot|id < 100/.test(body))).toEqual([]);
    });

    test("a table's access tab has readers and policies", async () => {
      const { page } = t.browser;
      await t.open('/dev/catalog/sales/orders?tab=access');
      const policies = page.getByRole('region', { name: 'Row filters and column masks' });
      await policies.getByText('id < 100').waitFor();
      await page.getByRole('region', { name: 'Who can read it' }).getByText('rita', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'its audit events' }).click();
      await page.getByRole('link', { name: 'ROW_FILTER_CREATED' }).waitFor();
    });
  },
);
