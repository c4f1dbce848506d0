import { CatalogError, type Identifier, missing, pathOfLevels, renameBody, requireName } from '@svc/core/catalog';
import { type CatalogTable, findTableIds, lockCatalogTables } from '@svc/db/catalog';
import type * as z from 'zod';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { moveTable } from '../tables/move-table.ts';
import { type CatalogContext, fullName, namespaceScope, requireAnywhere, tableScope } from './protocol/context.ts';
import { NO_CONTENT } from './protocol/response.ts';
import { type CatalogRoute, change } from './protocol/route.ts';

type Kind = 'managed' | 'view';
type Rename = CatalogContext<z.output<typeof renameBody>>;

const nounOf = (kind: Kind) => (kind === 'view' ? 'view' : 'table');

async function rename(ctx: Rename, kind: Kind) {
  const { source, destination } = ctx.body;
  const grants = await ctx.listGrants();
  const from = tableScope(ctx, source);
  ctx.require('DROP_TABLE', from, grants);
  ctx.require('CREATE_TABLE', namespaceScope(ctx, destination.namespace), grants);
  const [path, name] = [pathOfLevels(destination.namespace), requireName(destination.name)];
  requireExisting(ctx as Context);
  ctx.requireUnprotected('DROP_TABLE', from);
  const table = await takeSource(ctx, source, kind);
  const move = await moveTable(ctx as Context, table, { namespace: path, name });
  if (move.outcome === 'taken') throw nameTaken(table, fullName(move.namespace, name), move.kind);
  if (move.outcome === 'no-namespace') throw missing('namespace', path);
  if (move.outcome === 'gone') throw missing(nounOf(kind), fullName(table.namespace, table.name));
  return NO_CONTENT;
}

async function takeSource(ctx: CatalogContext, source: Identifier, kind: Kind): Promise<CatalogTable> {
  const namespace = source.namespace.join('.');
  if (namespace === '') pathOfLevels(source.namespace);
  if (source.name === '') requireName(source.name);
  const names = [{ namespace, name: source.name }];
  const named = tableScope(ctx, source).table !== null;
  const [id] = named ? await findTableIds(ctx.db, { environmentId: ctx.environment.id, names }) : [null];
  const table = id == null ? undefined : (await lockCatalogTables(ctx.db, [id])).get(id);
  if (table?.kind === kind) return table;
  throw missing(nounOf(kind), fullName(namespace, source.name));
}

function nameTaken(table: CatalogTable, newName: string, kind: string): CatalogError {
  const noun = kind === 'view' ? 'View' : kind === 'artifact' ? 'Artifact' : 'Table';
  return new CatalogError(
    'AlreadyExistsException',
    `Cannot rename ${fullName(table.namespace, table.name)} to ${newName}. ${noun} already exists. Choose another name, or drop that one first.`,
  );
}

/**
 * A retry arrives after the table has its new name, so DROP_TABLE anywhere is enough to learn that the rename is done.
 */
const authorizeNamed = (ctx: CatalogContext<Rename['body'] | undefined>) =>
  requireAnywhere(ctx, ['DROP_TABLE'], ctx.body === undefined ? ctx.scope() : tableScope(ctx, ctx.body.source));

export const renameRoutes: CatalogRoute[] = [
  change('renameTable', renameBody, (ctx) => rename(ctx, 'managed'), { authorizeNamed }),
  change('renameView', renameBody, (ctx) => rename(ctx, 'view'), { authorizeNamed }),
];
