import { INSTANCE } from '@svc/core/access';
import { recordEvent } from '../audit/index.ts';
import { type Database, inTransaction } from '../connection/index.ts';
import { type RekeyOptions, SealError, seal, unseal } from '../secrets/index.ts';
import { totpSecretRow } from './second-factors.ts';

interface RekeyedFactors {
  sealed: number;
  failed: { name: string; reason: string }[];
  /** Where the next batch starts; null after the last one. */
  next: string | null;
}

/** Seals secrets of authenticator apps again that were sealed with another key than the current one, and records it. */
export async function rekeySecondFactors(
  db: Database,
  { keys, after, limit, now, newId, random }: RekeyOptions,
): Promise<RekeyedFactors> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; principal: string; key_id: string; sealed: Buffer }[]>`
      SELECT f.id, p.name AS principal, f.key_id, f.sealed FROM second_factors f JOIN principals p ON p.id = f.principal_id
      WHERE f.sealed IS NOT NULL AND f.key_id <> ${keys.current.id} AND (${after}::uuid IS NULL OR f.id > ${after}::uuid)
      ORDER BY f.id LIMIT ${limit} FOR UPDATE OF f`;
    const failed: RekeyedFactors['failed'] = [];
    for (const { id, principal, key_id: keyId, sealed: bytes } of rows) {
      try {
        const values = unseal(keys, totpSecretRow(id), { keyId, bytes: Uint8Array.from(bytes) });
        const resealed = seal(keys, totpSecretRow(id), values, random);
        await tx.$executeRaw`
          UPDATE second_factors SET key_id = ${resealed.keyId}, sealed = ${resealed.bytes} WHERE id = ${id}::uuid`;
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        failed.push({ name: principal, reason: error.message });
      }
    }
    const sealed = rows.length - failed.length;
    if (sealed > 0) {
      const event = { principal: null, object: INSTANCE, environmentId: null, requestId: null };
      const detail = { secrets: sealed, key_id: keys.current.id };
      await recordEvent(tx, { id: newId(), time: now, type: 'SECRETS_REKEYED', ...event, detail });
    }
    return { sealed, failed, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  });
}
