import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseRollup, parseStatus, sharedOnce } from './process-info.ts';
import { parseStat } from './task-processes.ts';

test('a status is read whatever the program is called', () => {
  const status = 'Name:\tThreads:\\n9\nVmSwap:\t       4 kB\nRssAnon:\t    100 kB\nRssShmem:\t     8 kB\nThreads:\t3\n';
  expect(parseStatus(status)).toEqual({ threads: 3, own: 104 * 1024, shared: 8 * 1024 });
  expect(parseStatus('Name:\tkthread\nThreads:\t1\n')).toEqual({ threads: 1, own: 0, shared: 0 });
});

test('shared memory is counted in parts, where the kernel reports them', () => {
  const parts =
    'Pss:                 900 kB\nPss_Anon:            100 kB\nPss_File:            790 kB\nPss_Shmem:            10 kB\nSwapPss:               1 kB\n';
  expect(parseRollup(`00400000-7fff [rollup]\n${parts}`)).toBe(111 * 1024);
  expect(parseRollup('00400000-7fff [rollup]\nPss:   900 kB\n')).toBeNull();
});

test('a process that has exited, or is exiting, counts nothing', async () => {
  const exiting = await mkdtemp(join(tmpdir(), 'svc-exiting-'));
  await writeFile(join(exiting, 'smaps_rollup'), '');
  expect(await sharedOnce([exiting, join(exiting, 'gone')], () => 100)).toBe(0);
  await rm(exiting, { recursive: true });
});

test('a program may have parentheses and spaces in its name', () => {
  const rest = Array.from({ length: 18 }, (_, i) => i).join(' ');
  expect(parseStat(`42 (a) 1 (b c) S 7 8 9 ${rest}`)).toEqual({
    pid: 42,
    exited: false,
    parent: 7,
    group: 8,
    session: 9,
    started: '15',
  });
});

// Root sees the files of every process.
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const asOther = ['--reuid=60847', '--regid=60847', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
const asAccount = (script: string): string => {
  const node = [
    process.execPath,
    '--import',
    `${root}scripts/typescript.mjs`,
    '--conditions=@svc/source',
    '-e',
    script,
  ];
  const [command, ...args] = process.getuid?.() === 0 ? ['setpriv', ...asOther, ...node] : node;
  return execFileSync(command!, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
};
const canRun = () => {
  try {
    return process.platform === 'linux' && asAccount('console.log(1)') !== '';
  } catch {
    return false;
  }
};

(canRun() ? test : test.skip)('the files of a process that has exited are not hidden ones', async () => {
  const script = `
    const { spawn } = require('node:child_process');
    const { readFileSync } = require('node:fs');
    // The child of the shell exits, and the program that the shell becomes doesn't wait for it.
    const parent = spawn('sh', ['-c', 'true & exec sleep 60']);
    const zombieOf = (pid) => {
      const found = readFileSync('/proc/' + pid + '/task/' + pid + '/children', 'utf8').trim();
      return found !== '' && /State:\\tZ/.test(readFileSync('/proc/' + found + '/status', 'utf8')) ? found : zombieOf(pid);
    };
    import('${pathToFileURL(join(root, 'packages/worker/src/limits/process-info.ts'))}').then(async ({ openFileUsage }) => {
      console.log(JSON.stringify(await openFileUsage(['/proc/' + zombieOf(parent.pid)])));
      parent.kill('SIGKILL');
    });`;
  expect(JSON.parse(asAccount(script))).toEqual({ memory: 0, disk: 0, isIncomplete: false });
});
