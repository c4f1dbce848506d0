import type { DropReason } from '@svc/core/drops';
import type { Transaction } from '../connection/index.ts';

/** Taken by whoever puts a table at a place of its choice, and by the sweep before it takes tables to delete. */
const PLACES_LOCK = 7_203_001;

/**
 * Lets nobody else choose a place, and no sweep begin to delete, until the transaction ends: what lies inside what is
 * decided by looking at other rows, which no constraint does. To be called before any row is locked.
 */
export async function lockPlaces(client: Transaction): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(${PLACES_LOCK}::bigint)`;
}

/** A table at or around a location, dropped ones included. */
export interface LocationOwner {
  id: string;
  environmentId: string;
  namespace: string;
  name: string;
  location: string;
  droppedAt: Date | null;
  dropReason: DropReason | null;
  purgedAt: Date | null;
}

/** `file:///a/b` → itself and every folder around it, below the root. */
function foldersAround(root: string, location: string): string[] {
  const parts = location.slice(root.length + 1).split('/');
  return parts.map((_, i) => `${root}/${parts.slice(0, i + 1).join('/')}`);
}

/** The tables whose folder is the location or lies around it, innermost first; of one folder the newest first. */
export async function ownersAround(
  client: Transaction,
  { root, location }: { root: string; location: string },
): Promise<LocationOwner[]> {
  return client.$queryRaw<LocationOwner[]>`
    SELECT t.id, t.environment_id AS "environmentId", n.path AS namespace, t.name, t.location,
           t.dropped_at AS "droppedAt", t.drop_reason AS "dropReason", t.purged_at AS "purgedAt"
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.location = ANY(${foldersAround(root, location)}::text[]) AND t.kind = 'managed'
    ORDER BY length(t.location) DESC, t.created_at DESC, t.id DESC`;
}

/**
 * True when some object holds the id, living or gone. Grants name what they are on by id alone, so a table with an id of
 * an engine's choice must not get one that means something else.
 */
export async function isIdTaken(client: Transaction, id: string): Promise<boolean> {
  const rows = await client.$queryRaw<{ taken: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM tables WHERE id = ${id}::uuid) OR EXISTS (SELECT 1 FROM namespaces WHERE id = ${id}::uuid)
      OR EXISTS (SELECT 1 FROM environments WHERE id = ${id}::uuid)
      OR ${id}::uuid = '00000000-0000-0000-0000-000000000000'::uuid AS taken`;
  return rows[0]!.taken;
}
