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
import { type DeployedProjects, deployProjects } from './testing/console-projects.ts';

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

inBrowser(`every page of the console${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    s = await startConsoleService();
  });
  beforeAll(async () => {
    projects = await deployProjects(s, 'dev');
  });
  afterAll(() => s?.stop());

  const visitAll = async <T>(browser: Browser, check: () => Promise<T>): Promise<(readonly [string, T])[]> => {
    const { page } = browser;
    await page.goto(`${s.url}/console/sign-in`);
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    const found: (readonly [string, T])[] = [['/sign-in', await check()]];
    await signIn(page, 'ann', PASSWORD);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    for (const [path, text] of PAGES) {
      const ids = { RUN: s.failedRun, DEPLOY: projects.deploys[1]!, VERSION: projects.versions[1]! };
      await page.goto(`${s.url}/console${path.replace(/[A-Z]{3,}/, (name) => ids[name as keyof typeof ids] ?? name)}`);
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
    ALL_PAGES_MS,
  );

  test.each([390, 2560])(
    'fits a window of %s pixels',
    async (width) => {
      const browser = await openBrowser(s.url, { width, height: 844 });
      const found = await visitAll(browser, () => overflow(browser.page));
      expect(found.filter(([, pixels]) => pixels > 0)).toEqual([]);
    },
    ALL_PAGES_MS,
  );
});
