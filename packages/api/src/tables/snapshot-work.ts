import type { Snapshot } from '@svc/core/tables';
import { findSnapshotSources, type StoredSnapshotSource, type StoredTable } from '@svc/db/tables';
import type { Context } from '../http/context.ts';

type SnapshotWork = NonNullable<Snapshot['made_by']>;

/**
 * What made the snapshots of a table, by the snapshot's id (TABLE-26). Runs are visible with READ_ENVIRONMENT, as is who they act as.
 * The principal of other work is visible to maintainers and the owner of the table, like its readers, and queries and loads like their records.
 */
export async function visibleWork(
  ctx: Context,
  table: StoredTable,
): Promise<(snapshotId: bigint | number | string) => SnapshotWork | null> {
  const sources = await findSnapshotSources(ctx.db, table.id);
  const environment = ctx.scope();
  const canSeeRuns = ctx.decide('READ_ENVIRONMENT', environment).allowed;
  const canSeeWork = ctx.decide('MANAGE_ENVIRONMENT', environment).allowed;
  const isOwner = ctx.isOwner(table.owner_id, 'MAINTAIN_TABLE');
  const canSeePrincipals = canSeeWork || isOwner || ctx.decide('MAINTAIN_TABLE').allowed;
  return (snapshotId) => {
    const source = sources.get(String(snapshotId));
    if (source === undefined) return null;
    const isOwn = source.principal_id === ctx.caller.id;
    const run = canSeeRuns && source.run_id !== null;
    return workOf(source, { run, work: isOwn || canSeeWork, principal: isOwn || run || canSeePrincipals });
  };
}

function workOf(
  source: StoredSnapshotSource,
  shown: { run: boolean; work: boolean; principal: boolean },
): SnapshotWork | null {
  if (!shown.principal) return null;
  return {
    principal: source.principal,
    run_id: shown.run ? source.run_id : null,
    asset: shown.run ? source.asset : null,
    query_id: shown.work ? source.query_id : null,
    write_id: shown.work ? source.write_id : null,
  };
}
