import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Keys derived from `SVC_SECRETS__KEY`, one per purpose, so that any server can read what another one wrote. */
export interface Keys {
  csrf: Buffer;
  cursor: Buffer;
  bodyHash: Buffer;
  uploadHash: Buffer;
  eventPosition: Buffer;
  signIn: Buffer;
}

export function deriveKeys(secretsKey: string): Keys {
  const root = Buffer.from(secretsKey, 'base64');
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `svc ${use}`, 32));
  return {
    csrf: derive('csrf'),
    cursor: derive('cursor'),
    bodyHash: derive('idempotency body'),
    uploadHash: derive('idempotency upload'),
    eventPosition: derive('event position'),
    signIn: derive('sign-in'),
  };
}

export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
