import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];
const SIGNAL = ['--pdeathsig', 'KILL', '--'];

let found: string | null | undefined;

/** Returns util-linux's setpriv. Other programs with this name don't have the option. */
function setpriv(): string | null {
  if (found !== undefined) return found;
  const known = process.platform === 'linux' ? SETPRIV.find((path) => existsSync(path)) : undefined;
  const isSupported = known !== undefined && spawnSync(known, [...SIGNAL, 'true'], { stdio: 'ignore' }).status === 0;
  found = isSupported ? known : null;
  return found;
}

function isThere(command: string, path: string): boolean {
  if (isAbsolute(command)) return existsSync(command);
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, command)));
}

/**
 * Wraps a program so that the system kills it if this process is killed without a chance to do so. Works on Linux with
 * util-linux; other platforms start it unchanged. Its children aren't killed with it.
 */
export function withParentDeathSignal({ command, args, env }: Program): { command: string; args: string[] } {
  // A missing program must be reported as such, and not by setpriv.
  const starter = isThere(command, env['PATH'] ?? '') ? setpriv() : null;
  return starter === null ? { command, args: [...args] } : { command: starter, args: [...SIGNAL, command, ...args] };
}
