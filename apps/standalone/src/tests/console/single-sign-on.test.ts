import { CLIENT, startIdentityProvider, type TestIdentityProvider } from '@svc/api/testing/identity-provider';
import { type Browser, inBrowser, openBrowser, overflow, seriousViolations } from '../../testing/browser.ts';
import { type ConsoleService, PASSWORD, startConsoleService } from '../../testing/console-data.ts';

let s: ConsoleService;
let idp: TestIdentityProvider;
let browser: Browser;

inBrowser('single sign-on in the console', () => {
  beforeAll(async () => {
    s = await startConsoleService();
    const redirectUris = [`${s.url}/console/sign-in/corp/callback`];
    idp = await startIdentityProvider({ redirectUris, host: 'localhost' });
    await s.client.identityProviders.create({ name: 'corp', issuer: idp.issuer, ...CLIENT, link_by: 'verified-email' });
    await s.client.principals.setEmail('rita', 'rita@example.com');
    idp.accounts.set('s-rita', { email: 'rita@example.com', email_verified: true });
    idp.accounts.set('s-else', { email: 'else@example.com', email_verified: true });
  });
  afterAll(async () => {
    await s?.stop();
    await idp?.stop();
  });
  beforeEach(async () => {
    browser = await openBrowser(s.url);
  });
  afterEach(async () => {
    await browser.close();
    // The provider's own pages are the only other ones.
    expect(browser.incidents.filter((incident) => !incident.startsWith(`request: ${idp.issuer}/`))).toEqual([]);
  });

  async function signInAt(subject: string): Promise<void> {
    await browser.page.getByRole('link', { name: 'Sign in with corp' }).click();
    await browser.page.getByLabel('Subject').fill(subject);
    await browser.page.getByRole('button', { name: 'Continue' }).click();
  }

  test('a person signs in on another site and gets to the page that was opened, with a cookie that other sites cannot send (SSO-4)', async () => {
    const { page, context } = browser;
    await page.goto(`${s.url}/console/dev/catalog?q=ord`);
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await signInAt('s-rita');
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=ord');
    const cookies = (await context.cookies(`${s.url}/api/v1/session`)).filter(({ name }) => name.startsWith('svc_'));
    expect(cookies).toMatchObject([{ name: 'svc_session', path: '/api', httpOnly: true, sameSite: 'Strict' }]);
    expect(await context.cookies(`${s.url}/console/sign-in/corp/callback`)).toEqual([]);
    // The session lasts over a reload, and ends with the sign-out.
    await page.reload();
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    await page.getByRole('button', { name: /rita/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in with corp' }).waitFor();
  });

  test('a person without a password sees no form that changes one', async () => {
    const { page } = browser;
    await s.client.principals.create({ name: 'nils', type: 'person' });
    await s.client.principals.setEmail('nils', 'nils@example.com');
    idp.accounts.set('s-nils', { email: 'nils@example.com', email_verified: true });
    await page.goto(`${s.url}/console/-/account`);
    await signInAt('s-nils');
    await page.getByRole('heading', { name: 'You have no password here' }).waitFor();
    expect(await page.getByLabel(/password/i).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('a refused sign-in says why, what to do, and under which request it is recorded (SSO-5)', async () => {
    const { page } = browser;
    await page.goto(`${s.url}/console/dev/catalog`);
    await signInAt('s-else');
    const notice = page.getByRole('alert');
    await notice.getByText('You have no access here').waitFor();
    const request = (await notice.getByText(/^Request /).textContent())!.replace('Request ', '');
    const [event] = (await s.events('SIGN_IN_FAILED')).filter(({ request_id }) => request_id === request);
    expect(event?.detail).toMatchObject({ provider: 'corp', reason: 'unknown-person' });
    expect(await seriousViolations(page)).toEqual([]);
    // Otherwise the provider continues with its own session.
    await browser.context.clearCookies();
    await signInAt('');
    await notice.getByText('The sign-in was cancelled').waitFor();
  });

  test('texts in the address of the sign-in page are not shown (SSO-5)', async () => {
    const { page } = browser;
    await page.goto(`${s.url}/console/sign-in?failure=constructor&request=${encodeURIComponent('<b>call 555</b>')}`);
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goto(`${s.url}/console/sign-in?failure=expired&request=${encodeURIComponent('call 555 now')}`);
    await page.getByText('The sign-in was not completed').waitFor();
    expect(await page.getByText('555').count()).toBe(0);
  });

  test('an administrator manages providers, with the commands that do the same (SSO-1)', async () => {
    const { page } = browser;
    await page.goto(`${s.url}/console/dev/settings?tab=identity-providers`);
    await page.getByLabel('Name').fill('ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`${s.url}/console/sign-in/corp/callback`).waitFor();
    await page.getByRole('button', { name: 'Add identity provider …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('second');
    await dialog.getByLabel('Issuer').fill('http://id.example.com');
    await dialog.getByLabel('Client ID').fill('svc');
    await dialog.getByLabel(/^Client secret/).fill('s3cret');
    await dialog.getByLabel('Create people at their first sign-in').check();
    const command =
      'svc identity-provider create second --issuer http://id.example.com --client-id svc --client-secret-stdin --scope openid --scope profile --scope email --link-by subject --create-people';
    await dialog.getByText(command, { exact: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/must start with https/)
      .first()
      .waitFor();
    await dialog.getByLabel('Issuer').fill('https://id.example.com');
    await dialog.getByRole('button', { name: 'Add identity provider' }).click();
    await page.getByText('Added second.').waitFor();
    expect(await page.content()).not.toContain('s3cret');
    await page.getByRole('button', { name: 'Change second' }).click();
    await dialog.getByLabel('Active').uncheck();
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('inactive', { exact: true }).waitFor();
    const stored = await s.client.identityProviders.get('second');
    expect(stored).toMatchObject({ active: false, has_client_secret: true, create_people: true });
    await page.getByRole('button', { name: 'Delete second' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted second.').waitFor();
  });

  test('others see nothing of the providers but their names (SSO-3)', async () => {
    const { page } = browser;
    await page.goto(`${s.url}/console/dev/settings?tab=identity-providers`);
    await signInAt('s-rita');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
  });
});
