import { ApiError } from '@svc/core/errors';
import type { SavedParameter, SavedQuery } from '@svc/core/saved-queries';
import { containsText, jsonText, sqlState, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

export interface StoredSavedQuery {
  id: string;
  version: number;
  environment_id: string;
  environment: string;
  owner_id: string;
  owner: string;
  name: string;
  description: string | null;
  sql_text: string;
  parameters: SavedParameter[];
  shared: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface SavedQueryFields {
  name: string;
  description: string | null;
  sql: string;
  parameters: readonly SavedParameter[];
  shared: boolean;
}

/** The last row of a page, in the order of the list. */
export type SavedQueryPosition = readonly [name: string, id: string];

const SELECT = Prisma.sql`
  SELECT q.id, q.version, q.environment_id, e.name AS environment, q.owner_id, p.name AS owner, q.name, q.description, q.sql_text, q.parameters,
         q.shared, q.created_at, q.updated_at
  FROM saved_queries q JOIN environments e ON e.id = q.environment_id JOIN principals p ON p.id = q.owner_id`;

/** Private queries exist only for their owner. */
const visibleTo = (callerId: string) => Prisma.sql`(q.owner_id = ${callerId}::uuid OR q.shared)`;

/** @throws ApiError `already-exists` */
export async function createSavedQuery(
  client: Transaction,
  q: SavedQueryFields & { id: string; environmentId: string; ownerId: string; now: Date },
): Promise<void> {
  const added = await client.$executeRaw`
    INSERT INTO saved_queries (id, environment_id, owner_id, name, description, sql_text, parameters, shared, created_at, updated_at)
    VALUES (${q.id}::uuid, ${q.environmentId}::uuid, ${q.ownerId}::uuid, ${q.name}, ${q.description}, ${q.sql},
      ${jsonText(q.parameters)}::jsonb, ${q.shared}, ${q.now}, ${q.now})
    ON CONFLICT (environment_id, owner_id, name) DO NOTHING`;
  if (added === 0) throw nameTaken(q.name);
}

const nameTaken = (name: string): ApiError =>
  new ApiError(
    'already-exists',
    `You already have a saved query named ${name} in this environment. Choose another name, or change that query.`,
  );

/** Finds a saved query that the caller can see; `lock` prevents changes until the transaction commits. */
export async function findSavedQuery(
  client: Transaction,
  q: { id: string; environmentId: string; callerId: string; lock?: boolean },
): Promise<StoredSavedQuery | null> {
  const rows = await client.$queryRaw<StoredSavedQuery[]>`${SELECT}
    WHERE q.id = ${q.id}::uuid AND q.environment_id = ${q.environmentId}::uuid AND ${visibleTo(q.callerId)}
    ${q.lock ? Prisma.sql`FOR UPDATE OF q` : Prisma.empty}`;
  return rows[0] ?? null;
}

export interface SavedQueryList {
  environmentId: string;
  callerId: string;
  search: string | undefined;
  name: string | undefined;
  owner: string | undefined;
  after: SavedQueryPosition | null;
  limit: number;
}

/** Lists the saved queries that the caller can see by name, ties by id. */
export async function listSavedQueries(
  client: Transaction,
  q: SavedQueryList,
): Promise<{ items: StoredSavedQuery[]; next: SavedQueryPosition | null }> {
  const conditions = [
    Prisma.sql`q.environment_id = ${q.environmentId}::uuid`,
    visibleTo(q.callerId),
    ...(q.name === undefined ? [] : [Prisma.sql`q.name = ${q.name}`]),
    ...(q.owner === undefined ? [] : [Prisma.sql`p.name = ${q.owner}`]),
    ...(q.search === undefined ? [] : [contains(q.search)]),
    ...(q.after === null ? [] : [Prisma.sql`(q.name COLLATE "C", q.id) > (${q.after[0]}, ${q.after[1]}::uuid)`]),
  ];
  const rows = await client.$queryRaw<StoredSavedQuery[]>`${SELECT}
    WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY q.name COLLATE "C", q.id LIMIT ${q.limit + 1}`;
  const items = rows.slice(0, q.limit);
  const last = rows.length > q.limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : [last.name, last.id] };
}

function contains(text: string): Prisma.Sql {
  const contain = (column: Prisma.Sql) => containsText(column, text);
  return Prisma.sql`(${contain(Prisma.sql`q.name`)} OR ${contain(Prisma.sql`coalesce(q.description, '')`)}
    OR ${contain(Prisma.sql`q.sql_text`)})`;
}

/**
 * Changes the query that the caller has locked.
 *
 * @throws ApiError `already-exists`
 */
export async function updateSavedQuery(
  client: Transaction,
  q: SavedQueryFields & { id: string; now: Date },
): Promise<void> {
  try {
    await client.$executeRaw`
      UPDATE saved_queries SET version = version + 1, name = ${q.name}, description = ${q.description}, sql_text = ${q.sql},
        parameters = ${jsonText(q.parameters)}::jsonb, shared = ${q.shared}, updated_at = ${q.now}
      WHERE id = ${q.id}::uuid`;
  } catch (error) {
    throw sqlState(error) === '23505' ? nameTaken(q.name) : error;
  }
}

export async function deleteSavedQuery(client: Transaction, id: string): Promise<void> {
  await client.$executeRaw`DELETE FROM saved_queries WHERE id = ${id}::uuid`;
}

export function savedQueryRecord({
  environment_id: _environment,
  owner_id: _owner,
  ...q
}: StoredSavedQuery): SavedQuery {
  return { ...q, created_at: q.created_at.toISOString(), updated_at: q.updated_at.toISOString() };
}
