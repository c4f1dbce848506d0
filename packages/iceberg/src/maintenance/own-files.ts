import { canonicalLocation, isWithin } from '../files/locations.ts';
import type { TableMetadata } from '../metadata/metadata.ts';
import type { TableUpdate } from '../updates/draft.ts';

/** Properties that determine where an engine writes. */
const PATH_PROPERTIES = [
  'write.data.path',
  'write.metadata.path',
  'write.object-storage.path',
  'write.folder-storage.path',
];

type Named = { readonly what: string; readonly location: string };

/** Every location that the updates name. */
function namedBy(update: TableUpdate): Named[] {
  const inside = (key: string, field: string, what: string): Named[] => {
    const location = (update[key] as Readonly<Record<string, unknown>> | undefined)?.[field];
    return typeof location === 'string' ? [{ what, location }] : [];
  };
  switch (update.action) {
    case 'add-snapshot':
      return inside('snapshot', 'manifest-list', 'the manifest list');
    case 'set-statistics':
      return inside('statistics', 'statistics-path', 'the statistics file');
    case 'set-partition-statistics':
      return inside('partition-statistics', 'statistics-path', 'the statistics file');
    case 'set-properties':
      return PATH_PROPERTIES.flatMap((name) => inside('updates', name, `the property ${name}`));
    default:
      return [];
  }
}

/** Why a table can't use a file or folder as its own; null if it can use all of them. */
function refusedFile(store: { readonly root: string }, folder: string, files: readonly Named[]): string | null {
  for (const { what, location } of files) {
    const canonical = canonicalLocation(store, location);
    if (canonical !== null && isWithin(folder, canonical)) continue;
    return `${what[0]!.toUpperCase()}${what.slice(1)} ${location} is outside the table's folder ${folder}. A table may only refer to files in its own folder.`;
  }
  return null;
}

/** Why a commit can't refer to its files: files outside the table's folder would become readable through it. */
export function refusedByFiles(
  store: { readonly root: string },
  folder: string,
  updates: readonly TableUpdate[],
): string | null {
  return refusedFile(store, folder, updates.flatMap(namedBy));
}

/** The same check for the metadata of a table to register. */
export function refusedByMetadata(
  store: { readonly root: string },
  folder: string,
  metadata: TableMetadata,
): string | null {
  const lists = metadata.snapshots.flatMap(({ 'manifest-list': list, manifests = [] }) =>
    list === undefined
      ? manifests.map((location) => ({ what: 'the manifest', location }))
      : [{ what: 'the manifest list', location: list }],
  );
  const statistics = [...(metadata.statistics ?? []), ...(metadata['partition-statistics'] ?? [])];
  const named = statistics.map((s) => ({ what: 'the statistics file', location: s['statistics-path'] }));
  const set = namedBy({ action: 'set-properties', updates: metadata.properties });
  return refusedFile(store, folder, [...lists, ...named, ...set]);
}
