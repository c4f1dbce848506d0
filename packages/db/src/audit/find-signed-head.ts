import type { SignedHead } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import type { HeadKeys } from './head-signature.ts';
import { findSignatureError, readHead } from './stored-head.ts';

/** Returns the signed head if its signature is valid and its event exists, without verifying the chain. */
export async function findSignedHead(client: Transaction, keys: HeadKeys): Promise<SignedHead | null> {
  const head = await readHead(client);
  if (head === null || head.signature === null || head.signature === 'incomplete') return null;
  if (findSignatureError(head, keys) !== null) return null;
  const { sequence, hash } = head.signature;
  const event = await client.auditEvent.findFirst({
    where: { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') },
    select: { id: true },
  });
  return event === null ? null : head.signature;
}
