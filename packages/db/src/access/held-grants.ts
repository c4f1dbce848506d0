import type { HeldGrant } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { heldGrant, type StoredGrant } from './held-grant.ts';

/**
 * All active grants that reach a principal: on the instance, and in one environment or (without one) in all.
 * For lists that show what the caller may read; a request on one object uses `authoriseRequest`.
 */
export async function heldGrants(
  client: Transaction,
  { principalId, environmentId = null }: { principalId: string; environmentId?: string | null },
): Promise<HeldGrant[]> {
  const rows = await client.$queryRaw<(StoredGrant & { environment: string | null })[]>`/* prepared held-grants */
    WITH held AS (
      SELECT g.*, NULL::text AS group_name FROM grants g
      WHERE g.principal_id = ${principalId}::uuid AND g.ended_at IS NULL
      UNION ALL
      SELECT g.*, gr.name FROM group_members m
      JOIN groups gr ON gr.id = m.group_id AND gr.deleted_at IS NULL
      JOIN grants g ON g.group_id = gr.id AND g.ended_at IS NULL
      WHERE m.principal_id = ${principalId}::uuid AND m.removed_at IS NULL
    )
    SELECT h.id, h.role, h.action, h.kind, h.group_name, h.created_at, e.name AS environment, n.path AS namespace,
           t.name AS table
    FROM held h
    LEFT JOIN environments e ON e.id = h.environment_id
    LEFT JOIN namespaces n ON n.id = h.namespace_id
    LEFT JOIN tables t ON t.id = h.table_id
    WHERE h.kind = 'INSTANCE' OR ${environmentId}::uuid IS NULL OR h.environment_id = ${environmentId}::uuid`;
  return rows.map((row) => heldGrant(row, row.environment));
}
