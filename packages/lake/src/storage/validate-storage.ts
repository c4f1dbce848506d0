import { bucketError } from './bucket-error.ts';
import type { ObjectStore } from './object-store.ts';
import { openBucket } from './open-bucket.ts';
import { type OwnKeys, optionsWith } from './own-storage.ts';
import type { StorageOptions } from './storage-options.ts';

/** The caller waits for the result, so an unresponsive bucket is reported quickly. */
const TIMEOUTS = { idleTimeoutMs: 5000, maxAttempts: 1 };

/**
 * Writes, reads and removes an object below a location. Returns null if everything worked, otherwise a user-facing
 * reason.
 *
 * @param name of the object; no other object may have it
 */
export async function validateStorage(
  location: string,
  name: string,
  { options, keys }: { readonly options: StorageOptions; readonly keys: OwnKeys | null },
): Promise<string | null> {
  let step = 'opening it';
  try {
    const store = await openBucket(location, { ...optionsWith(options, keys), ...TIMEOUTS });
    const probe = `${store.root}/.svc-probe-${name}`;
    for (step of ['writing', 'reading', 'removing'] as const) {
      const why = await STEPS[step as keyof typeof STEPS](store, probe);
      if (why !== null) return why;
    }
    return null;
  } catch (error) {
    const why = bucketError(error) ?? (error instanceof Error ? error.message : String(error));
    return `${step} a file failed: ${why}`;
  }
}

const CONTENT = Buffer.from('written by svc to test this storage\n');

const STEPS = {
  async writing(store: ObjectStore, probe: string): Promise<string | null> {
    await store.write(probe, CONTENT);
    const second = await store.write(probe, CONTENT).then(
      () => true,
      () => false,
    );
    if (!second) return null;
    await store.remove(probe);
    return 'it ignores If-None-Match: * on PUT and overwrites the file, but commits depend on that header';
  },
  async reading(store: ObjectStore, probe: string): Promise<string | null> {
    return (await store.read(probe)).equals(CONTENT) ? null : 'it returned different content than was written';
  },
  async removing(store: ObjectStore, probe: string): Promise<string | null> {
    // Checks the permission to list, which the sweep needs.
    await store.list(probe)[Symbol.asyncIterator]().next();
    await store.remove(probe);
    return (await store.stat(probe)) === null ? null : 'a removed file still exists';
  },
};
