import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program, and the arguments with which it starts the words that follow. */
export type Launcher = readonly [command: string, ...args: string[]];

const SIGNAL = ['--pdeathsig', 'KILL', '--'];
/** Only root can create a network without a user namespace, in which it would lose access to the files of other accounts. */
const OWN_NETWORK = process.getuid?.() === 0 ? ['--net', '--'] : ['--user', '--map-current-user', '--net', '--'];

export const once = <T>(find: () => T): (() => T) => {
  let found: { value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
};

/** Finds a program of the system; null if it is missing or, like other programs with its name, can't do this. */
export function launcher(name: string, args: readonly string[], starts: readonly string[] = ['true']): Launcher | null {
  if (process.platform !== 'linux') return null;
  const path = [`/usr/bin/${name}`, `/bin/${name}`].find((candidate) => existsSync(candidate));
  if (path === undefined) return null;
  const works = spawnSync(path, [...args, ...starts], { stdio: 'ignore' }).status === 0;
  return works ? [path, ...args] : null;
}

/** How to start a program that the system kills if this process is killed; null if this machine can't. */
export const parentDeathSignal = once(() => launcher('setpriv', SIGNAL));

/** How to start a program without a network; null if this machine can't. */
export const ownNetwork = once(() => launcher('unshare', OWN_NETWORK));
