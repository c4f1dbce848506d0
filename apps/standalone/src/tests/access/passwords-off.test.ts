import { inBrowser, openBrowser } from '../../testing/browser.ts';
import { connectPostgres, errorOf, SQL_ON, withPostgres } from '../../testing/postgres-client.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const PASSWORD = 'correct horse battery';

let s: TestService;
beforeAll(async () => {
  s = await startTestService({ ...SQL_ON, SVC_SIGN_IN__PASSWORDS: 'false' });
  await s.client.environments.create('dev');
  await s.client.principals.create({ name: 'ann', type: 'person', password: PASSWORD });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'ann', action: 'SUBMIT_QUERY', environment: 'dev' });
});
afterAll(() => s.stop());

test('PostgreSQL clients connect with a token, and with no password (SSO-16)', async () => {
  const refused = await errorOf(connectPostgres(s, { user: 'ann', password: PASSWORD }));
  expect(refused).toMatchObject({
    severity: 'FATAL',
    code: '28000',
    message: expect.stringMatching(/passwords is switched off/),
  });
  const { token } = await s.client.tokens.issue('ann', 'tool');
  await withPostgres(s, async (client) => expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]), {
    user: 'ann',
    password: token,
  });
});

inBrowser('the sign-in page without passwords', () => {
  test('has no form, and names the way in (SSO-16)', async () => {
    const { page, close, incidents } = await openBrowser(s.url);
    await page.goto(`${s.url}/console`);
    await page.getByText('Passwords are switched off, and there is no identity provider.').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await s.client.identityProviders.create({ name: 'corp', issuer: 'https://id.example.com', client_id: 'svc' });
    await page.reload();
    await page.getByRole('link', { name: 'Sign in with corp' }).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await close();
    expect(incidents).toEqual([]);
  });
});
