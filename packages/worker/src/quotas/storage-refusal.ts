import type { Failure } from '@svc/core/errors';
import { storageExceeded, storageLimit } from '@svc/core/quotas';
import { findQuotas, storageUsed } from '@svc/db/quotas';
import { failureOfProblem } from '../queries/failures.ts';
import type { WorkerDeps } from '../work/deps.ts';

/** Why work that adds files may not begin: the environment holds what its quota of storage allows. Null when it may. */
export async function storageRefusal(
  { db, settings }: WorkerDeps,
  environment: { id: string; name: string },
): Promise<Failure | null> {
  const limit = storageLimit(await findQuotas(db.prisma, environment.id), settings);
  if (limit === null) return null;
  const used = await storageUsed(db.prisma, environment.id);
  return used < limit ? null : failureOfProblem(storageExceeded(environment.name, { used, limit }));
}
