import type { TokenScope } from '@svc/core/access';
import type { WorkloadIdentity, WorkloadRule } from '@svc/core/workload-identities';
import { type NewTokenScope, SCOPE_OF_TOKEN, scopeFields, storedScope } from '../access/index.ts';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

export interface StoredWorkloadIdentity extends WorkloadRule {
  id: string;
  principal_id: string;
  principal: string;
  /** Whether the principal is active. */
  active: boolean;
  issuer: string;
  created_at: Date;
  /** The most that tokens of the workload carry. */
  scope: TokenScope | null;
  environment_ids: string[] | null;
}

interface NewWorkloadIdentity extends WorkloadRule {
  id: string;
  principalId: string;
  issuer: string;
  scope: NewTokenScope | null;
  createdBy: string;
  now: Date;
}

export const workloadIdentityRecord = (row: StoredWorkloadIdentity): WorkloadIdentity => ({
  id: row.id,
  principal: row.principal,
  issuer: row.issuer,
  audience: row.audience,
  subject: row.subject,
  claims: { ...row.claims },
  ...scopeFields(row.scope),
  created_at: row.created_at.toISOString(),
});

const select = (client: Transaction, where: Prisma.Sql): Promise<StoredWorkloadIdentity[]> =>
  client.$queryRaw<StoredWorkloadIdentity[]>`
    SELECT t.id, t.principal_id, p.name AS principal, p.active AND p.deleted_at IS NULL AS active, t.issuer, t.audience,
           t.subject, t.claims, t.created_at, ${SCOPE_OF_TOKEN} AS scope, t.scope->'environments' AS environment_ids
    FROM workload_identities t JOIN principals p ON p.id = t.principal_id
    WHERE t.deleted_at IS NULL AND ${where} ORDER BY t.created_at, t.id`;

export async function createWorkloadIdentity(client: Transaction, identity: NewWorkloadIdentity): Promise<void> {
  const { scope } = identity;
  await client.workloadIdentity.create({
    data: {
      id: identity.id,
      principal_id: identity.principalId,
      issuer: identity.issuer,
      audience: identity.audience,
      subject: identity.subject,
      claims: { ...identity.claims },
      ...(scope === null ? {} : { scope: storedScope(scope) }),
      created_at: identity.now,
      created_by: identity.createdBy,
    },
  });
}

/** Finds one that isn't deleted. */
export async function findWorkloadIdentity(client: Transaction, id: string): Promise<StoredWorkloadIdentity | null> {
  return (await select(client, Prisma.sql`t.id = ${id}::uuid`))[0] ?? null;
}

export const listWorkloadIdentities = (client: Transaction, principalId: string): Promise<StoredWorkloadIdentity[]> =>
  select(client, Prisma.sql`t.principal_id = ${principalId}::uuid`);

/** The identities of an issuer, those of deactivated principals included. */
export const listIdentitiesOfIssuer = (client: Transaction, issuer: string): Promise<StoredWorkloadIdentity[]> =>
  select(client, Prisma.sql`t.issuer = ${issuer} AND p.deleted_at IS NULL`);

/**
 * Locks an identity and its principal until the transaction commits, so that a token is stored before a deletion or not at all.
 * Returns false if either of them is gone or inactive.
 */
export async function lockWorkloadIdentity(client: Transaction, id: string): Promise<boolean> {
  const rows = await client.$queryRaw<unknown[]>`
    SELECT 1 FROM workload_identities w JOIN principals p ON p.id = w.principal_id
    WHERE w.id = ${id}::uuid AND w.deleted_at IS NULL AND p.active AND p.deleted_at IS NULL FOR SHARE`;
  return rows.length === 1;
}

/** Deletes an identity and revokes its tokens. Returns false if it was deleted already. */
export async function deleteWorkloadIdentity(
  client: Transaction,
  { id, principal_id: principalId }: Pick<StoredWorkloadIdentity, 'id' | 'principal_id'>,
  { by, now }: { by: string; now: Date },
): Promise<boolean> {
  const { count } = await client.workloadIdentity.updateMany({
    where: { id, deleted_at: null },
    data: { deleted_at: now, deleted_by: by },
  });
  await client.token.updateMany({
    where: { principal_id: principalId, workload_identity_id: id, revoked_at: null },
    data: { revoked_at: now, revoked_by: by },
  });
  return count > 0;
}
