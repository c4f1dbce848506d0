import { nameKey } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import type { Namespace } from '@svc/core/namespaces';
import { type RemovedGrant, revokeGrantsOf } from '../access/index.ts';
import type { Transaction } from '../connection/index.ts';
import { lockEnvironmentForShare } from '../environments/index.ts';
import { Prisma } from '../generated/client.ts';

interface StoredNamespace {
  id: string;
  path: string;
  path_key: string;
  description: string | null;
  created_at: Date;
}

const namespaceRecord = ({ path, description, created_at }: StoredNamespace): Namespace => ({
  path,
  description,
  created_at: created_at.toISOString(),
});

export interface NewNamespace {
  id: string;
  environmentId: string;
  path: string;
  description: string | null;
  createdBy: string | null;
  now: Date;
}

/** Creates a namespace below an existing parent. Returns null if the path is taken. */
export async function createNamespace(client: Transaction, n: NewNamespace): Promise<Namespace | null> {
  await lockEnvironmentForShare(client, n.environmentId);
  await requireParent(client, n);
  const rows = await client.$queryRaw<StoredNamespace[]>`
    INSERT INTO namespaces (id, environment_id, path, path_key, description, created_at, created_by)
    VALUES (${n.id}::uuid, ${n.environmentId}::uuid, ${n.path}, ${nameKey(n.path)}, ${n.description}, ${n.now}, ${n.createdBy}::uuid)
    ON CONFLICT (environment_id, path_key) WHERE dropped_at IS NULL DO NOTHING
    RETURNING id, path, path_key, description, created_at`;
  return rows[0] ? namespaceRecord(rows[0]) : null;
}

async function requireParent(client: Transaction, { environmentId, path }: NewNamespace): Promise<void> {
  const parent = path.split('.').slice(0, -1).join('.');
  if (parent === '') return;
  // Lock the parent, so that it can't be dropped before the commit.
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM namespaces WHERE environment_id = ${environmentId}::uuid AND path_key = ${nameKey(parent)}
      AND dropped_at IS NULL FOR SHARE`;
  if (rows.length > 0) return;
  const { name } = await client.environment.findUniqueOrThrow({ where: { id: environmentId }, select: { name: true } });
  const remedy = `svc ns create ${parent} --env ${name}`;
  throw new ApiError('not-found', `The namespace ${parent} does not exist. Create it first.`, { remedy });
}

export async function findNamespace(
  client: Transaction,
  { environmentId, path }: { environmentId: string; path: string },
): Promise<(Namespace & { id: string }) | null> {
  const row = await client.namespace.findFirst({
    where: { environment_id: environmentId, path_key: nameKey(path), dropped_at: null },
  });
  return row && { id: row.id, ...namespaceRecord(row) };
}

/** The namespaces that a list may show: all, or those at or below some paths. */
export type VisiblePaths = 'all' | readonly string[];

/** `AND …` for the visible namespaces `n`. */
export function visiblePathsSql(visible: VisiblePaths): Prisma.Sql {
  if (visible === 'all') return Prisma.empty;
  return Prisma.sql`AND EXISTS (SELECT 1 FROM unnest(${visible.map(nameKey)}::text[]) AS root
    WHERE n.path_key = root OR starts_with(n.path_key, root || '.'))`;
}

/** Lists namespaces by path, strictly after `after`. Returns one row more than `limit` if there is another page. */
export async function listNamespaces(
  client: Transaction,
  q: { environmentId: string; visible: VisiblePaths; after: string | null; limit: number },
): Promise<Namespace[]> {
  const { environmentId, visible, after, limit } = q;
  const rows = await client.$queryRaw<StoredNamespace[]>`
    SELECT id, path, path_key, description, created_at FROM namespaces n
    WHERE environment_id = ${environmentId}::uuid AND dropped_at IS NULL
      ${after === null ? Prisma.empty : Prisma.sql`AND path_key > ${nameKey(after)}`} ${visiblePathsSql(visible)}
    ORDER BY path_key LIMIT ${limit + 1}`;
  return rows.map(namespaceRecord);
}

export async function describeNamespace(
  client: Transaction,
  { id, description }: { id: string; description: string | null },
): Promise<Namespace> {
  return namespaceRecord(await client.namespace.update({ where: { id }, data: { description } }));
}

/** Drops a namespace that contains no table and no namespace, and returns its revoked grants. */
export async function dropNamespace(
  client: Transaction,
  { id, environmentId, by, now }: { id: string; environmentId: string; by: string; now: Date },
): Promise<RemovedGrant[]> {
  // The row lock prevents concurrent creation of tables and namespaces inside.
  const rows = await client.$queryRaw<{ path: string; path_key: string }[]>`
    SELECT path, path_key FROM namespaces WHERE id = ${id}::uuid AND dropped_at IS NULL FOR UPDATE`;
  const found = rows[0];
  if (found === undefined) throw new ApiError('not-found', 'The namespace no longer exists.');
  const inside = await client.$queryRaw<{ what: string }[]>`
    SELECT name AS what FROM tables WHERE namespace_id = ${id}::uuid AND dropped_at IS NULL
    UNION ALL
    SELECT path FROM namespaces WHERE environment_id = ${environmentId}::uuid AND dropped_at IS NULL
      AND starts_with(path_key, ${`${found.path_key}.`}) LIMIT 1`;
  if (inside[0]) {
    throw new ApiError(
      'namespace-not-empty',
      `The namespace ${found.path} is not empty: it contains ${inside[0].what}. Drop its contents first.`,
    );
  }
  const removed = await revokeGrantsOf(client, { of: { namespaceId: id }, by, now });
  await client.namespace.update({ where: { id }, data: { dropped_at: now, dropped_by: by } });
  return removed;
}
