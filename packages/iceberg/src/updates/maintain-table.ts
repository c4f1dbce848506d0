import type { Int64, Snapshot, SnapshotRef, TableMetadata } from '../metadata/metadata.ts';
import { snapshotById } from '../metadata/metadata.ts';
import type { TableUpdate } from './draft.ts';
import type { TableRequirement } from './requirements.ts';

/** A change of only the metadata, for `commitTable`. */
export type MetadataChange = { readonly requirements: TableRequirement[]; readonly updates: TableUpdate[] };

const sameTable = (metadata: TableMetadata): TableRequirement => ({
  type: 'assert-table-uuid',
  uuid: metadata['table-uuid'],
});

/**
 * Makes an earlier snapshot the current one. The snapshot must have been current before or be an ancestor of the current
 * one: snapshots of other branches, such as rows that failed a check, were never the contents of the table. Otherwise
 * returns null.
 */
export function rollbackTo(metadata: TableMetadata, snapshotId: Int64): MetadataChange | null {
  const wasCurrent =
    metadata['snapshot-log'].some((entry) => entry['snapshot-id'] === snapshotId) ||
    ancestors(metadata, metadata['current-snapshot-id']).some((s) => s['snapshot-id'] === snapshotId);
  if (!wasCurrent || !snapshotById(metadata, snapshotId)) return null;
  const ref = metadata.refs['main']?.['snapshot-id'] ?? null;
  return {
    requirements: [sameTable(metadata), { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': ref }],
    updates: [{ action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': snapshotId }],
  };
}

/** A snapshot and its ancestors, newest first. */
function ancestors(metadata: TableMetadata, id: Int64): Snapshot[] {
  const byId = new Map(metadata.snapshots.map((s) => [s['snapshot-id'], s]));
  const found: Snapshot[] = [];
  for (let at = byId.get(id); at && !found.includes(at); at = byId.get(at['parent-snapshot-id'] ?? -1)) found.push(at);
  return found;
}

/**
 * Removes snapshots older than a timestamp from the metadata; null if nothing changes. Retains the snapshots of branches
 * and tags, and the number and age of snapshots that a branch or the table specifies. Also removes branches and tags
 * that exceed their own maximum age. The files become orphans, which `findOrphanFiles` then lists.
 *
 * @param olderThan milliseconds since 1970
 * @param now milliseconds since 1970
 */
export function expireSnapshots(metadata: TableMetadata, olderThan: number, now: number): MetadataChange | null {
  const refs = Object.entries(metadata.refs);
  const expiredRefs = refs
    .filter(([name, ref]) => name !== 'main' && isExpiredRef(metadata, ref, now))
    .map(([name]) => name);
  const retained = new Set<Int64>();
  for (const [name, ref] of refs) {
    if (expiredRefs.includes(name)) continue;
    for (const s of retainedBy(metadata, ref, olderThan, now)) retained.add(s['snapshot-id']);
  }
  const expired = metadata.snapshots
    .filter((s) => s['timestamp-ms'] < olderThan && !retained.has(s['snapshot-id']))
    .map((s) => s['snapshot-id']);
  if (expired.length === 0 && expiredRefs.length === 0) return null;
  const heads = refs.map(([ref, head]) => ({
    type: 'assert-ref-snapshot-id',
    ref,
    'snapshot-id': head['snapshot-id'],
  }));
  return {
    requirements: [sameTable(metadata), ...heads],
    updates: [
      ...expiredRefs.map((name) => ({ action: 'remove-snapshot-ref', 'ref-name': name })),
      ...(expired.length > 0 ? [{ action: 'remove-snapshots', 'snapshot-ids': expired }] : []),
    ],
  };
}

function isExpiredRef(metadata: TableMetadata, ref: SnapshotRef, now: number): boolean {
  const age = ref['max-ref-age-ms'];
  const head = snapshotById(metadata, ref['snapshot-id']);
  return age !== undefined && head !== null && now - head['timestamp-ms'] > age;
}

function retainedBy(metadata: TableMetadata, ref: SnapshotRef, olderThan: number, now: number): Snapshot[] {
  const line = ancestors(metadata, ref['snapshot-id']);
  if (ref.type === 'tag') return line.slice(0, 1);
  const age = ref['max-snapshot-age-ms'];
  const from = age === undefined ? olderThan : now - age;
  const least =
    ref['min-snapshots-to-keep'] ?? Number(metadata.properties['history.expire.min-snapshots-to-keep'] ?? 1);
  const last = line.findIndex((s, i) => i >= Math.max(1, least || 1) && s['timestamp-ms'] < from);
  return last === -1 ? line : line.slice(0, last);
}

/** Removes a branch or tag, such as `failed_check` after a successful build; null if it doesn't exist. */
export function removeRef(metadata: TableMetadata, name: string): MetadataChange | null {
  const ref = metadata.refs[name];
  if (!ref) return null;
  return {
    requirements: [
      sameTable(metadata),
      { type: 'assert-ref-snapshot-id', ref: name, 'snapshot-id': ref['snapshot-id'] },
    ],
    updates: [{ action: 'remove-snapshot-ref', 'ref-name': name }],
  };
}

/** Whether a change of a table's state removes snapshots. */
export function removesSnapshots(before: TableMetadata, after: TableMetadata): boolean {
  const remaining = new Set(after.snapshots.map((snapshot) => snapshot['snapshot-id']));
  return before.snapshots.some((snapshot) => !remaining.has(snapshot['snapshot-id']));
}
