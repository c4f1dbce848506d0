import { ApiError } from '@svc/core/errors';
import type { IdentityProvider } from '@svc/core/identity-providers';
import { LOCK, type Lock } from '../access/lock.ts';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { Sealed } from '../secrets/index.ts';

/** A provider as it is stored, without the secret of its client. */
export interface StoredProvider extends Omit<IdentityProvider, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

/** Which group a value of the claim stands for. */
export interface GroupMapping {
  readonly value: string;
  readonly group_id: string;
}

export interface ProviderFields {
  client_id: string;
  scopes: readonly string[];
  link_by: IdentityProvider['link_by'];
  create_people: boolean;
  email_domains: readonly string[];
  groups_claim: string | null;
  mapping: readonly GroupMapping[];
  active: boolean;
  /** Of the service account for SCIM. */
  scimAccountId: string | null;
  /** The sealed secret of the client; null without one, undefined to keep the stored one. */
  secret: Sealed | null | undefined;
}

// Deleted groups drop out of the mapping.
const SELECT = Prisma.sql`
  SELECT i.id, i.name, i.issuer, i.client_id, i.sealed IS NOT NULL AS has_client_secret, i.scopes, i.link_by, i.create_people,
         i.email_domains, i.groups_claim, i.active,
         (SELECT p.name FROM principals p WHERE p.id = i.scim_account_id AND p.deleted_at IS NULL) AS scim_account, i.created_by, i.created_at, i.updated_at,
         coalesce((SELECT jsonb_agg(jsonb_build_object('value', m.value, 'group', g.name) ORDER BY m.nth)
           FROM jsonb_array_elements(i.group_mapping) WITH ORDINALITY AS all_of(one, nth)
           CROSS JOIN LATERAL (SELECT one->>'value' AS value, one->>'group_id' AS group_id, nth) m
           JOIN groups g ON g.id = m.group_id::uuid AND g.deleted_at IS NULL), '[]'::jsonb) AS groups
  FROM identity_providers i`;

export function providerRecord({ created_at, updated_at, ...provider }: StoredProvider): IdentityProvider {
  return { ...provider, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

export async function findProvider(client: Transaction, name: string, lock?: Lock): Promise<StoredProvider | null> {
  const rows = await client.$queryRaw<StoredProvider[]>`${SELECT}
    WHERE i.name = ${name} AND i.deleted_at IS NULL ${lock === undefined ? Prisma.empty : lockProvider(lock)}`;
  return rows[0] ?? null;
}

/** The provider of that id, unless deleted, locked against changes until the transaction commits. */
export async function lockProviderById(client: Transaction, id: string): Promise<StoredProvider | null> {
  const rows = await client.$queryRaw<StoredProvider[]>`${SELECT}
    WHERE i.id = ${id}::uuid AND i.deleted_at IS NULL ${lockProvider('share')}`;
  return rows[0] ?? null;
}

const lockProvider = (lock: Lock) => Prisma.sql`${LOCK[lock]} OF i`;

export async function listProviders(client: Transaction): Promise<StoredProvider[]> {
  return client.$queryRaw<StoredProvider[]>`${SELECT} WHERE i.deleted_at IS NULL ORDER BY i.name COLLATE "C"`;
}

/** @throws ApiError `already-exists` */
export async function createProvider(
  client: Transaction,
  p: ProviderFields & { id: string; name: string; issuer: string; createdBy: string; now: Date },
): Promise<void> {
  const added = await client.$executeRaw`
    INSERT INTO identity_providers (id, name, issuer, client_id, key_id, sealed, scopes, link_by, create_people, email_domains,
      groups_claim, group_mapping, scim_account_id, active, created_at, created_by, updated_at)
    VALUES (${p.id}::uuid, ${p.name}, ${p.issuer}, ${p.client_id}, ${p.secret?.keyId ?? null}, ${p.secret?.bytes ?? null}::bytea,
      ${[...p.scopes]}::text[], ${p.link_by}, ${p.create_people}, ${[...p.email_domains]}::text[], ${p.groups_claim},
      ${jsonText(p.mapping)}::jsonb, ${p.scimAccountId}::uuid, ${p.active}, ${p.now}, ${p.createdBy}::uuid, ${p.now})
    ON CONFLICT (name) WHERE deleted_at IS NULL DO NOTHING`;
  if (added > 0) return;
  throw new ApiError(
    'already-exists',
    `An identity provider named ${p.name} already exists. Choose another name, or change that provider.`,
    { remedy: `svc identity-provider show ${p.name}` },
  );
}

export async function updateProvider(
  client: Transaction,
  p: ProviderFields & { id: string; now: Date },
): Promise<void> {
  const secret =
    p.secret === undefined
      ? Prisma.empty
      : Prisma.sql`key_id = ${p.secret?.keyId ?? null}, sealed = ${p.secret?.bytes ?? null}::bytea,`;
  await client.$executeRaw`
    UPDATE identity_providers SET ${secret} client_id = ${p.client_id}, scopes = ${[...p.scopes]}::text[],
      link_by = ${p.link_by}, create_people = ${p.create_people}, email_domains = ${[...p.email_domains]}::text[],
      groups_claim = ${p.groups_claim}, group_mapping = ${jsonText(p.mapping)}::jsonb, active = ${p.active},
      scim_account_id = ${p.scimAccountId}::uuid,
      updated_at = ${p.now}
    WHERE id = ${p.id}::uuid AND deleted_at IS NULL`;
}

/** Deletes a provider with its identities, and erases the secret of its client. */
export async function deleteProvider(
  client: Transaction,
  { id, by, now }: { id: string; by: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE identities SET ended_at = ${now}, ended_by = ${by}::uuid
    WHERE identity_provider_id = ${id}::uuid AND ended_at IS NULL`;
  await client.$executeRaw`
    UPDATE identity_providers SET deleted_at = ${now}, deleted_by = ${by}::uuid, active = false, key_id = NULL, sealed = NULL
    WHERE id = ${id}::uuid`;
}

/** The sealed secret of a provider's client; null without one. */
export async function findClientSecret(client: Transaction, id: string): Promise<Sealed | null> {
  const row = await client.identityProvider.findFirst({
    where: { id, deleted_at: null },
    select: { key_id: true, sealed: true },
  });
  return row === null || row.sealed === null || row.key_id === null ? null : { keyId: row.key_id, bytes: row.sealed };
}
