import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type Browser, inBrowser, openBrowser, settled, signIn } from '../../testing/browser.ts';
import { type ConsoleService, PASSWORD, startConsoleService } from '../../testing/console-data.ts';
import { type DeployedProjects, deployProjects } from '../../testing/console-projects.ts';
import { type ScreenGrid, screenDifference, screenGrid } from '../../testing/screen-grid.ts';

// Compares the main pages with how they looked before, as coarse grids that show a broken layout. After an intended change,
// look at the pages, then store how they look now: UPDATE_SCREENS=1 npm run test:long -- console/screens
const STORED = fileURLToPath(new URL('../../testing/console-screens.json', import.meta.url));
const UPDATE = process.env['UPDATE_SCREENS'] === '1';

/** The part of the cells that may differ, for fonts and texts of other lengths. */
const TOLERATED = 0.04;

/** Width, height and columns of the grid. */
const WINDOWS = [
  [390, 844, 24],
  [768, 1024, 32],
  [1280, 800, 32],
  [2560, 1440, 32],
] as const;

/** Address, and a text that shows that the page is complete. */
const PAGES: readonly (readonly [string, string | RegExp])[] = [
  ['/dev/catalog', 'secret_plans'],
  ['/dev/catalog/sales', 'orders'],
  ['/dev/catalog/sales/orders', 'customer'],
  ['/dev/catalog/sales/orders?tab=snapshots', 'current'],
  ['/dev/sql', 'Run'],
  ['/dev/runs?view=list', 'All assets'],
  ['/dev/runs/RUN', 'row_count failed: 1 row'],
  ['/dev/jobs', 'nightly'],
  ['/dev/projects/reports', 'active'],
  ['/dev/projects/reports?compare=VERSION', 'SELECT day FROM reports.days'],
  ['/dev/lineage', 'List of dependencies'],
  ['/dev/access?tab=grants', 'SUBMIT_QUERY'],
  ['/dev/settings', 'Waiting queries'],
];

/** What differs from run to run gets the same text: times, durations and ids. */
const SAME_TEXTS = `for (const element of document.querySelectorAll('main time, main .number, main .short-id'))
  element.textContent = element.matches('.short-id') ? '…00000000' : 'just now'`;

let s: ConsoleService;
let projects: DeployedProjects;
const stored: Record<string, ScreenGrid> = existsSync(STORED) ? JSON.parse(readFileSync(STORED, 'utf8')) : {};

inBrowser('screens of the console', () => {
  let browser: Browser;
  let decoder: Page;
  beforeAll(async () => {
    s = await startConsoleService();
    projects = await deployProjects(s, 'dev');
    browser = await openBrowser(s.url);
    decoder = await browser.context.newPage();
    await browser.page.goto(`${s.url}/console/dev`);
    await signIn(browser.page, 'ann', PASSWORD);
    await browser.page.getByRole('heading', { name: 'Home' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await s?.stop();
  });

  const visit = async ([path, text]: (typeof PAGES)[number]): Promise<void> => {
    const address = path.replace('RUN', s.failedRun).replace('VERSION', projects.versions[1]!);
    await browser.page.goto(`${s.url}/console${address}`);
    await browser.page.getByText(text).first().waitFor();
    await settled(browser.page);
  };

  const grid = async (columns: number): Promise<ScreenGrid> => {
    await browser.page.mouse.move(0, 0);
    await settled(browser.page);
    await browser.page.evaluate(SAME_TEXTS);
    return screenGrid(decoder, await browser.page.screenshot({ animations: 'disabled', caret: 'hide' }), columns);
  };

  /** The grids of a page by window and theme. */
  const gridsOf = async (page: (typeof PAGES)[number]): Promise<Record<string, ScreenGrid>> => {
    await visit(page);
    const found: Record<string, ScreenGrid> = {};
    for (const [width, height, columns] of WINDOWS) {
      await browser.page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark'] as const) {
        await browser.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        found[`${page[0]} ${width} ${colorScheme}`] = await grid(columns);
      }
    }
    return found;
  };

  test.each(PAGES)('%s looks as before at each width, light and dark', async (...page) => {
    const found = await gridsOf(page);
    if (UPDATE) Object.assign(stored, found);
    const different = Object.entries(found).flatMap(([name, now]) => {
      const { part, rows } = screenDifference(stored[name], now);
      return part > TOLERATED ? [`${name}: ${Math.round(part * 100)}% of the cells differ`, ...rows] : [];
    });
    expect(different).toEqual([]);
  });

  test.each(PAGES)('%s looks the same with motion as without', async (...page) => {
    const [width, height, columns] = WINDOWS[2];
    await browser.page.setViewportSize({ width, height });
    await browser.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
    await visit(page);
    const { part, rows } = screenDifference(stored[`${page[0]} ${width} light`], await grid(columns));
    expect(part > TOLERATED ? rows : []).toEqual([]);
  });

  test.each(['.sidebar', 'main .page > :nth-child(2)', 'main .card'])(
    '%s is missed if it is not shown',
    async (selector) => {
      const [width, height, columns] = WINDOWS[2];
      await browser.page.setViewportSize({ width, height });
      await browser.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await visit(PAGES[2]!);
      await browser.page
        .locator(selector)
        .first()
        .evaluate((element) => {
          (element as unknown as { style: { display: string } }).style.display = 'none';
        });
      const { part } = screenDifference(stored[`${PAGES[2]![0]} ${width} light`], await grid(columns));
      expect(part).toBeGreaterThan(TOLERATED);
    },
  );

  test('nothing else is stored', () => {
    if (UPDATE) writeFileSync(STORED, `${JSON.stringify(stored, null, 2)}\n`);
    const names = PAGES.flatMap(([path]) =>
      WINDOWS.flatMap(([width]) => ['light', 'dark'].map((theme) => `${path} ${width} ${theme}`)),
    );
    expect(Object.keys(stored).sort()).toEqual(names.sort());
  });
});
