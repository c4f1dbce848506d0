import type { ObjectScope } from '@svc/core/access';
import { badRequest, CatalogError, type CommitBody } from '@svc/core/catalog';
import type { NewEvent } from '@svc/db/audit';
import { type CatalogTable, findCatalogTable } from '@svc/db/catalog';
import { requireNoLegalHold } from '@svc/db/drops';
import { type NewSnapshotSource, swapAndNotify } from '@svc/db/tables';
import {
  canonicalLocation,
  commitTable,
  foreignFilesInUpdates,
  readTableMetadata,
  removesSnapshots,
  type Snapshot,
  type TableMetadata,
  type TableState,
  type TableUpdate,
  tableIds,
} from '@svc/iceberg';
import { columnsAfter, descriptionAfter, pointerSwap } from '@svc/lake/tables';
import { requireStorage } from '../../quotas/require-storage.ts';
import type { CatalogContext } from '../protocol/context.ts';

export const requirementsOf = ({ requirements }: CommitBody) => requirements ?? [];
export const updatesOf = ({ updates }: CommitBody): readonly TableUpdate[] => updates;

/** Converts a failed commit to the protocol's error: 409 only if a retry on the current state may succeed. */
export function commitRefusal(refusal: { kind: 'conflict' | 'invalid'; message: string }): CatalogError {
  return refusal.kind === 'conflict'
    ? new CatalogError('CommitFailedException', refusal.message)
    : badRequest(refusal.message);
}

/** A table may reference only its own files and can't change its location. @throws CatalogError */
export function requireOwnFiles(ctx: CatalogContext, location: string, updates: readonly TableUpdate[]): void {
  const store = { root: ctx.storageRoot };
  const refused = foreignFilesInUpdates(store, location, updates);
  if (refused !== null) throw badRequest(refused);
  const moved = updates.find(
    (update) => update.action === 'set-location' && canonicalLocation(store, String(update['location'])) !== location,
  );
  if (moved) throw badRequest(`A table keeps its location ${location}: create another one there instead.`);
}

/** Snapshots that only remove or rewrite files; they are permitted when the environment's quota is used up. */
const NOTHING_NEW = new Set<unknown>(['delete', 'replace']);

/** Whether a commit increases the table's size, according to the summaries of its new snapshots. */
export function addsFiles(updates: readonly TableUpdate[]): boolean {
  return updates.some(({ action, snapshot }) => {
    if (action !== 'add-snapshot') return false;
    // Updates aren't validated yet, so the snapshot or its summary may be missing.
    const summary = (snapshot as Partial<Snapshot> | null | undefined)?.summary;
    if (summary == null) return true;
    if (NOTHING_NEW.has(summary.operation)) return false;
    const added = Number(summary['added-files-size'] ?? Number.POSITIVE_INFINITY);
    return added > Number(summary['removed-files-size'] ?? 0);
  });
}

/** The table fields that a commit needs. */
export type CommitTarget = Pick<CatalogTable, 'id' | 'namespace' | 'name' | 'location' | 'metadataLocation'>;

/**
 * Commits to a table: writes the metadata file, swaps the pointer and records the change. Returns null if another
 * commit came first, which only happens when the table is not locked. @throws CatalogError
 */
export async function commitToTable(
  ctx: CatalogContext,
  table: CommitTarget,
  body: CommitBody,
  on: ObjectScope,
): Promise<TableState | null> {
  const { store } = ctx.deps;
  const updates = updatesOf(body);
  requireOwnFiles(ctx, table.location!, updates);
  if (addsFiles(updates)) await requireStorage(ctx);
  // Engines delete the files after such a commit.
  if (updates.some(({ action }) => action === 'remove-snapshots'))
    await requireNoLegalHold(ctx.db, { id: table.id, now: ctx.now });
  const current = {
    metadataLocation: table.metadataLocation!,
    metadata: await readTableMetadata(store, table.metadataLocation!),
  };
  let lost = false;
  const result = await commitTable({
    store,
    current,
    requirements: requirementsOf(body),
    updates,
    now: ctx.now.getTime(),
    ids: tableIds(ctx.deps),
    swap: async (next) => {
      const added = addedSnapshots(current.metadata, next.metadata);
      const events = eventsOf(ctx, table, added, updates, on);
      const snapshots = added.map((snapshot) => snapshotSource(ctx, table.id, snapshot));
      lost = !(await swap(ctx, table, current, next, { events, snapshots }));
      return !lost;
    },
  });
  if (result.ok) return result;
  if (lost) return null;
  throw commitRefusal(result);
}

async function swap(
  ctx: CatalogContext,
  table: CommitTarget,
  current: TableState,
  next: TableState,
  recorded: { events: readonly NewEvent[]; snapshots: readonly NewSnapshotSource[] },
): Promise<boolean> {
  const change = {
    ...pointerSwap(table.id, current, next),
    columns: await newColumns(ctx, table.id, current, next),
    description: descriptionAfter(current.metadata, next.metadata),
    removesSnapshots: removesSnapshots(current.metadata, next.metadata),
    now: ctx.now,
  };
  return swapAndNotify(ctx.db, change, recorded);
}

/** The columns after a commit that changes the schema. Other columns are read only in that case. */
async function newColumns(ctx: CatalogContext, id: string, { metadata }: TableState, next: TableState) {
  if (metadata['current-schema-id'] === next.metadata['current-schema-id']) return undefined;
  const current = await findCatalogTable(ctx.db, id);
  return columnsAfter(metadata, next.metadata, current?.columns ?? []);
}

/** The names of updates in TABLE_UPDATED; snapshots are recorded as TABLE_WRITE. */
const CHANGED: Readonly<Record<string, string>> = {
  'upgrade-format-version': 'format_version',
  'add-schema': 'columns',
  'set-current-schema': 'columns',
  'remove-schemas': 'schemas',
  'add-spec': 'partitioning',
  'set-default-spec': 'partitioning',
  'remove-partition-specs': 'partitioning',
  'add-sort-order': 'sort_order',
  'set-default-sort-order': 'sort_order',
  'remove-snapshots': 'snapshots',
  'remove-snapshot-ref': 'branches_and_tags',
  'set-properties': 'properties',
  'remove-properties': 'properties',
  'set-statistics': 'statistics',
  'remove-statistics': 'statistics',
  'set-partition-statistics': 'statistics',
  'remove-partition-statistics': 'statistics',
};

function addedSnapshots(before: TableMetadata, after: TableMetadata): Snapshot[] {
  const known = new Set(before.snapshots.map((snapshot) => snapshot['snapshot-id']));
  return after.snapshots.filter((snapshot) => !known.has(snapshot['snapshot-id']));
}

/** Who made a snapshot through the catalog. */
export const snapshotSource = (ctx: CatalogContext, tableId: string, snapshot: Snapshot): NewSnapshotSource => ({
  tableId,
  snapshotId: snapshot['snapshot-id'],
  principalId: ctx.caller.id,
  runId: ctx.caller.token.run_id,
  now: ctx.now,
});

/** The audit events of a commit; every commit has at least one. */
function eventsOf(
  ctx: CatalogContext,
  table: CommitTarget,
  added: readonly Snapshot[],
  updates: readonly TableUpdate[],
  object: ObjectScope,
): NewEvent[] {
  const writes = added.map((snapshot) =>
    ctx.event({ type: 'TABLE_WRITE', object, detail: writeDetail(table.id, snapshot) }),
  );
  const changed = changesOf(updates, added.length > 0);
  if (changed.length === 0 && added.length > 0) return writes;
  return [...writes, ctx.event({ type: 'TABLE_UPDATED', object, detail: { table_id: table.id, changed } })];
}

function changesOf(updates: readonly TableUpdate[], hasRows: boolean): string[] {
  const named = updates.map(({ action }) =>
    action === 'set-snapshot-ref' && !hasRows ? 'branches_and_tags' : CHANGED[action],
  );
  return [...new Set(named.filter((change) => change !== undefined))];
}

/** The details in TABLE_WRITE for a snapshot made by an engine. */
export function writeDetail(tableId: string, snapshot: Snapshot): Record<string, unknown> {
  const id = snapshot['snapshot-id'];
  return {
    table_id: tableId,
    mode: snapshot.summary.operation,
    rows: Number(snapshot.summary['added-records'] ?? 0),
    snapshot_id: typeof id === 'bigint' ? String(id) : id,
    watermark: null,
  };
}
