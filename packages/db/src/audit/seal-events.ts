import { createHash } from 'node:crypto';
import type { Transaction } from '../connection/index.ts';

const SEAL_LOCK = 0x73766373;

/** A committed event as the chain covers it: PostgreSQL's own text of each JSON value, so that it can be had again. */
interface ChainedRow {
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

/** SHA-256 over the hash before, the number and every field of the event. */
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

/** The hash before the first event. */
export const GENESIS: Uint8Array = new Uint8Array(32);

/**
 * Numbers and chains committed events that have no number yet, at most `limit`, in one transaction. Whoever calls it
 * waits for a sealer that is at work; events committed meanwhile come with the next call. Returns how many.
 */
export async function sealEvents(client: Transaction, { limit }: { limit: number }): Promise<number> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(${SEAL_LOCK}::bigint)`;
  const rows = await client.$queryRaw<ChainedRow[]>`
    SELECT id, to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time, type, principal_id, principal,
           environment_id, object::text AS object, request_id, detail::text AS detail
    FROM audit_events WHERE sequence IS NULL ORDER BY time, id LIMIT ${limit}`;
  if (rows.length === 0) return 0;
  const head = await requireHead(client);
  let [sequence, hash] = [head?.sequence ?? 0n, (head?.hash ?? GENESIS) as Uint8Array];
  const sealed = rows.map((row) => {
    sequence += 1n;
    hash = chainHash(hash, sequence, row);
    return { id: row.id, sequence: String(sequence), hash: Buffer.from(hash).toString('hex') };
  });
  await client.$executeRaw`
    UPDATE audit_events e SET sequence = x.sequence, hash = decode(x.hash, 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) AS x(id uuid, sequence bigint, hash text) WHERE e.id = x.id`;
  await client.$executeRaw`
    INSERT INTO audit_head (id, sequence, hash) VALUES (1, ${sequence}, ${hash})
    ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash`;
  return rows.length;
}

/**
 * The head to seal on; null before the first event. @throws when it isn't the last sealed event: a new head would hide
 * that somebody removed or replaced it.
 */
async function requireHead(client: Transaction) {
  const head = await client.auditHead.findUnique({ where: { id: 1 } });
  const last = await client.auditEvent.findFirst({
    where: { sequence: { not: null } },
    orderBy: { sequence: 'desc' },
    select: { sequence: true, hash: true },
  });
  const same =
    head === null
      ? last === null
      : head.sequence === last?.sequence && last.hash !== null && Buffer.compare(head.hash, last.hash) === 0;
  if (same) return head;
  throw new Error(
    'The head of the audit log is missing or was replaced: no events are sealed. Run svc audit verify, and restore audit_head from a backup.',
  );
}
