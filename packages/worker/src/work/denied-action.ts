import { type Action, decide, type EffectiveGrant, type ObjectScope } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import type { StoredEnvironment } from '@svc/db/environments';
import type { WorkerDeps } from './deps.ts';
import { auditDenial, type DeniedWork } from './events.ts';
import { failure } from './failures.ts';

/** Why work that waited may no longer change an object, or null. Records the denial. `full`: the object's name. */
export async function deniedAction(
  deps: WorkerDeps,
  work: DeniedWork & { grants: readonly EffectiveGrant[] },
  { action, object, full }: { action: Action; object: ObjectScope; full: string },
): Promise<Failure | null> {
  const { allowed, reason } = decide(work.grants, action, object);
  if (allowed) return null;
  await auditDenial(deps, work, { action, object, reason });
  return failure('not-allowed', `You no longer have ${action} on ${full}.`);
}

/** What lets work change tables in a protected environment: the run that it is part of, or the reason for break-glass. */
interface WorkOrigin {
  run_id: string | null;
  break_glass: string | null;
}

/**
 * Why work that waited may no longer change an object, if its environment was protected in the meantime (ENV-5), or null. Records
 * the denial.
 */
export async function protectedFailure(
  deps: WorkerDeps,
  work: DeniedWork & { environment: Pick<StoredEnvironment, 'id' | 'name' | 'protected'>; origin: WorkOrigin },
  { action, object }: { action: Action; object: ObjectScope },
): Promise<Failure | null> {
  const { environment, origin } = work;
  if (!environment.protected || origin.run_id !== null || origin.break_glass !== null) return null;
  await auditDenial(deps, work, { action, object, reason: `environment ${environment.name} is protected` });
  return failure(
    'not-allowed',
    `The environment ${environment.name} was protected before this started: its tables can only be changed by runs of its deployed projects.`,
    'Change the project and deploy it, or repeat it with --break-glass --reason TEXT.',
  );
}
