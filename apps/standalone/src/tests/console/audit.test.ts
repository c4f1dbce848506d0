import { apiBodies, seriousViolations } from '../../testing/browser.ts';
import { HOSTILE, PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

describeConsole(
  'the audit log in the console',
  {
    service: async (s) => {
      await s.client.principals.create({ name: 'auditor', type: 'person', password: PASSWORD });
      await s.client.grants.create({ principal: 'auditor', kind: 'INSTANCE', action: 'READ_AUDIT_LOG' });
      await s.client.grants.create({ principal: 'auditor', kind: 'ENVIRONMENT', environment: 'dev', role: 'ANALYST' });
      await s.client.groups.create(HOSTILE.column);
      await s.client.queries.run('dev', "SELECT 'confidential'");
    },
  },
  (t) => {
    test('events are filtered, opened and followed; the address has the state', async () => {
      const { page } = t.browser;
      await t.open('/dev/audit');
      await page.getByLabel('Event', { exact: true }).selectOption('TABLE_DROPPED');
      const dropped = page.getByRole('row', { name: /sales\/old/ });
      await dropped.getByRole('link', { name: 'TABLE_DROPPED' }).click();
      await page.getByText('Recorded when a table was dropped.').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      expect(new URL(page.url()).searchParams.get('type')).toBe('TABLE_DROPPED');
      await page.reload();
      await page.getByText('Recorded when a table was dropped.').waitFor();
      await page.getByText('svc audit list --event-type TABLE_DROPPED --env dev', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Only this table' }).click();
      await page.getByLabel('Event', { exact: true }).selectOption('');
      await page.getByRole('link', { name: 'TABLE_CREATED' }).waitFor();
      const events = page.getByRole('region', { name: 'Events' });
      expect(await events.getByRole('link', { name: /^[A-Z_]+$/ }).allTextContents()).toEqual([
        'TABLE_DROPPED',
        'TABLE_CREATED',
      ]);
      await page.getByRole('button', { name: /^table: sales.old/ }).click();
      await page.getByLabel('Name of a principal').fill('rita');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'No event matches' }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'RUN_ENDED' }).first().click();
      await page.getByRole('link', { name: t.s.failedRun }).click();
      await page.getByText('row_count failed: 1 row').waitFor();
    });

    test('the request of an event and the whole instance are one step away', async () => {
      const { page } = t.browser;
      await t.open('/dev/audit?type=GRANT_CREATED');
      await page.getByRole('link', { name: 'GRANT_CREATED' }).first().click();
      await page.getByRole('button', { name: 'Only this request' }).click();
      await page.getByRole('button', { name: /^request: / }).waitFor();
      await page.getByRole('link', { name: 'GRANT_CREATED' }).waitFor();
      expect(await page.getByRole('link', { name: 'GRANT_CREATED' }).count()).toBe(1);
      await page.goto(`${t.s.url}/console/dev/audit?type=GROUP_CREATED`);
      await page.getByRole('heading', { name: 'No event matches' }).waitFor();
      await page.getByRole('button', { name: /^environment: dev/ }).click();
      await page.getByText(HOSTILE.column).first().waitFor();
      expect(await page.evaluate('window.hostile')).toBeUndefined();
    });

    test('more events are shown on request', async () => {
      const { page } = t.browser;
      await t.open('/dev/audit?scope=instance&since=24h');
      for (let i = 0; i < 120; i++) await t.s.client.groups.create(`group-${i}`);
      await page.reload();
      const rows = page.getByRole('region', { name: 'Events' }).getByRole('link', { name: /^[A-Z_]+$/ });
      await rows.first().waitFor();
      expect(await rows.count()).toBe(100);
      await page.getByRole('button', { name: 'Show more' }).click();
      await rows.nth(100).waitFor();
    });

    test('the chain is verified, also against a saved head, and the log exported', async () => {
      const { page } = t.browser;
      await t.open('/dev/audit?tab=integrity');
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('intact', { exact: true }).waitFor();
      const { signed_head } = await t.s.client.audit.verify();
      await page.getByLabel('Saved head').fill(JSON.stringify(signed_head));
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('contained, and its signature is valid').waitFor();
      await page.getByLabel('Saved head').fill(JSON.stringify({ ...signed_head, hash: '0'.repeat(64) }));
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('not intact', { exact: true }).waitFor();
      await page.getByLabel('Saved head').fill('no head');
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText(/The saved head must be JSON/).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export', exact: true }).click();
      expect((await download).suggestedFilename()).toBe('audit.jsonl');
    });

    test("an auditor reads the log without other people's statements, on the page or in the traffic (AUDIT-10)", async () => {
      const { page } = t.browser;
      const bodies = apiBodies(page);
      await t.open('/dev/audit?type=QUERY_COMPLETED', 'auditor');
      await page.getByRole('link', { name: 'QUERY_COMPLETED' }).first().click();
      await page.getByText(/characters, SHA-256/).waitFor();
      expect(await page.getByLabel('Name of a principal').count()).toBe(0);
      await page.getByRole('button', { name: 'Only this principal' }).click();
      await page.getByRole('button', { name: /^principal: / }).waitFor();
      expect(bodies.filter((body) => body.includes('confidential'))).toEqual([]);
      const denials = (await t.s.events('AUTHORIZATION_DENIED')).filter(({ principal }) => principal === 'auditor');
      expect(denials).toEqual([]);
    });

    test('a caller without the permission sees no events, and the message names what is missing', async () => {
      const { page } = t.browser;
      await t.open('/dev/audit', 'rita');
      await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
      await page
        .getByText(/READ_AUDIT_LOG/)
        .first()
        .waitFor();
      await page.goto(`${t.s.url}/console/dev/audit?tab=integrity`);
      await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
      expect(await page.getByRole('button', { name: 'Verify' }).count()).toBe(0);
    });
  },
);
