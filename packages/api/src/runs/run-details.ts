import { assetKey } from '@svc/core/deploys';
import { attemptsOf, type Run, type RunTask } from '@svc/core/runs';
import type { Snapshot } from '@svc/core/tables';
import { findAttempts, findRetries, type StoredRun } from '@svc/db/runs';
import { findSnapshotsOfRun } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { wireId } from '../tables/snapshot-id.ts';
import { contentVisibility, visibleAttempt } from './visible-content.ts';

const MAX_RETRIES = 20;

/** What only the record of a single run has: the snapshots and attempts of its tasks, and the runs that retried it. */
export async function runDetails(
  ctx: Context,
  { row, run, readAction }: { row: StoredRun; run: Run; readAction: 'READ_ENVIRONMENT' | 'RUN' },
): Promise<Pick<Run, 'tasks' | 'retried_by'>> {
  const snapshots = await snapshotsOf(ctx, run);
  const attempts = await findAttempts(ctx.db, run.id);
  const sees = await contentVisibility(ctx, attempts.size === 0 ? [] : [row]);
  const tasks = run.tasks.map(
    (task): RunTask => ({
      ...task,
      // Rows that failed a check are in a snapshot of a branch, which isn't what the task built.
      snapshot_id: task.status === 'succeeded' ? (snapshots.get(assetKey(task.asset)) ?? null) : null,
      attempts: attemptsOf(task, attempts.get(task.asset) ?? { count: 1, past: [] }).map((attempt) =>
        visibleAttempt(attempt, sees(row, task.asset)),
      ),
    }),
  );
  // With RUN alone, callers see the runs that they requested, and another person may have retried them.
  const retried_by = readAction === 'RUN' ? [] : await findRetries(ctx.db, { id: run.id, limit: MAX_RETRIES });
  return { tasks, retried_by };
}

/** The snapshots that the tasks made, of tables that the caller can read, by the key of the asset (RUN-15). */
async function snapshotsOf(ctx: Context, run: Run): Promise<ReadonlyMap<string, Snapshot['snapshot_id']>> {
  const found = await findSnapshotsOfRun(ctx.db, run.id);
  const grants = found.length === 0 ? [] : await ctx.listGrants();
  return new Map(
    found
      .filter(({ namespace, table }) => ctx.decide('READ_TABLE', ctx.scope({ namespace, table }), grants).allowed)
      .map(({ asset, snapshot_id }) => [assetKey(asset), wireId(snapshot_id)]),
  );
}
