import { type ObjectScope, scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { ownValue } from '@svc/core/own-value';
import { NO_RULE, retentionDetail, retentionOf } from '@svc/core/retention';
import type { Column } from '@svc/core/tables';
import { inTransaction, type Transaction } from '@svc/db/connection';
import {
  createTable,
  findTableById,
  lockTableById,
  retentionFacts,
  type StoredTable,
  swapTablePointer,
} from '@svc/db/tables';
import {
  commitFiles,
  currentSchema,
  type DataFileRecord,
  isWithin,
  readTableMetadata,
  removeFiles,
  type TableMetadata,
  type TableUpdate,
  tableIds,
} from '@svc/iceberg';
import { contentsOf, pointerSwap, rowColumns } from '@svc/lake/tables';
import type { WorkerDeps } from '../work/deps.ts';
import { auditWork, type Origin, recordSnapshot } from '../work/events.ts';
import { failure } from '../work/failures.ts';
import { droppedFailure } from './dropped-failure.ts';

/** The columns of the current schema. A new description replaces the existing one. */
export function columnsOf(
  metadata: TableMetadata,
  before: readonly Column[],
  properties: Readonly<Record<string, string>> = {},
): Column[] {
  const described = new Map(before.map((column) => [column.name, column.description]));
  return rowColumns(currentSchema(metadata)).map((column) => ({
    ...column,
    description: ownValue(properties, column.name) ?? described.get(column.name) ?? null,
  }));
}

export const scopeOfTable = (environment: string, table: Pick<StoredTable, 'namespace' | 'name'>): ObjectScope =>
  scopeOf({ environment, namespace: table.namespace, table: table.name });

export interface FileCommit {
  table: StoredTable;
  environment: string;
  files: readonly DataFileRecord[];
  schemaId: number;
  mode: 'append' | 'replace';
  schemaUpdates?: readonly TableUpdate[];
  /** Writes the rows to this branch: the table's current snapshot stays, and there is no TABLE_WRITE. */
  branch?: string;
  /** A branch that this commit removes. */
  dropBranch?: string;
  columnDescriptions?: Readonly<Record<string, string>>;
  /** Null removes it; absent leaves it. */
  watermark?: string | null | undefined;
  rows: number;
  /** The number of lines that a load left out, if it may leave out lines. */
  rejected?: number;
  origin: Origin;
  /** Finishes the work in the same transaction. */
  finish: (tx: Transaction, snapshotId: number) => Promise<void>;
}

/**
 * Commits data files to a managed table. Pointer swap, finished work and TABLE_WRITE commit together, so that neither
 * exists without the other. A commit that loses a race is retried on the winner's snapshot.
 */
export async function commitToTable(deps: WorkerDeps, commit: FileCommit): Promise<Failure | null> {
  const { table, origin, mode, environment } = commit;
  // The transaction that locks the table, after too many lost races.
  let locked: Transaction | null = null;
  const inOne = <R>(work: (tx: Transaction) => Promise<R>): Promise<R> =>
    locked === null ? inTransaction(deps.db, work) : work(locked);
  const load = async () => {
    const row = await findTableById(locked ?? deps.db.prisma, table.id);
    if (row?.metadata_location == null) return null;
    return {
      metadataLocation: row.metadata_location,
      metadata: await readTableMetadata(deps.store, row.metadata_location),
    };
  };
  const result = await commitFiles({
    store: deps.store,
    files: commit.files,
    mode,
    ...(commit.branch === undefined ? {} : { branch: commit.branch }),
    ...(commit.dropBranch === undefined ? {} : { dropBranch: commit.dropBranch }),
    ...(commit.schemaUpdates === undefined ? {} : { schemaUpdates: commit.schemaUpdates }),
    schemaId: commit.schemaId,
    now: deps.clock().getTime(),
    ids: tableIds(deps),
    alone: (work) =>
      inTransaction(deps.db, async (tx) => {
        await lockTableById(tx, table.id);
        locked = tx;
        return work();
      }).finally(() => {
        locked = null;
      }),
    load,
    swap: async (next, previous) => {
      await deps.step?.('commit.prepared');
      return inOne(async (tx) => {
        const snapshotId = Number(next.metadata.refs[commit.branch ?? 'main']!['snapshot-id']);
        const swapped = await swapTablePointer(tx, {
          ...pointerSwap(table.id, previous, next),
          columns:
            commit.branch === undefined
              ? columnsOf(next.metadata, table.columns, commit.columnDescriptions)
              : undefined,
          watermark: commit.watermark,
          now: deps.clock(),
        });
        if (!swapped) return false;
        await commit.finish(tx, snapshotId);
        await recordSnapshot(deps, tx, origin, { tableId: table.id, snapshotId });
        if (commit.branch !== undefined) return true;
        const detail = {
          table_id: table.id,
          mode,
          rows: commit.rows,
          ...(commit.rejected === undefined ? {} : { rejected: commit.rejected }),
          snapshot_id: snapshotId,
          watermark: commit.watermark ?? null,
        };
        await auditWork(deps, tx, origin, { type: 'TABLE_WRITE', object: scopeOfTable(environment, table), detail });
        return true;
      });
    },
  });
  await deps.step?.('commit.done');
  return result.ok ? null : refusedCommit(deps, table, result.message);
}

async function refusedCommit(
  { db }: WorkerDeps,
  { id, namespace, name }: StoredTable,
  message: string,
): Promise<Failure> {
  if ((await findTableById(db.prisma, id)) === null) return droppedFailure({ namespace, table: name });
  return failure('write-conflict', `${message} Nothing was written.`, 'Start it again.');
}

export interface NewManagedTable {
  id: string;
  environment: { id: string; name: string };
  namespace: { id: string; path: string };
  name: string;
  description: string | null;
  metadata: TableMetadata;
  metadataLocation: string;
  files: readonly DataFileRecord[];
  rows: number;
  mode: 'create' | 'append' | 'replace';
  watermark?: string | undefined;
  columnDescriptions?: Readonly<Record<string, string>>;
  builtByRepository?: string | null;
  /** Days of inactivity after which it expires. */
  expireAfter?: number | null;
  origin: Origin & { principal: { id: string; name: string } };
  finish: (tx: Transaction, snapshotId: number | null) => Promise<void>;
}

/** Registers a new managed table with its first rows. Returns false if the name was taken, after removing its files. */
export async function registerTable(deps: WorkerDeps, t: NewManagedTable): Promise<boolean> {
  const now = deps.clock();
  const contents = contentsOf(t.metadata);
  const columns = columnsOf(t.metadata, [], t.columnDescriptions);
  const object = scopeOf({ environment: t.environment.name, namespace: t.namespace.path, table: t.name });
  await deps.step?.('commit.prepared');
  const created = await inTransaction(deps.db, async (tx) => {
    const made = await createTable(tx, {
      id: t.id,
      environmentId: t.environment.id,
      namespaceId: t.namespace.id,
      name: t.name,
      kind: 'managed',
      description: t.description,
      columns,
      location: t.metadata.location,
      apart: !isWithin(deps.store.root, t.metadata.location),
      metadataLocation: t.metadataLocation,
      contents,
      builtByRepository: t.builtByRepository ?? null,
      watermark: t.watermark ?? null,
      createdBy: t.origin.principal.id,
      expireAfter: t.expireAfter ?? null,
      now,
    });
    if (!made) return false;
    const { snapshotId } = contents;
    if (snapshotId !== null) await recordSnapshot(deps, tx, t.origin, { tableId: t.id, snapshotId });
    // Snapshot ids that svc creates fit in a number.
    await t.finish(tx, snapshotId === null ? null : Number(snapshotId));
    const detail = {
      table_id: t.id,
      name: t.name,
      kind: 'managed',
      columns: columns.length,
      location: t.metadata.location,
    };
    await auditWork(deps, tx, t.origin, { type: 'TABLE_CREATED', object, detail });
    if (t.expireAfter != null) await auditRetention(deps, tx, t.id, object, t.origin);
    const write = {
      table_id: t.id,
      mode: t.mode,
      rows: t.rows,
      snapshot_id: snapshotId,
      watermark: t.watermark ?? null,
    };
    await auditWork(deps, tx, t.origin, { type: 'TABLE_WRITE', object, detail: write });
    return true;
  });
  await deps.step?.('commit.done');
  if (!created) await removeFiles(deps.store, [...t.files.map((f) => f.file_path), t.metadataLocation]);
  return created;
}

/** Audits the retention that a table was created with. */
async function auditRetention(
  deps: WorkerDeps,
  tx: Transaction,
  id: string,
  object: ObjectScope,
  origin: Origin,
): Promise<void> {
  const facts = retentionFacts((await findTableById(tx, id))!, deps.clock());
  const detail = retentionDetail(id, retentionOf({ ...facts, own: NO_RULE }), retentionOf(facts));
  await auditWork(deps, tx, origin, { type: 'TABLE_RETENTION_SET', object, detail });
}
