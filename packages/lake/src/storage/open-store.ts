import { resolve } from 'node:path';
import { openLocalStore } from './local-store.ts';
import type { ObjectStore } from './object-store.ts';

/** The store at a location as the operator writes it: a folder, or its `file://` URL. */
export async function openStore(location: string): Promise<ObjectStore> {
  if (/^[a-z0-9]+:\/\//i.test(location) && !location.startsWith('file://')) {
    throw new Error(`SVC_STORAGE__LOCATION ${location}: tables are kept on a local disk; name a folder.`);
  }
  return openLocalStore(resolve(location.replace(/^file:\/\//, '')));
}
