import { createCipheriv, createDecipheriv } from 'node:crypto';
import { type Keyring, keyring } from '../keys/index.ts';

/** The key that seals, and all keys that open. */
export type SealingKeys = Keyring;

/** Ciphertext with the id of its key. */
export interface Sealed {
  readonly keyId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The row that the ciphertext belongs to. It can't be opened for any other row. */
export interface SealedRow {
  readonly id: string;
  readonly environmentId: string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the sealing keys; `secretsKey` and the old keys are 32 bytes in base64. */
export function sealingKeys(secretsKey: string, oldKeys: readonly string[] = []): SealingKeys {
  return keyring('secrets', secretsKey, oldKeys);
}

const additional = ({ id, environmentId }: SealedRow) => Buffer.from(`svc secret ${environmentId} ${id}`);

/**
 * Encrypts values with AES-256-GCM, with the row's identity as additional data. `random` must be cryptographically
 * secure.
 */
export function seal(
  { current }: SealingKeys,
  row: SealedRow,
  values: Readonly<Record<string, string>>,
  random: (bytes: number) => Uint8Array,
): Sealed {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(additional(row));
  const parts = [iv, cipher.update(JSON.stringify(values), 'utf8'), cipher.final(), cipher.getAuthTag()];
  return { keyId: current.id, bytes: Uint8Array.from(Buffer.concat(parts)) };
}

/** This process lacks the secret's key, or the row was changed directly in the database. */
export class SealError extends Error {
  override name = 'SealError';
}

/** Decrypts what `seal` produced for this row. @throws SealError */
export function unseal({ byId }: SealingKeys, row: SealedRow, { keyId, bytes }: Sealed): Record<string, string> {
  const key = byId.get(keyId);
  if (key === undefined) {
    throw new SealError(
      'a secret is encrypted with a key that this process does not have; add the key to SVC_SECRETS__OLD_KEYS',
    );
  }
  try {
    const sealed = Buffer.from(bytes);
    const decipher = createDecipheriv('aes-256-gcm', key.key, sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(additional(row))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8')) as Record<string, string>;
  } catch (error) {
    throw new SealError('a secret cannot be decrypted: its row was changed outside svc', { cause: error });
  }
}
