import {
  BROWSER_NOTE,
  type Browser,
  inBrowser,
  openBrowser,
  overflow,
  seriousViolations,
  signIn,
} from './testing/browser.ts';
import { PASSWORD, startConsoleService } from './testing/console-data.ts';

let s: Awaited<ReturnType<typeof startConsoleService>>;

/** Each page with a text that it shows once it is loaded. */
const PAGES: readonly (readonly [string, string | RegExp])[] = [
  ['/dev/catalog', 'secret_plans'],
  ['/prod/catalog', 'No namespaces yet'],
  ['/dev/catalog?q=orders', 'sales.orders'],
  ['/dev/catalog/sales', 'hostile'],
  ['/dev/catalog/sales?tab=dropped', /left$/],
  ['/dev/catalog/sales/orders', 'customer'],
  ['/dev/catalog/sales/orders?tab=preview', 'customer 3'],
  ['/dev/catalog/sales/orders?tab=snapshots', 'current'],
  ['/dev/catalog/sales/orders?tab=health', 'Small files'],
  ['/dev/catalog/sales/hostile', '💥 emoji'],
  ['/dev/catalog/sales/missing', 'Not found'],
  ['/dev/sql', 'Run a statement to see its result'],
  ['/dev/sql?tab=history', /No queries|Succeeded/],
  ['/dev/runs', 'All assets'],
  ['/dev/runs?status=queued', 'No run matches'],
  ['/dev/runs/RUN', 'row_count failed: 1 row'],
  ['/dev/runs/RUN?tab=logs', /check row_count failed/],
  ['/dev/runs/RUN?tab=graph&task=marts.busy', 'Needed by'],
  ['/dev/lineage', 'List of dependencies'],
  ['/prod/lineage', 'No projects are deployed here'],
  ['/dev/lineage/marts/busy', 'Built from'],
  ['/dev/nothing', 'There is no such page'],
];

inBrowser(`every page of the console${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    s = await startConsoleService();
  });
  afterAll(() => s?.stop());

  const visitAll = async <T>(browser: Browser, check: () => Promise<T>): Promise<(readonly [string, T])[]> => {
    const { page } = browser;
    await page.goto(`${s.url}/console/sign-in`);
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    const found: (readonly [string, T])[] = [['/sign-in', await check()]];
    await signIn(page, 'ann', PASSWORD);
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    for (const [path, text] of PAGES) {
      await page.goto(`${s.url}/console${path.replace('RUN', s.failedRun)}`);
      await page.getByText(text).first().waitFor();
      found.push([path, await check()]);
    }
    await browser.close();
    expect(browser.incidents).toEqual([]);
    return found;
  };

  test.each(['light', 'dark'] as const)(
    'has no serious violation of accessibility rules in %s',
    async (colorScheme) => {
      const browser = await openBrowser(s.url, { colorScheme });
      const found = await visitAll(browser, () => seriousViolations(browser.page));
      expect(found.filter(([, violations]) => violations.length > 0)).toEqual([]);
    },
  );

  test.each([390, 2560])('fits a window of %s pixels', async (width) => {
    const browser = await openBrowser(s.url, { width, height: 844 });
    const found = await visitAll(browser, () => overflow(browser.page));
    expect(found.filter(([, pixels]) => pixels > 0)).toEqual([]);
  });
});
