import { ApiError } from '@svc/core/errors';
import { tableEndpoints } from '@svc/core/tables';
import { lockCatalogTables } from '@svc/db/catalog';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { droppedError, loadTable } from './load.ts';
import { moveTable } from './move-table.ts';
import { tableResponse } from './record.ts';

const authorize = (ctx: Context) => ctx.require('DROP_TABLE');

/** Renames a table or view. As the old name goes and a new one appears, it takes the rights of a drop and a creation. */
export const renameRoute: Route = route(
  tableEndpoints.rename,
  async (ctx) => {
    authorize(ctx);
    const at = ctx.body.to.lastIndexOf('.');
    const to = { namespace: ctx.body.to.slice(0, at), name: ctx.body.to.slice(at + 1) };
    ctx.require('CREATE_TABLE', ctx.scope({ namespace: to.namespace }), await ctx.listGrants());
    requireExisting(ctx);
    ctx.requireUnprotected('DROP_TABLE');
    const table = (await lockCatalogTables(ctx.db, [ctx.table.id])).get(ctx.table.id);
    if (table === undefined) throw droppedError(ctx);
    const move = await moveTable(ctx, table, to);
    if (move.outcome === 'no-namespace') throw notFound('namespace', to.namespace);
    if (move.outcome === 'gone') throw droppedError(ctx);
    if (move.outcome === 'taken') {
      const noun = move.kind === 'view' || move.kind === 'artifact' ? move.kind : 'table';
      const detail = `There is already a ${noun} named ${move.namespace}.${to.name}. Choose another name, or drop that one first.`;
      throw new ApiError('already-exists', detail);
    }
    return tableResponse(ctx, await loadTable(ctx));
  },
  authorize,
);
