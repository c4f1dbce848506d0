import { INSTANCE } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import { firstSignIn, type IdentityClaims } from '@svc/core/identity-providers';
import { createPrincipal, findPrincipalById, requireAdminLeft, type StoredPrincipal } from '@svc/db/access';
import { type NewEvent, recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import {
  findLinked,
  followGroups,
  isUnlinked,
  linkIdentity,
  lockPersonByEmail,
  lockProviderById,
  lockSubject,
  rememberIdentity,
  type StoredProvider,
} from '@svc/db/identity-providers';
import { lockPersonByExternalId } from '@svc/db/scim';
import type { ApiDeps } from '../http/deps.ts';
import { RefusedSignInError } from './refused-sign-in.ts';

export interface Admission {
  deps: ApiDeps;
  requestId: string;
  now: Date;
  providerId: string;
  claims: IdentityClaims;
}

/**
 * The person that an identity belongs to: the linked one, or at the first sign-in one that is linked or created by the rules of the
 * provider (SSO-8 to SSO-12). Memberships follow the claim for groups.
 *
 * @throws RefusedSignInError, which leaves everything unchanged
 */
export async function admitPerson(
  tx: Transaction,
  admission: Admission,
): Promise<{ person: StoredPrincipal; provider: StoredProvider }> {
  const { claims, providerId, now } = admission;
  const { subject, email } = claims;
  const provider = await lockProviderById(tx, providerId);
  if (!provider?.active) throw new RefusedSignInError('unknown-provider');
  await lockSubject(tx, { providerId, subject });
  const person = (await findLinked(tx, { providerId, subject })) ?? (await admitFirst(tx, admission, provider));
  if (!person.active) throw new RefusedSignInError('deactivated', { principal: person.name });
  await rememberIdentity(tx, { providerId, subject, email, now });
  await updateMemberships(tx, admission, { person, provider });
  return { person, provider };
}

async function admitFirst(tx: Transaction, admission: Admission, provider: StoredProvider): Promise<StoredPrincipal> {
  const { id: providerId } = provider;
  const provisioned = await lockPersonByExternalId(tx, { providerId, externalId: admission.claims.subject });
  if (provisioned !== null && !provisioned.active)
    throw new RefusedSignInError('deactivated', { principal: provisioned.name });
  if (provisioned !== null) return link(tx, admission, { person: provisioned, provider, by: 'scim' });
  const decided = firstSignIn(provider, admission.claims);
  if (!decided.ok) throw new RefusedSignInError(decided.reason);
  const known = decided.linkTo === null ? null : await lockPersonByEmail(tx, decided.linkTo);
  if (known !== null && !known.active) throw new RefusedSignInError('deactivated', { principal: known.name });
  if (known !== null) return link(tx, admission, { person: known, provider, by: 'verified-email' });
  if (decided.create === null) throw new RefusedSignInError(provider.create_people ? 'no-name' : 'unknown-person');
  const person = await create(tx, admission, { name: decided.create, provider });
  return link(tx, admission, { person, provider, by: 'new-person' });
}

async function create(
  tx: Transaction,
  admission: Admission,
  { name, provider }: { name: string; provider: StoredProvider },
): Promise<StoredPrincipal> {
  const id = admission.deps.newId();
  const person = { id, name, type: 'person' as const, passwordHash: null, createdBy: null, now: admission.now };
  await createPrincipal(tx, person).catch((error: unknown) => {
    const isTaken = error instanceof ApiError && error.code === 'already-exists';
    throw isTaken ? new RefusedSignInError('name-taken', { principal: name }) : error;
  });
  await record(tx, admission, {
    type: 'PRINCIPAL_CREATED',
    principal: { id, name },
    detail: { principal_id: id, name, type: 'person', provider: provider.name },
  });
  return (await findPrincipalById(tx, id))!;
}

async function link(
  tx: Transaction,
  admission: Admission,
  { person, provider, by }: { person: StoredPrincipal; provider: StoredProvider; by: string },
): Promise<StoredPrincipal> {
  const { subject, email } = admission.claims;
  // Otherwise the address, which the person still has, would link it again.
  if (await isUnlinked(tx, { providerId: provider.id, subject, principalId: person.id }))
    throw new RefusedSignInError('unlinked', { principal: person.name });
  const identity = { id: admission.deps.newId(), providerId: provider.id, subject, email, now: admission.now };
  const isLinked = await linkIdentity(tx, { ...identity, principalId: person.id, by: null });
  // The person has another identity there: an address that moved to somebody else must not move the account.
  if (!isLinked) throw new RefusedSignInError('linked-to-another', { principal: person.name });
  await record(tx, admission, {
    type: 'IDENTITY_LINKED',
    principal: person,
    detail: { principal: person.name, provider: provider.name, subject, by },
  });
  return person;
}

async function updateMemberships(
  tx: Transaction,
  admission: Admission,
  { person, provider }: { person: StoredPrincipal; provider: StoredProvider },
): Promise<void> {
  const { claims, now, deps } = admission;
  const values = claims.groups ?? [];
  const changed = await followGroups(tx, {
    providerId: provider.id,
    principalId: person.id,
    values,
    now,
    newId: deps.newId,
  });
  if (changed.removed.length > 0) {
    await requireAdminLeft(tx).catch((error: unknown) => {
      const isLast = error instanceof ApiError && error.code === 'last-admin';
      throw isLast ? new RefusedSignInError('last-admin', { principal: person.name }) : error;
    });
  }
  for (const [type, groups] of [
    ['GROUP_MEMBER_REMOVED', changed.removed],
    ['GROUP_MEMBER_ADDED', changed.added],
  ] as const) {
    for (const group of groups) {
      const detail = { group, principal: person.name, provider: provider.name };
      await record(tx, admission, { type, principal: person, detail });
    }
  }
}

function record(
  tx: Transaction,
  { deps, now, requestId }: Admission,
  event: Pick<NewEvent, 'type' | 'principal' | 'detail'>,
): Promise<void> {
  return recordEvent(tx, { id: deps.newId(), time: now, object: INSTANCE, environmentId: null, requestId, ...event });
}
