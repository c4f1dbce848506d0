import { ApiError } from '@svc/core/errors';
import { rotateCommand, type SecretFacts, type SecretUse } from '@svc/core/secrets';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { Sealed } from './seal.ts';
import { SELECT_SECRET, type StoredSecret } from './stored-secret.ts';

/** The use of a secret (SECRET-1). `id` belongs to the index or repository; null for the environment. */
export interface SecretBinding {
  use: SecretUse;
  id: string | null;
}

const indexOf = (binding: SecretBinding | null) => (binding?.use === 'package-index' ? binding.id : null);
const repositoryOf = (binding: SecretBinding | null) => (binding?.use === 'repository' ? binding.id : null);

export interface NewSecret {
  id: string;
  environmentId: string;
  environment: string;
  name: string;
  sealed: Sealed;
  facts: SecretFacts;
  binding: SecretBinding | null;
  createdBy: string;
  now: Date;
}

/** @throws ApiError `already-exists` */
export async function createSecret(client: Transaction, s: NewSecret): Promise<void> {
  const bound = s.binding === null ? null : s.now;
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO secrets (id, environment_id, name, key_id, sealed, facts, use, package_index_id, repository_id,
      created_at, created_by, bound_at, bound_by)
    VALUES (${s.id}::uuid, ${s.environmentId}::uuid, ${s.name}, ${s.sealed.keyId}, ${s.sealed.bytes},
      ${jsonText(s.facts)}::jsonb, ${s.binding?.use ?? null}, ${indexOf(s.binding)}::uuid,
      ${repositoryOf(s.binding)}::uuid, ${s.now}, ${s.createdBy}::uuid, ${bound},
      ${bound === null ? null : s.createdBy}::uuid)
    ON CONFLICT (environment_id, name) WHERE revoked_at IS NULL DO NOTHING RETURNING id`;
  if (rows.length > 0) return;
  throw new ApiError(
    'already-exists',
    `The environment ${s.environment} already has a secret named ${s.name}. Rotate it, or choose another name.`,
    { remedy: rotateCommand(s.name, s.environment) },
  );
}

/** Finds a live secret by name; `lock` prevents changes until the transaction commits. */
export async function findSecret(
  client: Transaction,
  q: { environmentId: string; name: string; lock?: boolean },
): Promise<StoredSecret | null> {
  const rows = await client.$queryRaw<StoredSecret[]>`${SELECT_SECRET}
    WHERE s.environment_id = ${q.environmentId}::uuid AND s.name = ${q.name} AND s.revoked_at IS NULL
    ${q.lock ? Prisma.sql`FOR UPDATE OF s` : Prisma.empty}`;
  return rows[0] ?? null;
}

/** Lists an environment's live secrets by name. */
export async function listSecrets(client: Transaction, environmentId: string): Promise<StoredSecret[]> {
  return client.$queryRaw<StoredSecret[]>`${SELECT_SECRET}
    WHERE s.environment_id = ${environmentId}::uuid AND s.revoked_at IS NULL ORDER BY s.name COLLATE "C"`;
}

/** Lists and locks the live secrets of a name in all live environments, by environment. */
export async function secretsNamed(client: Transaction, name: string): Promise<StoredSecret[]> {
  return client.$queryRaw<StoredSecret[]>`${SELECT_SECRET}
    WHERE s.name = ${name} AND s.revoked_at IS NULL AND e.deleted_at IS NULL ORDER BY e.name FOR UPDATE OF s`;
}

/** Lists and locks the live secrets bound to an index or a repository, by environment (deleted ones included). */
export async function secretsBoundTo(client: Transaction, binding: SecretBinding): Promise<StoredSecret[]> {
  return client.$queryRaw<StoredSecret[]>`${SELECT_SECRET}
    WHERE (s.package_index_id = ${indexOf(binding)}::uuid OR s.repository_id = ${repositoryOf(binding)}::uuid)
      AND s.revoked_at IS NULL ORDER BY e.name FOR UPDATE OF s`;
}

export async function rotateSecret(
  client: Transaction,
  { id, sealed, facts, by, now }: { id: string; sealed: Sealed; facts: SecretFacts; by: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE secrets SET key_id = ${sealed.keyId}, sealed = ${sealed.bytes}, facts = ${jsonText(facts)}::jsonb,
      rotated_at = ${now}, rotated_by = ${by}::uuid WHERE id = ${id}::uuid AND revoked_at IS NULL`;
}

export async function bindSecret(
  client: Transaction,
  { id, binding, by, now }: { id: string; binding: SecretBinding; by: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE secrets SET use = ${binding.use}, package_index_id = ${indexOf(binding)}::uuid,
      repository_id = ${repositoryOf(binding)}::uuid, bound_at = ${now}, bound_by = ${by}::uuid
    WHERE id = ${id}::uuid AND revoked_at IS NULL`;
}

/** Unbinds the secrets of an index or a repository. Returns the live ones, by environment and name. */
export async function removeBindings(
  client: Transaction,
  binding: SecretBinding,
): Promise<{ environment: string; name: string }[]> {
  return client.$queryRaw`
    WITH removed AS (
      UPDATE secrets SET use = NULL, package_index_id = NULL, repository_id = NULL
      WHERE package_index_id = ${indexOf(binding)}::uuid OR repository_id = ${repositoryOf(binding)}::uuid
      RETURNING environment_id, name, revoked_at)
    SELECT e.name AS environment, s.name FROM removed s JOIN environments e ON e.id = s.environment_id
    WHERE s.revoked_at IS NULL AND e.deleted_at IS NULL ORDER BY e.name, s.name COLLATE "C"`;
}

/** Revokes a secret and erases its values. The record itself stays. */
export async function revokeSecret(
  client: Transaction,
  { id, by, now }: { id: string; by: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE secrets SET revoked_at = ${now}, revoked_by = ${by}::uuid, sealed = ''::bytea WHERE id = ${id}::uuid`;
}

/** The sealed values of a live secret. */
export async function findSealed(client: Transaction, id: string): Promise<Sealed | null> {
  const row = await client.secret.findFirst({
    where: { id, revoked_at: null },
    select: { key_id: true, sealed: true },
  });
  return row === null ? null : { keyId: row.key_id, bytes: row.sealed };
}
