import type { Database } from '../connection/index.ts';
import { type RekeyedBatch, type RekeyOptions, rekeyBatch } from '../secrets/index.ts';
import { totpSecretRow } from './second-factors.ts';

/** Seals a batch of the secrets of authenticator apps again. */
export function rekeySecondFactors(db: Database, options: RekeyOptions): Promise<RekeyedBatch> {
  const { keys, after, limit } = options;
  return rekeyBatch<{ id: string; principal: string; key_id: string; sealed: Buffer }>(db, options, {
    lock: (tx) => tx.$queryRaw`
      SELECT f.id, p.name AS principal, f.key_id, f.sealed FROM second_factors f JOIN principals p ON p.id = f.principal_id
      WHERE f.sealed IS NOT NULL AND f.key_id <> ${keys.current.id} AND (${after}::uuid IS NULL OR f.id > ${after}::uuid)
      ORDER BY f.id LIMIT ${limit} FOR UPDATE OF f`,
    boundTo: ({ id }) => totpSecretRow(id),
    label: ({ principal }) => `second factor of ${principal}`,
    replace: (tx, id, { keyId, bytes }) =>
      tx.$executeRaw`UPDATE second_factors SET key_id = ${keyId}, sealed = ${bytes} WHERE id = ${id}::uuid`,
  });
}
