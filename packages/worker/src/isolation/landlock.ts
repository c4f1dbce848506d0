import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ETC, KEYS, LIMITS, SYSTEM, systemCallFilter } from '@svc/lake/confinement';
import { installations } from './bubblewrap.ts';
import { LANDLOCK_LAUNCHER, type LauncherOptions } from './landlock-launcher.ts';
import { type Landlock, type Program, restrictsNetwork, type SandboxPaths } from './sandbox.ts';
import { liesIn } from './trace-path.ts';

/**
 * Wraps a program in rules of Landlock and a filter of system calls. Its processes see the same files as in a sandbox of
 * bubblewrap, at the same paths. They exit with it and with the worker.
 */
export async function confine(isolation: Landlock, sandbox: SandboxPaths, program: Program): Promise<Program> {
  const { python, abi, account } = isolation;
  const hidden = await real([...KEYS, ...isolation.hidden, ...(sandbox.hidden ?? [])]);
  const read = [...SYSTEM, ...ETC, ...isolation.readable, ...sandbox.readable, ...sandbox.interpreters];
  const isRestricted = restrictsNetwork(isolation) && sandbox.network?.kind !== 'worker';
  const options: LauncherOptions = {
    abi,
    read: await without(hidden, [...read, ...(await installations(sandbox.interpreters))]),
    show: await without(hidden, [...LIMITS, '/proc']),
    write: await without(hidden, sandbox.writable),
    restrictsNetwork: isRestricted,
    port: sandbox.network?.kind === 'port' ? sandbox.network.port : null,
    account: sandbox.runsAsWorker ? null : account,
    filter: systemCallFilter(process.arch, isRestricted ? 'tcp' : 'everything')!.toString('hex'),
  };
  const args = ['-I', '-S', '-c', LANDLOCK_LAUNCHER, JSON.stringify(options), program.command, ...program.args];
  return { command: python, args, cwd: program.cwd };
}

/** Without links. Missing paths are left out. */
async function real(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return found.filter((path) => path !== null);
}

/**
 * The paths without the hidden ones in them. A rule applies to everything below its path, so a folder with a hidden one in it is
 * replaced by its other entries. A path below a hidden folder stays: the nearest one counts.
 */
async function without(hidden: readonly string[], paths: readonly string[]): Promise<string[]> {
  const visible = (await real(paths)).filter((path) => !hidden.includes(path));
  const parts = await Promise.all(visible.map((path) => visibleParts(hidden, path)));
  return [...new Set(parts.flat())];
}

async function visibleParts(hidden: readonly string[], path: string): Promise<string[]> {
  const inside = hidden.filter((other) => other !== path && liesIn(other, path));
  if (inside.length === 0) return [path];
  const found = await readdir(path, { withFileTypes: true }).catch(() => []);
  // The target of a link has a rule of its own if it is visible.
  const names = found.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => name);
  const entries = names.map((name) => join(path, name)).filter((entry) => !inside.includes(entry));
  return (await Promise.all(entries.map((entry) => visibleParts(inside, entry)))).flat();
}
