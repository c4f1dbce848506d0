import type { TableUpdate } from './draft.ts';
import type { Int64, TableMetadata } from './metadata.ts';
import { snapshotById } from './metadata.ts';
import type { TableRequirement } from './requirements.ts';

/** A change of metadata alone, for `commitTable`. */
export type MetadataChange = { readonly requirements: TableRequirement[]; readonly updates: TableUpdate[] };

const sameTable = (metadata: TableMetadata): TableRequirement => ({
  type: 'assert-table-uuid',
  uuid: metadata['table-uuid'],
});

/** Makes an older snapshot the current one; null when the table has no such snapshot. */
export function rollbackTo(metadata: TableMetadata, snapshotId: Int64): MetadataChange | null {
  if (!snapshotById(metadata, snapshotId)) return null;
  const held = metadata.refs['main']?.['snapshot-id'] ?? null;
  return {
    requirements: [sameTable(metadata), { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': held }],
    updates: [{ action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': snapshotId }],
  };
}

/**
 * Removes snapshots older than a moment from the metadata, those that a branch or tag names excepted; null when there
 * is none. Their files become orphans, which `findOrphanFiles` then lists.
 *
 * @param olderThan milliseconds since 1970
 */
export function expireSnapshots(metadata: TableMetadata, olderThan: number): MetadataChange | null {
  const named = new Set<Int64>(Object.values(metadata.refs).map((ref) => ref['snapshot-id']));
  const expired = metadata.snapshots
    .filter((s) => s['timestamp-ms'] < olderThan && !named.has(s['snapshot-id']))
    .map((s) => s['snapshot-id']);
  if (expired.length === 0) return null;
  const heads = Object.entries(metadata.refs).map(([ref, held]) => ({
    type: 'assert-ref-snapshot-id',
    ref,
    'snapshot-id': held['snapshot-id'],
  }));
  return {
    requirements: [sameTable(metadata), ...heads],
    updates: [{ action: 'remove-snapshots', 'snapshot-ids': expired }],
  };
}

/** Removes a branch or tag, such as `failed_check` after a good build; null when the table has none of that name. */
export function removeRef(metadata: TableMetadata, name: string): MetadataChange | null {
  const held = metadata.refs[name];
  if (!held) return null;
  return {
    requirements: [
      sameTable(metadata),
      { type: 'assert-ref-snapshot-id', ref: name, 'snapshot-id': held['snapshot-id'] },
    ],
    updates: [{ action: 'remove-snapshot-ref', 'ref-name': name }],
  };
}
