import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepPythonEnvironments } from './sweep-python-environments.ts';

const DAY = 24 * 3_600_000;
const now = new Date('2026-03-01T00:00:00Z');
let workDir: string;
beforeEach(() => {
  workDir = mkdtempSync(join(tmpdir(), 'svc-sweep-'));
});
afterEach(() => rmSync(workDir, { recursive: true, force: true }));

function made(path: string, daysAgo: number, bytes = 10): void {
  const folder = join(workDir, path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'file'), 'x'.repeat(bytes));
  const time = new Date(now.getTime() - daysAgo * DAY);
  utimesSync(folder, time, time);
}
const left = (folder: string) => readdirSync(join(workDir, folder)).sort();
const sweep = (more: object = {}) =>
  sweepPythonEnvironments({ workDir, now, unusedMs: 30 * DAY, maxBytes: 1e9, ...more });

test('what killed workers left goes after hours; what is being built stays', async () => {
  for (const name of ['environments/.building-a', 'environments/.home-a', 'projects/.unpacking-a', 'deploys/deploy-a'])
    made(name, 1);
  for (const name of ['environments/.building-b', 'projects/.unpacking-b', 'deploys/deploy-b']) made(name, 0.1);
  made('environments/.cache-2026-02/.tmpA', 1);
  made('environments/.cache-2026-02/.tmpB', 0.1);
  made('environments/.cache-2026-02', 9);
  expect(await sweep()).toEqual({ leftovers: 5, unused: 0 });
  expect(left('environments/.cache-2026-02')).toEqual(['.tmpB', 'file']);
  expect([left('environments'), left('projects'), left('deploys')]).toEqual([
    ['.building-b', '.cache-2026-02'],
    ['.unpacking-b'],
    ['deploy-b'],
  ]);
});

test('folders of tasks go once their worker was killed; those of a running worker stay for as long as a task may run', async () => {
  const { pid: killed } = spawnSync('true');
  for (const name of [`task-${killed}-a`, `task-${killed}-a-deep-0`, `task-${process.pid}-b`, 'task-c'])
    made(`tasks/${name}`, 0);
  for (const name of [`task-${process.pid}-d`, 'task-e']) made(`tasks/${name}`, 9);
  expect(await sweep()).toEqual({ leftovers: 4, unused: 0 });
  expect(left('tasks')).toEqual([`task-${process.pid}-b`, 'task-c']);
});

test('environments and projects go when nothing has used them for the days kept, and not while a task may run', async () => {
  for (const folder of ['environments', 'projects']) for (const days of [1, 29, 31]) made(`${folder}/e${days}`, days);
  expect(await sweep()).toEqual({ leftovers: 0, unused: 2 });
  expect(left('environments')).toEqual(['e1', 'e29']);
  expect(await sweep({ unusedMs: 0 })).toEqual({ leftovers: 0, unused: 2 });
  expect([left('environments'), left('projects')]).toEqual([['e1'], ['e1']]);
});

test('a cache of uv goes when no build has used it for the days kept', async () => {
  for (const [month, days] of [
    ['2025-12', 60],
    ['2026-01', 31],
    ['2026-02', 29],
  ] as const)
    made(`environments/.cache-${month}`, days);
  expect(await sweep()).toEqual({ leftovers: 0, unused: 2 });
  expect(left('environments')).toEqual(['.cache-2026-02']);
});

test('beyond the size the longest unused go first', async () => {
  for (const days of [1, 10, 15, 20]) made(`environments/e${days}`, days, 1000);
  expect(await sweep({ maxBytes: 2500 })).toEqual({ leftovers: 0, unused: 2 });
  expect(left('environments')).toEqual(['e1', 'e10']);
  expect(await sweep({ maxBytes: 0 })).toEqual({ leftovers: 0, unused: 1 });
  expect(left('environments')).toEqual(['e1']);
});

test('without a folder there is nothing to do', async () => {
  rmSync(workDir, { recursive: true });
  expect(await sweep()).toEqual({ leftovers: 0, unused: 0 });
});
