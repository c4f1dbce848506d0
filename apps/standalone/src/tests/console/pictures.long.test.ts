import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { animatedPng } from '../../testing/animated-png.ts';
import { type Browser, inBrowser, openBrowser, settled, signIn } from '../../testing/browser.ts';
import { deployFolder } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

// The pictures of the guide and the tour of the README: npm run test:long -- console/pictures
const PICTURES = fileURLToPath(new URL('../../../../../docs/guide/images/', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../../../../../examples/bird-strikes', import.meta.url));
const PASSWORD = 'correct horse battery staple';
const SIZE = { width: 1120, height: 700 };
const FRAME_MS = 2500;
const MAX_BYTES = 700_000;

const STATEMENT = `SELECT state, sum(strikes) AS strikes
FROM marts.airport_risk
WHERE state IS NOT NULL
GROUP BY ALL ORDER BY strikes DESC LIMIT 12`;

/** The jobs of the example, more often. */
const JOBS = `
jobs:
  hourly:
    select: ["core.*"]
    upstream: true
    schedule: { cron: "5 * * * *", timezone: UTC }
  nightly:
    select: ["tag:daily"]
    upstream: true
    schedule: { cron: "30 2 * * *", timezone: UTC }
  report:
    select: ["reports.*"]
    upstream: true
    schedule: { cron: "0 */3 * * *", timezone: UTC }
`;

/** Runs of the last days, as the schedules would have started them. */
const EARLIER_RUNS = `
  INSERT INTO runs (id, environment_id, repository_id, project_version_id, job, trigger, principal_id, status, "select",
    created_at, started_at, ended_at)
  SELECT gen_random_uuid(), r.environment_id, r.repository_id, r.project_version_id, j.job, 'schedule', r.principal_id,
    CASE WHEN (n * 7 + j.seed) % 19 = 0 THEN 'failed' ELSE 'succeeded' END, r.select,
    t, t + interval '3 s', t + (1 + (n * 37 + j.seed) % 50 / 50.0) * j.takes
  FROM (SELECT * FROM runs LIMIT 1) r,
    (VALUES ('hourly', interval '1 h', interval '5 min', 11, interval '3 min'),
      ('nightly', interval '24 h', interval '150 min', 5, interval '20 min'),
      ('report', interval '3 h', interval '0', 3, interval '6 min')) j(job, every, at, seed, takes),
    LATERAL (SELECT n, date_trunc('day', now()) + interval '1 day' + j.at - n * j.every AS t
      FROM generate_series(1, 80) n) due
  WHERE t < now() - interval '45 min'`;

let s: TestService;
let run: string;

/** Name of the picture, address below the environment, what is done there, and a text that shows that it is complete. */
interface View {
  readonly name: string;
  readonly path: () => string;
  readonly act?: (page: Page) => Promise<unknown>;
  readonly shows: string | RegExp;
}

const VIEWS: readonly View[] = [
  { name: 'home', path: () => '', shows: 'Starts next' },
  { name: 'runs', path: () => '/runs', shows: /[1-9]\d* runs/ },
  { name: 'run', path: () => `/runs/${run}?tab=graph`, shows: 'List of dependencies' },
  { name: 'table', path: () => '/catalog/marts/airport_risk', shows: 'damaging_share' },
  {
    name: 'sql',
    path: () => '/sql',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'SQL statement' }).fill(STATEMENT);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('table', { name: 'Result' }).waitFor();
      await page.getByRole('link', { name: 'Chart' }).click();
      await page.locator('canvas').first().waitFor();
      // As tall as its statement, so that the picture has both the statement and the chart.
      await page.evaluate(`(() => {
        const space = document.querySelector('.editor-space');
        space.style.height = '110px';
        space.scrollIntoView({ block: 'start' });
      })()`);
      await page.getByText('Saving …').waitFor({ state: 'detached' });
    },
    shows: 'Chart',
  },
  { name: 'lineage', path: () => '/lineage', shows: 'List of dependencies' },
  {
    name: 'access',
    path: () => '/access?tab=object&kind=NAMESPACE&namespace=marts',
    shows: /granted/,
  },
];

async function prepare(): Promise<void> {
  s = await startTestService();
  const { client, database } = s;
  await client.environments.create('demo');
  await client.repositories.create({ name: 'bird-strikes' });
  const project = join(s.folder, 'bird-strikes');
  cpSync(EXAMPLE, project, { recursive: true });
  const settings = readFileSync(join(project, 'svc.yaml'), 'utf8');
  writeFileSync(join(project, 'svc.yaml'), settings.slice(0, settings.indexOf('\njobs:')) + JOBS);
  await deployFolder(client, { env: 'demo', repository: 'bird-strikes' }, project);
  run = (await client.runs.wait('demo', (await client.jobs.start('demo', 'report')).run!.id)).id;
  await client.runs.wait('demo', (await client.jobs.start('demo', 'nightly')).run!.id);
  await database.db.prisma.$executeRawUnsafe(EARLIER_RUNS);
  await client.principals.create({ name: 'scheduler', type: 'service-account' });
  await client.grants.create({
    principal: 'scheduler',
    kind: 'ENVIRONMENT',
    environment: 'demo',
    role: 'DATA_ENGINEER',
  });
  await client.deployments.setRunAs('demo', 'bird-strikes', 'scheduler');
  await client.queries.run('demo', STATEMENT);
  await client.principals.create({ name: 'ann', type: 'person', password: PASSWORD });
  await client.grants.create({ principal: 'ann', kind: 'INSTANCE', role: 'ADMIN' });
}

inBrowser('pictures of the console', () => {
  let browser: Browser;
  beforeAll(async () => {
    await prepare();
    browser = await openBrowser(s.url, SIZE);
  });
  afterAll(async () => {
    await browser?.close();
    await s?.stop();
  });

  test('are taken for the guide and the README', async () => {
    mkdirSync(PICTURES, { recursive: true });
    const { page } = browser;
    await page.goto(`${s.url}/console/demo`);
    await signIn(page, 'ann', PASSWORD);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const frames: Buffer[] = [];
    for (const { name, path, act, shows } of VIEWS) {
      await page.goto(`${s.url}/console/demo${path()}`);
      await act?.(page);
      await page.getByText(shows).first().waitFor();
      await page.mouse.move(0, 0);
      await settled(page);
      const picture = await page.screenshot({ animations: 'disabled' });
      frames.push(picture);
      writeFileSync(`${PICTURES}console-${name}.png`, picture);
    }
    writeFileSync(`${PICTURES}console-tour.png`, animatedPng(frames, FRAME_MS));
    expect(statSync(`${PICTURES}console-tour.png`).size).toBeLessThan(MAX_BYTES);
  });
});
