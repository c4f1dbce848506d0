import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { parentDeathSignal } from '@svc/lake/queries';

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
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
  const starter = isThere(command, env['PATH'] ?? '') ? parentDeathSignal() : null;
  if (starter === null) return { command, args: [...args] };
  const [setpriv, ...options] = starter;
  return { command: setpriv, args: [...options, command, ...args] };
}
