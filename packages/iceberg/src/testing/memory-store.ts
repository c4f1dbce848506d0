import { StorageError } from '../errors/storage-error.ts';
import type { FileStore, StoredFile } from '../files/file-store.ts';
import { isWithin } from '../files/locations.ts';

export const ROOT = 'file:///warehouse';

/** A store in memory. Two stores over the same files are like two processes over one folder. */
export function memoryStore(files: Map<string, Buffer> = new Map()): FileStore {
  const describe = (location: string, body: Buffer): StoredFile => ({ location, size: body.length, modifiedAt: 0 });
  return {
    write: async (location, body) => {
      if (!isWithin(ROOT, location)) throw new StorageError('outside', `${location} is not below ${ROOT}.`);
      if (files.has(location)) throw new StorageError('exists', `${location} exists.`);
      files.set(location, Buffer.from(body));
      return describe(location, files.get(location)!);
    },
    read: async (location) => {
      const body = files.get(location);
      if (!body) throw new StorageError('missing', `There is no file ${location}.`);
      return body;
    },
    stat: async (location) => (files.has(location) ? describe(location, files.get(location)!) : null),
    async *list(folder) {
      for (const [location, body] of files) if (isWithin(folder, location)) yield describe(location, body);
    },
    remove: async (location) => files.delete(location),
    isUnavailable: (error) => error instanceof StorageError && error.reason === 'unavailable',
  };
}
