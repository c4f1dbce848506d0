// The console in Chromium: the bytes of the first load, the time to the first paint and to the page cold (nothing cached) and
// warm, and the frames while a graph of 1,000 assets is moved. `npm run bench console [ROUNDS]`; TEST_CHROMIUM is the browser.
import { type Browser, chromium, type Page } from 'playwright-core';
import { bar, figures, table } from '../database/timing.ts';
import { newHome, removeHome, startStandalone } from '../service/service.ts';
import { ASSETS, deployAssets, PERSON } from './data.ts';

const ROUNDS = Number(process.argv[2] ?? 10);
const FRAMES = 240;
const VIEWPORT = { width: 1440, height: 900 };

/** Remembers when the page shows its title, which it does when its code runs and the session is known. */
const WATCH = `new MutationObserver((_, observer) => {
  if (document.querySelector('main h1') === null) return;
  window.shownAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

const LOAD = `({
  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  shown: window.shownAt,
  bytes: performance.getEntriesByType('navigation')[0].transferSize + performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/console/')).reduce((sum, { transferSize }) => sum + transferSize, 0),
})`;

/** Milliseconds between frames while the wheel turns at each of them. */
const PAN = `(async () => {
  const canvas = document.querySelector('.graph-canvas');
  const frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < ${FRAMES}; frame++) {
    const way = frame % 80 < 40 ? 1 : -1;
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: 9 * way, deltaY: 25 * way, cancelable: true }));
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return frames;
})()`;

interface Load {
  paint: number;
  shown: number;
  bytes: number;
}

async function signIn(
  browser: Browser,
  url: string,
): Promise<Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/console/bench/catalog`);
  await page.getByLabel('Name').fill(PERSON.name);
  await page.getByLabel('Password').fill(PERSON.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Catalog' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function load(page: Page, url: string): Promise<Load> {
  await page.goto(url);
  await page.locator('main h1').waitFor();
  return (await page.evaluate(LOAD)) as Load;
}

const home = newHome();
const service = await startStandalone(home);
const browser = await chromium.launch({
  executablePath: process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  await deployAssets(service);
  const storageState = await signIn(browser, service.url);
  const loads: { cold: Load[]; warm: Load[] } = { cold: [], warm: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext({ storageState, viewport: VIEWPORT });
    await context.addInitScript(WATCH);
    const page = await context.newPage();
    for (const times of [loads.cold, loads.warm]) times.push(await load(page, `${service.url}/console/bench/catalog`));
    await context.close();
  }
  const context = await browser.newContext({ storageState, viewport: VIEWPORT });
  const page = await context.newPage();
  await page.goto(`${service.url}/console/bench/lineage`);
  await page
    .locator('.graph-node')
    .nth(ASSETS - 1)
    .waitFor();
  const start = figures((await page.evaluate(PAN)) as number[]);
  await page.getByRole('button', { name: 'Fit the window' }).click();
  await page.waitForTimeout(500);
  const whole = figures((await page.evaluate(PAN)) as number[]);

  const row = (name: string, { cold, warm }: typeof loads, value: (each: Load) => number) => {
    const [first, second] = [figures(cold.map(value)), figures(warm.map(value))];
    return [name, first.p50, first.p99, second.p50, second.p99];
  };
  table(
    ['catalog, ms', 'cold p50', 'p99', 'warm p50', 'p99'],
    [row('first paint', loads, ({ paint }) => paint), row('page shown', loads, ({ shown }) => shown)],
  );
  table(
    [`${ASSETS} assets, ms per frame`, 'p50', 'p99'],
    [
      ['names are readable', start.p50, start.p99],
      ['the whole graph', whole.p50, whole.p99],
    ],
  );
  const kilobytes = (loads.cold[0]?.bytes ?? 0) / 1000;
  bar(`the first load takes at most 200 kB: ${kilobytes.toFixed(0)} kB`, kilobytes <= 200);
  bar(`a graph of ${ASSETS} assets moves at 60 frames a second: ${start.p50.toFixed(1)} ms`, start.p50 <= 17);
} finally {
  await browser.close();
  await service.stop();
  removeHome(home);
}
