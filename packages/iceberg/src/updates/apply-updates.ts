import { UnsupportedTableError } from '../errors/table-errors.ts';
import { checkMetadata } from '../metadata/check-metadata.ts';
import type { Int64, TableMetadata } from '../metadata/metadata.ts';
import { type AppliedUpdates, type Draft, object, type TableUpdate, text, UpdateRejectedError } from './draft.ts';
import { checkRequirement, type TableRequirement } from './requirements.ts';
import { locationOf, removeProperties, setProperties } from './update-properties.ts';
import {
  addSchema,
  addSortOrder,
  addSpec,
  removeSchemas,
  removeSpecs,
  setCurrentSchema,
  setDefaultSortOrder,
  setDefaultSpec,
} from './update-schemas.ts';
import {
  addSnapshot,
  removeSnapshotRef,
  removeSnapshots,
  removeStatistics,
  setSnapshotRef,
  setStatistics,
} from './update-snapshots.ts';

type Apply = (draft: Draft, update: TableUpdate) => void;

const ACTIONS: Readonly<Record<string, Apply>> = {
  'assign-uuid': assignUuid,
  'upgrade-format-version': upgradeFormatVersion,
  'add-schema': addSchema,
  'set-current-schema': setCurrentSchema,
  'remove-schemas': removeSchemas,
  'add-spec': addSpec,
  'set-default-spec': setDefaultSpec,
  'remove-partition-specs': removeSpecs,
  'add-sort-order': addSortOrder,
  'set-default-sort-order': setDefaultSortOrder,
  'add-snapshot': addSnapshot,
  'set-snapshot-ref': setSnapshotRef,
  'remove-snapshots': removeSnapshots,
  'remove-snapshot-ref': removeSnapshotRef,
  'set-location': setLocation,
  'set-properties': setProperties,
  'remove-properties': removeProperties,
  'set-statistics': (d, u) => setStatistics(d, u, 'statistics'),
  'remove-statistics': (d, u) => removeStatistics(d, u, 'statistics'),
  'set-partition-statistics': (d, u) => setStatistics(d, u, 'partition-statistics'),
  'remove-partition-statistics': (d, u) => removeStatistics(d, u, 'partition-statistics'),
  'add-encryption-key': addEncryptionKey,
  'remove-encryption-key': removeEncryptionKey,
};

/** The initial state of a create transaction; its updates must add what is missing. */
const NOTHING: TableMetadata = {
  'format-version': 2,
  'table-uuid': '',
  location: '',
  'last-sequence-number': 0,
  'last-updated-ms': 0,
  'last-column-id': 0,
  schemas: [],
  'current-schema-id': -1,
  'partition-specs': [],
  'default-spec-id': -1,
  'last-partition-id': 999,
  'sort-orders': [],
  'default-sort-order-id': -1,
  properties: {},
  'current-snapshot-id': -1,
  snapshots: [],
  'snapshot-log': [],
  'metadata-log': [],
  refs: {},
};

/**
 * Checks the requirements against `current` (null: the table doesn't exist) and applies the updates in order. Doesn't
 * modify its arguments, and returns every failure as a value. An unknown requirement or update is `invalid`.
 *
 * @param now milliseconds since 1970
 */
export function applyUpdates(
  current: TableMetadata | null,
  requirements: readonly TableRequirement[],
  updates: readonly TableUpdate[],
  now: number,
): AppliedUpdates {
  for (const requirement of requirements) {
    const refusal = checkRequirement(current, requirement);
    if (refusal) return refusal;
  }
  if (current === null && !requirements.some((r) => r.type === 'assert-create')) {
    return { ok: false, kind: 'conflict', message: "The table doesn't exist." };
  }
  const draft: Draft = {
    metadata: current ?? NOTHING,
    lastAddedSchema: null,
    lastAddedSpec: null,
    lastAddedSortOrder: null,
    addedSnapshots: new Set(),
    ownProperties: null,
    now,
  };
  try {
    checkCounts(draft.metadata, updates);
    for (const update of updates) applyOne(draft, update);
    checkComplete(draft.metadata);
    checkMetadata(draft.metadata);
  } catch (error) {
    if (error instanceof UnsupportedTableError) return { ok: false, kind: 'invalid', message: error.message };
    if (error instanceof UpdateRejectedError) return { ok: false, kind: error.kind, message: error.message };
    throw error;
  }
  const metadata = withoutIntermediate(draft);
  return { ok: true, metadata: { ...metadata, 'last-updated-ms': Math.max(now, metadata['last-updated-ms']) } };
}

/**
 * Updates that compare or copy all items of their kind in the table, with the maximum number per commit and per table.
 * These limits keep the time of a commit far below a second.
 */
const COUNTED = [
  { action: 'add-schema', what: 'schemas', countOf: (m: TableMetadata) => m.schemas.length },
  { action: 'add-spec', what: 'partition specs', countOf: (m: TableMetadata) => m['partition-specs'].length },
  { action: 'add-sort-order', what: 'sort orders', countOf: (m: TableMetadata) => m['sort-orders'].length },
  { action: 'set-snapshot-ref', what: 'branches and tags', countOf: (m: TableMetadata) => Object.keys(m.refs).length },
] as const;
const MAX_IN_COMMIT = 100;
const MAX_IN_TABLE = 5000;

function checkCounts(metadata: TableMetadata, updates: readonly TableUpdate[]): void {
  for (const { action, what, countOf } of COUNTED) {
    const count = updates.reduce((sum, update) => sum + (update?.action === action ? 1 : 0), 0);
    if (count > MAX_IN_COMMIT)
      throw new UpdateRejectedError(`A commit may add at most ${MAX_IN_COMMIT} ${what}, not ${count}.`);
    if (count > 0 && countOf(metadata) + count > MAX_IN_TABLE)
      throw new UpdateRejectedError(`A table may have at most ${MAX_IN_TABLE} ${what}. Remove unused ones first.`);
  }
}

function applyOne(draft: Draft, update: TableUpdate): void {
  const action = typeof update?.action === 'string' ? update.action : '';
  const apply = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!apply) throw new UpdateRejectedError(`Unknown update "${action.slice(0, 100)}".`);
  apply(draft, update);
}

function checkComplete(metadata: TableMetadata): void {
  if (!metadata['table-uuid']) throw new UpdateRejectedError('The table has no UUID. Send assign-uuid.');
  if (!metadata.location) throw new UpdateRejectedError('The table has no location. Send set-location.');
  if (metadata['current-schema-id'] < 0)
    throw new UpdateRejectedError('The table has no schema. Send set-current-schema.');
  if (metadata['default-spec-id'] < 0)
    throw new UpdateRejectedError('The table has no partition spec. Send set-default-spec.');
  if (metadata['default-sort-order-id'] < 0) {
    throw new UpdateRejectedError('The table has no sort order. Send set-default-sort-order.');
  }
}

function assignUuid(draft: Draft, update: TableUpdate): void {
  const uuid = text(update, 'uuid').toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) throw new UpdateRejectedError('"uuid" is not a UUID.');
  const current = draft.metadata['table-uuid'];
  if (current && current !== uuid) throw new UpdateRejectedError("The UUID of a table can't change.");
  draft.metadata = { ...draft.metadata, 'table-uuid': uuid };
}

function upgradeFormatVersion(draft: Draft, update: TableUpdate): void {
  const requested = update['format-version'];
  const current = draft.metadata['format-version'];
  if (requested !== 2 && requested !== 3) {
    throw new UpdateRejectedError(`Tables have Iceberg format version 2 or 3, not ${String(requested)}.`);
  }
  if (requested < current) throw new UpdateRejectedError(`Cannot downgrade v${current} table to v${requested}.`);
  if (requested > current) draft.metadata = { ...draft.metadata, 'format-version': requested, 'next-row-id': 0 };
}

/** A snapshot that was current only between two updates of one commit was never visible. */
function withoutIntermediate({ metadata, addedSnapshots }: Draft): TableMetadata {
  const current = metadata['current-snapshot-id'];
  const isPublished = (id: Int64) => id === current || !addedSnapshots.has(id);
  const log = metadata['snapshot-log'].filter((entry) => isPublished(entry['snapshot-id']));
  return log.length === metadata['snapshot-log'].length ? metadata : { ...metadata, 'snapshot-log': log };
}

function addEncryptionKey(draft: Draft, update: TableUpdate): void {
  const key = object(update, 'encryption-key');
  if (typeof key['key-id'] !== 'string') throw new UpdateRejectedError('An encryption key needs a "key-id".');
  const others = (draft.metadata['encryption-keys'] ?? []).filter((existing) => existing['key-id'] !== key['key-id']);
  draft.metadata = { ...draft.metadata, 'encryption-keys': [...others, key] };
}

function removeEncryptionKey(draft: Draft, update: TableUpdate): void {
  const id = text(update, 'key-id');
  const remaining = (draft.metadata['encryption-keys'] ?? []).filter((existing) => existing['key-id'] !== id);
  draft.metadata = { ...draft.metadata, 'encryption-keys': remaining };
}

function setLocation(draft: Draft, update: TableUpdate): void {
  draft.metadata = { ...draft.metadata, location: locationOf(update) };
}
