import type { Transaction } from '../connection/index.ts';

/** A key belongs to a principal, method and path (HTTP-6). */
export interface IdempotencyId {
  principalId: string;
  method: string;
  path: string;
  key: string;
}

/** Locks the key for this transaction. Returns false while another request holds it. */
export async function lockKey(client: Transaction, id: IdempotencyId): Promise<boolean> {
  const text = JSON.stringify([id.principalId, id.method, id.path, id.key]);
  const rows = await client.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${text}, 7)) AS locked`;
  return rows[0]?.locked ?? false;
}

export async function findResponse(
  client: Transaction,
  { principalId, method, path, key, now }: IdempotencyId & { now: Date },
): Promise<{ bodyHash: Uint8Array; status: number; response: unknown } | null> {
  const row = await client.idempotencyKey.findFirst({
    where: { principal_id: principalId, method, path, key, expires_at: { gt: now } },
  });
  return row && { bodyHash: row.body_hash, status: row.status, response: row.answer };
}

/** Stores a response and replaces an expired one of the same key. */
export async function storeResponse(
  client: Transaction,
  a: IdempotencyId & { bodyHash: Uint8Array; status: number; response: unknown; now: Date; expiresAt: Date },
): Promise<void> {
  const response = a.response === undefined ? null : JSON.stringify(a.response);
  await client.$executeRaw`
    INSERT INTO idempotency_keys (principal_id, method, path, key, body_hash, status, answer, created_at, expires_at)
    VALUES (${a.principalId}::uuid, ${a.method}, ${a.path}, ${a.key}, ${a.bodyHash}, ${a.status}, ${response}::json, ${a.now}, ${a.expiresAt})
    ON CONFLICT (principal_id, method, path, key) DO UPDATE SET body_hash = excluded.body_hash,
      status = excluded.status, answer = excluded.answer, created_at = excluded.created_at, expires_at = excluded.expires_at`;
}

/** Removes up to `limit` expired responses and returns how many. */
export async function removeExpiredResponses(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return client.$executeRaw`
    DELETE FROM idempotency_keys WHERE ctid IN (
      SELECT ctid FROM idempotency_keys WHERE expires_at <= ${now} LIMIT ${limit})`;
}
