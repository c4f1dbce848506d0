import { type Action, decide, type EffectiveGrant, type ObjectScope } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
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
