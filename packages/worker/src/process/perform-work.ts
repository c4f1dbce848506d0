import type { Failure } from '@svc/core/errors';
import type { Slots } from '@svc/core/workers';
import { isDatabaseFull } from '@svc/db/connection';
import { forbidRetry, LeaseLostError, releaseWork, type WorkKind } from '@svc/db/leases';
import { executeDeploy } from '../deploys/index.ts';
import { executeMaintenance } from '../maintenance/index.ts';
import { executeQuery } from '../queries/index.ts';
import { assignFreeSlots } from '../quotas/index.ts';
import { executeRun } from '../runs/index.ts';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { failure } from '../work/failures.ts';
import { traced } from '../work/traced.ts';
import { executeWrite } from '../writes/index.ts';
import { rescueExpired } from './rescue-expired.ts';

type Execute = (deps: WorkerDeps, claim: ActiveClaim, tasks: Slots) => Promise<void>;

const executors: Record<WorkKind, Execute> = {
  queries: executeQuery,
  writes: executeWrite,
  maintenance: executeMaintenance,
  deploys: executeDeploy,
  runs: executeRun,
};

/** Does claimed work to its end, and never fails: what can't be finished here is released, retried or failed. */
export async function performWork(deps: WorkerDeps, claim: ActiveClaim, tasks: Slots): Promise<void> {
  const log = deps.log.child({ work: claim.kind, id: claim.id });
  const finish = deps.metrics?.claimed(claim.kind);
  try {
    log.debug('work started');
    await deps.step?.('claimed');
    await traced(deps, claim, () => executors[claim.kind](deps, claim, tasks));
    if (claim.isRequeued) {
      log.debug('work waits for a slot for long work');
      finish?.('released');
      return;
    }
    // Its slot is free: the next query of the environment doesn't have to wait for the poll loop.
    if (claim.query?.placed) await assignFreeSlots(deps, claim.query.environment_id);
    log.debug('work finished');
    finish?.('finished');
    await deps.step?.('finished');
  } catch (error) {
    if (isLeaseLost(error) || claim.signal.reason === 'lease-lost') {
      log.warn('the lease was lost: another worker takes over the work');
      finish?.('lease-lost');
      return;
    }
    if (claim.signal.reason === 'shutting-down') {
      finish?.('released');
      await releaseClaim(deps, claim, log);
      return;
    }
    finish?.('failed');
    if (isProgramError(error)) {
      log.error({ err: error }, "the work failed because of a bug in svc; it isn't retried");
      await finishLost(deps, claim, log);
    } else if (isDatabaseFull(error)) {
      log.error({ err: error }, "the work failed because the disk of the database is full; it isn't retried");
      await finishLost(deps, claim, log, DATABASE_FULL);
    } else {
      // The lease expires: that counts the attempt and delays the next one.
      log.error({ err: error }, 'the work failed unexpectedly; it will be retried once');
    }
  }
}

/** A retry would most likely find it full too, and its failure would name another reason. */
const DATABASE_FULL = failure(
  'storage-full',
  'The disk of the database is full. Unfinished changes were discarded, and the work is not retried.',
  'Start it again after the operator has freed space.',
);

const PROGRAM_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

/**
 * Returns whether a second attempt would fail the same way, because the cause is the program and not the database, a
 * file or the network.
 */
function isProgramError(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return cause === undefined ? PROGRAM_ERRORS.some((type) => error instanceof type) : isProgramError(cause);
}

function isLeaseLost(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) if (e instanceof LeaseLostError) return true;
  return false;
}

async function releaseClaim(deps: WorkerDeps, claim: ActiveClaim, log: WorkerDeps['log']): Promise<void> {
  await releaseWork(deps.db.prisma, { kind: claim.kind, claim }).catch((error: unknown) => {
    log.warn({ err: error }, "couldn't release the work; its lease expires by itself");
  });
}

async function finishLost(
  deps: WorkerDeps,
  claim: ActiveClaim,
  log: WorkerDeps['log'],
  error?: Failure,
): Promise<void> {
  await forbidRetry(deps.db.prisma, { kind: claim.kind, claim, now: deps.clock(), ...(error && { error }) })
    .then(() => rescueExpired(deps))
    .catch((error: unknown) => {
      log.warn({ err: error }, "couldn't complete the work; its lease expires by itself");
    });
}
