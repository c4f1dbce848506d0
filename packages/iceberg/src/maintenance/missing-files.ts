import type { FileStore } from '../files/file-store.ts';
import { readManifestList } from '../manifests/manifests.ts';
import { snapshotOfRef, type TableMetadata } from '../metadata/metadata.ts';
import { scanFiles } from '../scans/scan-files.ts';

/** Objects checked concurrently. */
const BATCH = 100;

/** Checks that files exist, each once, up to a maximum number. */
export class FileExistenceCheck {
  private readonly store: FileStore;
  private readonly results = new Map<string, boolean>();
  private remaining: number;

  constructor(store: FileStore, limit: number) {
    this.store = store;
    this.remaining = limit;
  }

  /** The missing files, up to the limit. */
  async missing(locations: readonly string[]): Promise<string[]> {
    const unchecked = [...new Set(locations)]
      .filter((location) => !this.results.has(location))
      .slice(0, this.remaining);
    this.remaining -= unchecked.length;
    for (let i = 0; i < unchecked.length; i += BATCH) {
      const batch = unchecked.slice(i, i + BATCH);
      const found = await Promise.all(batch.map((location) => this.store.stat(location)));
      for (const [at, location] of batch.entries()) this.results.set(location, found[at] !== null);
    }
    return locations.filter((location) => this.results.get(location) === false);
  }
}

/** What the current snapshot of a table lacks in storage. */
export interface SnapshotCheck {
  /** Data and delete files, or the manifests that list them. */
  readonly missing: readonly string[];
  /** The total number of such files in the snapshot. */
  readonly checked: number;
}

/**
 * Looks for everything that reading the current snapshot opens: its manifest list, manifests, data and delete files.
 *
 * @throws UnsupportedTableError for a table that this service can't read
 */
export async function checkSnapshot(
  check: FileExistenceCheck,
  store: FileStore,
  metadata: TableMetadata,
): Promise<SnapshotCheck> {
  const snapshot = snapshotOfRef(metadata, 'main');
  if (snapshot === null) return { missing: [], checked: 0 };
  const steps = [
    async () => (snapshot['manifest-list'] === undefined ? [] : [snapshot['manifest-list']]),
    async () => (await readManifestList(store, snapshot)).map((manifest) => manifest.manifest_path),
    async () => {
      const { files } = await scanFiles(store, metadata);
      return [
        ...new Set(files.flatMap(({ location, deletes }) => [location, ...deletes.map((file) => file.location)])),
      ];
    },
  ];
  let checked = 0;
  for (const step of steps) {
    const locations = await step();
    const missing = await check.missing(locations);
    if (missing.length > 0) return { missing, checked: locations.length };
    checked = locations.length;
  }
  return { missing: [], checked };
}
