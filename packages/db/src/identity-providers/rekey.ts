import { INSTANCE_ID } from '../access/index.ts';
import type { Database } from '../connection/index.ts';
import { type RekeyedBatch, type RekeyOptions, rekeyBatch, type SealedRow } from '../secrets/index.ts';

/** What the secret of a provider's client is sealed to. */
export const clientSecretRow = (id: string): SealedRow => ({ id, environmentId: INSTANCE_ID });

/** Seals a batch of the secrets of providers' clients again. */
export function rekeyClientSecrets(db: Database, options: RekeyOptions): Promise<RekeyedBatch> {
  const { keys, after, limit } = options;
  return rekeyBatch<{ id: string; name: string; key_id: string; sealed: Buffer }>(db, options, {
    lock: (tx) => tx.$queryRaw`
      SELECT id, name, key_id, sealed FROM identity_providers
      WHERE sealed IS NOT NULL AND key_id <> ${keys.current.id} AND (${after}::uuid IS NULL OR id > ${after}::uuid)
      ORDER BY id LIMIT ${limit} FOR UPDATE`,
    boundTo: ({ id }) => clientSecretRow(id),
    label: ({ name }) => `client secret of identity provider ${name}`,
    replace: (tx, id, { keyId, bytes }) =>
      tx.$executeRaw`UPDATE identity_providers SET key_id = ${keyId}, sealed = ${bytes} WHERE id = ${id}::uuid`,
  });
}
