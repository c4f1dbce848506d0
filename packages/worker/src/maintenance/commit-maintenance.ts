import type { Failure } from '@svc/core/errors';
import type { MaintenanceResult } from '@svc/core/maintenance';
import { inTransaction, type Transaction } from '@svc/db/connection';
import type { StoredMaintenance } from '@svc/db/maintenance';
import {
  findTableById,
  forgetSnapshots,
  isUnderLegalHold,
  type StoredTable,
  swapTablePointer,
  tablesInside,
} from '@svc/db/tables';
import {
  applyUpdates,
  type CompactionPlan,
  commitTable,
  currentSchema,
  type DataFileRecord,
  expireSnapshots,
  type IcebergField,
  lineageOf,
  planCompaction,
  prepareRewrite,
  readTableMetadata,
  removeFiles,
  removesSnapshots,
  requireNoneInside,
  requireWritable,
  SMALL_BYTES,
  sortedLayout,
  type TableMetadata,
  type TableState,
  tableIds,
  UnsupportedTableError,
  withoutLineage,
  writeLayout,
} from '@svc/iceberg';
import type { TrinoEngine } from '@svc/lake/engines';
import { runQuery } from '@svc/lake/queries';
import { pointerSwap } from '@svc/lake/tables';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { buildsOnTrino } from '../work/engines.ts';
import { type Origin, recordSnapshot } from '../work/events.ts';
import { failure, failureOf } from '../work/failures.ts';
import { deniedMaintenance } from './denied-maintenance.ts';
import { wantedFiles } from './wanted-files.ts';

/** The table and claim that maintenance works on. */
export interface MaintenanceWork {
  deps: WorkerDeps;
  claim: ActiveClaim;
  row: StoredMaintenance;
  table: StoredTable;
  environment: string;
  origin: Origin;
}

const DAY_MS = 86_400_000;
/** How often the rows are rewritten if some are deleted concurrently, and how often a commit is tried. */
const REWRITES = 3;
const COMMITS = 10;
const MERGE_MANIFESTS_AT = 10;

const DROPPED = failure('not-found', 'The table was dropped in the meantime.');
const BUSY = failure(
  'write-conflict',
  'Other commits changed the table each time its files were rewritten. Maintenance changed nothing.',
  'Start it again when fewer writes are running.',
);

/** Rows in new files, and the files they were read from. */
interface Compacted {
  plan: Pick<CompactionPlan, 'base' | 'schemaId'>;
  /** Locations of the files that the new ones replace. */
  removed: ReadonlySet<string>;
  files: readonly DataFileRecord[];
  sortedBy: readonly number[];
}

/**
 * Finishes the work and writes its event, in the transaction that swaps the table's pointer.
 * @throws LeaseLostError
 */
export type FinishMaintenance = (tx: Transaction, result: MaintenanceResult) => Promise<void>;

/**
 * Compacts files and expires snapshots in one commit.
 * @throws UnsupportedTableError if the table can't be read or written here
 */
export async function commitMaintenance(
  work: MaintenanceWork,
  finish: FinishMaintenance,
): Promise<'done' | 'nothing' | Failure> {
  for (let attempt = 0; attempt < REWRITES; attempt++) {
    const state = await load(work);
    if (state === null) return DROPPED;
    const compacted = work.row.compact ? await compact(work, state.metadata) : null;
    if (compacted !== null && 'code' in compacted) return compacted;
    await work.deps.step?.('maintenance.rewritten');
    const result = await commit(work, compacted, finish);
    if (result !== 'stale') return result;
  }
  return BUSY;
}

async function load({ deps, table }: MaintenanceWork): Promise<TableState | null> {
  const row = await findTableById(deps.db.prisma, table.id);
  if (row?.metadata_location == null) return null;
  const metadata = await readTableMetadata(deps.store, row.metadata_location);
  return { metadataLocation: row.metadata_location, metadata };
}

async function compact(work: MaintenanceWork, metadata: TableMetadata): Promise<Compacted | Failure | null> {
  const { deps, claim, table } = work;
  const own = currentSchema(metadata).fields;
  const { sorted, filtered, demand, maxBytes } = wantedFiles(work.row, metadata);
  const { trino } = deps.engines;
  const isPlain = sorted.length === 0 && filtered.length === 0 && metadata['format-version'] === 2;
  const onTrino = trino !== null && isPlain && buildsOnTrino(deps.settings, work.environment);
  const plan = await planCompaction(deps.store, metadata, onTrino ? Number.POSITIVE_INFINITY : maxBytes, demand);
  if (plan === null) return null;
  requireNoneInside(plan.files, await tablesInside(deps.db.prisma, table.location ?? metadata.location));
  if (onTrino) return compactOnTrino(work, trino, metadata, plan);
  const lineage = lineageOf(metadata);
  requireNoneNamed(own, lineage);
  requireWritable(own);
  const fields = [...own, ...lineage];
  // Rows retain their ids. Whether a file stores them shows only in its own columns.
  const files = lineage.length === 0 ? plan.files : plan.files.map((file) => ({ ...file, sameColumns: false }));
  const scan = { ...plan.reading, fields, files };
  const layout = writeLayout(metadata, own);
  const outcome = await runQuery(deps.sandbox, {
    sql: 'SELECT * FROM files',
    resolve: async (tables) => tables.map(() => ({ kind: 'managed', ...scan })),
    owner: `maintenance ${table.id}`,
    output: {
      kind: 'data-files',
      tableLocation: metadata.location,
      fields,
      layout: sorted.length > 0 ? sortedLayout(layout, sorted) : layout,
      durable: true,
      filtered,
    },
    signal: claim.signal,
  });
  const removed = new Set(plan.files.map((file) => file.location));
  if (outcome.ok) return { plan, removed, files: outcome.files.map(withoutLineage), sortedBy: demand.sortedBy };
  if (outcome.error.code !== 'execution-error') return failureOf(outcome.error);
  // The engine's message may contain a value, and the principal that maintains a table may lack READ_TABLE.
  const full = `${table.namespace}.${table.name}`;
  return failure(
    'execution-error',
    `The rows of ${full} couldn't be read or rewritten. Nothing was changed.`,
    `As a user with READ_TABLE on it, run svc sql 'SELECT * FROM ${full}' to see the cause.`,
  );
}

/** The cluster chooses the files: small ones, and those with deletes. */
async function compactOnTrino(
  { claim, row, environment: name }: MaintenanceWork,
  trino: TrinoEngine,
  metadata: TableMetadata,
  plan: CompactionPlan,
): Promise<Compacted | Failure | null> {
  const outcome = await trino.compact({
    environment: { id: row.environment_id, name },
    target: metadata,
    smallBytes: SMALL_BYTES,
    signal: claim.signal,
    traceToken: row.id,
    retried: claim.fence > 1n,
  });
  if (!outcome.ok) return failureOf(outcome.error);
  await outcome.close();
  const { removed, files } = outcome.change;
  return removed.size === 0 ? null : { plan, removed, files, sortedBy: [] };
}

/** @throws UnsupportedTableError if a column has a name that Iceberg reserves for row ids */
function requireNoneNamed(own: readonly IcebergField[], lineage: readonly IcebergField[]): void {
  const taken = own.find(({ name }) => lineage.some((field) => field.name === name.toLowerCase()));
  if (taken === undefined) return;
  throw new UnsupportedTableError(
    `The column "${taken.name}" has a name that format version 3 reserves for row ids. Rename it, then compact.`,
  );
}

type Committed = 'done' | 'nothing' | Failure;

/** Commits to the table's current state; `stale` if the rows that were read have changed since. */
async function commit(
  work: MaintenanceWork,
  compacted: Compacted | null,
  finish: FinishMaintenance,
): Promise<Committed | 'stale'> {
  const discard = async <R>(result: R): Promise<R> => {
    await removeFiles(work.deps.store, compacted?.files.map((f) => f.file_path) ?? []);
    return result;
  };
  for (let attempt = 0; attempt < COMMITS; attempt++) {
    const current = await load(work);
    if (current === null) return discard(DROPPED);
    const denied = await deniedMaintenance(work.deps, work.row, work);
    if (denied !== null) return discard(denied);
    const result = await tryOnce(work, current, compacted, finish);
    if (result === 'stale') return discard(result);
    if (result !== 'lost') return result;
  }
  return discard(BUSY);
}

async function tryOnce(
  work: MaintenanceWork,
  current: TableState,
  compacted: Compacted | null,
  finish: FinishMaintenance,
): Promise<'done' | 'nothing' | 'stale' | 'lost'> {
  const { deps, row } = work;
  const now = deps.clock().getTime();
  const ids = tableIds(deps);
  const { metadata } = current;
  const prepared = compacted === null ? null : await rewrite(work, metadata, compacted, now);
  if (prepared === 'stale') return prepared;
  const after = applyUpdates(metadata, [], prepared?.updates ?? [], now);
  if (!after.ok) throw new Error(after.message);
  const before = now - (row.expire_days ?? 0) * DAY_MS;
  const expires =
    row.expire_days !== null && !(await isUnderLegalHold(deps.db.prisma, { id: work.table.id, now: deps.clock() }));
  const expired = expires ? expireSnapshots(after.metadata, before, now) : null;
  const updates = [...(prepared?.updates ?? []), ...(expired?.updates ?? [])];
  if (updates.length === 0) return 'nothing';
  const result = await commitTable({
    store: deps.store,
    current,
    requirements: prepared?.requirements ?? expired!.requirements,
    updates,
    now,
    ids,
    swap: (next) =>
      swap(work, current, next, (tx) =>
        finish(tx, {
          compacted_files: compacted?.removed.size ?? 0,
          new_files: compacted?.files.length ?? 0,
          expired_snapshots: after.metadata.snapshots.length - next.metadata.snapshots.length,
          removed_files: 0,
          snapshot_id: prepared?.snapshotId ?? null,
        }),
      ),
  });
  if (result.ok) return 'done';
  await removeFiles(deps.store, prepared?.written ?? []);
  if (result.kind === 'invalid') throw new Error(result.message);
  return 'lost';
}

/** Adds the new files in a snapshot, with the columns and the layout that the table had when they were written. */
async function rewrite(
  { deps }: MaintenanceWork,
  metadata: TableMetadata,
  { plan, removed, files, sortedBy }: Compacted,
  now: number,
) {
  if (metadata['current-schema-id'] !== plan.schemaId) return 'stale' as const;
  const prepared = await prepareRewrite({
    store: deps.store,
    metadata,
    base: plan.base,
    removed,
    files,
    sortedBy,
    mergeAt: MERGE_MANIFESTS_AT,
    now,
    ids: tableIds(deps),
  });
  return prepared ?? ('stale' as const);
}

async function swap(
  { deps, table, origin }: MaintenanceWork,
  current: TableState,
  next: TableState,
  finish: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  await deps.step?.('commit.prepared');
  return inTransaction(deps.db, async (tx) => {
    const swapped = await swapTablePointer(tx, {
      ...pointerSwap(table.id, current, next),
      removesSnapshots: removesSnapshots(current.metadata, next.metadata),
      now: deps.clock(),
    });
    if (!swapped) return false;
    const ids = next.metadata.snapshots.map((snapshot) => snapshot['snapshot-id']);
    await forgetSnapshots(tx, { tableId: table.id, remaining: ids });
    const snapshotId = next.metadata['current-snapshot-id'];
    if (snapshotId != null && snapshotId !== current.metadata['current-snapshot-id'])
      await recordSnapshot(deps, tx, origin, { tableId: table.id, snapshotId });
    await finish(tx);
    return true;
  });
}
