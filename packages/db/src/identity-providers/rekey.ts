import { INSTANCE } from '@svc/core/access';
import { INSTANCE_ID } from '../access/index.ts';
import { recordEvent } from '../audit/index.ts';
import { type Database, inTransaction } from '../connection/index.ts';
import { type RekeyOptions, SealError, type SealedRow, seal, unseal } from '../secrets/index.ts';

/** What the secret of a provider's client is sealed to. */
export const clientSecretRow = (id: string): SealedRow => ({ id, environmentId: INSTANCE_ID });

/** Seals the secrets of clients again that were sealed with another key than the current one, and records it. */
export async function rekeyClientSecrets(
  db: Database,
  { keys, now, newId, random }: Omit<RekeyOptions, 'after' | 'limit'>,
): Promise<{ sealed: number; failed: { name: string; reason: string }[] }> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; name: string; key_id: string; sealed: Buffer }[]>`
      SELECT id, name, key_id, sealed FROM identity_providers
      WHERE sealed IS NOT NULL AND key_id <> ${keys.current.id} ORDER BY id FOR UPDATE`;
    const failed: { name: string; reason: string }[] = [];
    for (const { id, name, key_id: keyId, sealed: bytes } of rows) {
      try {
        const values = unseal(keys, clientSecretRow(id), { keyId, bytes: Uint8Array.from(bytes) });
        const resealed = seal(keys, clientSecretRow(id), values, random);
        await tx.$executeRaw`
          UPDATE identity_providers SET key_id = ${resealed.keyId}, sealed = ${resealed.bytes} WHERE id = ${id}::uuid`;
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        failed.push({ name, reason: error.message });
      }
    }
    const sealed = rows.length - failed.length;
    if (sealed > 0) {
      const event = { principal: null, object: INSTANCE, environmentId: null, requestId: null };
      const detail = { secrets: sealed, key_id: keys.current.id };
      await recordEvent(tx, { id: newId(), time: now, type: 'SECRETS_REKEYED', ...event, detail });
    }
    return { sealed, failed };
  });
}
