import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskLimits } from '../limits/index.ts';
import type { PythonTask } from './python-task.ts';
import { readResult } from './read-result.ts';

let output: string;
beforeEach(async () => {
  output = await mkdtemp(join(tmpdir(), 'read-result-'));
});
afterEach(() => rm(output, { recursive: true }));

test.each([
  ['r.html', 'r.html'],
  ['ü'.repeat(127), 'ü'.repeat(127)],
  // No object can have these names.
  ['.', 'report'],
  ['..', 'report'],
  ['a/b', 'report'],
  ['ü'.repeat(128), 'report'],
  // Python reads bytes of a file name that aren't UTF-8 as lone surrogates.
  ['r\udce9.html', 'report'],
])('an artifact that a task calls %j is called %j', async (named, expected) => {
  await writeFile(join(output, 'artifact.bin'), 'rows');
  const result = { status: 'succeeded', kind: 'artifact', file: 'artifact.bin', name: named, bytes: 4 };
  await writeFile(join(output, 'result.json'), JSON.stringify(result));
  const task = { asset: 'report', kind: 'artifact' } as PythonTask;
  const read = await readResult(task, { output, limits: {} as TaskLimits }, 0);
  expect(read).toMatchObject({ status: 'succeeded', name: expected });
});

test.each([
  [1, 'worker-disk-full'],
  // The process was killed while it wrote.
  [137, 'task-failed'],
])('a draft of the result without the result, with exit code %i, is %s', async (exitCode, code) => {
  await writeFile(join(output, 'result.tmp'), '');
  const task = { asset: 'shop.t', kind: 'table' } as PythonTask;
  const read = await readResult(task, { output, limits: {} as TaskLimits }, exitCode);
  expect(read).toMatchObject({ status: 'failed', failure: { code } });
});
