import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer paths may exceed the system's limit in later calls. */
const LONG_PATH = 2000;

/** Removes a task's files, including folders without permissions or with extreme depth. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'ENAMETOOLONG', 'ENOTEMPTY'].includes(code ?? '')) throw error;
    const deep = { moved: 0 };
    await open(folder, folder, deep);
    // Folders that were too deep were moved beside this one. They may contain such folders themselves.
    for (let i = 0; i < deep.moved; i++) await removeFolder(`${folder}-deep-${i}`);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes folders writable, and moves those with very long paths beside the top folder. */
async function open(folder: string, fullPath: string, deep: { moved: number }): Promise<void> {
  try {
    await chmod(folder, 0o700);
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (!(await lstat(path)).isDirectory()) continue;
      if (path.length > LONG_PATH) await rename(path, `${fullPath}-deep-${deep.moved++}`);
      else await open(path, fullPath, deep);
    }
  } catch (error) {
    // The removal that failed at one folder may still be removing others.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
