import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openLocalStore } from '../storage/index.ts';
import { Sandbox } from './index.ts';
import { QueryFixture } from './testing/query-fixture.ts';

test('many queries at once each get their own child', async () => {
  const f = await QueryFixture.create();
  await f.addTable('s.t', [{ name: 'n', type: 'int' }], 'SELECT 7 AS n');
  const answers = await Promise.all([1, 2, 3, 4, 5].map((i) => f.rows(`select n + ${i} from s.t`)));
  expect(answers.map((rows) => rows[0]![0])).toEqual([8, 9, 10, 11, 12]);
  await f.close();
});

test('a child that is killed is told apart, and the next query runs', async () => {
  const f = await QueryFixture.create();
  await f.sandbox.withChild(async (child) => {
    await child.ready;
    process.kill(child.pid!, 'SIGKILL');
    await expect(child.ask({ op: 'parse', sql: 'select 1' })).rejects.toMatchObject({ reason: 'engine-died' });
  });
  await f.sandbox.warm();
  expect(await f.rows('select 1')).toEqual([[1]]);
  await f.close();
});

test('children die with a parent that is killed, and what they leave is swept', async () => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'sandbox-'));
  const hooks = new URL('./testing/source-hooks.mjs', import.meta.url).href;
  const parent = fork(new URL('./testing/parent.ts', import.meta.url).pathname, [dir], {
    execArgv: ['--conditions=@svc/source', `--import=${hooks}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [pid] = (await once(parent, 'message')) as [number];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  while (await fs.stat(`/proc/${pid}/exe`).catch(() => null)) await new Promise(setImmediate);
  expect((await fs.readdir(path.join(dir, 'tmp'))).length).toBe(1);
  const store = await openLocalStore(path.join(dir, 'w'));
  const limits = { memoryLimit: 1e9, timeoutMs: 10_000, threads: 1, tempLimit: 1e8 };
  const sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), spares: 1, ...limits });
  await sandbox.warm();
  const left = await fs.readdir(path.join(dir, 'tmp'));
  expect(left.every((name) => name.startsWith(`engine-${process.pid}-`))).toBe(true);
  await sandbox.close();
  expect(await fs.readdir(path.join(dir, 'tmp'))).toEqual([]);
  await fs.rm(dir, { recursive: true });
});
