import { namespacePath, tableName } from '@svc/core/access';
import { CatalogRefusal, type Identifier, missing, pathOfLevels, renameBody, requireName } from '@svc/core/catalog';
import { type CatalogTable, findTableIds, renameTable, takeCatalogTables } from '@svc/db/catalog';
import { findNamespace } from '@svc/db/namespaces';
import type * as z from 'zod';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorise.ts';
import { NO_CONTENT } from './protocol/answer.ts';
import { type CatalogContext, fullName, requireSomewhere } from './protocol/context.ts';
import { type CatalogRoute, change } from './protocol/route.ts';

type Kind = 'managed' | 'view';
type Rename = CatalogContext<z.output<typeof renameBody>>;

const nounOf = (kind: Kind) => (kind === 'view' ? 'view' : 'table');

async function rename(ctx: Rename, kind: Kind) {
  const { source, destination } = ctx.body;
  const [path, name] = [pathOfLevels(destination.namespace), requireName(destination.name)];
  const held = await ctx.heldEverywhere();
  const from = ctx.scope({ namespace: source.namespace.join('.'), table: source.name });
  ctx.require('DROP_TABLE', from, held);
  ctx.require('CREATE_TABLE', ctx.scope({ namespace: path }), held);
  requireExisting(ctx as Context);
  ctx.requireUnprotected('DROP_TABLE', from);
  const table = await takeSource(ctx, source, kind);
  const namespace = await findNamespace(ctx.db, { environmentId: ctx.environment.id, path });
  if (namespace === null) throw missing('namespace', path);
  const move = await renameTable(ctx.db, { id: table.id, namespaceId: namespace.id, name, now: ctx.now });
  if (move.outcome === 'taken') throw taken(table, fullName(namespace.path, name), move.kind);
  if (move.outcome === 'no-namespace') throw missing('namespace', path);
  if (move.outcome === 'gone') throw missing(nounOf(kind), fullName(table.namespace, table.name));
  await ctx.audit({
    type: kind === 'view' ? 'VIEW_UPDATED' : 'TABLE_UPDATED',
    object: ctx.scope({ namespace: namespace.path, table: name }),
    detail: { table_id: table.id, changed: ['name'], previous_name: fullName(table.namespace, table.name) },
  });
  return NO_CONTENT;
}

async function takeSource(ctx: CatalogContext, source: Identifier, kind: Kind): Promise<CatalogTable> {
  const namespace = source.namespace.join('.');
  const named = namespacePath.safeParse(namespace).success && tableName.safeParse(source.name).success;
  const names = [{ namespace, name: source.name }];
  const [id] = named ? await findTableIds(ctx.db, { environmentId: ctx.environment.id, names }) : [null];
  const table = id == null ? undefined : (await takeCatalogTables(ctx.db, [id])).get(id);
  if (table?.kind === kind) return table;
  throw missing(nounOf(kind), fullName(namespace, source.name));
}

function taken(table: CatalogTable, wanted: string, kind: string): CatalogRefusal {
  const holder = kind === 'view' ? 'View' : kind === 'artifact' ? 'Artifact' : 'Table';
  return new CatalogRefusal(
    'AlreadyExistsException',
    `Cannot rename ${fullName(table.namespace, table.name)} to ${wanted}. ${holder} already exists. Choose another name, or drop that one first.`,
  );
}

const admit = (ctx: CatalogContext) => requireSomewhere(ctx, 'DROP_TABLE');

export const renameRoutes: CatalogRoute[] = [
  change('renameTable', renameBody, (ctx) => rename(ctx, 'managed'), { admit }),
  change('renameView', renameBody, (ctx) => rename(ctx, 'view'), { admit }),
];
