import type { Transaction } from '../connection/index.ts';

/** Ends a principal with its grants, memberships and tokens; records keep its id and name. */
export async function endPrincipal(
  client: Transaction,
  { principalId, by, now }: { principalId: string; by: string; now: Date },
): Promise<void> {
  await client.token.updateMany({
    where: { principal_id: principalId, revoked_at: null },
    data: { revoked_at: now, revoked_by: by },
  });
  await client.grant.updateMany({
    where: { principal_id: principalId, ended_at: null },
    data: { ended_at: now, ended_by: by },
  });
  await client.groupMember.updateMany({
    where: { principal_id: principalId, removed_at: null },
    data: { removed_at: now, removed_by: by },
  });
  await client.principal.update({
    where: { id: principalId },
    data: { active: false, deactivated_at: now, deleted_at: now, deleted_by: by },
  });
}
