import { STAGING_NAMESPACE, stagingName } from '@svc/core/catalog';
import { findPrincipal } from '@svc/db/access';
import { findStaging, removeStaging, storeStaging } from '@svc/db/staging';
import {
  readTableMetadata,
  removeFiles,
  stagedMetadata,
  stagedRows,
  stagingFiles,
  tableIds,
  writeNewTable,
} from '@svc/iceberg';
import type { StagingRequest, StagingTable, StartStaging } from '@svc/lake/engines';
import { QueryRejectedError } from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';

type StagingDeps = Pick<WorkerDeps, 'db' | 'store' | 'settings' | 'clock' | 'newId' | 'random'>;

/** Time for the statement to be stopped, and for its rows to be read. */
const GRACE_MS = 3_600_000;

/** Creates the tables in which Trino's account writes rows. They are visible to it in the catalog of the environment. */
export const startStaging =
  (deps: StagingDeps): StartStaging =>
  async (request) => {
    const account = await findPrincipal(deps.db.prisma, deps.settings.trinoAccount);
    if (account === null || !account.active) throw noAccount(deps.settings.trinoAccount);
    return open(deps, request, account.id);
  };

async function open(deps: StagingDeps, request: StagingRequest, principalId: string): Promise<StagingTable> {
  const { environment, tableLocation: location, fields, target, timeoutMs } = request;
  const now = deps.clock();
  const id = deps.newId();
  const metadata = stagedMetadata({ uuid: id, location, fields, target, now: now.getTime() });
  const { metadataLocation } = await writeNewTable(deps.store, metadata, tableIds(deps));
  const expiresAt = new Date(now.getTime() + timeoutMs + GRACE_MS);
  const staging = { id, environmentId: environment.id, principalId };
  await storeStaging(deps.db.prisma, { ...staging, location, metadataLocation, now, expiresAt });
  return {
    namespace: STAGING_NAMESPACE,
    name: stagingName(id),
    rows: async () => {
      const stored = await findStaging(deps.db.prisma, staging);
      // Only a worker that was suspended for hours finds it removed.
      if (stored === null) throw new QueryRejectedError('timeout', 'The staged rows expired before they were read.');
      return stagedRows(deps.store, await readTableMetadata(deps.store, stored.metadataLocation));
    },
    close: async () => {
      const stored = await removeStaging(deps.db.prisma, id);
      if (stored === null) return;
      const written = await readTableMetadata(deps.store, stored.metadataLocation);
      await removeFiles(
        deps.store,
        await stagingFiles(deps.store, { metadata: written, metadataLocation: stored.metadataLocation }),
      );
    },
  };
}

const noAccount = (name: string): QueryRejectedError =>
  new QueryRejectedError(
    'engine-unavailable',
    `Trino can't write tables: its account ${name} doesn't exist or is deactivated. The operator must set SVC_QUERY__TRINO_ACCOUNT to the service account whose token Trino uses.`,
  );
