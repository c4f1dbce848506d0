import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContextOptions } from 'playwright-core';

const SETTLE_MS = 5_000;
const WATCHED_MS = 60_000;

/** Requests a second of a page that nobody uses, once what it shows is loaded. */
export async function idleRequests(browser: Browser, url: string, options: BrowserContextOptions): Promise<number> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('heading').first().waitFor();
  await setTimeout(SETTLE_MS);
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await setTimeout(WATCHED_MS);
  await context.close();
  return requests / (WATCHED_MS / 1000);
}
