import type { SignedHead } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type ChainPoint, hexOf } from './chain.ts';
import { checkSignature, type HeadKeys } from './head-signature.ts';

const SEAL_LOCK = 0x73766373;

/** Serializes sealing and signing: only one transaction at a time does either. */
export async function lockSeal(client: Transaction): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(${SEAL_LOCK}::bigint)`;
}

/**
 * The end of the chain according to the head. An older program moves it without signing, so the signature may belong to
 * an earlier event.
 */
export interface StoredHead extends ChainPoint {
  /** Null if all signature fields are empty, `incomplete` if only some are. */
  readonly signature: SignedHead | 'incomplete' | null;
}

export interface HeadRow {
  sequence: bigint | null;
  hash: Uint8Array | null;
  signed_sequence: bigint | null;
  signed_hash: Uint8Array | null;
  signed_since_sequence: bigint | null;
  signed_since: Date | null;
  key_id: string | null;
  mac: Uint8Array | null;
}

export const HEAD = Prisma.raw(
  'h.sequence, h.hash, h.signed_sequence, h.signed_hash, h.signed_since_sequence, h.signed_since, h.key_id, h.mac',
);

export function storedHead(row: HeadRow): StoredHead | null {
  const { sequence, hash } = row;
  return sequence === null || hash === null ? null : { sequence, hash, signature: signatureOf(row) };
}

function signatureOf(row: HeadRow): StoredHead['signature'] {
  const { signed_sequence: sequence, signed_hash: hash, signed_since_sequence: from, signed_since: at } = row;
  const { key_id, mac } = row;
  const fields = [sequence, hash, from, at, key_id, mac];
  if (fields.every((field) => field === null)) return null;
  if (sequence === null || hash === null || from === null || at === null || key_id === null || mac === null)
    return 'incomplete';
  // Postgres accepts timestamps that JavaScript can't represent.
  if (Number.isNaN(at.getTime())) return 'incomplete';
  return {
    version: 1,
    sequence: Number(sequence),
    hash: hexOf(hash),
    signed_since: { sequence: Number(from), time: at.toISOString() },
    key_id,
    mac: hexOf(mac),
  };
}

export async function readHead(client: Transaction): Promise<StoredHead | null> {
  const [row] = await client.$queryRaw<HeadRow[]>`SELECT ${HEAD} FROM audit_head h WHERE h.id = 1`;
  return row === undefined ? null : storedHead(row);
}

export async function writeHead(
  client: Transaction,
  { sequence, hash }: ChainPoint,
  signed: SignedHead,
): Promise<void> {
  const { signed_since: since, key_id } = signed;
  const [signedHash, mac] = [Buffer.from(signed.hash, 'hex'), Buffer.from(signed.mac, 'hex')];
  await client.$executeRaw`
    INSERT INTO audit_head
      (id, sequence, hash, signed_sequence, signed_hash, signed_since_sequence, signed_since, key_id, mac)
    VALUES (1, ${sequence}, ${hash}, ${BigInt(signed.sequence)}, ${signedHash}, ${BigInt(since.sequence)},
      ${new Date(since.time)}, ${key_id}, ${mac})
    ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
      signed_sequence = excluded.signed_sequence, signed_hash = excluded.signed_hash,
      signed_since_sequence = excluded.signed_since_sequence, signed_since = excluded.signed_since,
      key_id = excluded.key_id, mac = excluded.mac`;
}

/** Validates a head's signature on its own, without the chain, and returns what is wrong with it. */
export function findSignatureError({ sequence, signature }: StoredHead, keys: HeadKeys): string | null {
  if (signature === null) return null;
  if (signature === 'incomplete') return 'the signature of the head is incomplete: audit_head was changed';
  switch (checkSignature(keys, signature)) {
    case 'unknown-key':
      return `the head is signed with the key ${signature.key_id}, which this process does not have: list that key in SVC_SECRETS__OLD_KEYS`;
    case 'invalid':
      return `the signature of the head at event ${signature.sequence} is wrong: audit_head was changed`;
    default:
      return signature.sequence > Number(sequence)
        ? `the head was signed at event ${signature.sequence}, and names event ${sequence}`
        : null;
  }
}
