import { mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxPaths } from '../isolation/index.ts';
import type { InterpreterOptions } from './interpreter-options.ts';

/** Where tasks have their folders, below the worker's. */
export const TASKS = 'tasks';

/** Creates the folder of a task. It is named after the worker's process, so that it can be recognized once the worker was killed. */
export async function makeTaskFolder(workDir: string): Promise<string> {
  const folder = join(workDir, TASKS);
  await mkdir(folder, { recursive: true });
  return mkdtemp(join(folder, `task-${process.pid}-`));
}

/** The process id of the worker of a task's folder; null if the name has none. */
export function workerOf(name: string): number | null {
  const pid = /^task-(\d+)-/.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}

export const outputOf = ({ workDir }: Pick<InterpreterOptions, 'workDir'>) => join(workDir, 'output');
export const scratchOf = ({ workDir }: Pick<InterpreterOptions, 'workDir'>) => join(workDir, 'scratch');

/** Inside the task's own folder, so that the disk limit covers them and they use no memory. */
export const temporaryOf = ({ workDir }: Pick<InterpreterOptions, 'workDir'>) => ({
  files: join(workDir, 'tmp'),
  memory: join(workDir, 'shm'),
});

/** Creates the working folder of a task: it contains links to the project's files, and the task's own output. */
export async function workingFolder({ projectDir, workDir }: InterpreterOptions): Promise<string> {
  const folder = join(workDir, 'working');
  await mkdir(folder);
  for (const name of await readdir(projectDir)) await symlink(join(projectDir, name), join(folder, name));
  return folder;
}

/** A task can write only to its own folder. What it shares with other tasks is read-only. */
export function pathsOf(options: InterpreterOptions): SandboxPaths {
  const { python, support, projectDir, workDir, inheritedEnv } = options;
  const { SSL_CERT_FILE, SSL_CERT_DIR } = inheritedEnv ?? {};
  const certificates = [SSL_CERT_FILE, SSL_CERT_DIR].filter((path) => path !== undefined);
  return {
    interpreters: [python],
    readable: [dirname(dirname(python)), support, projectDir, ...certificates],
    writable: [workDir],
    temporary: temporaryOf(options),
  };
}
