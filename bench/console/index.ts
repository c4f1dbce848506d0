// The console in Chromium, beside the web interfaces of Dagster and Airflow: time to the first paint and bytes of the page that lists
// runs, cold (nothing cached) and warm; then the frames while a timeline of 10,000 runs and a graph of 1,000 assets are moved.
// `npm run bench console [ROUNDS]`; TEST_CHROMIUM is the browser. Needs uv for the peers.
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { withBench } from '../database/open.ts';
import { bar, table } from '../database/timing.ts';
import { newHome, removeHome, startStandalone } from '../service/service.ts';
import { ASSETS, deployAssets, insertRuns, PERSON, RUNS } from './data.ts';
import { framesWhileMoving } from './frames.ts';
import { idleRequests } from './idle.ts';
import { type Loads, loadTwice, medians } from './loads.ts';
import { startPeers } from './peers.ts';

const ROUNDS = Number(process.argv[2] ?? 10);
const VIEWPORT = { width: 1440, height: 900 };

async function signedIn(browser: Browser, url: string): Promise<BrowserContextOptions> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/console/bench`);
  await page.getByLabel('Name').fill(PERSON.name);
  await page.getByLabel('Password').fill(PERSON.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const storageState = await context.storageState();
  await context.close();
  return { storageState, viewport: VIEWPORT };
}

async function measureLoads(browser: Browser, url: string, options: BrowserContextOptions): Promise<void> {
  const peers = await startPeers();
  try {
    const pages = [
      { name: 'svc', url: `${url}/console/bench/runs`, options },
      ...peers.map((peer) => ({ ...peer, options: { viewport: VIEWPORT } })),
    ].map((page) => ({ ...page, isStreaming: page.name === 'svc', loads: { cold: [], warm: [] } as Loads }));
    for (let round = 0; round < ROUNDS; round++)
      for (const page of pages) await loadTwice(browser, page.url, page.options, page);
    table(
      ['page that lists runs', 'paint, ms: cold', 'warm', 'page shown, ms: cold', 'warm', 'kB: cold', 'warm'],
      pages.map(({ name, loads }) => [
        name,
        ...medians(loads, ({ paint }) => paint),
        ...medians(loads, ({ shown }) => shown),
        ...medians(loads, ({ bytes }) => bytes / 1000),
      ]),
    );
    const [own] = pages;
    const [cold, warm] = medians(own!.loads, ({ shown }) => shown) as [number, number];
    const [kilobytes] = medians(own!.loads, ({ bytes }) => bytes / 1000) as [number];
    bar(`shown within 1,000 ms cold: ${cold} ms`, cold <= 1000);
    bar(`shown within 300 ms warm: ${warm} ms`, warm <= 300);
    bar(`at most 200 kB cold: ${kilobytes} kB`, kilobytes <= 200);
  } finally {
    for (const { stop } of peers) stop();
  }
}

async function measureFrames(browser: Browser, url: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${url}/console/bench/runs?since=7d`);
  await page
    .getByText(/[1-9]\d* runs/)
    .first()
    .waitFor();
  const timeline = await framesWhileMoving(page, '.timeline-canvas');
  await page.goto(`${url}/console/bench/lineage`);
  await page
    .locator('.graph-node')
    .nth(ASSETS - 1)
    .waitFor();
  const graph = await framesWhileMoving(page, '.graph-canvas');
  await page.getByRole('button', { name: 'Fit the window' }).click();
  const whole = await framesWhileMoving(page, '.graph-canvas');
  const rows = [
    [`timeline of ${RUNS} runs`, timeline],
    [`graph of ${ASSETS} assets, names are readable`, graph],
    [`graph of ${ASSETS} assets as a whole`, whole],
  ] as const;
  table(
    ['moved, ms per frame', 'p50', 'p99'],
    rows.map(([name, { p50, p99 }]) => [name, p50, p99]),
  );
  for (const [name, { p50 }] of rows) bar(`${name} moves at 60 frames a second: ${p50.toFixed(1)} ms`, p50 <= 17);
  await context.close();
}

/** What tabs cost that nobody uses. */
async function measureIdle(browser: Browser, url: string, options: BrowserContextOptions): Promise<void> {
  const rates: [string, number][] = [];
  for (const page of ['', '/runs', '/catalog']) {
    rates.push([`/console/bench${page}`, await idleRequests(browser, `${url}/console/bench${page}`, options)]);
  }
  table(
    ['an open tab that nobody uses', 'requests a second'],
    rates.map(([page, rate]) => [page, rate.toFixed(2)]),
  );
  for (const [page, rate] of rates) bar(`at most 0.2 requests a second of ${page}`, rate <= 0.2);
}

await withBench(async ({ url: database, bare }) => {
  const home = newHome();
  const service = await startStandalone(home, { SVC_DATABASE_URL: database });
  const browser = await chromium.launch({
    executablePath: process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    await deployAssets(service);
    await insertRuns(bare);
    const options = await signedIn(browser, service.url);
    await measureLoads(browser, service.url, options);
    await measureFrames(browser, service.url, options);
    await measureIdle(browser, service.url, options);
  } finally {
    await browser.close();
    await service.stop();
    removeHome(home);
  }
});
