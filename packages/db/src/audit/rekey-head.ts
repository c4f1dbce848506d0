import { INSTANCE } from '@svc/core/access';
import { type Database, inTransaction } from '../connection/index.ts';
import { signHead } from './head-signature.ts';
import { recordEvent } from './record-event.ts';
import type { SigningOptions } from './seal-events.ts';
import { findSignatureError, lockSeal, readHead, writeHead } from './stored-head.ts';

/**
 * `none`: the log has no signature. `current`: the current key signed it already. `left`: why the old signature stays.
 */
export type RekeyedHead = 'signed' | 'current' | 'none' | { readonly left: string };

/** Signs the head again with the current key and records the new signature. The signed content doesn't change. */
export function rekeyHead(db: Database, { keys, now, newId }: SigningOptions): Promise<RekeyedHead> {
  return inTransaction(db, async (tx) => {
    await lockSeal(tx);
    const head = await readHead(tx);
    if (head === null || head.signature === null) return 'none';
    const left = findSignatureError(head, keys);
    if (left !== null || head.signature === 'incomplete') return { left: left! };
    if (head.signature.key_id === keys.current.id) return 'current';
    await writeHead(tx, head, signHead(keys.current, head.signature));
    const detail = { reason: 'rekey', after_sequence: head.signature.sequence, key_id: keys.current.id };
    const event = { principal: null, object: INSTANCE, environmentId: null, requestId: null, detail };
    await recordEvent(tx, { id: newId(), time: now, type: 'AUDIT_LOG_SIGNED', ...event });
    return 'signed';
  });
}
