import { isDeepStrictEqual } from 'node:util';
import {
  type CommitFailure,
  checkViewMetadata,
  type IcebergSchema,
  locationOf,
  removeProperties,
  schemaError,
  setProperties,
  type TableUpdate,
  text,
  UnsupportedTableError,
  UpdateRejectedError,
} from '@svc/iceberg';
import { checkDialects, trimHistory } from './history.ts';
import { currentVersion, type ViewMetadata, type ViewVersion } from './metadata.ts';
import { readVersion } from './read-version.ts';

export type AppliedViewUpdates = { readonly ok: true; readonly metadata: ViewMetadata } | CommitFailure;

interface Draft {
  metadata: ViewMetadata;
  lastSchema: number | null;
  lastVersion: number | null;
  readonly added: Set<number>;
  /** A copy of the properties of `metadata`, once an update changes them. */
  ownProperties: Record<string, string> | null;
  readonly now: number;
}

type Apply = (draft: Draft, update: TableUpdate) => void;

const ACTIONS: Readonly<Record<string, Apply>> = {
  'assign-uuid': assignUuid,
  'upgrade-format-version': upgrade,
  'add-schema': addSchema,
  'set-location': setLocation,
  'set-properties': setProperties,
  'remove-properties': removeProperties,
  'add-view-version': addVersion,
  'set-current-view-version': setCurrentVersion,
};

/** The initial state of a new view. */
export const noView = (uuid: string, location: string): ViewMetadata => ({
  'view-uuid': uuid,
  'format-version': 1,
  location,
  'current-version-id': -1,
  versions: [],
  'version-log': [],
  schemas: [],
  properties: {},
});

/**
 * Applies the updates of a view commit in order. Doesn't modify its arguments, and returns every failure as a value. An
 * unknown requirement or update is `invalid`.
 *
 * @param now milliseconds since 1970
 */
export function applyViewUpdates(
  current: ViewMetadata,
  requirements: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[],
  updates: readonly TableUpdate[],
  now: number,
): AppliedViewUpdates {
  const draft: Draft = {
    metadata: current,
    lastSchema: null,
    lastVersion: null,
    added: new Set(),
    ownProperties: null,
    now,
  };
  try {
    for (const requirement of requirements) {
      if (requirement.type !== 'assert-view-uuid') {
        throw new UpdateRejectedError(`Unknown requirement "${String(requirement.type).slice(0, 100)}".`);
      }
      if (String(requirement['uuid']).toLowerCase() !== current['view-uuid']) {
        return { ok: false, kind: 'conflict', message: "The view's UUID is not the expected one." };
      }
    }
    for (const update of updates) {
      const apply = Object.hasOwn(ACTIONS, update.action) ? ACTIONS[update.action] : undefined;
      if (!apply) throw new UpdateRejectedError(`Unknown update "${update.action.slice(0, 100)}".`);
      apply(draft, update);
    }
    return { ok: true, metadata: finished(draft, current) };
  } catch (error) {
    if (error instanceof UpdateRejectedError || error instanceof UnsupportedTableError)
      return { ok: false, kind: 'invalid', message: error.message };
    throw error;
  }
}

function finished(draft: Draft, before: ViewMetadata): ViewMetadata {
  const { metadata } = draft;
  if (metadata.versions.length === 0 || metadata['current-version-id'] < 0) {
    throw new UpdateRejectedError('Invalid view: no versions were added.');
  }
  if (before.versions.length > 0) {
    const lost = checkDialects(currentVersion(before), currentVersion(metadata), metadata.properties);
    if (lost !== null) throw new UpdateRejectedError(lost);
  }
  checkViewMetadata(metadata);
  return trimHistory(metadata, draft.added);
}

function assignUuid({ metadata }: Draft, update: TableUpdate): void {
  if (text(update, 'uuid').toLowerCase() !== metadata['view-uuid']) {
    throw new UpdateRejectedError("The UUID of a view can't change.");
  }
}

function upgrade(_draft: Draft, update: TableUpdate): void {
  if (update['format-version'] !== 1) throw new UpdateRejectedError('The format version of a view must be 1.');
}

const sameSchema = (a: IcebergSchema, b: IcebergSchema): boolean =>
  isDeepStrictEqual(a.fields, b.fields) &&
  isDeepStrictEqual(a['identifier-field-ids'] ?? [], b['identifier-field-ids'] ?? []);

function addSchema(draft: Draft, update: TableUpdate): void {
  const added = (update['schema'] ?? {}) as IcebergSchema;
  const fault = schemaError(added);
  if (fault !== null) throw new UpdateRejectedError(fault);
  const { schemas } = draft.metadata;
  const existing = schemas.find((schema) => sameSchema(schema, added));
  const id = existing?.['schema-id'] ?? Math.max(-1, ...schemas.map((s) => s['schema-id'])) + 1;
  if (existing === undefined)
    draft.metadata = { ...draft.metadata, schemas: [...schemas, { ...added, 'schema-id': id }] };
  draft.lastSchema = id;
}

function setLocation(draft: Draft, update: TableUpdate): void {
  draft.metadata = { ...draft.metadata, location: locationOf(update) };
}

/** True if the versions differ only in parts that don't affect the result. */
const same = (a: ViewVersion, b: ViewVersion): boolean => {
  const essence = (v: ViewVersion) => [v.summary, v.representations, v['default-catalog'] ?? null];
  return (
    isDeepStrictEqual(essence(a), essence(b)) &&
    isDeepStrictEqual(a['default-namespace'], b['default-namespace']) &&
    a['schema-id'] === b['schema-id']
  );
};

function addVersion(draft: Draft, update: TableUpdate): void {
  const { metadata } = draft;
  const read = readVersion(update['view-version']);
  if (typeof read === 'string') throw new UpdateRejectedError(read);
  const schemaId = read['schema-id'] === -1 ? draft.lastSchema : read['schema-id'];
  if (schemaId === null || !metadata.schemas.some((s) => s['schema-id'] === schemaId)) {
    throw new UpdateRejectedError(`Cannot add version with unknown schema: ${String(schemaId)}.`);
  }
  const added = { ...read, 'schema-id': schemaId };
  const existing = metadata.versions.find((version) => same(version, added));
  if (existing !== undefined) {
    draft.lastVersion = existing['version-id'];
    return;
  }
  const id = Math.max(added['version-id'], ...metadata.versions.map((v) => v['version-id'] + 1));
  draft.metadata = { ...metadata, versions: [...metadata.versions, { ...added, 'version-id': id }] };
  draft.lastVersion = id;
  draft.added.add(id);
}

function setCurrentVersion(draft: Draft, update: TableUpdate): void {
  const { metadata } = draft;
  const requested = update['view-version-id'];
  const id = requested === -1 ? draft.lastVersion : requested;
  const version = metadata.versions.find((v) => v['version-id'] === id);
  if (version === undefined)
    throw new UpdateRejectedError(`Cannot set current version to unknown version: ${String(requested)}.`);
  if (metadata['current-version-id'] === id) return;
  const at = draft.added.has(version['version-id']) ? version['timestamp-ms'] : draft.now;
  draft.metadata = {
    ...metadata,
    'current-version-id': version['version-id'],
    'version-log': [...metadata['version-log'], { 'version-id': version['version-id'], 'timestamp-ms': at }],
  };
}
