import type { SvcClient } from '@svc/sdk';
import { overflow, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

let rita: SvcClient;

describeConsole(
  'requests for access in a browser',
  {
    service: async ({ client, clientOf }) => {
      rita = clientOf((await client.tokens.issue('rita', 'test')).token);
    },
  },
  (t) => {
    const dialog = () => t.browser.page.getByRole('dialog');
    const row = () => t.browser.page.getByRole('row').filter({ hasText: 'DROP_TABLE' });

    test('a reader requests an action, and sees what an administrator decided (REQUEST-1, REQUEST-3, REQUEST-4)', async () => {
      const { page } = t.browser;
      await t.open('/dev/access?tab=requests', 'rita');
      await page.getByRole('heading', { name: 'No requests' }).waitFor();
      await page.getByText('svc access request --role ANALYST --env dev --reason TEXT', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Request access …' }).click();
      await dialog().getByLabel('Kind of object').selectOption('TABLE');
      await dialog().getByLabel('Namespace').fill('sales');
      await dialog().getByLabel('Table').fill('orders');
      await dialog().getByLabel('Role or action').selectOption('DROP_TABLE');
      await dialog().getByLabel('Reason (optional)').fill(HOSTILE.text);
      await dialog()
        .getByText(/^svc access request --action DROP_TABLE --env dev --ns sales --table orders --reason /)
        .waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await dialog().getByRole('button', { name: 'Request access', exact: true }).click();
      await page.getByText('Requested DROP_TABLE. An administrator decides about it.').waitFor();
      await row().getByText('pending', { exact: true }).waitFor();
      // Only administrators decide.
      expect(await row().getByRole('button').allTextContents()).toEqual(['Withdraw DROP_TABLE for rita']);

      await page.context().clearCookies();
      await t.open('/dev/access?tab=requests&state=pending');
      await row().getByRole('button', { name: 'Approve DROP_TABLE for rita' }).click();
      await dialog().getByLabel('Comment (optional)').fill('for the clean-up');
      await dialog()
        .getByText(/^svc access approve [0-9a-f-]{36} --comment 'for the clean-up'$/)
        .waitFor();
      await dialog().getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByText('Approved DROP_TABLE for rita.').waitFor();
      await page.getByRole('heading', { name: 'No pending requests' }).waitFor();
      await page.getByLabel('State').selectOption('approved');
      await row().getByText('for the clean-up').waitFor();
      expect(new URL(page.url()).searchParams.get('state')).toBe('approved');
      expect(await seriousViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await overflow(page)).toBe(0);
      const [grant] = await t.s.client.grants.list({ principal_name: 'rita', action: 'DROP_TABLE' });
      expect(grant).toMatchObject({ environment: 'dev', namespace: 'sales', table: 'orders' });
    });

    test('a request is withdrawn, and another is rejected with a comment (REQUEST-5)', async () => {
      const { page } = t.browser;
      const request = (action: string) =>
        rita.accessRequests.create({ action, environment: 'dev', namespace: 'sales' });
      await request('DROP_NAMESPACE');
      await t.open('/dev/access?tab=requests&state=pending', 'rita');
      await page.getByRole('button', { name: 'Withdraw DROP_NAMESPACE for rita' }).click();
      await dialog().getByRole('button', { name: 'Withdraw', exact: true }).click();
      await page.getByText('Withdrew the request.').waitFor();
      await request('MANAGE_NAMESPACE');
      await page.context().clearCookies();
      await t.open('/dev/access?tab=requests');
      await page.getByRole('button', { name: 'Reject MANAGE_NAMESPACE for rita' }).click();
      await dialog().getByLabel('Comment (optional)').fill('not needed');
      await dialog().getByRole('button', { name: 'Reject', exact: true }).click();
      const rejected = page.getByRole('row').filter({ hasText: 'MANAGE_NAMESPACE' });
      await rejected.getByText('not needed').waitFor();
      await rejected.getByText('rejected', { exact: true }).waitFor();
    });
  },
);
