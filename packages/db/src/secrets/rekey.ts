import { INSTANCE } from '@svc/core/access';
import { recordEvent } from '../audit/index.ts';
import { type Database, inTransaction } from '../connection/index.ts';
import { SealError, type SealingKeys, seal, unseal } from './seal.ts';

export interface RekeyOptions {
  readonly keys: SealingKeys;
  /** Id of the last secret of the previous batch; null for the first batch. */
  readonly after: string | null;
  readonly limit: number;
  readonly now: Date;
  readonly newId: () => string;
  /** Returns cryptographically secure random bytes. */
  readonly random: (bytes: number) => Uint8Array;
}

export interface RekeyedBatch {
  /** How many secrets were sealed again with the current key. */
  readonly sealed: number;
  /** Secrets that stay as they were, with the reason. */
  readonly failed: readonly { readonly name: string; readonly environment: string; readonly reason: string }[];
  /** Where the next batch starts; null after the last one. */
  readonly next: string | null;
}

interface Row {
  id: string;
  name: string;
  environment_id: string;
  environment: string;
  key_id: string;
  sealed: Buffer;
}

/**
 * Seals a batch of secrets again that were sealed with another key than the current one, and records it. A batch
 * commits completely or not at all, so a retry finds only what is left. A secret that can't be opened stays as it is
 * and doesn't stop the others.
 */
export async function rekeySecrets(db: Database, options: RekeyOptions): Promise<RekeyedBatch> {
  const { keys, after, limit, now, newId, random } = options;
  return inTransaction(db, async (tx) => {
    // Wait for concurrent updates; a skipped row would stay with the old key.
    const rows = await tx.$queryRaw<Row[]>`
      SELECT s.id, s.name, s.environment_id, e.name AS environment, s.key_id, s.sealed
      FROM secrets s JOIN environments e ON e.id = s.environment_id
      WHERE s.key_id <> ${keys.current.id} AND s.revoked_at IS NULL AND (${after}::uuid IS NULL OR s.id > ${after}::uuid)
      ORDER BY s.id LIMIT ${limit} FOR UPDATE OF s`;
    const failed: { name: string; environment: string; reason: string }[] = [];
    for (const { id, environment_id: environmentId, key_id: keyId, sealed: bytes, name, environment } of rows) {
      const row = { id, environmentId };
      try {
        const values = unseal(keys, row, { keyId, bytes: Uint8Array.from(bytes) });
        const { keyId: newKey, bytes: sealed } = seal(keys, row, values, random);
        await tx.$executeRaw`UPDATE secrets SET key_id = ${newKey}, sealed = ${sealed} WHERE id = ${id}::uuid`;
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        failed.push({ name, environment, reason: error.message });
      }
    }
    const sealed = rows.length - failed.length;
    if (sealed > 0) {
      const event = { principal: null, object: INSTANCE, environmentId: null, requestId: null };
      const detail = { secrets: sealed, key_id: keys.current.id };
      await recordEvent(tx, { id: newId(), time: now, type: 'SECRETS_REKEYED', ...event, detail });
    }
    return { sealed, failed, next: rows.length < limit ? null : rows.at(-1)!.id };
  });
}
