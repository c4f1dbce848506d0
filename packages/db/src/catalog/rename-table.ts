import { nameKey } from '@svc/core/access';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { builderSql } from '../tables/builder.ts';

export interface TableRename {
  id: string;
  namespaceId: string;
  name: string;
  now: Date;
}

/**
 * The result of a move: `taken` names the object that has the name; `no-namespace` names a namespace that was dropped
 * concurrently.
 */
export type RenameResult =
  | { outcome: 'moved' }
  | { outcome: 'taken'; kind: TableKind }
  | { outcome: 'gone' | 'no-namespace' };

/**
 * Renames a table or view, or moves it to another namespace, with its grants. This counts as activity (RETAIN-3). A project builds it
 * from now on if its active version has an asset of the new name (RETAIN-4).
 */
export async function renameTable(client: Transaction, move: TableRename): Promise<RenameResult> {
  // Creating a table locks this row too, so the name stays free until the commit.
  const live = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM namespaces WHERE id = ${move.namespaceId}::uuid AND dropped_at IS NULL FOR UPDATE`;
  if (live.length === 0) return { outcome: 'no-namespace' };
  const existing = await client.table.findFirst({
    where: { namespace_id: move.namespaceId, name_key: nameKey(move.name), dropped_at: null, NOT: { id: move.id } },
    select: { kind: true },
  });
  if (existing !== null) return { outcome: 'taken', kind: existing.kind as TableKind };
  const count = await client.$executeRaw`
    UPDATE tables t SET namespace_id = n.id, name = ${move.name}, name_key = ${nameKey(move.name)},
      updated_at = ${move.now}, last_write_at = ${move.now},
      built_by_repository = CASE WHEN t.namespace_id = n.id AND t.name_key = ${nameKey(move.name)}
        THEN t.built_by_repository ELSE ${builderSql(Prisma.sql`n.path_key || '.' || ${nameKey(move.name)}`)} END
    FROM namespaces n WHERE n.id = ${move.namespaceId}::uuid AND t.id = ${move.id}::uuid AND t.dropped_at IS NULL`;
  if (count === 0) return { outcome: 'gone' };
  await client.grant.updateMany({ where: { object_id: move.id }, data: { namespace_id: move.namespaceId } });
  return { outcome: 'moved' };
}
