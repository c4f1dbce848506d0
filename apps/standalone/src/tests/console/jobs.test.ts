import { apiBodies } from '../../testing/browser.ts';
import { PASSWORD } from '../../testing/console-data.ts';
import {
  type DeployedProjects,
  deployProjects,
  HOSTILE_DESCRIPTION,
  HOSTILE_JOB,
} from '../../testing/console-projects.ts';
import { describeConsole } from '../../testing/console-tests.ts';

let projects: DeployedProjects;

describeConsole(
  'jobs and projects in a browser',
  {
    service: async (s) => {
      projects = await deployProjects(s, 'dev');
      const { principals, grants } = s.client;
      await principals.create({ name: 'vera', type: 'person', password: PASSWORD });
      await grants.create({ principal: 'vera', kind: 'ENVIRONMENT', environment: 'dev', action: 'READ_ENVIRONMENT' });
    },
  },
  (t) => {
    const jobPath = (name: string) => `/dev/jobs/reports/${encodeURIComponent(name)}`;

    test('the list shows schedules and why a job cannot start; filters are a part of the address', async () => {
      const { page } = t.browser;
      await t.open('/dev/jobs');
      const rowOf = (name: string) =>
        page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
      await rowOf('unbound').getByText("The schedule doesn't fire: no service account is bound").waitFor();
      await rowOf('nightly').getByText('0 6 * * 1-5').waitFor();
      await rowOf('nightly').getByText('Europe/Berlin').waitFor();
      await page.getByRole('combobox', { name: 'State' }).selectOption('no run principal');
      await rowOf('nightly').waitFor({ state: 'detached' });
      await page.getByRole('searchbox', { name: 'Search jobs' }).fill('nothing like it');
      await page.getByRole('heading', { name: 'No job matches' }).waitFor();
      expect(new URL(page.url()).search).toBe('?state=no+run+principal&q=nothing+like+it');
      await page.goBack();
      await rowOf('unbound').waitFor();
      expect(new URL(page.url()).search).toBe('?state=no+run+principal');
      await page.goBack();
      await rowOf('nightly').waitFor();
      await page.goto(`${t.s.url}/console/dev/jobs?repository=drafts`);
      await page.getByText('svc job list --env dev --repo drafts').waitFor();
      await page.getByRole('link', { name: 'unbound', exact: true }).click();
      await page.getByRole('heading', { name: 'unbound' }).waitFor();
      await page.getByText('svc deployments set-run-as drafts --env dev --principal NAME').waitFor();
    });

    test('the page of a job lists its next ten times in its zone, and notes what daylight saving time moves (JOBS-18)', async () => {
      const { page } = t.browser;
      await t.open(jobPath('spring'));
      const times = page.getByRole('region', { name: 'Next times' });
      await times.getByText('Time in Europe/Berlin').waitFor();
      expect(await times.getByRole('row').count()).toBe(11);
      const moved = times.getByRole('row').filter({ hasText: 'The clocks skip the scheduled time' });
      expect(await moved.first().textContent()).toMatch(/Sun \d{4}-03-\d\d 03:00 \+02:00moved/);
      expect(await moved.count()).toBeGreaterThanOrEqual(2);
    });

    test('a schedule is paused and resumed, with the command that does the same', async () => {
      const { page } = t.browser;
      await t.open(jobPath('nightly'));
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Pause' }).click();
      await dialog.getByText('svc job pause nightly --env dev --repo reports').waitFor();
      await dialog.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused the schedule of nightly.').waitFor();
      await page.getByText('These times fire only after you resume it').waitFor();
      expect(await t.s.client.jobs.get('dev', 'nightly')).toMatchObject({ state: 'paused', next_run_at: null });
      // With the keyboard only.
      await page.getByRole('button', { name: 'Resume' }).focus();
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Resume' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Resumed the schedule of nightly.').waitFor();
      expect((await t.s.client.jobs.get('dev', 'nightly')).state).toBe('scheduled');
    });

    test('a start leads to its run, and waits while the project is busy', async () => {
      const { page } = t.browser;
      await t.open(jobPath('spring'));
      const active = await t.s.client.runs.create('dev', {
        ...{ repository: 'reports', select: ['slow.*'], upstream: false, downstream: false },
      });
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('dialog').getByText('It acts as the service account robot').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
      await page.getByText('The start of spring waits for the active run of its project.').waitFor();
      await page.getByText('A start waits for the active run of the project').waitFor();
      await page.goto(`${t.s.url}/console/dev/jobs?state=waiting`);
      await page.getByRole('link', { name: 'active run of the project' }).click();
      await page.waitForURL(`${t.s.url}/console/dev/runs/${active.id}`);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await t.s.client.runs.wait('dev', active.id);
      // The scheduler starts what waits by itself.
      while ((await t.s.client.jobs.get('dev', 'spring')).last_run_status !== 'succeeded');
      await page.goto(`${t.s.url}/console${jobPath('spring')}`);
      await page.getByRole('region', { name: 'Recent runs' }).getByText('succeeded').waitFor();
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
      await page.waitForURL((url) => url.pathname.startsWith('/console/dev/runs/'));
      await page.getByRole('heading', { name: 'spring', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Logs' }).waitFor();
      await page.getByText('Started spring.').waitFor();
    });

    test('a project has its versions, deploys with changes, warnings and errors, and assets', async () => {
      const { page } = t.browser;
      await t.open('/dev/projects');
      await page.getByRole('link', { name: 'reports', exact: true }).click();
      await page.getByText('svc project-version list --env dev --repo reports').waitFor();
      await page.getByText('active', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Deploys' }).click();
      const [first, second, failed] = projects.deploys;
      await page.getByRole('link', { name: `…${second!.slice(-8)}` }).click();
      const changes = page.getByRole('region', { name: 'Changes' });
      const change = (text: string) => changes.getByRole('row').filter({ hasText: text });
      expect(await change('reports.weeks').textContent()).toContain('added');
      expect(await change('reports.old').textContent()).toContain('removed');
      expect(await change('reports.days').textContent()).toContain('description, tags');
      expect(await change('nightly').textContent()).toContain('selection, cron, time zone');
      const code = page.getByRole('region', { name: 'SQL and code' });
      await code.getByRole('row').filter({ hasText: 'SELECT day FROM reports.days' }).getByText('added').waitFor();
      await page.goto(`${t.s.url}/console/dev/projects/reports?tab=deploys&deploy=${first}`);
      await page
        .getByRole('region', { name: 'Warnings' })
        .getByText(/nightly/)
        .waitFor();
      await page.getByText('Nothing of this project was deployed before').waitFor();
      await page.goto(`${t.s.url}/console/dev/projects/drafts?tab=deploys&deploy=${failed}`);
      await page
        .getByRole('alert')
        .getByText(/matches no asset/)
        .waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/dev/projects/reports');
      await page.getByRole('link', { name: 'Assets' }).click();
      await page.getByRole('searchbox', { name: 'Search assets' }).fill('core');
      await page.getByText('1 asset', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'reports.days' }).click();
      await page.waitForURL(`${t.s.url}/console/dev/catalog/reports/days`);
    });

    test('two versions of a project can be compared, and the address has both', async () => {
      const { page } = t.browser;
      const [first, second] = projects.versions;
      await t.open('/dev/projects/reports');
      await page.getByRole('link', { name: `Compare version ${first!.slice(-8)}` }).click();
      await page.getByText(`svc project-version diff ${first} --env dev --against ${second}`).waitFor();
      const code = page.getByRole('region', { name: 'SQL and code' });
      await code.getByRole('row').filter({ hasText: 'SELECT day FROM reports.days' }).getByText('removed').waitFor();
      await page.getByLabel('Compared with').selectOption('the version before');
      await page.getByText('This is the first version of the project').waitFor();
      await page.getByLabel('Version', { exact: true }).selectOption(second!);
      await page.getByRole('row').filter({ hasText: 'reports.weeks' }).getByText('added').waitFor();
      expect(new URL(page.url()).searchParams.get('compare')).toBe(second);
    });

    test('a rollback shows what changes, and brings the version and its jobs back', async () => {
      const { page } = t.browser;
      await t.open('/dev/projects/reports');
      const [first, second] = projects.versions;
      await page.getByRole('button', { name: `Roll back to version ${first!.slice(-8)}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`svc rollback reports --env dev --to ${first}`).waitFor();
      const removed = dialog.getByRole('row').filter({ hasText: 'reports.weeks' });
      expect(await removed.textContent()).toContain('removed');
      await dialog.getByRole('button', { name: 'Roll back' }).click();
      await page.getByText('Rolled back reports.').waitFor();
      await page.getByRole('button', { name: `Roll back to version ${second!.slice(-8)}` }).waitFor();
      expect((await t.s.client.jobs.list('dev', { repository: 'reports' })).map(({ name }) => name)).toEqual([
        'nightly',
        'retired',
      ]);
      await t.s.client.deployments.rollback('dev', 'reports', { project_version_id: second });
    });

    test('hostile names are shown as they are and lead to their own pages', async () => {
      const { page } = t.browser;
      await t.open('/dev/jobs');
      await page.getByRole('link', { name: HOSTILE_JOB }).click();
      await page.getByRole('heading', { name: HOSTILE_JOB }).waitFor();
      await page.getByRole('heading', { name: 'No schedule' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('img');
      await page.getByRole('option', { name: HOSTILE_JOB }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`${t.s.url}/console${jobPath(HOSTILE_JOB)}`);
      await page.goto(`${t.s.url}/console/dev/projects/reports?tab=assets`);
      await page.getByText(HOSTILE_DESCRIPTION.replace('\u202e', '\\u202e')).waitFor();
    });

    test('a reader sees jobs and projects, and why an action is denied', async () => {
      const { page } = t.browser;
      await t.open(jobPath('nightly'), 'vera');
      for (const [action, permission] of [
        ['Pause', 'DEPLOY'],
        ['Start', 'RUN'],
      ] as const) {
        await page.getByRole('button', { name: action }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: action }).click();
        await dialog.getByRole('alert').getByText(`vera may not ${permission} on`).waitFor();
        await page.keyboard.press('Escape');
      }
      await page.goto(`${t.s.url}/console/dev/projects/reports`);
      await page.getByRole('button', { name: /Roll back/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
      await page.getByRole('dialog').getByRole('alert').getByText('vera may not DEPLOY on').waitFor();
      expect((await t.s.client.jobs.get('dev', 'nightly')).state).toBe('scheduled');
    });

    test('without READ_ENVIRONMENT, nothing of jobs and projects is on the page or in the traffic', async () => {
      const { page } = t.browser;
      const bodies = apiBodies(page);
      await t.open('/dev/jobs', 'rita');
      const denied = page.getByRole('heading', { name: "You don't have permission" });
      await denied.waitFor();
      const [deploy] = projects.deploys;
      for (const path of ['/dev/jobs/x/y', '/dev/projects', `/dev/projects/x?tab=deploys&deploy=${deploy}`]) {
        await page.goto(`${t.s.url}/console${path}`);
        await denied.first().waitFor();
      }
      expect(bodies.filter((body) => /nightly|spring|unbound|reports|drafts|robot/.test(body))).toEqual([]);
    });
  },
);
