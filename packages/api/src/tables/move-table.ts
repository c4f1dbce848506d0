import { type CatalogTable, type RenameResult, renameTable } from '@svc/db/catalog';
import { findNamespace } from '@svc/db/namespaces';
import type { Context } from '../http/context.ts';

/** The result of a rename; `namespace` is the path of the existing one. */
type MoveResult = RenameResult & { namespace: string };

/** Renames a table or view, or moves it to another namespace, and records that. */
export async function moveTable(
  ctx: Context,
  table: Pick<CatalogTable, 'id' | 'kind' | 'namespace' | 'name'>,
  to: { namespace: string; name: string },
): Promise<MoveResult> {
  const namespace = await findNamespace(ctx.db, { environmentId: ctx.environment.id, path: to.namespace });
  if (namespace === null) return { outcome: 'no-namespace', namespace: to.namespace };
  const move = await renameTable(ctx.db, { id: table.id, namespaceId: namespace.id, name: to.name, now: ctx.now });
  if (move.outcome !== 'moved') return { ...move, namespace: namespace.path };
  await ctx.audit({
    type: table.kind === 'view' ? 'VIEW_UPDATED' : 'TABLE_UPDATED',
    object: ctx.scope({ namespace: namespace.path, table: to.name }),
    detail: { table_id: table.id, changed: ['name'], previous_name: `${table.namespace}.${table.name}` },
  });
  return { outcome: 'moved', namespace: namespace.path };
}
