import type { Failure } from '@svc/core/errors';
import { storageExceeded, storageLimit } from '@svc/core/quotas';
import { findQuotas, storageUsed } from '@svc/db/quotas';
import type { WorkerDeps } from '../work/deps.ts';
import { failureOfProblem } from '../work/failures.ts';

/** Returns why work that adds files can't start, because the environment's storage quota is used up; null if it can. */
export async function storageQuotaFailure(
  { db, settings }: WorkerDeps,
  environment: { id: string; name: string },
): Promise<Failure | null> {
  const limit = storageLimit(await findQuotas(db.prisma, environment.id), settings);
  if (limit === null) return null;
  const used = await storageUsed(db.prisma, environment.id);
  return used < limit ? null : failureOfProblem(storageExceeded(environment.name, { used, limit }));
}
