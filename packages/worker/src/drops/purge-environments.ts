import { scopeOf } from '@svc/core/access';
import { recordEvents } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { dropDetail } from '@svc/db/drops';
import { type DueEnvironment, dropLeftovers, dueEnvironments, purgeEnvironment } from '@svc/db/environments';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import type { SweepDeps } from './sweep-deps.ts';

const BATCH = 100;
const TABLES_AT_ONCE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Deleted environments whose undo period is over, each once. */
async function* iterateDueEnvironments({ db, clock }: SweepDeps, signal: AbortSignal): AsyncGenerator<DueEnvironment> {
  for (let after = FIRST; ; ) {
    signal.throwIfAborted();
    const batch = await dueEnvironments(db.prisma, { now: clock(), after, limit: BATCH });
    yield* batch;
    if (batch.length < BATCH) return;
    after = batch.at(-1)!.id;
  }
}

/**
 * Drops the artifacts that remained in deleted environments after their undo period, which makes their files due too.
 */
export async function dropLeftoversOfDeleted(deps: SweepDeps, lease: LeaderLease, signal: AbortSignal): Promise<void> {
  for await (const environment of iterateDueEnvironments(deps, signal))
    while (!signal.aborted && (await dropBatch(deps, lease, environment)) === TABLES_AT_ONCE);
}

function dropBatch({ db, clock, newId }: SweepDeps, lease: LeaderLease, { id, name }: DueEnvironment): Promise<number> {
  return inTransaction(db, async (tx) => {
    if (!(await lockLeaderLease(tx, lease))) return 0;
    const now = clock();
    const dropped = await dropLeftovers(tx, { id, now, limit: TABLES_AT_ONCE });
    await recordEvents(
      tx,
      dropped.map((table) => ({
        id: newId(),
        time: now,
        type: 'TABLE_DROPPED',
        principal: null,
        object: scopeOf({ environment: name, namespace: table.namespace, table: table.name }),
        environmentId: id,
        requestId: null,
        detail: dropDetail({ ...table, purgeAfter: now, revokedPolicies: 0 }, 'environment_deleted'),
      })),
    );
    return dropped.length;
  });
}

/** Removes deleted environments whose tables have no files left. Returns their number. */
export async function purgeEnvironments(deps: SweepDeps, lease: LeaderLease, signal: AbortSignal): Promise<number> {
  let purged = 0;
  for await (const environment of iterateDueEnvironments(deps, signal)) {
    await removeViewsOf(deps, environment);
    if (await purgeOne(deps, lease, environment)) purged++;
  }
  return purged;
}

/** If an environment has its own storage, no later sweep deletes the files it leaves behind. */
async function removeViewsOf({ store, log }: SweepDeps, { id, name }: DueEnvironment): Promise<void> {
  const root = await store.rootOf(id);
  if (root === store.root) return;
  try {
    while (!(await store.removePrefix(`${root}/views/${id}`)).done);
  } catch (error) {
    log.warn({ err: error, environment: name }, "couldn't delete files of views in the environment's own storage");
  }
}

function purgeOne({ db, clock, newId }: SweepDeps, lease: LeaderLease, { id, name }: DueEnvironment): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await lockLeaderLease(tx, lease))) return false;
    const now = clock();
    const tables = await purgeEnvironment(tx, { id, now });
    if (tables === null) return false;
    const object = scopeOf({ environment: name });
    const common = { id: newId(), time: now, principal: null, requestId: null, environmentId: id };
    await recordEvents(tx, [{ ...common, type: 'ENVIRONMENT_PURGED', object, detail: { name, tables } }]);
    return true;
  });
}
