import type { Transaction } from '../connection/index.ts';

/** Replaces the recovery codes of a person by their hashes; none removes all. */
export async function replaceRecoveryCodes(
  client: Transaction,
  { principalId, codes }: { principalId: string; codes: readonly { id: string; hash: Uint8Array }[] },
): Promise<void> {
  await client.recoveryCode.deleteMany({ where: { principal_id: principalId } });
  if (codes.length === 0) return;
  const data = codes.map(({ id, hash }) => ({ id, principal_id: principalId, hash: new Uint8Array(hash) }));
  await client.recoveryCode.createMany({ data });
}

/** Uses up a recovery code. Returns false if it doesn't exist or was used before, also by a concurrent request. */
export async function takeRecoveryCode(
  client: Transaction,
  { principalId, hash, now }: { principalId: string; hash: Uint8Array; now: Date },
): Promise<boolean> {
  const { count } = await client.recoveryCode.updateMany({
    where: { principal_id: principalId, hash: new Uint8Array(hash), used_at: null },
    data: { used_at: now },
  });
  return count > 0;
}

export function countRecoveryCodes(client: Transaction, principalId: string): Promise<number> {
  return client.recoveryCode.count({ where: { principal_id: principalId, used_at: null } });
}
