import type { IcebergField, Int64, Snapshot, TableMetadata } from '../metadata/metadata.ts';
import { currentSchema, schemaById, snapshotById, snapshotOfRef } from '../metadata/metadata.ts';
import type { ScanAt } from './scan-files.ts';

/** A requested version; see `TableVersion` of the queries. */
export type RequestedVersion = { readonly kind: 'snapshot' | 'ref' | 'time'; readonly text: string };

/** The snapshot to read, or the missing version: `what` completes the sentence "the table has no …". */
export type FoundVersion = { readonly ok: true; readonly at: ScanAt } | { readonly ok: false; readonly what: string };

/**
 * Finds the snapshot of a version. A timestamp means the snapshot that was current then, including after a rollback.
 * `main` is the current version of the table. Other branches and tags are read with the columns of their snapshot.
 */
export function findVersion(metadata: TableMetadata, { kind, text }: RequestedVersion): FoundVersion {
  if (kind === 'time') return atTime(metadata, text);
  if (kind === 'ref' && text === 'main') return { ok: true, at: {} };
  const ref = kind === 'ref' && Object.hasOwn(metadata.refs, text) ? metadata.refs[text]! : null;
  const id = ref ? ref['snapshot-id'] : snapshotIdOf(metadata, text);
  if (id !== null) return { ok: true, at: { snapshotId: id } };
  return { ok: false, what: kind === 'ref' ? `branch or tag "${text.slice(0, 100)}"` : `snapshot ${text}` };
}

function snapshotIdOf(metadata: TableMetadata, text: string): Int64 | null {
  if (!/^\d{1,19}$/.test(text)) return null;
  const requestedId = BigInt(text);
  return metadata.snapshots.find((s) => BigInt(s['snapshot-id']) === requestedId)?.['snapshot-id'] ?? null;
}

function atTime(metadata: TableMetadata, text: string): FoundVersion {
  const moment = momentOf(text);
  if (moment === null) return { ok: false, what: `moment "${text.slice(0, 100)}" (write it as 2026-01-31 12:00:00)` };
  const entry = metadata['snapshot-log'].findLast((e) => e['timestamp-ms'] <= moment);
  const snapshot: Snapshot | null = entry ? snapshotById(metadata, entry['snapshot-id']) : null;
  if (snapshot) return { ok: true, at: { snapshotId: snapshot['snapshot-id'] } };
  return { ok: false, what: `version from ${new Date(moment).toISOString()}` };
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T]+(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Milliseconds since 1970; the default time zone is UTC. */
function momentOf(text: string): number | null {
  const match = TIME.exec(text.trim());
  if (!match) return null;
  const [, day, minutes = '00:00', seconds = ':00', zone = 'Z'] = match;
  const offset = /^(Z|UTC)$/i.test(zone) ? 'Z' : zone.length === 3 ? `${zone}:00` : zone;
  const at = Date.parse(`${day}T${minutes}${seconds.slice(0, 7)}${offset}`);
  return Number.isNaN(at) ? null : at;
}

/**
 * The columns to read a version with, the columns that its snapshot was written with, and the snapshot, or null for an
 * empty table. The current version is read with the current columns, an older version with its own.
 */
export function versionColumns(
  metadata: TableMetadata,
  at: ScanAt,
): { snapshotId: Int64 | null; fields: readonly IcebergField[]; snapshotFields: readonly IcebergField[] } {
  const { fields: present } = currentSchema(metadata);
  const snapshot =
    at.snapshotId === undefined ? snapshotOfRef(metadata, 'main') : snapshotById(metadata, at.snapshotId);
  const schemaId = snapshot?.['schema-id'];
  const then = schemaId === undefined ? present : schemaById(metadata, schemaId).fields;
  const fields = at.snapshotId === undefined ? present : then;
  return { snapshotId: snapshot?.['snapshot-id'] ?? null, fields, snapshotFields: then };
}
