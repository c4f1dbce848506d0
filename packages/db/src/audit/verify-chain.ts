import type { AuditVerification } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { chainHash, GENESIS } from './seal-events.ts';

type SealedRow = Parameters<typeof chainHash>[2] & { sequence: bigint; hash: Uint8Array };

const BATCH = 5000;

interface End {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
}

/** Walks the whole chain: every number once, every hash right, the end where the head says and nothing beyond it. */
export async function verifyChain(client: Transaction): Promise<AuditVerification> {
  // Both of one moment, and before the walk: what is sealed during the walk is left to the next one.
  const [{ last, ...stored }] = await client.$queryRaw<
    [{ last: bigint; sequence: bigint | null; hash: Buffer | null }]
  >`
    SELECT coalesce((SELECT max(sequence) FROM audit_events), 0) AS last, h.sequence, h.hash
    FROM (SELECT 1) one LEFT JOIN audit_head h ON h.id = 1`;
  const head: End | null =
    stored.sequence === null || stored.hash === null ? null : { sequence: stored.sequence, hash: stored.hash };
  const found = await walk(client, last);
  const unsealed = await client.auditEvent.count({ where: { sequence: null } });
  const problem = found.problem ?? endProblem(head, found);
  return {
    intact: problem === null,
    sealed: Number(found.sequence),
    unsealed,
    head: head === null ? null : { sequence: Number(head.sequence), hash: Buffer.from(head.hash).toString('hex') },
    problem,
  };
}

interface Walked {
  sequence: bigint;
  hash: Uint8Array;
  problem: AuditVerification['problem'];
}

async function walk(client: Transaction, last: bigint): Promise<Walked> {
  let at: Walked = { sequence: 0n, hash: GENESIS, problem: null };
  for (;;) {
    const rows = await client.$queryRaw<SealedRow[]>`
      SELECT id, to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time, type, principal_id,
             principal, environment_id, object::text AS object, request_id, detail::text AS detail, sequence, hash
      FROM audit_events WHERE sequence > ${at.sequence} AND sequence <= ${last} ORDER BY sequence LIMIT ${BATCH}`;
    for (const row of rows) {
      at = step(at, row);
      if (at.problem !== null) return at;
    }
    if (rows.length < BATCH) return at;
  }
}

function step(at: Walked, row: SealedRow): Walked {
  const expected = at.sequence + 1n;
  const broken = (detail: string): Walked => ({ ...at, problem: { sequence: Number(expected), detail } });
  if (row.sequence !== expected)
    return broken(`event ${expected} is missing: the next one there is has number ${row.sequence}`);
  const hash = chainHash(at.hash, expected, row);
  if (Buffer.compare(hash, row.hash) !== 0)
    return broken(`event ${expected} (${row.id}) or its hash was changed after it was sealed`);
  return { sequence: expected, hash, problem: null };
}

function endProblem(head: End | null, { sequence, hash }: Walked): Walked['problem'] {
  const broken = (detail: string): Walked['problem'] => ({ sequence: Number(sequence) + 1, detail });
  if (head === null) {
    return sequence === 0n ? null : broken(`the log ends at event ${sequence}, and its head is missing`);
  }
  if (head.sequence !== sequence) {
    return broken(`the log ends at event ${sequence}, and its head is event ${head.sequence}`);
  }
  return Buffer.compare(head.hash, hash) === 0 ? null : broken(`the head has another hash than event ${sequence}`);
}
