import { badRequest, metricsBody, missing } from '@svc/core/catalog';
import type { DropReason } from '@svc/core/drops';
import { type CatalogTable, findCatalogTable, isBound, listNames } from '@svc/db/catalog';
import { dropDetail, dropTable } from '@svc/db/drops';
import { requireExisting } from '../http/authorise.ts';
import type { Context } from '../http/context.ts';
import { visibleTables } from '../tables/visible.ts';
import { NO_CONTENT, ok } from './answer.ts';
import { boundByPolicies, type CatalogContext, fullName } from './context.ts';
import { etagOf, hasCurrent, pointerOf, type SnapshotMode, tableAnswer } from './load.ts';
import { readPage } from './pages.ts';
import { type CatalogRoute, change, operation } from './route.ts';

/** Names of the tables, or views, of the namespace that the caller may read. */
export async function listed(ctx: CatalogContext, kind: 'managed' | 'view') {
  const visible = await visibleTables(ctx as Context);
  requireExisting(ctx as Context);
  const { id: namespaceId, path } = ctx.namespace;
  const { names, next } = await readPage(ctx, (after, limit) =>
    listNames(ctx.db, { namespaceId, kind, visible, after, limit }),
  );
  const namespace = path.split('.');
  const identifiers = names.map((name) => ({ namespace, name }));
  return ok({ identifiers, ...(next === null ? {} : { 'next-page-token': next }) });
}

const list = operation('listTables', (ctx) => listed(ctx, 'managed'));

/** The object of the path, when it is of that kind; anything else is as good as not there. */
export async function requireKind(ctx: CatalogContext, kind: 'managed' | 'view'): Promise<CatalogTable> {
  const table = await findCatalogTable(ctx.db, ctx.table.id);
  if (table?.kind === kind) return table;
  const name = fullName(ctx.namespace.path, ctx.table.name);
  const hint = table === null ? 'It was dropped meanwhile.' : `It is of kind ${table.kind}.`;
  throw missing(kind === 'view' ? 'view' : 'table', name, hint);
}

/** A table that the caller may read the files of. @throws Denied where a policy of it binds the caller */
async function requireReadable(ctx: CatalogContext): Promise<CatalogTable> {
  const [table, bound] = await Promise.all([
    requireKind(ctx, 'managed'),
    isBound(ctx.db, { tableId: ctx.table.id, principalId: ctx.caller.id }),
  ]);
  if (bound) throw boundByPolicies('READ_TABLE', ctx.asked);
  return table;
}

function modeOf(asked: string | undefined): SnapshotMode {
  if (asked === undefined || asked === 'all' || asked === 'refs') return asked ?? 'all';
  throw badRequest('snapshots must be "all" or "refs".');
}

const load = operation('loadTable', async (ctx) => {
  const mode = modeOf(ctx.query['snapshots']);
  const table = await requireReadable(ctx);
  const etag = etagOf(pointerOf(table), mode);
  if (hasCurrent(ctx.req.get('if-none-match'), etag)) return { status: 304, headers: { ETag: etag } };
  return tableAnswer(ctx, pointerOf(table), mode);
});

const exists = operation('tableExists', async (ctx) => {
  await requireKind(ctx, 'managed');
  return NO_CONTENT;
});

/** Engines bring their own access to the storage: there is none to lend. */
const credentials = operation('loadCredentials', async (ctx) => {
  await requireReadable(ctx);
  return ok({ 'storage-credentials': [] });
});

const metrics = change('reportMetrics', metricsBody, async (ctx) => {
  const table = await requireKind(ctx, 'managed');
  const { requestId, caller, body } = ctx;
  ctx.deps.log.debug(
    { requestId, table: table.id, principal: caller.id, report: body['report-type'] },
    'metrics of an engine',
  );
  return NO_CONTENT;
});

/** Drops the table or view of the path as every drop of the service does. */
export async function drop(ctx: CatalogContext, kind: 'managed' | 'view', reason: DropReason) {
  ctx.requireUnprotected('DROP_TABLE');
  const { id } = await requireKind(ctx, kind);
  const dropped = await dropTable(ctx.db, {
    id,
    dropId: ctx.deps.newId(),
    reason,
    by: ctx.caller.id,
    undoDays: ctx.deps.settings.undoDays,
    now: ctx.now,
  });
  if (dropped === null) throw missing(kind === 'view' ? 'view' : 'table', ctx.table.name, 'It was dropped meanwhile.');
  await ctx.audit({
    type: 'TABLE_DROPPED',
    object: ctx.scope({ namespace: dropped.namespace, table: dropped.name }),
    detail: dropDetail(dropped, reason),
  });
  return NO_CONTENT;
}

const remove = operation('dropTable', (ctx) => {
  const purge = ctx.query['purgeRequested']?.toLowerCase() === 'true';
  return drop(ctx, 'managed', purge ? 'purge' : 'user');
});

export const tableRoutes: CatalogRoute[] = [list, load, exists, credentials, metrics, remove];
