import type { FileStore, StoredFile } from '../files/file-store.ts';
import { pathOfLocation } from '../files/locations.ts';
import { allEntries, type ManifestFile, readManifestList } from '../manifests/manifests.ts';
import type { TableState } from '../metadata/metadata.ts';

/** Engines write the same file as `file:/a` and `file:///a`, or with another scheme of the same bucket. */
export const canonical = (location: string): string =>
  pathOfLocation(location) ??
  location.replace(/^s3[an]:/, 's3:').replace(/^(?:abfs|wasbs?):(\/\/[^/@]+@[^/.]+)\.(?:blob|dfs)\./, 'abfss:$1.dfs.');

/**
 * The file of a reference may have either of these paths: svc escapes paths in URLs, but engines don't, and names of partitions
 * contain escapes of their own.
 */
const formsOf = (location: string): string[] => [canonical(location), location.replace(/^file:\/+/, '/')];

/**
 * Files below a table's location that its metadata doesn't refer to: leftovers of failed writes and lost commits, and
 * metadata removed from the log.
 *
 * @param options.olderThan milliseconds since 1970; younger files may belong to a commit in progress
 * @param options.isRetained files that belong to others (a table nested in this one's folder)
 */
export async function* findOrphanFiles(options: {
  readonly store: FileStore;
  readonly tableLocation: string;
  readonly current: TableState | null;
  readonly olderThan: number;
  readonly isRetained?: (object: StoredFile) => boolean;
}): AsyncGenerator<StoredFile> {
  const referenced = options.current ? await referencedFiles(options.store, options.current) : new Set<string>();
  for await (const object of options.store.list(options.tableLocation)) {
    if (object.modifiedAt >= options.olderThan || options.isRetained?.(object)) continue;
    if (referenced.has(canonical(object.location)) || object.location.endsWith('/version-hint.text')) continue;
    yield object;
  }
}

/** Every file that any snapshot in a table's metadata refers to. */
export async function referencedFiles(
  store: FileStore,
  { metadata, metadataLocation }: TableState,
): Promise<Set<string>> {
  const found = new Set(formsOf(metadataLocation));
  const add = (location: string): void => {
    for (const form of formsOf(location)) found.add(form);
  };
  for (const entry of metadata['metadata-log']) add(entry['metadata-file']);
  for (const file of [...(metadata.statistics ?? []), ...(metadata['partition-statistics'] ?? [])]) {
    add(file['statistics-path']);
  }
  for (const snapshot of metadata.snapshots) {
    if (snapshot['manifest-list'] !== undefined) add(snapshot['manifest-list']);
    for (const manifest of await readManifestList(store, snapshot)) await addManifest(store, manifest, found);
  }
  return found;
}

async function addManifest(store: FileStore, manifest: ManifestFile, found: Set<string>): Promise<void> {
  const location = canonical(manifest.manifest_path);
  if (found.has(location)) return;
  const entries = await allEntries(store, manifest);
  const named = [manifest.manifest_path, ...entries.map((entry) => entry.data_file.file_path)];
  for (const form of named.flatMap(formsOf)) found.add(form);
}
