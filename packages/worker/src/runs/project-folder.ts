import { access, mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackBundle } from '../deploys/bundle.ts';
import { admit } from '../isolation/index.ts';
import { moveInto } from '../python/build-environment.ts';
import type { RunWork } from './run-work.ts';

/**
 * Returns a folder with the files of a version, unpacked once. It is moved into place when complete, so a killed worker
 * never leaves a partial one. The folder's modification time is its last use.
 */
export async function projectFolder({ deps, version }: Pick<RunWork, 'deps' | 'version'>): Promise<string> {
  const root = join(deps.workDir, 'projects');
  const folder = join(root, version.id);
  if (!(await exists(folder))) {
    await mkdir(root, { recursive: true });
    const draft = await mkdtemp(join(root, '.unpacking-'));
    try {
      await unpackBundle(await deps.store.readStream(version.location), draft);
      await moveInto(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  await admit(deps.isolation, folder, 'read');
  await utimes(folder, new Date(), new Date());
  return folder;
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
