import { createHash } from 'node:crypto';
import { Prisma } from '../generated/client.ts';

/**
 * A committed event as the chain hashes it. JSON values are the texts that Postgres prints, so that they can be
 * reproduced.
 */
export interface ChainedRow {
  id: string;
  time: string;
  type: string;
  principal_id: string | null;
  principal: string | null;
  environment_id: string | null;
  object: string;
  request_id: string | null;
  detail: string;
}

export const CHAINED = Prisma.sql`
  id, to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time, type, principal_id, principal,
  environment_id, object::text AS object, request_id, detail::text AS detail`;

export interface ChainPoint {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
}

/** The point before the first event of a log that version 0.1 started. */
export const GENESIS: ChainPoint = { sequence: 0n, hash: new Uint8Array(32) };

/** The point before the first event of a log that was signed from the start. The first hash alone proves that. */
export const SIGNED_GENESIS: ChainPoint = {
  sequence: 0n,
  hash: createHash('sha256').update('svc audit log, signed from its first event').digest(),
};

/** SHA-256 over the previous hash, the number and every field of the event (AUDIT-5). */
export function chainHash(previous: Uint8Array, sequence: bigint, row: ChainedRow): Uint8Array {
  const { id, time, type, principal_id, principal, environment_id, object, request_id, detail } = row;
  const fields = [
    String(sequence),
    id,
    time,
    type,
    principal_id,
    principal,
    environment_id,
    object,
    request_id,
    detail,
  ];
  return createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const sameHash = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** The point at which a chain with this first event starts. */
export function genesisBefore(first: (ChainedRow & { hash: Uint8Array | null }) | undefined): ChainPoint {
  if (first === undefined || first.hash === null) return GENESIS;
  return sameHash(first.hash, chainHash(SIGNED_GENESIS.hash, 1n, first)) ? SIGNED_GENESIS : GENESIS;
}
