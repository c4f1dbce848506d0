import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The id of a message: its position, encrypted because the number of events in the audit log shows how active others are. */
export function idOfPosition(key: Buffer, position: number): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = Buffer.concat([cipher.update(String(position).padStart(16, '0')), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** The position of a message; null for a text that no server with this key has sent. */
export function positionOfId(key: Buffer, id: string): number | null {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== NONCE_BYTES + 16 + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return Number(text.toString());
  } catch {
    return null;
  }
}
