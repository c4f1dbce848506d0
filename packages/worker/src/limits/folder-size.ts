import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** The minimum size that a file or folder counts as, so that many empty ones aren't free. */
const LEAST_BYTES = 4096;

export interface FolderSize {
  readonly bytes: number;
  readonly files: number;
  /** Why a part could not be measured; null if everything was. */
  readonly unmeasured: string | null;
}

/** The disk space used below folders; stops counting above `max` bytes or `maxFiles`. Doesn't follow links. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk that handles files which change or vanish during it
export async function folderSize(
  folders: readonly string[],
  max: number,
  maxFiles = Number.POSITIVE_INFINITY,
): Promise<FolderSize> {
  const linked = new Set<string>();
  const waiting = [...folders];
  let [bytes, files] = [0, 0];
  for (let next = waiting.pop(); next !== undefined && bytes <= max && files <= maxFiles; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        const stats = await lstat(path).catch(ignoreMissing);
        if (stats === null) continue;
        if (stats.isDirectory()) waiting.push(path);
        const id = `${stats.dev}:${stats.ino}`;
        if (stats.nlink > 1 && !stats.isDirectory()) {
          if (linked.has(id)) continue;
          linked.add(id);
        }
        files += 1;
        bytes += Math.max(stats.blocks * 512, LEAST_BYTES);
        if (bytes > max || files > maxFiles) break;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') continue;
      // Folders without permissions or with extreme depth would hide their contents.
      if (code === 'EACCES' || code === 'EPERM') return { bytes, files, unmeasured: "a folder that can't be read" };
      if (code === 'ENAMETOOLONG' || code === 'ELOOP') return { bytes, files, unmeasured: 'folders nested too deeply' };
      throw error;
    }
  }
  return { bytes, files, unmeasured: null };
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
