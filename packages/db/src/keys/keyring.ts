import { createHash, hkdfSync } from 'node:crypto';

/** Keys for one purpose: the current one, and all that older data may still need. */
export interface Keyring {
  readonly current: DerivedKey;
  readonly byId: ReadonlyMap<string, DerivedKey>;
}

export interface DerivedKey {
  /** Identifies the key without revealing it. */
  readonly id: string;
  readonly key: Buffer;
}

/** Derives the keys for a purpose from `SVC_SECRETS__KEY` and `SVC_SECRETS__OLD_KEYS` (32 bytes each, in base64). */
export function keyring(use: string, secretsKey: string, oldKeys: readonly string[]): Keyring {
  const current = derive(use, secretsKey);
  const all = [current, ...oldKeys.map((old) => derive(use, old))];
  return { current, byId: new Map(all.reverse().map((key) => [key.id, key])) };
}

function derive(use: string, secretsKey: string): DerivedKey {
  const root = Buffer.from(secretsKey, 'base64');
  const key = Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `svc ${use}`, 32));
  const id = createHash('sha256').update('svc key id\0').update(key).digest('hex').slice(0, 16);
  return { id, key };
}
