import { nameKey } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { legalHoldRecord, SELECT_TABLE, type StoredTable } from './stored-table.ts';

export async function findTableById(client: Transaction, id: string): Promise<StoredTable | null> {
  const rows = await client.$queryRaw<StoredTable[]>`${SELECT_TABLE} WHERE t.id = ${id}::uuid AND t.dropped_at IS NULL`;
  return rows[0] ?? null;
}

/** Finds a table by id, dropped or not. */
export async function findStoredTable(client: Transaction, id: string): Promise<StoredTable | null> {
  const rows = await client.$queryRaw<StoredTable[]>`${SELECT_TABLE} WHERE t.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Like `findTableById`, and locks the row until the transaction commits. */
export async function lockTableById(client: Transaction, id: string): Promise<StoredTable | null> {
  await client.$executeRaw`SELECT 1 FROM tables WHERE id = ${id}::uuid FOR UPDATE`;
  return findTableById(client, id);
}

/** Locks a table against drops until the transaction commits. Returns false if it was dropped already. */
export async function lockTableForShare(client: Transaction, id: string): Promise<boolean> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM tables WHERE id = ${id}::uuid AND dropped_at IS NULL FOR SHARE`;
  return rows.length === 1;
}

/** Like `lockTableForShare`, for operations that need a live table. @throws ApiError `not-found` */
export async function requireLiveTable(client: Transaction, id: string): Promise<void> {
  if (!(await lockTableForShare(client, id)))
    throw new ApiError(
      'not-found',
      'The table was dropped while this request ran. Restore it first, or choose another one.',
    );
}

/** Whether a legal hold keeps the files of a live table. */
export async function isUnderLegalHold(client: Transaction, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const row = await findTableById(client, id);
  return row !== null && legalHoldRecord(row, now) !== null;
}

export async function findTable(
  client: Transaction,
  q: { environmentId: string; namespace: string; name: string },
): Promise<StoredTable | null> {
  const rows = await client.$queryRaw<StoredTable[]>`/* prepared find-table */
    ${SELECT_TABLE} WHERE n.environment_id = ${q.environmentId}::uuid AND n.path_key = ${nameKey(q.namespace)}
      AND n.dropped_at IS NULL AND t.name_key = ${nameKey(q.name)} AND t.dropped_at IS NULL`;
  return rows[0] ?? null;
}

/** All tables and namespaces of an environment, by name. */
export async function tablesOfEnvironment(
  client: Transaction,
  environmentId: string,
): Promise<{ namespaces: string[]; tables: ListedTable[] }> {
  const namespaces = await client.$queryRaw<{ path: string }[]>`
    SELECT path FROM namespaces WHERE environment_id = ${environmentId}::uuid AND dropped_at IS NULL ORDER BY path`;
  const tables = await client.$queryRaw<ListedTable[]>`
    SELECT n.path AS namespace, t.name, t.kind, t.description, t.columns
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL AND n.dropped_at IS NULL
    ORDER BY n.path, t.name`;
  return { namespaces: namespaces.map(({ path }) => path), tables };
}

const MAX_SIMILAR = 1000;

/** Tables with the name of a missing one in another namespace, and those whose full name is about as long. */
export async function tablesNamedAlike(
  client: Transaction,
  { environmentId, name }: { environmentId: string; name: string },
): Promise<Pick<StoredTable, 'namespace' | 'name'>[]> {
  const own = nameKey(name.slice(name.lastIndexOf('.') + 1));
  return client.$queryRaw<Pick<StoredTable, 'namespace' | 'name'>[]>`
    SELECT n.path AS namespace, t.name
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL AND n.dropped_at IS NULL
      AND (t.name_key = ${own} OR abs(length(n.path) + 1 + length(t.name) - ${name.length}::int) <= 2)
    ORDER BY n.path, t.name LIMIT ${MAX_SIMILAR}`;
}

export type ListedTable = Pick<StoredTable, 'namespace' | 'name' | 'kind' | 'description' | 'columns'>;

/**
 * Lists a namespace's tables by name, strictly after `after`. Returns one row more than `limit` if there is another
 * page.
 */
export async function listTables(
  client: Transaction,
  q: { namespaceId: string; visible: 'all' | readonly string[]; after: string | null; limit: number },
): Promise<StoredTable[]> {
  const { namespaceId, visible, after, limit } = q;
  return client.$queryRaw<StoredTable[]>`
    ${SELECT_TABLE}
    WHERE t.namespace_id = ${namespaceId}::uuid AND t.dropped_at IS NULL
      ${after === null ? Prisma.empty : Prisma.sql`AND t.name_key > ${nameKey(after)}`}
      ${visible === 'all' ? Prisma.empty : Prisma.sql`AND t.name_key = ANY(${visible.map(nameKey)}::text[])`}
    ORDER BY t.name_key LIMIT ${limit + 1}`;
}

/** Names of the environment's live tables, sorted. */
export async function tableNames(
  client: Transaction,
  q: { environmentId: string; limit: number },
): Promise<{ namespace: string; name: string }[]> {
  return client.$queryRaw`
    SELECT n.path AS namespace, t.name FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE n.environment_id = ${q.environmentId}::uuid AND n.dropped_at IS NULL AND t.dropped_at IS NULL
    ORDER BY n.path_key, t.name_key LIMIT ${q.limit}`;
}
