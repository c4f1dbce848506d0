import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type GuardOptions, type GuardProxy, startGuardProxy } from './guard-proxy.ts';

export interface GuardSocket extends GuardProxy {
  /** The file for the program that connects. */
  readonly socket: string;
}

/**
 * Starts a guard proxy that listens on a Unix socket in a folder. The path of a socket has at most 107 bytes, which folders
 * of tasks can exceed, so it listens through the open folder; that works on Linux.
 */
export async function startGuardSocket(
  folder: string,
  name: string,
  options: Omit<GuardOptions, 'socket'>,
): Promise<GuardSocket> {
  const handle = await open(folder, 'r');
  try {
    const guard = await startGuardProxy({ ...options, socket: `/proc/self/fd/${handle.fd}/${name}` });
    const close = () => guard.close().finally(() => handle.close());
    return { ...guard, socket: join(folder, name), close };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
