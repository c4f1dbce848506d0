import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { type Launcher, ownNetwork, parentDeathSignal } from './launchers.ts';
import type { SandboxLimits } from './limits.ts';
import { ENGINE_THREADS, engineLimits } from './limits.ts';
import { ENGINE_PROGRAM } from './restricted.ts';

/**
 * Engines open no connection, so the system leaves them no network. It also closes to them what isn't theirs, and kills them with this
 * process, at once and however busy they are. These programs are exec'ed, so the process remains the engine's.
 */
export function startProcess(dir: string, limits: SandboxLimits, launcher: Launcher | null): ChildProcess {
  const settings = {
    threads: String(ENGINE_THREADS),
    temp_directory: path.join(dir, 'spill'),
    ...engineLimits(limits),
  };
  const diesWithParent = launcher ?? parentDeathSignal();
  const node = [process.execPath, '--max-old-space-size=512'];
  const [execPath, ...execArgv] = [...(ownNetwork() ?? []), ...(diesWithParent ?? []), ...node] as [
    string,
    ...string[],
  ];
  return fork(ENGINE_PROGRAM, [], {
    cwd: dir,
    // No credential of this process reaches the child, and no user setting affects it.
    env: {
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      HOME: dir,
      TMPDIR: dir,
      ENGINE_SETTINGS: JSON.stringify(settings),
      ENGINE_WATCHES_PARENT: diesWithParent === null ? 'true' : 'false',
    },
    execPath,
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
