import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type BrowserContext, type Browser as Chromium, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page and what belongs to it alone: cookies, storage, and what it has done that no page may do. */
export interface Browser {
  context: BrowserContext;
  page: Page;
  /** Violations of the page's policy, errors of scripts, dialogs, and requests to other hosts. */
  incidents: string[];
  close: () => Promise<void>;
}

/** The program that the tests of one `inBrowser` share. */
let running: Chromium | null = null;

/** Describes tests in a browser; without Chromium they are skipped, and their title has the reason. */
export function inBrowser(title: string, tests: () => void): void {
  if (!existsSync(CHROMIUM)) {
    describe.skip(`${title} (skipped: there is no Chromium at ${CHROMIUM})`, tests);
    return;
  }
  describe(title, () => {
    beforeAll(async () => {
      running = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
    });
    afterAll(async () => {
      await running?.close();
      running = null;
    });
    tests();
  });
}

/** Opens a page without cookies or a cache, as in a fresh browser. */
export async function openBrowser(
  origin: string,
  options: { width?: number; height?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<Browser> {
  const { width = 1280, height = 800, colorScheme = 'light' } = options;
  const context = await running!.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(30_000);
  const incidents: string[] = [];
  const page = await context.newPage();
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`));
  page.on('dialog', async (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) incidents.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) incidents.push(`request: ${url}`);
  });
  const close = () => context.close();
  return { context, page, incidents, close };
}

/** The bodies of the API's responses that the page receives from now on. */
export function apiBodies(page: Page): string[] {
  const bodies: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) bodies.push(await response.text().catch(() => ''));
  });
  return bodies;
}

export async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page that keeps people from using it. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`)) as string[];
  return found;
}

/** By how many pixels the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(
    `Math.max(...[document.documentElement, ...document.querySelectorAll('.content')].map((e) => e.scrollWidth - e.clientWidth))`,
  ) as Promise<number>;

/** Waits until the page shows nothing that is still loading, and is drawn. Live events keep its network busy. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.skeleton, .progress').first().waitFor({ state: 'detached' });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
}
