import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { toolsHere } from '@svc/worker/testing';
import { fencesOf, isShown } from '../../testing/documents.ts';
import { bytesOf, rowsOf } from '../../testing/orders.ts';
import { deployFolder, taskStatuses } from '../../testing/projects.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const example = join(root, 'examples/bird-strikes');
const { uv, python } = await toolsHere();
const missing = [...(uv === null ? ['uv'] : []), ...(python === null ? ['Python'] : [])];
if (missing.length > 0)
  console.warn(`The example project is left out: this machine has no ${missing.join(' and no ')}.`);
const withTools = missing.length === 0 ? describe : describe.skip;

withTools('the example project', () => {
  let s: TestService;
  beforeAll(async () => {
    s = await startTestService();
    await s.client.environments.create('dev');
    await s.client.repositories.create({ name: 'bird-strikes' });
    const deploy = await deployFolder(s.client, { env: 'dev', repository: 'bird-strikes' }, example);
    expect(deploy).toMatchObject({ status: 'succeeded', error: null });
  });
  afterAll(() => s.stop());

  test('is deployed and built by npm run demo, which prints what the README shows, and runs again', async () => {
    const program = fileURLToPath(new URL('../../../dist/bundle/demo.js', import.meta.url));
    const { host } = new URL(s.url);
    const env = { ...process.env, SVC_LISTEN: host, SVC_HOME: s.folder, SVC_BOOTSTRAP_TOKEN: TOKEN };
    const demo = () => promisify(execFile)(process.execPath, [program], { cwd: root, env });
    const first = await demo();
    const readme = fencesOf(new URL('../../../../../README.md', import.meta.url));
    const shown = readme.find(({ lines }) => lines[0] === 'Environment demo exists.')!.lines;
    expect(shown.filter((line) => !isShown(line, first.stdout))).toEqual([]);
    expect((await demo()).stdout).toContain('  deployed: jobs unchanged');
  }, 240_000);

  test('is built from file to report, in an environment that uv makes', async () => {
    const { id } = (await s.client.jobs.start('dev', 'report')).run!;
    const lines: string[] = [];
    for await (const { line } of s.client.runs.logs('dev', id, { follow: true })) lines.push(line);
    const run = await s.client.runs.wait('dev', id);
    expect(run.error).toBeNull();
    expect(new Set(Object.values(taskStatuses(run)))).toEqual(new Set(['succeeded']));
    expect(Object.keys(taskStatuses(run))).toContain('reports.summary');
    expect(lines).toContain('read 10000 reports from birdstrikes.csv');
    expect(await rowsOf(s.client, 'dev', 'SELECT count(*) FROM raw.strikes')).toEqual([[10_000]]);
    expect(await s.client.tables.get('dev', 'marts.species_profile')).toMatchObject({ kind: 'managed' });
  }, 240_000);

  test('its artifact is downloaded as the file it is', async () => {
    expect(await s.client.tables.get('dev', 'reports.summary')).toMatchObject({ kind: 'artifact' });
    const page = (await bytesOf(await s.client.tables.download('dev', 'reports.summary'))).toString();
    expect(page).toContain('<title>Bird strikes</title>');
    expect(page).toContain('10,000 reports');
    await expect(s.client.queries.run('dev', 'SELECT * FROM reports.summary')).rejects.toMatchObject({
      message: expect.stringContaining('reports.summary'),
    });
  });

  test('its artifact comes back after a drop, as the file it was', async () => {
    const download = async () => (await bytesOf(await s.client.tables.download('dev', 'reports.summary'))).toString();
    const before = await download();
    const dropped = await s.client.tables.delete('dev', 'reports.summary');
    expect(dropped).toMatchObject({ kind: 'artifact', restorable: true });
    await expect(download()).rejects.toMatchObject({ status: 404 });
    expect(await s.client.tables.undrop('dev', 'reports.summary')).toMatchObject({
      id: dropped.uuid,
      kind: 'artifact',
    });
    expect(await download()).toBe(before);
  });
});
