import { type Isolation, runInRoom } from '../../isolation/index.ts';
import type { FoundTool } from '../programs/find-tools.ts';

const TIMEOUT_MS = 600_000;

/**
 * Compiles the modules of a folder where tasks will not be able to do it, having it read-only. No code of theirs runs:
 * the interpreter reads no .pth files. What cannot be compiled is left as it is.
 */
export async function compileModules(
  folder: string,
  options: { python: FoundTool; isolation: Isolation; signal?: AbortSignal | undefined },
): Promise<void> {
  const { python, isolation, signal } = options;
  if (isolation.kind !== 'bubblewrap') return;
  await runInRoom(
    isolation,
    { interpreters: [python.command], readable: [], writable: [folder] },
    {
      command: python.command,
      args: ['-I', '-S', '-m', 'compileall', '-q', '-j', '0', folder],
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      timeoutMs: TIMEOUT_MS,
      signal,
    },
  );
  signal?.throwIfAborted();
}
