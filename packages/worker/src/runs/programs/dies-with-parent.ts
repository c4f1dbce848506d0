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

/** util-linux's setpriv; others that are called so don't know the option. */
function setpriv(): string | null {
  if (found !== undefined) return found;
  const known = process.platform === 'linux' ? SETPRIV.find((path) => existsSync(path)) : undefined;
  const works = known !== undefined && spawnSync(known, [...SIGNAL, 'true'], { stdio: 'ignore' }).status === 0;
  found = works ? known : null;
  return found;
}

function isThere(command: string, path: string): boolean {
  if (isAbsolute(command)) return existsSync(command);
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, command)));
}

/**
 * The program, started so that the system kills it when this process is killed and can't do so itself: on Linux with
 * util-linux; elsewhere as it is. What it starts in turn is not killed with it.
 */
export function diesWithParent({ command, args, env }: Program): { command: string; args: string[] } {
  // A program that isn't there must be reported as such, and not by setpriv.
  const starter = isThere(command, env['PATH'] ?? '') ? setpriv() : null;
  return starter === null ? { command, args: [...args] } : { command: starter, args: [...SIGNAL, command, ...args] };
}
