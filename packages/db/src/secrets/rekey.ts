import { type Database, inTransaction } from '../connection/index.ts';
import { type SealingKeys, seal, unseal } from './seal.ts';

/**
 * Seals with the current key what is sealed with another one, `limit` secrets at most. Gives how many; call it until it
 * gives 0. @throws SealError where a key is missing: nothing of that batch is changed
 */
export async function rekeySecrets(
  db: Database,
  { keys, limit, random }: { keys: SealingKeys; limit: number; random: (bytes: number) => Uint8Array },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; environment_id: string; key_id: string; sealed: Buffer }[]>`
      SELECT id, environment_id, key_id, sealed FROM secrets
      WHERE key_id <> ${keys.current.id} AND revoked_at IS NULL ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    for (const { id, environment_id: environmentId, key_id: keyId, sealed: bytes } of rows) {
      const row = { id, environmentId };
      const values = unseal(keys, row, { keyId, bytes: Uint8Array.from(bytes) });
      const { keyId: newKey, bytes: sealed } = seal(keys, row, values, random);
      await tx.$executeRaw`UPDATE secrets SET key_id = ${newKey}, sealed = ${sealed} WHERE id = ${id}::uuid`;
    }
    return rows.length;
  });
}
