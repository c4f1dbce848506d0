import { signIn } from '../../testing/browser.ts';
import { PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';

/** Each page with a text that shows only with the permission for the page. */
const PAGES: Readonly<Record<string, string | RegExp>> = {
  '/dev': 'Needs attention',
  '/dev/runs': ', 1 failed',
  '/dev/catalog': 'secret_plans',
  '/dev/catalog/sales/orders': 'customer',
  '/dev/catalog/secret_plans/budget': 'customer',
  '/dev/sql': 'Run a statement to see its result',
  '/dev/lineage': 'List of dependencies',
  '/dev/jobs': 'No jobs yet',
  '/dev/projects': 'shop',
  '/dev/access': /\d actions/,
  '/dev/access?tab=grants': 'SUBMIT_QUERY',
  '/dev/audit?scope=instance': /^admin$/,
  '/dev/settings': 'Waiting queries',
};
const REFUSED = /You don't have permission|You can't see the assets|Not found/;
/** Names that only readers of the whole environment may receive. */
const SECRET = /secret_plans|budget/;

const ADMINISTRATION = ['/dev/access?tab=grants', '/dev/audit?scope=instance'];
const OF_ENVIRONMENT = ['/dev/runs', '/dev/catalog', '/dev/lineage', '/dev/jobs', '/dev/projects', '/dev/settings'];

/** What each role is refused. */
const ROLES: readonly (readonly [name: string, role: string, refused: readonly string[]])[] = [
  ['ann', 'administrator', []],
  ['ed', 'engineer', ADMINISTRATION],
  ['ana', 'analyst', ADMINISTRATION],
  ['rita', 'reader of one table', [...ADMINISTRATION, ...OF_ENVIRONMENT, '/dev/catalog/secret_plans/budget']],
  [
    'ned',
    'nobody',
    [...ADMINISTRATION, ...OF_ENVIRONMENT, '/dev/catalog/secret_plans/budget', '/dev/catalog/sales/orders'],
  ],
];

describeConsole(
  'every page for every role',
  {
    service: async ({ client }) => {
      for (const name of ['ed', 'ana', 'ned'])
        await client.principals.create({ name, type: 'person', password: PASSWORD });
      const dev = { kind: 'ENVIRONMENT', environment: 'dev' } as const;
      await client.grants.create({ principal: 'ed', ...dev, role: 'DATA_ENGINEER' });
      await client.grants.create({ principal: 'ana', ...dev, role: 'ANALYST' });
    },
  },
  (t) => {
    test.each(ROLES)('%s, %s', async (name, _role, refused) => {
      const { page } = t.browser;
      const received: Promise<string>[] = [];
      page.on('response', (response) => {
        // A refusal repeats the names that its address has.
        if (!SECRET.test(response.url())) received.push(response.text().catch(() => ''));
      });
      await page.goto(`${t.s.url}/console/dev`);
      await signIn(page, name, PASSWORD);
      await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor({ state: 'detached' });
      const main = page.getByRole('main');
      for (const [path, text] of Object.entries(PAGES)) {
        // Without any permission, these two show nothing of the environment.
        if (refused.length > ADMINISTRATION.length && ['/dev', '/dev/access'].includes(path)) continue;
        await page.goto(`${t.s.url}/console${path}`);
        const shown = main.getByText(refused.includes(path) ? REFUSED : text).first();
        await shown.waitFor().catch(() => {
          throw new Error(`${name} doesn't see ${refused.includes(path) ? 'a refusal' : String(text)} on ${path}`);
        });
      }
      await page.goto('about:blank');
      const texts = (await Promise.all(received)).join('\n');
      if (refused.length > ADMINISTRATION.length) expect(texts).not.toMatch(SECRET);
      else expect(texts).toMatch(SECRET);
    });
  },
);
