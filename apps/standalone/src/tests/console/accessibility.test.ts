import type { Page } from 'playwright-core';
import { inBrowser, openBrowser, overflow, seriousViolations, settled, signIn } from '../../testing/browser.ts';
import { PASSWORD, startConsoleService } from '../../testing/console-data.ts';
import { type DeployedProjects, deployProjects } from '../../testing/console-projects.ts';

const ALL_PAGES_MS = 240_000;

let s: Awaited<ReturnType<typeof startConsoleService>>;
let projects: DeployedProjects;

/** Each page with a text that it shows once it is loaded. */
const PAGES: readonly (readonly [string, string | RegExp])[] = [
  ['/dev/catalog', 'secret_plans'],
  ['/prod/catalog', 'No namespaces yet'],
  ['/dev/catalog?q=orders', 'sales.orders'],
  ['/dev/catalog/sales', 'hostile'],
  ['/dev/catalog/sales?tab=upload', 'Choose a file'],
  ['/dev/catalog/sales?tab=dropped', /left$/],
  ['/dev/catalog/sales/orders', 'customer'],
  ['/dev/catalog/sales/orders?tab=load', 'Choose a file'],
  ['/dev/catalog/sales/orders?tab=preview', 'customer 3'],
  ['/dev/catalog/sales/orders?tab=profile', '≈ Distinct'],
  ['/dev/catalog/sales/orders?tab=snapshots', 'current'],
  ['/dev/catalog/sales/orders?tab=health', 'Small files'],
  ['/dev/catalog/sales/orders?tab=retention', 'Last use'],
  ['/dev/catalog/sales/hostile', '💥 emoji'],
  ['/dev/catalog/sales/missing', 'Not found'],
  ['/dev/sql', 'Run a statement to see its result'],
  ['/dev/sql?tab=history', /No queries|Succeeded/],
  ['/dev/sql?tab=saved', 'No saved queries yet'],
  ['/dev/sql?sql=SELECT%20id%20FROM%20sales.orders&tab=plan', /^Operators of the plan/],
  ['/dev', 'Needs attention'],
  ['/dev/runs', ', 1 failed'],
  ['/dev/runs?view=list', 'All assets'],
  ['/dev/runs?status=queued', 'No run matches'],
  ['/dev/runs/RUN', 'row_count failed: 1 row'],
  ['/dev/runs/RUN?tab=logs', /check row_count failed/],
  ['/dev/audit?scope=instance', /^admin$/],
  ['/dev/audit?since=2026-01-01T00:00:00.000Z&type=NAMESPACE_DELETED', 'No event matches'],
  ['/dev/audit?tab=integrity', 'Verify the log'],
  ['/dev/access', '25 actions'],
  ['/dev/access?tab=object&kind=TABLE&namespace=sales&table=orders', 'granted action'],
  ['/dev/access?tab=explain&principal=rita&kind=TABLE&namespace=sales&table=orders', /^has READ_TABLE|rita has/],
  ['/dev/access?tab=grants', 'SUBMIT_QUERY'],
  ['/dev/access?tab=groups', 'No groups yet'],
  ['/dev/access?tab=principals', 'you'],
  ['/dev/access?tab=tokens', 'this browser'],
  ['/dev/catalog/sales/orders?tab=access', 'Who can read it'],
  ['/dev/settings', 'Waiting queries'],
  ['/dev/settings?tab=secrets', 'No secrets yet'],
  ['/dev/settings?tab=sources', 'local bundles'],
  ['/dev/settings?tab=storage', 'No orphaned locations'],
  ['/dev/settings?tab=service', 'Time zones'],
  ['/dev/jobs', 'nightly'],
  ['/dev/jobs?q=nothing', 'No job matches'],
  ['/prod/jobs', 'No jobs yet'],
  ['/dev/jobs/reports/spring', 'moved'],
  ['/dev/jobs/drafts/unbound', 'no service account is bound'],
  ['/dev/jobs/reports/missing', 'Not found'],
  ['/dev/projects', 'robot'],
  ['/prod/projects', 'Nothing is deployed yet'],
  ['/dev/projects/reports', 'active'],
  ['/dev/projects/reports?tab=deploys', 'failed'],
  ['/dev/projects/reports?tab=deploys&deploy=DEPLOY', 'reports.weeks'],
  ['/dev/projects/reports?compare=VERSION', 'SELECT day FROM reports.days'],
  ['/dev/projects/reports?tab=assets', 'reports.weeks'],
  ['/dev/runs/RUN?tab=graph&task=marts.busy', 'Needed by'],
  ['/dev/lineage', 'List of dependencies'],
  ['/prod/lineage', 'No projects are deployed here'],
  ['/dev/lineage/marts/busy', 'Built from'],
  ['/dev/nothing', 'There is no such page'],
];

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const WIDE = { width: 2560, height: 844 };

async function overflows(page: Page): Promise<string[]> {
  await settled(page);
  const pixels = await overflow(page);
  return pixels > 0 ? [`${pixels} pixels wider than ${page.viewportSize()?.width}`] : [];
}

async function violationsIn(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await settled(page);
  return (await seriousViolations(page)).map((violation) => `${colorScheme}: ${violation}`);
}

inBrowser('every page of the console', () => {
  beforeAll(async () => {
    s = await startConsoleService();
  });
  beforeAll(async () => {
    projects = await deployProjects(s, 'dev');
  });
  afterAll(() => s?.stop());

  test(
    'has no serious violation of accessibility rules in light and dark, and fits windows of 390 and 2,560 pixels',
    async () => {
      const browser = await openBrowser(s.url);
      const { page } = browser;
      const found: (readonly [page: string, faults: readonly string[]])[] = [];
      const check = async (path: string, open: () => Promise<void>) => {
        // A page that is opened in a wide window may lay itself out in another way than one that is opened on a phone.
        await page.setViewportSize(PHONE);
        await open();
        const faults = [...(await overflows(page)), ...(await violationsIn(page, 'light'))];
        faults.push(...(await violationsIn(page, 'dark')));
        await page.setViewportSize(WIDE);
        faults.push(...(await overflows(page)));
        if (faults.length > 0) found.push([path, faults]);
      };
      const ids = { RUN: s.failedRun, DEPLOY: projects.deploys[1]!, VERSION: projects.versions[1]! };
      await check('/sign-in', async () => {
        await page.goto(`${s.url}/console/sign-in`);
        await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
      });
      await signIn(page, 'ann', PASSWORD);
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      for (const [path, text] of PAGES) {
        const address = path.replace(/[A-Z]{3,}/, (name) => ids[name as keyof typeof ids] ?? name);
        await check(path, async () => {
          await page.goto(`${s.url}/console${address}`);
          await page.getByText(text).first().waitFor();
        });
      }
      await browser.close();
      expect(browser.incidents).toEqual([]);
      expect(found).toEqual([]);
    },
    ALL_PAGES_MS,
  );
});
