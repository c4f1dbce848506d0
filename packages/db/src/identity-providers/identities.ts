import type { SignInMethods } from '@svc/core/identity-providers';
import { LOCK } from '../access/lock.ts';
import { PRINCIPAL_COLUMNS, type StoredPrincipal } from '../access/principals.ts';
import { sqlState, type Transaction } from '../connection/index.ts';

export interface NewIdentity {
  id: string;
  providerId: string;
  subject: string;
  principalId: string;
  email: string | null;
  /** The administrator who linked it; null at a sign-in. */
  by: string | null;
  now: Date;
}

/** Lets only one transaction at a time decide who a subject is. */
export async function lockSubject(
  client: Transaction,
  { providerId, subject }: { providerId: string; subject: string },
): Promise<void> {
  await client.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(${`identity ${providerId} ${subject}`}, 0))`;
}

/** The principal that a subject is linked to, locked with the link against changes until the transaction commits. */
export async function findLinked(
  client: Transaction,
  { providerId, subject }: { providerId: string; subject: string },
): Promise<StoredPrincipal | null> {
  const rows = await client.$queryRaw<StoredPrincipal[]>`
    SELECT ${PRINCIPAL_COLUMNS} FROM identities i JOIN principals p ON p.id = i.principal_id
    WHERE i.identity_provider_id = ${providerId}::uuid AND i.subject = ${subject} AND i.ended_at IS NULL AND p.deleted_at IS NULL
    ${LOCK.update} OF p, i`;
  return rows[0] ?? null;
}

/** The person with that address, locked against changes until the transaction commits. */
export async function lockPersonByEmail(client: Transaction, email: string): Promise<StoredPrincipal | null> {
  const rows = await client.$queryRaw<StoredPrincipal[]>`
    SELECT ${PRINCIPAL_COLUMNS} FROM principals p
    WHERE p.email = ${email} AND p.type = 'person' AND p.deleted_at IS NULL ${LOCK.update}`;
  return rows[0] ?? null;
}

/** Links a subject to a principal. Returns false if either of them is already linked at this provider. */
export async function linkIdentity(client: Transaction, i: NewIdentity): Promise<boolean> {
  const added = await client.$executeRaw`
    INSERT INTO identities (id, identity_provider_id, subject, principal_id, email, linked_at, linked_by)
    VALUES (${i.id}::uuid, ${i.providerId}::uuid, ${i.subject}, ${i.principalId}::uuid, ${i.email}, ${i.now}, ${i.by}::uuid)
    ON CONFLICT DO NOTHING`;
  return added > 0;
}

/** Whether an administrator has unlinked the subject from this principal. */
export async function isUnlinked(
  client: Transaction,
  i: { providerId: string; subject: string; principalId: string },
): Promise<boolean> {
  const where = { identity_provider_id: i.providerId, subject: i.subject, principal_id: i.principalId };
  return (await client.identity.count({ where: { ...where, ended_by: { not: null } } })) > 0;
}

/** Stores when an identity was last used, and the address that its provider has verified. */
export async function rememberIdentity(
  client: Transaction,
  i: { providerId: string; subject: string; email: string | null; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE identities SET last_sign_in_at = ${i.now}, email = ${i.email}
    WHERE identity_provider_id = ${i.providerId}::uuid AND subject = ${i.subject} AND ended_at IS NULL`;
}

/** Ends the identity of a principal at a provider. Returns its subject; null without one. */
export async function unlinkIdentity(
  client: Transaction,
  i: { providerId: string; principalId: string; by: string; now: Date },
): Promise<string | null> {
  const rows = await client.$queryRaw<{ subject: string }[]>`
    UPDATE identities SET ended_at = ${i.now}, ended_by = ${i.by}::uuid
    WHERE identity_provider_id = ${i.providerId}::uuid AND principal_id = ${i.principalId}::uuid AND ended_at IS NULL
    RETURNING subject`;
  return rows[0]?.subject ?? null;
}

/** Ends sessions that were opened with an identity provider: those of one person with a link to this provider, or of all. */
export async function endProviderSessions(
  client: Transaction,
  s: { providerId: string; principalId: string | null; except: string; by: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE tokens SET revoked_at = ${s.now}, revoked_by = ${s.by}::uuid
    WHERE kind = 'session' AND sign_in = 'provider' AND revoked_at IS NULL AND id <> ${s.except}::uuid
      AND principal_id IN (
        SELECT principal_id FROM identities WHERE identity_provider_id = ${s.providerId}::uuid AND ended_at IS NULL
          AND (${s.principalId}::uuid IS NULL OR principal_id = ${s.principalId}::uuid))`;
}

/** How a principal can sign in; identities are listed by provider. */
export async function findSignInMethods(
  client: Transaction,
  { id, name, password_hash }: StoredPrincipal,
): Promise<SignInMethods> {
  const owner = await client.principal.findUniqueOrThrow({ where: { id }, select: { email: true } });
  const rows = await client.$queryRaw<
    { provider: string; subject: string; email: string | null; linked_at: Date; last_sign_in_at: Date | null }[]
  >`
    SELECT p.name AS provider, i.subject, i.email, i.linked_at, i.last_sign_in_at
    FROM identities i JOIN identity_providers p ON p.id = i.identity_provider_id
    WHERE i.principal_id = ${id}::uuid AND i.ended_at IS NULL ORDER BY p.name COLLATE "C"`;
  const identities = rows.map((row) => ({
    ...row,
    linked_at: row.linked_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  }));
  return { principal: name, email: owner.email, password: password_hash !== null, identities };
}

/** Sets the address of a person. Returns false if another principal has it. */
export async function setEmail(
  client: Transaction,
  { principalId, email }: { principalId: string; email: string | null },
): Promise<boolean> {
  try {
    await client.$executeRaw`UPDATE principals SET email = ${email} WHERE id = ${principalId}::uuid`;
    return true;
  } catch (error) {
    if (sqlState(error) === '23505') return false;
    throw error;
  }
}
