import type { AuditVerification } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { CHAINED, type ChainedRow, type ChainPoint, chainHash, sameHash } from './chain.ts';

type SealedRow = ChainedRow & { sequence: bigint; hash: Uint8Array };

const BATCH = 5000;

/** Where the walk stopped: at its last event, or before the first one that is missing or was changed. */
export interface Walked extends ChainPoint {
  problem: AuditVerification['problem'];
}

interface Walk {
  /** The walk trusts this point and starts after it. */
  from: ChainPoint;
  to: bigint;
  /** Called for each event with a valid hash. */
  see?: (row: SealedRow) => void;
}

/** Walks the chain and verifies that the numbers have no gaps and every hash is right. */
export async function walkChain(client: Transaction, { from, to, see }: Walk): Promise<Walked> {
  let at: Walked = { ...from, problem: null };
  for (;;) {
    const rows = await client.$queryRaw<SealedRow[]>`
      SELECT ${CHAINED}, sequence, hash FROM audit_events
      WHERE sequence > ${at.sequence} AND sequence <= ${to} ORDER BY sequence LIMIT ${BATCH}`;
    for (const row of rows) {
      at = step(at, row);
      if (at.problem !== null) return at;
      see?.(row);
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
  if (row.hash === null || !sameHash(hash, row.hash))
    return broken(`event ${expected} (${row.id}) or its hash was changed after it was sealed`);
  return { sequence: expected, hash, problem: null };
}
