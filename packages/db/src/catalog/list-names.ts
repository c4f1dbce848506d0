import { nameKey } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { VisiblePaths } from '../namespaces/index.ts';

interface Page {
  after: string | null;
  limit: number;
}

/** Lists the names of a namespace's managed tables, or of its views, strictly after `after`. */
export async function listNames(
  client: Transaction,
  q: { namespaceId: string; kind: 'managed' | 'view'; visible: 'all' | readonly string[] } & Page,
): Promise<string[]> {
  const { namespaceId, kind, visible, after, limit } = q;
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT name FROM tables t
    WHERE namespace_id = ${namespaceId}::uuid AND kind = ${kind} AND dropped_at IS NULL
      ${after === null ? Prisma.empty : Prisma.sql`AND name_key > ${nameKey(after)}`}
      ${visible === 'all' ? Prisma.empty : Prisma.sql`AND name_key = ANY(${visible.map(nameKey)}::text[])`}
    ORDER BY name_key LIMIT ${limit}`;
  return rows.map(({ name }) => name);
}

/** Lists the namespaces one level below a parent (null: top level), strictly after `after`. */
export async function listChildNamespaces(
  client: Transaction,
  q: { environmentId: string; parent: string | null; visible: VisiblePaths } & Page,
): Promise<string[]> {
  const { environmentId, parent, visible, after, limit } = q;
  const prefix = parent === null ? '' : `${nameKey(parent)}.`;
  const roots = visible === 'all' ? [] : visible.map(nameKey);
  const rows = await client.$queryRaw<{ path: string }[]>`
    SELECT path FROM namespaces n
    WHERE environment_id = ${environmentId}::uuid AND dropped_at IS NULL AND starts_with(path_key, ${prefix})
      AND strpos(substr(path_key, ${prefix.length + 1}::int), '.') = 0
      ${after === null ? Prisma.empty : Prisma.sql`AND path_key > ${nameKey(after)}`}
      ${
        visible === 'all'
          ? Prisma.empty
          : Prisma.sql`AND EXISTS (SELECT 1 FROM unnest(${roots}::text[]) AS root
              WHERE n.path_key = root OR starts_with(n.path_key, root || '.'))`
      }
    ORDER BY path_key LIMIT ${limit}`;
  return rows.map(({ path }) => path);
}
