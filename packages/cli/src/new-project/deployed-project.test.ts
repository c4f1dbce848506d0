import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { svc } from '../testing/run-svc.ts';
import { type ServiceProcess, startServiceProcess, TOKEN } from '../testing/service-process.ts';

const isOnPath = (name: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
const uv = process.env['SVC_RUN__UV'] ?? (isOnPath('uv') ? 'uv' : null);
const withUv = uv === null ? test.skip : test;

let service: ServiceProcess;
let base: string;
beforeAll(async () => {
  service = await startServiceProcess();
  base = await mkdtemp(join(tmpdir(), 'svc-new-project-'));
  for (const env of ['dev', 'python']) await ok(['env', 'create', env]);
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(base, { recursive: true });
}, 60_000);

/** Runs a command that must succeed, on a terminal whose user confirms. */
async function ok(argv: string[], SVC_ENV = 'dev') {
  const env = { SVC_URL: service.url, SVC_TOKEN: TOKEN, SVC_ENV };
  const { code, stdout, stderr } = await svc(argv, { env, confirms: true });
  expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' });
  return { stdout, stderr };
}

const rowsOf = async (sql: string, env: string) => JSON.parse((await ok(['sql', sql, '-o', 'json'], env)).stdout).rows;
const REVENUE = 'SELECT * FROM marts.revenue_by_day ORDER BY day';
const REVENUES = [
  ['2026-03-02', 2, '65.00'],
  ['2026-03-03', 3, '229.00'],
  ['2026-03-04', 1, '12.50'],
  ['2026-03-05', 3, '216.50'],
  ['2026-03-06', 1, '40.00'],
];

test('the next commands of svc init deploy the project without a warning, build it and show its table (CLI-34)', async () => {
  const { stderr } = await ok(['init', join(base, 'shop')]);
  expect(stderr.trim().split('\n')).toEqual([
    `Next: svc deploy ${join(base, 'shop')}`,
    'Next: svc run --repo shop',
    `Next: svc sql '${REVENUE}'`,
  ]);
  const deployed = await ok(['deploy', join(base, 'shop')]);
  expect(deployed.stdout).toMatch(/^Deployed shop into dev/);
  expect(deployed.stdout + deployed.stderr).not.toMatch(/warning|Not sent/);
  const run = await ok(['run', '--repo', 'shop']);
  expect(run.stdout + run.stderr).toMatch(/Run \S+ succeeded/);
  expect(await rowsOf(REVENUE, 'dev')).toEqual(REVENUES);
  const table = JSON.parse((await ok(['table', 'get', 'marts.revenue_by_day', '-o', 'json'])).stdout);
  expect(table).toMatchObject({ kind: 'managed', description: 'Revenue of each day' });
  const job = await ok(['job', 'run', 'refresh']);
  expect(job.stdout + job.stderr).toMatch(/Run \S+ succeeded/);
}, 60_000);

withUv(
  'a project with Python is locked, deploys and runs as it is (CLI-34)',
  async () => {
    const folder = join(base, 'Kö ln');
    await ok(['init', folder, '--python']);
    execFileSync(uv!, ['lock', '--check', '--offline', '--quiet', '--no-config'], { cwd: folder });
    const deployed = await ok(['deploy', folder], 'python');
    expect(deployed.stdout + deployed.stderr).not.toMatch(/warning|Not sent/);
    await ok(['run', '--repo', 'Kö ln'], 'python');
    expect(await rowsOf(REVENUE, 'python')).toEqual(REVENUES);
    expect(await rowsOf('SELECT * FROM marts.best_day', 'python')).toEqual([['2026-03-03', '229.00']]);
  },
  240_000,
);
