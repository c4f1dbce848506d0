import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A path as the system resolves it: the links along it, and its target. */
export interface TracedPath {
  readonly links: readonly { readonly at: string; readonly to: string }[];
  /** Absolute and without links. */
  readonly target: string;
}

/** Linux follows the same number of links. */
const MAX_LINKS = 40;

/** Resolves a path link by link; null if the target doesn't exist. */
export async function tracePath(path: string): Promise<TracedPath | null> {
  const links: { at: string; to: string }[] = [];
  let remaining = parts(resolve(path));
  let here = '/';
  while (remaining.length > 0) {
    const next = join(here, remaining[0]!);
    remaining = remaining.slice(1);
    const stats = await lstat(next).catch(() => null);
    if (stats === null) return null;
    if (!stats.isSymbolicLink()) {
      here = next;
      continue;
    }
    if (links.length === MAX_LINKS) return null;
    const to = await readlink(next);
    links.push({ at: next, to });
    remaining = [...parts(resolve(dirname(next), to)), ...remaining];
    here = '/';
  }
  return { links, target: here };
}

const parts = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Whether a path equals a folder or is inside it; both are absolute. */
export const liesIn = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);
