import { access, constants, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createTaskCgroup } from './task-cgroup.ts';

/** A cgroup folder in which the worker can create one cgroup per task, or the reason why it is missing. */
export type FoundCgroup =
  | { readonly base: string; readonly reason: null }
  | { readonly base: null; readonly reason: string };

const NEEDED = ['memory', 'pids'];
const MAX_MOVE_ATTEMPTS = 10;
const none = (reason: string): FoundCgroup => ({ base: null, reason });

/**
 * Prepares the cgroup of the worker's systemd service for the cgroups of tasks, if it is delegated to the worker
 * (`Delegate=yes`). Other cgroups, such as those of a login or a container, belong to their managers.
 * @param options.account of this process. To root every cgroup looks delegated, so root's worker must run in a subgroup
 * of its service.
 */
export async function findCgroup({
  account,
  root = '/sys/fs/cgroup',
  own = '/proc/self/cgroup',
}: {
  account: number;
  root?: string;
  own?: string;
}): Promise<FoundCgroup> {
  const controllers = await read(join(root, 'cgroup.controllers'));
  if (controllers === null) return none('this machine has no cgroup v2');
  const path = /^0::(\/.*)$/m.exec((await read(own)) ?? '')?.[1];
  const unit = path === undefined ? null : unitOf(path);
  if (path === undefined || unit === null) return none("the worker isn't a systemd service with Delegate=yes");
  const base = join(root, unit);
  const available = ((await read(join(base, 'cgroup.controllers'))) ?? '').trim().split(' ');
  const missing = NEEDED.filter((name) => !available.includes(name));
  const delegated = (account !== 0 || path !== unit) && (await writable(base));
  if (!delegated || missing.length > 0) return none(`the cgroup ${unit} isn't delegated to the worker (Delegate=yes)`);
  try {
    await prepare(base);
    return { base, reason: null };
  } catch (error) {
    return none(`the cgroup ${unit} can't be used: ${(error as Error).message}`);
  }
}

/** The service that a cgroup belongs to: its own, or its parent's (`DelegateSubgroup=`). */
function unitOf(path: string): string | null {
  if (path.endsWith('.service')) return path;
  const isUnit = /\.(scope|slice|socket|mount|swap)$/.test(basename(path));
  return !isUnit && dirname(path).endsWith('.service') ? dirname(path) : null;
}

async function writable(base: string): Promise<boolean> {
  const requiredPaths = [base, join(base, 'cgroup.procs'), join(base, 'cgroup.subtree_control')];
  const results = await Promise.allSettled(requiredPaths.map((path) => access(path, constants.W_OK)));
  return results.every(({ status }) => status === 'fulfilled');
}

/** A cgroup that delegates controllers can't contain processes, so those of the service move into a child cgroup. */
async function prepare(base: string): Promise<void> {
  const procs = async () => ((await read(join(base, 'cgroup.procs'))) ?? '').split('\n').filter((pid) => pid !== '');
  let remaining = await procs();
  if (remaining.length > 0) await mkdir(join(base, 'svc-worker'), { recursive: true });
  for (let moves = 0; remaining.length > 0 && moves < MAX_MOVE_ATTEMPTS; moves++) {
    for (const pid of remaining)
      await writeFile(join(base, 'svc-worker', 'cgroup.procs'), pid).catch(ignoreMissingProcess);
    remaining = await procs();
  }
  await writeFile(join(base, 'cgroup.subtree_control'), NEEDED.map((name) => `+${name}`).join(' '));
  // Find out now whether limits can be set, and not with the first task.
  const probe = await createTaskCgroup(base, `probe-${process.pid}`, {
    memory: 2 ** 30,
    processes: 100,
    open_files: null,
    disk: null,
  });
  await probe.close();
}

function ignoreMissingProcess(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ESRCH') throw error;
}

const read = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
