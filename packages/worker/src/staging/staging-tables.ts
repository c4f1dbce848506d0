import { STAGING_NAMESPACE, stagingName } from '@svc/core/catalog';
import { findPrincipal } from '@svc/db/access';
import { extendStaging, removeStaging, type StagingOwner, storeStaging } from '@svc/db/staging';
import {
  joinLocation,
  normalizeLocation,
  readTableMetadata,
  type StagedFrom,
  snapshotOfRef,
  stagedChange,
  stagedClone,
  stagedMetadata,
  stagedRows,
  type TableMetadata,
  tableIds,
  writeNewTable,
} from '@svc/iceberg';
import type { StagingTable, StagingTables } from '@svc/lake/engines';
import { QueryRejectedError } from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';

type StagingDeps = Pick<WorkerDeps, 'db' | 'store' | 'settings' | 'log' | 'clock' | 'newId' | 'random' | 'step'>;

/** Time for the statement to be stopped, and for its rows to be read. */
const GRACE_MS = 3_600_000;
/** Time for what was written to be checked and committed: longer than any task. */
const MAX_WORK_MS = 8 * 86_400_000;

/** Staging tables in which Trino's account writes. */
export const stagingTablesOfTrino = (deps: StagingDeps): StagingTables => stagingTables(deps, () => accountOf(deps));

/** The tables in which an engine writes. Only their owner sees them, in the catalog of the environment. */
export function stagingTables(deps: StagingDeps, ownerOf: () => Promise<StagingOwner>): StagingTables {
  const { store } = deps;
  return {
    async forRows({ environment, tableLocation, fields, target, timeoutMs }) {
      const uuid = deps.newId();
      const location = stagingFolder(normalizeLocation(tableLocation), uuid);
      const metadata = stagedMetadata({ uuid, now: deps.clock().getTime(), location, fields, target });
      const staging = { metadata, base: null, environmentId: environment.id, timeoutMs };
      return open(deps, await ownerOf(), staging, (written) => stagedRows(store, written));
    },
    async forChange({ environment, target, timeoutMs }) {
      const uuid = deps.newId();
      const tableLocation = normalizeLocation(target.location);
      const location = stagingFolder(tableLocation, uuid);
      const metadata = stagedClone(target, { uuid, now: deps.clock().getTime(), location });
      const base = { location: tableLocation, snapshot: snapshotOfRef(target, 'main') };
      const staging = { metadata, base, environmentId: environment.id, timeoutMs };
      return open(deps, await ownerOf(), staging, (written) => stagedChange(store, written, base));
    },
  };
}

/**
 * Access to the files of a staging table must not include all files of the table that gets them.
 *
 * @param tableLocation as the storage spells it; the metadata of a registered table may spell it differently
 */
const stagingFolder = (tableLocation: string, uuid: string): string => joinLocation(tableLocation, 'staged', uuid);

interface NewStaging {
  metadata: TableMetadata;
  /** The table whose rows it has first. */
  base: StagedFrom | null;
  environmentId: string;
  timeoutMs: number;
}

async function open<R>(
  deps: StagingDeps,
  owner: StagingOwner,
  { metadata, base, environmentId, timeoutMs }: NewStaging,
  read: (written: TableMetadata) => Promise<R>,
): Promise<StagingTable<R>> {
  const { store, db } = deps;
  const now = deps.clock();
  const id = metadata['table-uuid'];
  const { metadataLocation } = await writeNewTable(store, metadata, tableIds(deps));
  const expiresAt = new Date(now.getTime() + timeoutMs + GRACE_MS);
  const locations = { location: metadata.location, baseLocation: base?.location ?? null, metadataLocation };
  await storeStaging(db.prisma, { ...owner, id, environmentId, ...locations, now, expiresAt });
  await deps.step?.('staging.created');
  return {
    namespace: STAGING_NAMESPACE,
    name: stagingName(id),
    written: async () => {
      const until = new Date(deps.clock().getTime() + MAX_WORK_MS);
      const stored = await extendStaging(db.prisma, { id, expiresAt: until });
      // Only a worker that was suspended for hours finds it removed.
      if (stored === null) throw new QueryRejectedError('timeout', 'The staged rows expired before they were read.');
      const rows = await read(withSnapshotsOf(metadata, await readTableMetadata(store, stored.metadataLocation)));
      await deps.step?.('staging.written');
      return rows;
    },
    // The work that used it may be finished already, and the sweep removes what is left.
    close: () => remove(deps, metadata).catch((err: unknown) => deps.log.warn({ err, staging: id }, NOT_REMOVED)),
  };
}

const NOT_REMOVED = 'a staging table could not be removed; the sweep will';

/** Only its snapshots come from the engine: columns, partition spec and folder are those with which it was created. */
const withSnapshotsOf = (metadata: TableMetadata, written: TableMetadata): TableMetadata => ({
  ...metadata,
  snapshots: written.snapshots,
  refs: written.refs,
  'current-snapshot-id': written['current-snapshot-id'],
});

/** The files to remove are found in the folder, because an engine could name other ones. */
async function remove({ db, store }: StagingDeps, { 'table-uuid': id, location }: TableMetadata): Promise<void> {
  if ((await removeStaging(db.prisma, id)) === null) return;
  for (let done = false; !done; ) ({ done } = await store.removePrefix(`${location}/metadata`));
}

async function accountOf({ db, settings: { trinoAccount: name } }: StagingDeps): Promise<StagingOwner> {
  const account = await findPrincipal(db.prisma, name);
  if (account?.active) return { principalId: account.id, taskId: null };
  throw new QueryRejectedError(
    'engine-unavailable',
    `Trino can't write tables: its account ${name} doesn't exist or is deactivated. The operator must set SVC_QUERY__TRINO_ACCOUNT to the service account whose token Trino uses.`,
  );
}
