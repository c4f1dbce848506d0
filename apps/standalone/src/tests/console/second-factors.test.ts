import { SvcClient } from '@svc/sdk';
import { Secret, TOTP } from 'otpauth';
import { type Browser, inBrowser, openBrowser, overflow, seriousViolations, signIn } from '../../testing/browser.ts';
import { type ConsoleService, PASSWORD, startConsoleService } from '../../testing/console-data.ts';
import { startTestService } from '../../testing/test-service.ts';

let s: ConsoleService;
let origin: string;
let browser: Browser;

/** The code that an app shows half a minute later, which is accepted too: each code counts once. */
const nextCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 });
const codeNow = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

inBrowser('second factors in the console', () => {
  beforeAll(async () => {
    s = await startConsoleService();
    // Security keys are bound to a host name.
    origin = s.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => s?.stop());
  beforeEach(async () => {
    browser = await openBrowser(origin, { width: 420 });
  });
  afterEach(async () => {
    await browser.close();
    expect(browser.incidents).toEqual([]);
  });

  test('a person adds an authenticator app, and signs in with its code or a recovery code (FACTOR-3, FACTOR-6)', async () => {
    const { page } = browser;
    await page.goto(`${origin}/console/-/account`);
    await signIn(page, 'rita', PASSWORD);
    await page.getByRole('heading', { name: 'Second factors', exact: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Add authenticator app …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('phone');
    await dialog.getByText('svc second-factor add phone', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue();
    await dialog.getByLabel('Code that the app shows').fill('000000');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').first().waitFor();
    await dialog.getByLabel('Code that the app shows').fill(codeNow(secret));
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const items = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await items.nth(9).waitFor();
    const codes = await items.allTextContents();
    expect(codes).toHaveLength(10);
    expect(await seriousViolations(page)).toEqual([]);

    for (const answer of ['code', 'recovery'] as const) {
      await page.getByRole('button', { name: /rita/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await signIn(page, 'rita', PASSWORD);
      await page.getByLabel('Code of your authenticator app').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      if (answer === 'code') await page.getByLabel('Code of your authenticator app').fill(nextCode(secret));
      else {
        await page.getByRole('button', { name: 'Use a recovery code' }).click();
        await page.getByLabel('Recovery code').fill(codes[0]!);
      }
      await page.getByRole('button', { name: 'Continue' }).click();
      await page
        .getByRole('heading', { name: 'Catalog' })
        .or(page.getByRole('link', { name: 'Catalog' }))
        .first()
        .waitFor();
    }
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(secret);
  });

  test('a person adds a security key and signs in with it; a copy of it is refused (FACTOR-10)', async () => {
    const { page, context } = browser;
    await s.client.principals.create({ name: 'key', type: 'person', password: PASSWORD });
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true },
    });
    await page.goto(`${origin}/console/-/account`);
    await signIn(page, 'key', PASSWORD);
    await page.getByRole('button', { name: 'Add security key or passkey …' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('usb key');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await page.getByRole('cell', { name: 'security key or passkey' }).waitFor();
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account of key' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await signIn(page, 'key', PASSWORD);
    };
    const use = () => page.getByRole('button', { name: 'Use a security key or passkey' }).click();
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const copy = credentials[0]!;
    for (let i = 0; i < 2; i++) {
      await signOut();
      await use();
      await page.getByRole('button', { name: 'Account of key' }).waitFor();
    }
    expect((await s.events('SIGNED_IN')).at(-1)?.detail).toMatchObject({ second_factor: 'usb key' });
    // The copy has the counter of the enrolment.
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy.credentialId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
    await signOut();
    await use();
    await page.getByRole('alert').getByText('Second factor failed').or(page.getByRole('alert')).first().waitFor();
    const failed = (await s.events('SIGN_IN_FAILED')).filter(({ detail }) => detail['name'] === 'key');
    expect(failed.map(({ detail }) => detail['reason'])).toEqual(['second-factor']);
  });

  test('without the key, or in a browser without WebAuthn, the other ways to sign in stay open (FACTOR-10)', async () => {
    const { page, context } = browser;
    await s.client.principals.create({ name: 'both', type: 'person', password: PASSWORD });
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true },
    });
    await page.goto(`${origin}/console/-/account`);
    await signIn(page, 'both', PASSWORD);
    await page.getByRole('button', { name: 'Add security key or passkey …' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('usb key');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    const items = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await items.nth(9).waitFor();
    const codes = await items.allTextContents();
    await page.getByRole('button', { name: 'Add security key or passkey …' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('again');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This key is one of your second factors already.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Account of both' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    await signIn(page, 'both', PASSWORD);
    await page.getByRole('button', { name: 'Use a security key or passkey' }).click();
    await page.getByText('No key was used: ').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.addInitScript('delete window.PublicKeyCredential');
    await page.reload();
    await signIn(page, 'both', PASSWORD);
    await page.getByText("This browser can't use security keys and passkeys here.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0]!);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Account of both' }).waitFor();
  });

  test('a person whose password somebody else has chosen changes it before anything else (ACCESS-39)', async () => {
    const { page } = browser;
    await s.client.principals.create({ name: 'clerk', type: 'service-account' });
    await s.client.grants.create({ kind: 'INSTANCE', principal: 'clerk', action: 'MANAGE_PRINCIPAL' });
    const clerk = new SvcClient({ url: s.url, token: (await s.client.tokens.issue('clerk', 't')).token });
    await clerk.principals.create({ name: 'new', type: 'person', password: PASSWORD });
    await page.goto(`${origin}/console/dev/catalog`);
    await signIn(page, 'new', PASSWORD);
    await page.getByText('Somebody else has chosen your password.').waitFor();
    expect(await page.getByRole('button', { name: 'Add authenticator app …' }).count()).toBe(0);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('password1234');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page
      .getByRole('alert')
      .getByText(/easy to guess/)
      .first()
      .waitFor();
    await page.getByLabel('New password').fill('only new knows this');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('link', { name: 'Back to the console' }).waitFor();
  });
});

inBrowser('second factors that become required', () => {
  test('a session that becomes limited leads to what it can do, and from there back (FACTOR-9)', async () => {
    const service = await startTestService({ SVC_SIGN_IN__SECOND_FACTOR: 'administrators' });
    const { page, incidents, close } = await openBrowser(service.url);
    const { client, url } = service;
    await client.environments.create('dev');
    await client.principals.create({ name: 'bob', type: 'person', password: PASSWORD });
    await client.grants.create({ principal: 'bob', kind: 'ENVIRONMENT', environment: 'dev', role: 'ANALYST' });
    await page.goto(`${url}/console/dev/catalog`);
    await signIn(page, 'bob', PASSWORD);
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    await client.grants.create({ principal: 'bob', kind: 'INSTANCE', role: 'ADMIN' });
    await page.getByText('This service requires a second factor. Add one to continue.').waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Back to the console' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add authenticator app …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('phone');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue();
    await dialog.getByLabel('Code that the app shows').fill(codeNow(secret));
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await page.getByRole('link', { name: 'Catalog' }).waitFor();
    await close();
    await service.stop();
    expect(incidents).toEqual([]);
  });
});
