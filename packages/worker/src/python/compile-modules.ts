import { type Isolation, isSandboxed } from '../isolation/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import { type BuildLimits, runBuild } from './build-limits.ts';

const TIMEOUT_MS = 600_000;

/**
 * Compiles a folder's modules for tasks that can only read it. No project code runs: the interpreter doesn't read .pth
 * files. Modules that can't be compiled are left as they are. Throws RunError
 * if it exceeds a limit.
 */
export async function compileModules(
  folder: string,
  options: {
    python: InstalledTool;
    isolation: Isolation;
    limits: BuildLimits;
    signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const { python, isolation, limits, signal } = options;
  if (!isSandboxed(isolation)) return;
  const paths = { interpreters: [python.command], readable: [], writable: [folder], runsAsWorker: true };
  await runBuild({ isolation, paths, python, folder }, limits, {
    command: python.command,
    args: ['-I', '-S', '-m', 'compileall', '-q', '-j', '0', folder],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  signal?.throwIfAborted();
}
