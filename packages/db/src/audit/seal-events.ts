import { INSTANCE } from '@svc/core/access';
import type { SignedHead } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import {
  CHAINED,
  type ChainedRow,
  type ChainPoint,
  chainHash,
  GENESIS,
  hexOf,
  SIGNED_GENESIS,
  sameHash,
} from './chain.ts';
import { type HeadKeys, signHead } from './head-signature.ts';
import { recordEvent } from './record-event.ts';
import { findSignatureError, lockSeal, readHead, type StoredHead, writeHead } from './stored-head.ts';
import { genesisOf, walkChain } from './walk-chain.ts';

export interface SigningOptions {
  readonly keys: HeadKeys;
  readonly now: Date;
  readonly newId: () => string;
}

export interface SealingOptions extends SigningOptions {
  readonly limit: number;
  /** Whether to sign a log that was sealed without signatures as it is. */
  readonly adoptUnsigned: boolean;
}

export interface SealedBatch {
  readonly sealed: number;
  /** Set if the log had no signature before: why it is signed now, and the last event that was signed as found. */
  readonly signed: { readonly reason: SigningReason; readonly after_sequence: number; readonly key_id: string } | null;
}

type SigningReason = 'new' | 'upgrade' | 'operator';

/** The point to which the next events are chained. */
interface SealBase extends ChainPoint {
  /** The existing signature, or the reason for the first one. */
  readonly signed: SignedHead | SigningReason;
}

/**
 * Numbers and chains up to `limit` committed events without a number and signs the new head, in one transaction
 * (AUDIT-5). Waits for a running sealer; events committed concurrently are left to the next call.
 * @throws if the head isn't the last sealed event, or if its signature is missing or wrong: a new head would hide that
 */
export async function sealEvents(client: Transaction, options: SealingOptions): Promise<SealedBatch> {
  await lockSeal(client);
  const rows = await client.$queryRaw<ChainedRow[]>(selectUnsealed(options.limit));
  const head = await readHead(client);
  if (rows.length === 0 && (head === null || isFullySigned(head))) return { sealed: 0, signed: null };
  return sealOnto(client, await requireBase(client, head, options), rows, options);
}

/** The oldest events without a number. A bare `time` would be the text in the select list, which has no index. */
export const selectUnsealed = (limit: number): Prisma.Sql => Prisma.sql`
  SELECT ${CHAINED} FROM audit_events e WHERE sequence IS NULL ORDER BY e.time, e.id LIMIT ${limit}`;

/**
 * Signs the log as it is, whatever its head contains. For operators who have investigated a failed verification.
 * Missing and changed events are still reported.
 */
export async function acceptLog(client: Transaction, options: SigningOptions): Promise<SealedBatch> {
  await lockSeal(client);
  return sealOnto(client, { ...((await lastSealed(client)) ?? GENESIS), signed: 'operator' }, [], options);
}

function isFullySigned({ sequence, signature }: StoredHead): boolean {
  return signature !== null && signature !== 'incomplete' && signature.sequence === Number(sequence);
}

async function sealOnto(
  client: Transaction,
  base: SealBase,
  waiting: readonly ChainedRow[],
  { keys, now, newId }: SigningOptions,
): Promise<SealedBatch> {
  const after_sequence = Number(base.sequence);
  const before = typeof base.signed === 'string' ? null : base.signed;
  const signed =
    typeof base.signed === 'string' ? { reason: base.signed, after_sequence, key_id: keys.current.id } : null;
  // A new log needs no event for this: its first hash shows that it is signed.
  const records = signed === null || signed.reason === 'new';
  const rows = records ? waiting : [await recordSigning(client, signed, { now, id: newId() }), ...waiting];
  let { sequence, hash }: ChainPoint = base;
  const sealed = rows.map((row) => {
    sequence += 1n;
    hash = chainHash(hash, sequence, row);
    return { id: row.id, time: row.time, sequence: String(sequence), hash: hexOf(hash) };
  });
  // The time leads to the partition.
  const updated = await client.$executeRaw`
    UPDATE audit_events e SET sequence = x.sequence, hash = decode(x.hash, 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) AS x(id uuid, time timestamptz, sequence bigint, hash text)
    WHERE e.id = x.id AND e.time = x.time`;
  if (updated !== sealed.length) throw new Error(`Only ${updated} of ${sealed.length} events were sealed.`);
  const signed_since = before?.signed_since ?? { sequence: after_sequence + 1, time: now.toISOString() };
  // Keep the key until `svc-admin secrets rekey`: during a key change, some processes have only the old one.
  const key = (before === null ? undefined : keys.byId.get(before.key_id)) ?? keys.current;
  const content = { sequence: Number(sequence), hash: hexOf(hash), signed_since };
  await writeHead(client, { sequence, hash }, signHead(key, content));
  // Wakes the streams of events.
  await client.$executeRaw`SELECT pg_notify('svc_sealed', '')`;
  return { sealed: rows.length, signed };
}

/** Records the signing in the log itself, so that removing only the signature makes the verification fail. */
async function recordSigning(
  client: Transaction,
  detail: NonNullable<SealedBatch['signed']>,
  { now, id }: { now: Date; id: string },
): Promise<ChainedRow> {
  const event = { id, time: now, type: 'AUDIT_LOG_SIGNED' as const, principal: null, object: INSTANCE };
  await recordEvent(client, { ...event, environmentId: null, requestId: null, detail: { ...detail } });
  const rows = await client.$queryRaw<ChainedRow[]>`SELECT ${CHAINED} FROM audit_events WHERE id = ${id}::uuid`;
  return rows[0]!;
}

async function requireBase(
  client: Transaction,
  head: StoredHead | null,
  { keys, adoptUnsigned }: SealingOptions,
): Promise<SealBase> {
  const last = await lastSealed(client);
  if (head === null && last === null) return { ...SIGNED_GENESIS, signed: 'new' };
  if (head === null || head.sequence !== last?.sequence || !sameHash(head.hash, last.hash))
    throw stopped('The head of the audit log is missing or was replaced');
  const { signature } = head;
  if (signature === null) {
    if (await wasSigned(client)) throw stopped('The signature of the audit log was removed');
    if (!adoptUnsigned) throw stopped('The audit log has no signature, and SVC_AUDIT__ADOPT_UNSIGNED is false');
    return { sequence: head.sequence, hash: head.hash, signed: 'upgrade' };
  }
  const problem = findSignatureError(head, keys);
  if (problem !== null || signature === 'incomplete') throw stopped(`The audit log fails verification: ${problem}`);
  const tail = await findTailError(client, head, signature);
  if (tail !== null) throw stopped(`The audit log fails verification: ${tail}`);
  return { sequence: head.sequence, hash: head.hash, signed: signature };
}

/** Verifies that events which an older program sealed after the signed head form a valid chain up to the end. */
async function findTailError(client: Transaction, head: StoredHead, signature: SignedHead): Promise<string | null> {
  const sequence = BigInt(signature.sequence);
  const at = await client.auditEvent.findFirst({ where: { sequence }, select: { hash: true } });
  const hash = Buffer.from(signature.hash, 'hex');
  if (at === null || at.hash === null || !sameHash(at.hash, hash))
    return `event ${sequence} is not the one that was signed`;
  const walked = await walkChain(client, { from: { sequence, hash }, to: head.sequence });
  if (walked.problem !== null) return walked.problem.detail;
  return sameHash(walked.hash, head.hash) ? null : `the head has another hash than event ${walked.sequence}`;
}

/** Whether the chain itself shows that the log was signed. */
async function wasSigned(client: Transaction): Promise<boolean> {
  // Only events under a signature are archived.
  if ((await client.auditArchive.count()) > 0) return true;
  if ((await genesisOf(client)) === SIGNED_GENESIS) return true;
  const event = await client.auditEvent.findFirst({
    where: { type: 'AUDIT_LOG_SIGNED', sequence: { not: null } },
    select: { id: true },
  });
  return event !== null;
}

/** The last sealed event. Only if events were deleted from the database is it an archived one. */
async function lastSealed(client: Transaction): Promise<ChainPoint | null> {
  const [last] = await client.$queryRaw<{ sequence: bigint; hash: Uint8Array | null }[]>`
    SELECT sequence, hash FROM (
      (SELECT sequence, hash FROM audit_events WHERE sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1)
      UNION ALL (SELECT last_sequence, last_hash FROM audit_archives ORDER BY last_sequence DESC LIMIT 1)
    ) ends ORDER BY sequence DESC LIMIT 1`;
  return last === undefined ? null : { sequence: last.sequence, hash: last.hash ?? new Uint8Array() };
}

function stopped(cause: string): Error {
  return new Error(
    `${cause}: no events are sealed. Run svc audit verify, and follow "When the audit log fails verification" of /docs/operations/running.`,
  );
}
