import type { Int64, Snapshot, SnapshotRef, StatisticsFile, TableMetadata } from '../metadata/metadata.ts';
import { isMoment, snapshotById } from '../metadata/metadata.ts';
import { type Draft, integer, object, type TableUpdate, text, UpdateRejectedError } from './draft.ts';

const isId = (value: unknown): value is Int64 => typeof value === 'bigint' || Number.isSafeInteger(value);

export function addSnapshot(draft: Draft, update: TableUpdate): void {
  const { metadata } = draft;
  const snapshot = object(update, 'snapshot') as unknown as Snapshot;
  const id = snapshot['snapshot-id'];
  const sequence = snapshot['sequence-number'];
  if (!isId(id)) throw new UpdateRejectedError('A snapshot needs an integer "snapshot-id".');
  if (typeof snapshot['manifest-list'] !== 'string')
    throw new UpdateRejectedError('A snapshot needs a "manifest-list".');
  if (!isMoment(snapshot['timestamp-ms']))
    throw new UpdateRejectedError(
      'A snapshot needs a "timestamp-ms": an integer number of milliseconds since 1970, before the year 10000.',
    );
  if (typeof snapshot.summary?.operation !== 'string')
    throw new UpdateRejectedError('A snapshot needs a summary with an operation.');
  if (Object.values(snapshot.summary).some((value) => typeof value !== 'string'))
    throw new UpdateRejectedError('The summary of a snapshot must be an object of strings.');
  if (snapshotById(metadata, id)) throw new UpdateRejectedError(`Snapshot ${id} already exists.`);
  if (!Number.isSafeInteger(sequence)) throw new UpdateRejectedError('A snapshot needs a "sequence-number".');
  if (snapshot['parent-snapshot-id'] !== undefined && sequence <= metadata['last-sequence-number']) {
    // Another commit took the number. The same snapshot may be valid if the client rebuilds it on the latest state.
    throw new UpdateRejectedError(
      `Cannot add snapshot with sequence number ${sequence} older than last sequence number ${metadata['last-sequence-number']}.`,
      'conflict',
    );
  }
  draft.metadata = {
    ...metadata,
    'last-sequence-number': Math.max(sequence, metadata['last-sequence-number']),
    snapshots: [...metadata.snapshots, snapshot],
    ...rowLineage(metadata, snapshot),
  };
  draft.addedSnapshots.add(id);
}

/** In format version 3, a snapshot reserves ids for its rows, starting at the table's next row id. */
function rowLineage(metadata: TableMetadata, snapshot: Snapshot): Partial<TableMetadata> {
  if (metadata['format-version'] < 3) return {};
  const first = snapshot['first-row-id'];
  const added = snapshot['added-rows'];
  const next = metadata['next-row-id'] ?? 0;
  if (!isId(first)) throw new UpdateRejectedError('Cannot add a snapshot: first-row-id is null.');
  if (!isId(added)) throw new UpdateRejectedError('Cannot add a snapshot: added-rows is null.');
  if (first < next) {
    const message = `Cannot add a snapshot, first-row-id is behind table next-row-id: ${first} < ${next}.`;
    throw new UpdateRejectedError(message, 'conflict');
  }
  const sum = BigInt(next) + BigInt(added);
  return { 'next-row-id': sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : sum };
}

export function setSnapshotRef(draft: Draft, update: TableUpdate): void {
  const { metadata } = draft;
  const name = text(update, 'ref-name');
  const id = update['snapshot-id'];
  const type = update['type'];
  if (type !== 'branch' && type !== 'tag')
    throw new UpdateRejectedError('The type of a ref must be "branch" or "tag".');
  if (name === 'main' && type !== 'branch') throw new UpdateRejectedError('"main" must be a branch.');
  if (name === '__proto__') throw new UpdateRejectedError("This name isn't allowed.");
  const snapshot = isId(id) ? snapshotById(metadata, id) : null;
  if (!snapshot) throw new UpdateRejectedError(`Snapshot ${String(id)} doesn't exist.`);
  const ref: SnapshotRef = { 'snapshot-id': snapshot['snapshot-id'], type, ...retentionOf(update, type) };
  const changed = { ...metadata, refs: { ...metadata.refs, [name]: ref } };
  draft.metadata = name === 'main' ? withCurrent(changed, snapshot, draft) : changed;
}

function retentionOf(update: TableUpdate, type: 'branch' | 'tag'): Partial<SnapshotRef> {
  const fields =
    type === 'branch'
      ? (['min-snapshots-to-keep', 'max-snapshot-age-ms', 'max-ref-age-ms'] as const)
      : (['max-ref-age-ms'] as const);
  const present = fields.filter((f) => update[f] !== undefined && update[f] !== null);
  return Object.fromEntries(
    present.map((f) => {
      const value = integer(update, f);
      if (value <= 0) throw new UpdateRejectedError(`"${f}" must be greater than zero.`);
      return [f, value];
    }),
  );
}

function withCurrent(metadata: TableMetadata, snapshot: Snapshot, draft: Draft): TableMetadata {
  const id = snapshot['snapshot-id'];
  if (metadata['current-snapshot-id'] === id) return metadata;
  const own = draft.addedSnapshots.has(id) ? snapshot['timestamp-ms'] : draft.now;
  // Clocks differ, and engines can't load a table whose log goes back by more than a minute.
  const at = Math.max(own, metadata['snapshot-log'].at(-1)?.['timestamp-ms'] ?? own);
  return {
    ...metadata,
    'current-snapshot-id': id,
    'last-updated-ms': Math.max(at, metadata['last-updated-ms']),
    'snapshot-log': [...metadata['snapshot-log'], { 'timestamp-ms': at, 'snapshot-id': id }],
  };
}

export function removeSnapshots(draft: Draft, update: TableUpdate): void {
  const ids = update['snapshot-ids'];
  if (!Array.isArray(ids)) throw new UpdateRejectedError('"snapshot-ids" must be a list of ids.');
  const removed = new Set<unknown>(ids);
  const { metadata } = draft;
  const refs = Object.entries(metadata.refs).filter(([, ref]) => !removed.has(ref['snapshot-id']));
  const currentGone = removed.has(metadata['current-snapshot-id']);
  draft.metadata = {
    ...metadata,
    snapshots: metadata.snapshots.filter((s) => !removed.has(s['snapshot-id'])),
    refs: Object.fromEntries(refs),
    'current-snapshot-id': currentGone ? -1 : metadata['current-snapshot-id'],
    'snapshot-log': currentGone ? [] : logWithout(metadata, removed),
    ...statisticsWithout(metadata, removed),
  };
}

function statisticsWithout(metadata: TableMetadata, removed: ReadonlySet<unknown>): Partial<TableMetadata> {
  const remaining = (files: readonly StatisticsFile[]) => files.filter((file) => !removed.has(file['snapshot-id']));
  const { statistics, 'partition-statistics': partitions } = metadata;
  return {
    ...(statistics === undefined ? {} : { statistics: remaining(statistics) }),
    ...(partitions === undefined ? {} : { 'partition-statistics': remaining(partitions) }),
  };
}

/** Also removes entries older than a removed one: a gap would make time travel return wrong results. */
function logWithout(metadata: TableMetadata, removed: ReadonlySet<unknown>): TableMetadata['snapshot-log'] {
  const log = metadata['snapshot-log'];
  const lastRemoved = log.findLastIndex((entry) => removed.has(entry['snapshot-id']));
  return log.slice(lastRemoved + 1);
}

export function removeSnapshotRef(draft: Draft, update: TableUpdate): void {
  const name = text(update, 'ref-name');
  const { [name]: _removed, ...refs } = draft.metadata.refs;
  draft.metadata = {
    ...draft.metadata,
    refs,
    ...(name === 'main' ? { 'current-snapshot-id': -1 } : {}),
  };
}

type StatisticsKey = 'statistics' | 'partition-statistics';

export function setStatistics(draft: Draft, update: TableUpdate, key: StatisticsKey): void {
  const value = object(update, key) as unknown as StatisticsFile;
  if (!isId(value['snapshot-id'])) throw new UpdateRejectedError(`"${key}" needs a snapshot-id.`);
  const others = (draft.metadata[key] ?? []).filter((s) => s['snapshot-id'] !== value['snapshot-id']);
  draft.metadata = { ...draft.metadata, [key]: [...others, value] };
}

export function removeStatistics(draft: Draft, update: TableUpdate, key: StatisticsKey): void {
  const id = update['snapshot-id'];
  if (!isId(id)) throw new UpdateRejectedError('"snapshot-id" must be an integer.');
  const others = (draft.metadata[key] ?? []).filter((s) => s['snapshot-id'] !== id);
  draft.metadata = { ...draft.metadata, [key]: others };
}
