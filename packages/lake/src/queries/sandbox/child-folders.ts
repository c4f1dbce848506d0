import { statSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './is-alive.ts';

/**
 * A child's folder is named after its parent, so that folders left by a killed parent can be distinguished from folders
 * in use.
 */
const FOLDER = 'engine-';

/** Removes the folders of children whose parent process no longer runs. */
export async function sweepChildFolders(tempDir: string): Promise<void> {
  for (const name of await fs.readdir(tempDir).catch(() => [])) {
    const parent = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : Number.NaN;
    if (Number.isNaN(parent) || isAlive(parent)) continue;
    await fs.rm(path.join(tempDir, name), { recursive: true, force: true });
  }
}

/** Creates the folder of a child. */
export async function createChildFolder(tempDir: string): Promise<string> {
  await fs.mkdir(tempDir, { recursive: true, mode: 0o700 });
  return fs.mkdtemp(path.join(tempDir, `${FOLDER}${process.pid}-`));
}

/** What a child can open besides its own folder. */
export interface ChildFolders {
  readonly read: readonly string[];
  /** It also writes to this one. */
  readonly stages: string;
  /** The folder in which it gets a cgroup, or null. */
  readonly cgroup: string | null;
}

/** Null for a folder that doesn't exist. */
export type Inodes = ReadonlyMap<string, number | null>;

/** Synchronous, because it runs before every query, for which five tasks for other threads cost far more than the calls. */
export function inodesOf(folders: Iterable<string>): Inodes {
  return new Map([...folders].map((folder) => [folder, inodeOf(folder)]));
}

function inodeOf(folder: string): number | null {
  try {
    return statSync(folder).ino;
  } catch {
    return null;
  }
}
