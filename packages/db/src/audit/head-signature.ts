import { createHmac, timingSafeEqual } from 'node:crypto';
import { type HeadContent, headText, type SignedHead } from '@svc/core/audit';
import { type DerivedKey, type Keyring, keyring } from '../keys/index.ts';

/** The key that signs heads of the audit log, and all keys that verify them. */
export type HeadKeys = Keyring;

/** Derives the head keys; `secretsKey` and the old keys are 32 bytes in base64. */
export function headKeys(secretsKey: string, oldKeys: readonly string[] = []): HeadKeys {
  return keyring('audit head', secretsKey, oldKeys);
}

const computeMac = (key: Buffer, head: HeadContent) => createHmac('sha256', key).update(headText(head)).digest();

export function signHead({ id, key }: DerivedKey, { sequence, hash, signed_since }: HeadContent): SignedHead {
  const mac = computeMac(key, { sequence, hash, signed_since }).toString('hex');
  return { version: 1, sequence, hash, signed_since, key_id: id, mac };
}

/** Whether one of the keys signed the head with exactly this content. */
export function checkSignature(
  { byId }: HeadKeys,
  head: HeadContent & Pick<SignedHead, 'key_id' | 'mac'>,
): 'valid' | 'invalid' | 'unknown-key' {
  const key = byId.get(head.key_id);
  if (key === undefined) return 'unknown-key';
  const [expected, actual] = [computeMac(key.key, head), Buffer.from(head.mac, 'hex')];
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? 'valid' : 'invalid';
}
