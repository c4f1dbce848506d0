import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnosticText, resolveJobs } from '@svc/core/deploys';
import { PUBLIC_FILE_HOST, PUBLIC_REGISTRY, verifyLock } from '@svc/core/package-indexes';
import type { Sandbox } from '@svc/lake/queries';
import { openTestSandbox } from '../testing/index.ts';
import { readProject } from './read-project.ts';

const dir = fileURLToPath(new URL('../../../../examples/bird-strikes', import.meta.url));
const support = fileURLToPath(new URL('../../../sdk-python/src', import.meta.url));

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-example-'));
  sandbox = await openTestSandbox(folder);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the example is a project without problems, and its lock names the public index alone', async () => {
  const command = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  const project = await readProject(dir, {
    maxStatementBytes: 10_000,
    owner: 'tests',
    python: { command, support },
    sandbox,
  });
  expect(project.problems.map(diagnosticText)).toEqual([]);
  expect(project.graph?.order).toEqual([
    'raw.strikes',
    'core.strikes',
    'core.damaging_strikes',
    'marts.airport_risk',
    'marts.species_profile',
    'marts.strikes_by_month',
    'reports.summary',
  ]);
  const verdict = verifyLock({
    lockText: project.lock.lockText!,
    pyprojectText: project.lock.pyprojectText,
    uvTomlText: null,
    wheelhouse: [],
    registered: [],
    operatorIndexUrl: null,
    fileHosts: [],
    phase: 'deploy',
  });
  expect(verdict.problems).toEqual([]);
  expect(
    verdict.fetches
      .flatMap(({ addresses }) => addresses)
      .map((address) => address.host)
      .sort(),
  ).toEqual([PUBLIC_FILE_HOST, new URL(PUBLIC_REGISTRY).host].sort());
});

test('its jobs: one with a schedule but in dev, one without', async () => {
  const project = await readProject(dir, { maxStatementBytes: 10_000, owner: 'tests', python: null, sandbox });
  const schedules = (environment: string) =>
    resolveJobs(project.manifest!, environment).map((job) => [job.name, job.schedule?.cron ?? null]);
  expect(schedules('prod')).toEqual([
    ['nightly', '30 5 * * *'],
    ['report', null],
  ]);
  expect(schedules('dev')).toEqual([
    ['nightly', null],
    ['report', null],
  ]);
  expect(
    readFileSync(join(dir, 'data', 'birdstrikes.csv'), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(10_001);
});
