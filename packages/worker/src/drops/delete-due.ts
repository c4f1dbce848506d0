import type { LeaderLease } from '@svc/db/leases';
import { dropLeftoversOfDeleted, purgeEnvironments } from './purge-environments.ts';
import { purgeTables } from './purge-tables.ts';
import type { SweepDeps } from './sweep-deps.ts';

/**
 * One sweep over dropped objects: deletes files whose undo period is over, then deleted environments that have no files
 * left.
 */
export async function deleteDue(
  deps: SweepDeps,
  lease: LeaderLease,
  signal: AbortSignal,
): Promise<{ purged: number; files: number; bytes: number; failed: number; environments: number }> {
  await dropLeftoversOfDeleted(deps, lease, signal);
  const tables = await purgeTables(deps, lease, signal);
  return { ...tables, environments: await purgeEnvironments(deps, lease, signal) };
}
