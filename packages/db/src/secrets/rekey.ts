import { INSTANCE } from '@svc/core/access';
import { recordEvent } from '../audit/index.ts';
import { type Database, inTransaction, type Transaction } from '../connection/index.ts';
import { SealError, type Sealed, type SealedRow, type SealingKeys, seal, unseal } from './seal.ts';

export interface RekeyOptions {
  readonly keys: SealingKeys;
  /** Id of the last row of the previous batch; null for the first batch. */
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
  /** Secrets that stay as they were, each as an operator knows it, with the reason. */
  readonly failed: readonly { readonly secret: string; readonly reason: string }[];
  /** Where the next batch starts; null after the last one. */
  readonly next: string | null;
}

interface Ciphertext {
  id: string;
  key_id: string;
  sealed: Buffer;
}

/** How to read and write the secrets of a table. */
interface SealedTable<Row extends Ciphertext> {
  /** Locks the batch's rows. It waits for concurrent updates: a skipped row would stay with the old key. */
  readonly lock: (tx: Transaction) => Promise<Row[]>;
  readonly boundTo: (row: Row) => SealedRow;
  readonly label: (row: Row) => string;
  readonly replace: (tx: Transaction, id: string, sealed: Sealed) => Promise<unknown>;
}

/**
 * Seals a batch of secrets again that were sealed with another key than the current one, and records it. A batch
 * commits completely or not at all, so a retry finds only what is left. A secret that can't be opened stays as it is
 * and doesn't stop the others.
 */
export async function rekeyBatch<Row extends Ciphertext>(
  db: Database,
  { keys, limit, now, newId, random }: RekeyOptions,
  { lock, boundTo, label, replace }: SealedTable<Row>,
): Promise<RekeyedBatch> {
  return inTransaction(db, async (tx) => {
    const rows = await lock(tx);
    const failed: { secret: string; reason: string }[] = [];
    for (const row of rows) {
      try {
        const values = unseal(keys, boundTo(row), { keyId: row.key_id, bytes: Uint8Array.from(row.sealed) });
        await replace(tx, row.id, seal(keys, boundTo(row), values, random));
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        failed.push({ secret: label(row), reason: error.message });
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

interface SecretRow extends Ciphertext {
  name: string;
  environment_id: string;
  environment: string;
}

/** Seals a batch of the secrets of environments again. */
export function rekeySecrets(db: Database, options: RekeyOptions): Promise<RekeyedBatch> {
  const { keys, after, limit } = options;
  return rekeyBatch<SecretRow>(db, options, {
    lock: (tx) => tx.$queryRaw`
      SELECT s.id, s.name, s.environment_id, e.name AS environment, s.key_id, s.sealed
      FROM secrets s JOIN environments e ON e.id = s.environment_id
      WHERE s.key_id <> ${keys.current.id} AND s.revoked_at IS NULL AND (${after}::uuid IS NULL OR s.id > ${after}::uuid)
      ORDER BY s.id LIMIT ${limit} FOR UPDATE OF s`,
    boundTo: ({ id, environment_id: environmentId }) => ({ id, environmentId }),
    label: ({ name, environment }) => `${name} of environment ${environment}`,
    replace: (tx, id, { keyId, bytes }) =>
      tx.$executeRaw`UPDATE secrets SET key_id = ${keyId}, sealed = ${bytes} WHERE id = ${id}::uuid`,
  });
}
