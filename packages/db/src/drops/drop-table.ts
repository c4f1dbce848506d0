import { type DropReason, ownsFiles, purgeAfter } from '@svc/core/drops';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { forgetHistory } from './forget-history.ts';
import { hasLegalHoldSql, legalHoldError } from './hold-errors.ts';
import { revokePoliciesOf } from './policies.ts';

export interface TableDrop {
  id: string;
  dropId: string;
  reason: DropReason;
  /** Null for a drop by the sweep. */
  by: string | null;
  /** The current setting. Each drop records its own end of the undo period (DROP-1). */
  undoDays: number;
  now: Date;
}

export interface DropResult {
  id: string;
  name: string;
  namespace: string;
  kind: TableKind;
  purgeAfter: Date | null;
  revokedPolicies: number;
  held: boolean;
}

interface DropRow {
  name: string;
  namespace: string;
  kind: TableKind;
  held: boolean;
  environment: string;
}

/**
 * Drops a table: marks its row and revokes its policies (DROP-1). No file is touched, so the cost doesn't depend on the
 * table's size. A table without files of svc's own is removed immediately (DROP-3). Returns null if the table was
 * dropped already.
 * @throws ApiError `table-held` for a purge of a table under a legal hold
 */
export async function dropTable(client: Transaction, drop: TableDrop): Promise<DropResult | null> {
  const { id, reason, by, undoDays, now } = drop;
  const rows = await client.$queryRaw<DropRow[]>`
    SELECT t.name, n.path AS namespace, t.kind, ${hasLegalHoldSql(now)} AS held, e.name AS environment
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id JOIN environments e ON e.id = t.environment_id
    WHERE t.id = ${id}::uuid AND t.dropped_at IS NULL FOR UPDATE OF t`;
  const table = rows[0];
  if (table === undefined) return null;
  if (reason === 'purge' && table.held) {
    const { environment, namespace, name } = table;
    throw legalHoldError({ environment, table: `${namespace}.${name}` }, 'dropping it with purge');
  }
  const until = purgeAfter({ kind: table.kind, reason, undoDays, now });
  await client.$executeRaw`
    UPDATE tables SET dropped_at = ${now}, dropped_by = ${by}::uuid, drop_id = ${drop.dropId}::uuid,
      drop_reason = ${reason}, purge_after = ${until}, purged_at = ${ownsFiles(table.kind) ? null : now}
    WHERE id = ${id}::uuid`;
  if (!ownsFiles(table.kind)) await forgetHistory(client, [id]);
  const revoked = await revokePoliciesOf(client, { tableIds: [id], by, now });
  return { id, ...table, purgeAfter: until, revokedPolicies: revoked.get(id) ?? 0 };
}

/** The detail of TABLE_DROPPED (DROP-1); `retention` is set for an expiry. */
export function dropDetail(
  dropped: Pick<DropResult, 'id' | 'kind' | 'purgeAfter' | 'revokedPolicies'>,
  reason: DropReason,
  retention?: Record<string, unknown>,
): Record<string, unknown> {
  return {
    reason,
    table_id: dropped.id,
    kind: dropped.kind,
    purge_after: dropped.purgeAfter?.toISOString() ?? null,
    revoked_policies: dropped.revokedPolicies,
    ...(retention === undefined ? {} : { retention }),
  };
}
