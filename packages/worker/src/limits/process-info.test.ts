import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
