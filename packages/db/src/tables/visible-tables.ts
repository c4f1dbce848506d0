import { nameKey } from '@svc/core/access';
import { Prisma } from '../generated/client.ts';

/** The tables of an environment that a list may show: all, those at or below some namespaces, or some by full name. */
export type VisibleTables = 'all' | { namespaces: readonly string[]; tables: readonly string[] };

/** `AND …` for the visible tables `t`, in namespaces `n`. */
export function visibleTablesSql(visible: VisibleTables): Prisma.Sql {
  if (visible === 'all') return Prisma.empty;
  const roots = visible.namespaces.map(nameKey);
  const names = visible.tables.map(nameKey);
  return Prisma.sql`AND (n.path_key || '.' || t.name_key = ANY(${names}::text[])
    OR EXISTS (SELECT 1 FROM unnest(${roots}::text[]) AS root
      WHERE n.path_key = root OR starts_with(n.path_key, root || '.')))`;
}
