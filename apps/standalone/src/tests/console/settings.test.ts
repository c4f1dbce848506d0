import { apiBodies, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

describeConsole(
  'settings in the console',
  {
    service: async (s) => {
      await s.client.environments.update('dev', { description: HOSTILE.text });
    },
  },
  (t) => {
    test('an environment is protected, and gets retention and quotas, with their effect before', async () => {
      const { page } = t.browser;
      await t.open('/dev/settings');
      await page.getByText('<script>window.hostile=1</script> \\u202egpj.exe').waitFor();
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Set retention …' }).click();
      await dialog.getByLabel('Days without use').fill('30');
      await dialog.getByText('sales.hostile').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Set retention' }).click();
      await page.getByText('30 days without use').waitFor();
      await page.getByRole('button', { name: 'Set quotas …' }).click();
      await dialog.getByLabel('Storage in GB').fill('1.5');
      await dialog.getByRole('button', { name: 'Set quotas' }).click();
      await page.getByText(/of 1\.5 GB$/).waitFor();
      await page.getByRole('button', { name: 'Protect …' }).click();
      await dialog.getByText('svc env update dev --protected', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Protect' }).click();
      await page.getByRole('button', { name: 'Unprotect …' }).click();
      await dialog.getByRole('button', { name: 'Unprotect' }).click();
      await page.getByRole('button', { name: 'Protect …', exact: true }).waitFor();
      expect(await t.s.client.environments.get('dev')).toMatchObject({ protected: false, retention_days: 30 });
      expect((await t.s.client.environments.quotas('dev')).storage_bytes.limit).toBe(1_500_000_000);
      expect(await page.evaluate('window.hostile')).toBeUndefined();
    });

    test('a secret is created, rotated and revoked; its values are sent and never come back', async () => {
      const { page } = t.browser;
      const bodies = apiBodies(page);
      await t.open('/dev/settings?tab=secrets');
      await page.getByRole('button', { name: 'Create secret …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('packages');
      await dialog.getByLabel('Name of value 1').fill('password');
      await dialog.getByLabel('Value 1', { exact: true }).fill('s3cr3t-first');
      await dialog.getByRole('button', { name: 'Create secret' }).click();
      await page.getByText('Created the secret packages.').waitFor();
      await page.getByRole('button', { name: 'Rotate packages' }).click();
      expect(await dialog.getByLabel('Value 1', { exact: true }).inputValue()).toBe('');
      await dialog.getByLabel('Value 1', { exact: true }).fill('s3cr3t-second');
      await dialog.getByRole('button', { name: 'Rotate' }).click();
      await page.getByText('Rotated packages.').waitFor();
      expect(await page.content()).not.toContain('s3cr3t');
      expect(bodies.filter((body) => body.includes('s3cr3t'))).toEqual([]);
      await page.getByRole('button', { name: 'Revoke packages' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('heading', { name: 'No secrets yet' }).waitFor();
    });

    test('repositories, package indexes, orphaned locations and the service are shown', async () => {
      const { page } = t.browser;
      await t.open('/dev/settings?tab=sources');
      await page.getByRole('cell', { name: 'shop' }).waitFor();
      await page.getByRole('link', { name: 'Orphaned locations' }).click();
      await page.getByRole('heading', { name: 'No orphaned locations' }).waitFor();
      await page.getByRole('link', { name: 'Service', exact: true }).click();
      await page.getByText('responds').nth(1).waitFor();
    });

    test('a reader of one table learns nothing, and no denial is recorded for looking', async () => {
      const { page } = t.browser;
      await t.open('/dev/settings?tab=secrets', 'rita');
      await page.getByText(/no grant allows MANAGE_SECRET/).waitFor();
      await page.goto(`${t.s.url}/console/dev/settings?tab=storage`);
      await page.getByText(/no grant allows MANAGE_ENVIRONMENT/).waitFor();
      const denials = (await t.s.events('AUTHORIZATION_DENIED')).filter(({ principal }) => principal === 'rita');
      expect(denials).toEqual([]);
      await page.goto(`${t.s.url}/console/dev/settings`);
      await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
      expect(await page.getByRole('button', { name: /…$/ }).count()).toBe(0);
    });
  },
);
