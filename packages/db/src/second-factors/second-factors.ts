import type { SecondFactor } from '@svc/core/second-factors';
import { INSTANCE_ID } from '../access/index.ts';
import { sqlState, type Transaction } from '../connection/index.ts';
import type { Sealed, SealedRow } from '../secrets/index.ts';

interface StoredBase {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export interface StoredTotp extends StoredBase {
  readonly kind: 'totp';
  readonly secret: Sealed;
}

export interface StoredSecurityKey extends StoredBase {
  readonly kind: 'security-key';
  readonly credential: Credential;
}

/** The public part of a security key. */
export interface Credential {
  readonly id: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: string[];
}

export type StoredSecondFactor = StoredTotp | StoredSecurityKey;

/** What the secret of an authenticator app is sealed to. */
export const totpSecretRow = (id: string): SealedRow => ({ id, environmentId: INSTANCE_ID });

export const secondFactorRecord = ({ id, name, kind, created_at, last_used_at }: StoredSecondFactor): SecondFactor => ({
  id,
  name,
  kind,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
});

/** The second factors of a person, oldest first. */
export async function listSecondFactors(client: Transaction, principalId: string): Promise<StoredSecondFactor[]> {
  const rows = await client.secondFactor.findMany({
    where: { principal_id: principalId },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id, name, created_at, last_used_at, kind, ...row }) => {
    const base = { id, name, created_at, last_used_at };
    if (kind === 'totp') return { ...base, kind, secret: { keyId: row.key_id!, bytes: Uint8Array.from(row.sealed!) } };
    const publicKey = Uint8Array.from(row.public_key!);
    const { credential_id, counter, transports } = row;
    return {
      ...base,
      kind: 'security-key',
      credential: { id: credential_id!, publicKey, counter: Number(counter), transports },
    };
  });
}

export async function hasSecondFactor(client: Transaction, principalId: string): Promise<boolean> {
  return (await client.secondFactor.findFirst({ where: { principal_id: principalId }, select: { id: true } })) !== null;
}

export type NewSecondFactor = { id: string; principalId: string; name: string; now: Date } & (
  | { kind: 'totp'; secret: Sealed; step: number }
  | { kind: 'security-key'; credential: Credential }
);

/** Adds a second factor. Returns false if the name or the security key exists already. */
export async function addSecondFactor(client: Transaction, factor: NewSecondFactor): Promise<boolean> {
  const { id, principalId, name, now, kind } = factor;
  const totp = factor.kind === 'totp' ? factor : null;
  const credential = factor.kind === 'security-key' ? factor.credential : null;
  const added = await client.$executeRaw`
    INSERT INTO second_factors (id, principal_id, kind, name, key_id, sealed, last_step, credential_id, public_key, counter, transports, created_at)
    VALUES (${id}::uuid, ${principalId}::uuid, ${kind}, ${name}, ${totp?.secret.keyId ?? null}, ${totp?.secret.bytes ?? null},
            ${totp?.step ?? null}::bigint, ${credential?.id ?? null}, ${credential?.publicKey ?? null},
            ${credential?.counter ?? null}::bigint, ${credential?.transports ?? []}::text[], ${now})
    ON CONFLICT DO NOTHING`;
  return added > 0;
}

/** Renames a second factor. Returns false if another one of the person has the name. */
export async function renameSecondFactor(client: Transaction, { id, name }: { id: string; name: string }) {
  try {
    await client.$executeRaw`UPDATE second_factors SET name = ${name} WHERE id = ${id}::uuid`;
    return true;
  } catch (error) {
    if (sqlState(error) === '23505') return false;
    throw error;
  }
}

/** Removes second factors with their secrets. */
export async function removeSecondFactors(client: Transaction, ids: readonly string[]): Promise<void> {
  await client.secondFactor.deleteMany({ where: { id: { in: [...ids] } } });
}

/** Counts a code of an authenticator app. Returns false if it, or a later one, was used before. */
export async function useTotpStep(
  client: Transaction,
  { id, step, now }: { id: string; step: number; now: Date },
): Promise<boolean> {
  const used = await client.$executeRaw`
    UPDATE second_factors SET last_step = ${step}::bigint, last_used_at = ${now}
    WHERE id = ${id}::uuid AND (last_step IS NULL OR last_step < ${step}::bigint)`;
  return used > 0;
}

/**
 * Stores the counter of a security key. Returns false unless it has grown since it was read: a counter that doesn't grow belongs to a
 * copy of the key. Keys without a counter always send 0.
 */
export async function useSecurityKey(
  client: Transaction,
  { id, counter, now }: { id: string; counter: number; now: Date },
): Promise<boolean> {
  const used = await client.$executeRaw`
    UPDATE second_factors SET counter = ${counter}::bigint, last_used_at = ${now}
    WHERE id = ${id}::uuid AND (counter < ${counter}::bigint OR (counter = 0 AND ${counter} = 0))`;
  return used > 0;
}
