import type { Transaction } from '../connection/index.ts';
import { type RemovedGrant, revokeGrantsOf } from './grants.ts';

/** Deletes a principal with its grants, those on it, memberships, tokens, identities, second factors, private queries, tabs and pending requests for access (ACCESS-23). Returns the revoked grants. */
export async function deletePrincipal(
  client: Transaction,
  { principalId, by, now }: { principalId: string; by: string; now: Date },
): Promise<RemovedGrant[]> {
  await client.token.updateMany({
    where: { principal_id: principalId, revoked_at: null },
    data: { revoked_at: now, revoked_by: by },
  });
  const removed = [
    ...(await revokeGrantsOf(client, { of: { principalId }, by, now })),
    ...(await revokeGrantsOf(client, { of: { serviceAccountId: principalId }, by, now })),
  ];
  await client.groupMember.updateMany({
    where: { principal_id: principalId, removed_at: null },
    data: { removed_at: now, removed_by: by },
  });
  await client.identity.updateMany({
    where: { principal_id: principalId, ended_at: null },
    data: { ended_at: now, ended_by: by },
  });
  await client.secondFactor.deleteMany({ where: { principal_id: principalId } });
  await client.recoveryCode.deleteMany({ where: { principal_id: principalId } });
  await client.scimResource.deleteMany({ where: { id: principalId } });
  // Nobody else can see them (SAVED-8, TAB-6).
  await client.savedQuery.deleteMany({ where: { owner_id: principalId, shared: false } });
  await client.queryTab.deleteMany({ where: { owner_id: principalId } });
  await client.accessRequest.updateMany({
    where: { principal_id: principalId, state: 'pending' },
    data: { state: 'withdrawn', decided_at: now, decided_by: by },
  });
  await client.principal.update({
    where: { id: principalId },
    data: { active: false, deactivated_at: now, deleted_at: now, deleted_by: by },
  });
  return removed;
}
