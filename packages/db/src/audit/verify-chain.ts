import type { AuditVerification, EventArchive, FormerHead } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { listArchives } from './archives.ts';
import { type ChainPoint, hexOf, SIGNED_GENESIS, sameHash } from './chain.ts';
import { checkSignature, type HeadKeys } from './head-signature.ts';
import { findSignatureError, HEAD, type HeadRow, type StoredHead, storedHead } from './stored-head.ts';
import { findAddedError, genesisOf, type Walked, walkChain } from './walk-chain.ts';

type ChainError = AuditVerification['problem'];

export interface VerifyingOptions {
  readonly keys: HeadKeys;
  /** Whether an unsigned log passes because the sealer will sign it. */
  readonly adoptUnsigned: boolean;
  /** A head saved earlier, which the chain must contain. */
  readonly former?: FormerHead | undefined;
  readonly archive?: EventArchive | undefined;
}

interface WalkResult extends Walked {
  /** The hashes at the requested numbers, in hexadecimal. */
  readonly hashes: ReadonlyMap<number, string>;
  /** How many events were found in each archive. */
  readonly archived: ReadonlyMap<string, number>;
  /** The first event that shows that the log is signed. */
  readonly signedFrom: bigint | null;
}

/**
 * Verifies the whole chain: the numbers have no gaps, every hash is right, the chain ends at the head with nothing
 * after it, and the signature is valid and belongs to an event of the chain.
 */
export async function verifyChain(
  client: Transaction,
  { keys, adoptUnsigned, former, archive }: VerifyingOptions,
): Promise<AuditVerification> {
  // Read both from one snapshot and before walking the chain; events sealed during the walk are left to the next one.
  const [{ first, last, ...row }] = await client.$queryRaw<[HeadRow & { first: bigint; last: bigint }]>`
    SELECT coalesce((SELECT min(sequence) FROM audit_events), 1) AS first,
      coalesce(greatest((SELECT max(sequence) FROM audit_events), (SELECT max(last_sequence) FROM audit_archives)), 0) AS last, ${HEAD}
    FROM (SELECT 1) one LEFT JOIN audit_head h ON h.id = 1`;
  const head = storedHead(row);
  const signature = head === null || head.signature === 'incomplete' ? null : head.signature;
  // What was sealed and archived since is left to the next one, too.
  const parts = (await listArchives(client)).filter(({ last_sequence }) => last_sequence <= last);
  const found = await walkAll(client, { to: last, of: [signature?.sequence, former?.sequence], archive });
  const unsealed = await client.auditEvent.count({ where: { sequence: null } });
  const unsigned = head === null ? null : findUnsignedError(head, found, { keys, adoptUnsigned });
  const formerHead = former === undefined ? null : formerHeadStatus(former, found, keys);
  const problem =
    found.problem ??
    (first < 1n ? { sequence: 1, detail: `an event was added with the number ${first}` } : null) ??
    (await findAddedError(parts, found.archived, archive)) ??
    findEndError(head, found) ??
    unsigned ??
    (former === undefined || formerHead === null ? null : findFormerHeadError(former, formerHead, found));
  return {
    intact: problem === null,
    sealed: Number(found.sequence),
    unsealed,
    head: head === null ? null : { sequence: Number(head.sequence), hash: hexOf(head.hash) },
    problem,
    signed_head: signature !== null && unsigned === null ? signature : null,
    former_head: formerHead,
  };
}

async function walkAll(
  client: Transaction,
  { to, of, archive }: { to: bigint; of: readonly (number | undefined)[]; archive: EventArchive | undefined },
): Promise<WalkResult> {
  const hashes = new Map<number, string>();
  const archived = new Map<string, number>();
  const from = await genesisOf(client, archive);
  let signedFrom: bigint | null = from === SIGNED_GENESIS ? 1n : null;
  const walked = await walkChain(client, {
    from,
    to,
    archive,
    see: ({ sequence, hash, type, archive: location }) => {
      if (location !== undefined) archived.set(location, (archived.get(location) ?? 0) + 1);
      if (of.includes(Number(sequence))) hashes.set(Number(sequence), hexOf(hash));
      if (type === 'AUDIT_LOG_SIGNED') signedFrom ??= sequence;
    },
  });
  return { ...walked, hashes, archived, signedFrom };
}

function findEndError(head: ChainPoint | null, { sequence, hash }: Walked): ChainError {
  const broken = (detail: string): ChainError => ({ sequence: Number(sequence) + 1, detail });
  if (head === null) {
    return sequence === 0n ? null : broken(`the log ends at event ${sequence}, and its head is missing`);
  }
  if (head.sequence !== sequence) {
    return broken(`the log ends at event ${sequence}, and its head is event ${head.sequence}`);
  }
  return sameHash(head.hash, hash) ? null : broken(`the head has another hash than event ${sequence}`);
}

function findUnsignedError(
  head: StoredHead,
  { hashes, signedFrom }: WalkResult,
  { keys, adoptUnsigned }: Pick<VerifyingOptions, 'keys' | 'adoptUnsigned'>,
): ChainError {
  const { signature } = head;
  const broken = (detail: string, sequence = Number(head.sequence)): ChainError => ({ sequence, detail });
  if (signature === null) {
    if (signedFrom !== null)
      return broken(`the log is signed since event ${signedFrom}, and its head has no signature`);
    return adoptUnsigned ? null : broken('the head has no signature, and SVC_AUDIT__ADOPT_UNSIGNED is false');
  }
  const detail = findSignatureError(head, keys);
  if (detail !== null || signature === 'incomplete') return broken(detail!);
  const { sequence, hash } = signature;
  return hashes.get(sequence) === hash ? null : broken(`event ${sequence} is not the one that was signed`, sequence);
}

function formerHeadStatus(
  former: FormerHead,
  { hashes }: WalkResult,
  keys: HeadKeys,
): AuditVerification['former_head'] {
  const { sequence, hash, signature } = former;
  return {
    sequence,
    contained: hashes.get(sequence) === hash,
    signature: signature === null ? 'none' : checkSignature(keys, { sequence, hash, ...signature }),
  };
}

function findFormerHeadError(
  { sequence }: FormerHead,
  { contained, signature }: NonNullable<AuditVerification['former_head']>,
  found: WalkResult,
): ChainError {
  const broken = (detail: string): ChainError => ({ sequence, detail });
  if (signature === 'invalid')
    return broken('the saved head has a wrong signature: it was changed, or belongs to another service');
  if (contained) return null;
  return sequence > Number(found.sequence)
    ? broken(
        `the saved head is of event ${sequence}, and the log ends at event ${found.sequence}: events were removed, or an earlier backup was restored`,
      )
    : broken(
        `event ${sequence} has another hash than the saved head: the log was rewritten, an earlier backup was restored, or the head belongs to another service`,
      );
}
