import { assetKey } from '@svc/core/deploys';
import type { Run, RunTask } from '@svc/core/runs';
import { findSnapshotsOfRun } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { wireId } from '../tables/snapshot-id.ts';

/** The tasks with the snapshots that they made of tables that the caller can read (RUN-15). */
export async function withSnapshots(ctx: Context, run: Run): Promise<RunTask[]> {
  const found = await findSnapshotsOfRun(ctx.db, run.id);
  const grants = found.length === 0 ? [] : await ctx.listGrants();
  const visible = found.filter(
    ({ namespace, table }) => ctx.decide('READ_TABLE', ctx.scope({ namespace, table }), grants).allowed,
  );
  const snapshots = new Map(visible.map(({ asset, snapshot_id }) => [assetKey(asset), wireId(snapshot_id)]));
  return run.tasks.map((task) => ({
    ...task,
    // Rows that failed a check are in a snapshot of a branch, which isn't what the task built.
    snapshot_id: task.status === 'succeeded' ? (snapshots.get(assetKey(task.asset)) ?? null) : null,
  }));
}
