import type { AuditVerification, EventArchive } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { type ArchivedPart, listArchives, requireArchive } from './archives.ts';
import { CHAINED, type ChainedRow, type ChainPoint, chainHash, GENESIS, genesisBefore, sameHash } from './chain.ts';

export type SealedRow = ChainedRow & {
  sequence: bigint;
  hash: Uint8Array;
  /** The metadata of the archive that the event was read from. */
  archive?: string;
};

const BATCH = 5000;

/** Where the walk stopped: at its last event, or before the first one that is missing or was changed. */
export interface Walked extends ChainPoint {
  problem: AuditVerification['problem'];
}

interface Walk {
  /** The walk trusts this point and starts after it. */
  from: ChainPoint;
  to: bigint;
  archive?: EventArchive | undefined;
  /** Called for each event with a valid hash. */
  see?: (row: SealedRow) => void;
}

/** Walks the chain and verifies that the numbers have no gaps and every hash is right. */
export async function walkChain(client: Transaction, { from, to, archive, see }: Walk): Promise<Walked> {
  let at: Walked = { ...from, problem: null };
  for (;;) {
    const { rows, parts, problem } = await nextRows(client, { at, to, archive });
    for (const row of rows) {
      at = step(at, row);
      if (at.problem !== null) return { ...at, problem: located(at.problem, parts) };
      see?.(row);
    }
    if (problem !== null) return { ...at, problem: { sequence: Number(at.sequence) + 1, detail: problem } };
    if (rows.length === 0 || at.sequence === to) return at;
  }
}

/** The point at which the chain starts. A first event that can't be read is a problem of the walk. */
export async function genesisOf(client: Transaction, archive?: EventArchive): Promise<ChainPoint> {
  const { rows } = await nextRows(client, { at: GENESIS, to: 1n, archive });
  return genesisBefore(rows[0]);
}

interface NextRows {
  rows: SealedRow[];
  /** The archived parts that have some of the rows. */
  parts: ArchivedPart[];
  problem: string | null;
}

/** The next events in the order of their numbers, from the database and the archive. */
async function nextRows(
  client: Transaction,
  { at, to, archive }: Omit<Walk, 'from'> & { at: ChainPoint },
): Promise<NextRows> {
  const next = at.sequence + BigInt(BATCH);
  const end = next < to ? next : to;
  // Limited by the numbers: with LIMIT, two events with the number of the last row could be in different batches.
  const rows = await client.$queryRaw<SealedRow[]>`
    SELECT ${CHAINED}, sequence, hash FROM audit_events
    WHERE sequence > ${at.sequence} AND sequence <= ${end} ORDER BY sequence`;
  const parts = (await listArchives(client)).filter(
    ({ first_sequence, last_sequence }) => last_sequence > at.sequence && first_sequence <= end,
  );
  // Two events with one number are both in it, so that the walk finds them.
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  let problem: string | null = null;
  for (const part of parts) {
    const reader = requireArchive(archive);
    try {
      const location = part.metadata_location;
      for (const event of await reader.numbered(location, at.sequence, end))
        if (!found.has(keyOf(event)))
          found.set(keyOf(event), { ...event, time: event.time.toISOString(), archive: location });
    } catch (error) {
      problem ??= whyUnreadable(part, reader, error);
    }
  }
  const inOrder = [...found.values()].sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  if (problem !== null) return { rows: consecutive(inOrder, at.sequence), parts, problem };
  return { rows: inOrder.length === 0 ? await rowAfter(client, end, to) : inOrder, parts, problem };
}

const keyOf = ({ sequence, id }: Pick<SealedRow, 'sequence' | 'id'>) => `${sequence} ${id}`;

/** The event after a gap that is longer than a batch. */
function rowAfter(client: Transaction, after: bigint, to: bigint): Promise<SealedRow[]> {
  return client.$queryRaw<SealedRow[]>`
    SELECT ${CHAINED}, sequence, hash FROM audit_events
    WHERE sequence > ${after} AND sequence <= ${to} ORDER BY sequence LIMIT 1`;
}

/** The rows before the first gap: what is missing after it may be in a part that can't be read. */
function consecutive(rows: readonly SealedRow[], after: bigint): SealedRow[] {
  const gap = rows.findIndex(({ sequence }, i) => sequence !== after + BigInt(i) + 1n);
  return gap === -1 ? [...rows] : rows.slice(0, gap);
}

const nameOf = ({ since, until }: ArchivedPart): string =>
  `the archive of the events from ${since.toISOString()} until ${until.toISOString()}`;

/** @throws the error if the storage doesn't respond: that shows nothing about the archive */
function whyUnreadable(part: ArchivedPart, reader: EventArchive, error: unknown): string {
  if (reader.isUnavailable(error)) throw error;
  return `${nameOf(part)} can't be read: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * Finds archived events that aren't in the chain: the walk reads by number, so it doesn't find an event with a number that its part
 * shouldn't have. `seen` is how many events the walk found in each of the parts.
 */
export async function findAddedError(
  parts: readonly ArchivedPart[],
  seen: ReadonlyMap<string, number>,
  archive: EventArchive | undefined,
): Promise<Walked['problem']> {
  for (const part of parts) {
    const reader = requireArchive(archive);
    const broken = (detail: string) => ({ sequence: Number(part.first_sequence), detail });
    try {
      const [size, chained] = [await reader.size(part.metadata_location), seen.get(part.metadata_location) ?? 0];
      if (size !== chained)
        return broken(`${nameOf(part)} has ${size} events, and ${chained} of them are in the chain`);
    } catch (error) {
      return broken(whyUnreadable(part, reader, error));
    }
  }
  return null;
}

/** Adds in which archive the event is or should be. */
function located(problem: NonNullable<Walked['problem']>, parts: readonly ArchivedPart[]): Walked['problem'] {
  const sequence = BigInt(problem.sequence);
  const part = parts.find(
    ({ first_sequence, last_sequence }) => first_sequence <= sequence && sequence <= last_sequence,
  );
  return part === undefined ? problem : { ...problem, detail: `${problem.detail}, in ${nameOf(part)}` };
}

function step(at: Walked, row: SealedRow): Walked {
  const expected = at.sequence + 1n;
  const broken = (detail: string): Walked => ({ ...at, problem: { sequence: Number(expected), detail } });
  if (row.sequence === at.sequence) return broken(`event ${at.sequence} occurs twice: the second one is ${row.id}`);
  if (row.sequence !== expected)
    return broken(`event ${expected} is missing: the next one there is has number ${row.sequence}`);
  const hash = chainHash(at.hash, expected, row);
  if (row.hash === null || !sameHash(hash, row.hash))
    return broken(`event ${expected} (${row.id}) or its hash was changed after it was sealed`);
  return { sequence: expected, hash, problem: null };
}
