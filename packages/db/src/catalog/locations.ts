import type { DropReason } from '@svc/core/drops';
import type { Transaction } from '../connection/index.ts';

/** Advisory lock for choosing a table's location and for selecting the tables that a sweep deletes. */
const LOCATIONS_LOCK = 7_203_001;

/**
 * Serializes, until the transaction commits, choosing locations and starting deletions. Which folder contains which is
 * decided by reading other rows, so no constraint can enforce it (TABLE-10). Call this before locking any row.
 */
export async function lockLocations(client: Transaction): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(${LOCATIONS_LOCK}::bigint)`;
}

/** A table, live or dropped, whose folder is or contains a location. */
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

/** For `file:///a/b`: itself and every folder that contains it, below the root. */
function parentFolders(root: string, location: string): string[] {
  const parts = location.slice(root.length + 1).split('/');
  return parts.map((_, i) => `${root}/${parts.slice(0, i + 1).join('/')}`);
}

/** Tables whose folder is or contains the location: innermost first, and newest first within a folder. */
export async function findLocationOwners(
  client: Transaction,
  { root, location }: { root: string; location: string },
): Promise<LocationOwner[]> {
  return client.$queryRaw<LocationOwner[]>`
    SELECT t.id, t.environment_id AS "environmentId", n.path AS namespace, t.name, t.location,
           t.dropped_at AS "droppedAt", t.drop_reason AS "dropReason", t.purged_at AS "purgedAt"
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.location = ANY(${parentFolders(root, location)}::text[]) AND t.kind = 'managed'
    ORDER BY length(t.location) DESC, t.created_at DESC, t.id DESC`;
}

/** Whether a location is inside the folder of a table that is being created, where its rows may be staged already. */
export async function isInsideCreation(
  client: Transaction,
  { root, location }: { root: string; location: string },
): Promise<boolean> {
  const around = parentFolders(root, location).slice(0, -1);
  const rows = await client.$queryRaw<unknown[]>`
    SELECT 1 FROM table_creations WHERE location = ANY(${around}::text[])`;
  return rows.length > 0;
}

/**
 * Whether an object, live or deleted, has this id. Grants refer to objects, service accounts included, by id alone, so an engine
 * must not register a table under an id that already means something else: its drop would revoke the grants on that object.
 */
export async function isIdInUse(client: Transaction, id: string): Promise<boolean> {
  const rows = await client.$queryRaw<{ used: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM tables WHERE id = ${id}::uuid) OR EXISTS (SELECT 1 FROM namespaces WHERE id = ${id}::uuid)
      OR EXISTS (SELECT 1 FROM environments WHERE id = ${id}::uuid) OR EXISTS (SELECT 1 FROM principals WHERE id = ${id}::uuid)
      OR ${id}::uuid = '00000000-0000-0000-0000-000000000000'::uuid AS used`;
  return rows[0]!.used;
}
