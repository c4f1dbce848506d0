import { canonicalLocation, isWithin } from '../files/locations.ts';
import type { TableMetadata } from '../metadata/metadata.ts';
import type { TableUpdate } from '../updates/draft.ts';

/** Properties that determine where an engine writes. */
export const PATH_PROPERTIES: readonly string[] = [
  'write.data.path',
  'write.metadata.path',
  'write.object-storage.path',
  'write.folder-storage.path',
];

type NamedLocation = { readonly description: string; readonly location: string };

/** Every location that the updates name. */
function locationsIn(update: TableUpdate): NamedLocation[] {
  const inside = (key: string, field: string, description: string): NamedLocation[] => {
    const location = (update[key] as Readonly<Record<string, unknown>> | undefined)?.[field];
    return typeof location === 'string' ? [{ description, location }] : [];
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
function foreignFileError(
  store: { readonly root: string },
  folder: string,
  files: readonly NamedLocation[],
): string | null {
  for (const { description, location } of files) {
    const canonical = canonicalLocation(store, location);
    if (canonical !== null && isWithin(folder, canonical)) continue;
    return `${description[0]!.toUpperCase()}${description.slice(1)} ${location} is outside the table's folder ${folder}. A table may only refer to files in its own folder.`;
  }
  return null;
}

/** Why a commit can't refer to its files: files outside the table's folder would become readable through it. */
export function foreignFilesInUpdates(
  store: { readonly root: string },
  folder: string,
  updates: readonly TableUpdate[],
): string | null {
  return foreignFileError(store, folder, updates.flatMap(locationsIn));
}

/** The same check for the metadata of a table to register. */
export function foreignFilesInMetadata(
  store: { readonly root: string },
  folder: string,
  metadata: TableMetadata,
): string | null {
  const lists = metadata.snapshots.flatMap(({ 'manifest-list': list, manifests = [] }) =>
    list === undefined
      ? manifests.map((location) => ({ description: 'the manifest', location }))
      : [{ description: 'the manifest list', location: list }],
  );
  const statistics = [...(metadata.statistics ?? []), ...(metadata['partition-statistics'] ?? [])];
  const named = statistics.map((s) => ({ description: 'the statistics file', location: s['statistics-path'] }));
  const set = locationsIn({ action: 'set-properties', updates: metadata.properties });
  return foreignFileError(store, folder, [...lists, ...named, ...set]);
}
