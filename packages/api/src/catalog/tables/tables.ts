import { badRequest, type CatalogError, metricsBody, missing } from '@svc/core/catalog';
import type { DropReason } from '@svc/core/drops';
import { type CatalogTable, findCatalogTable, listNames } from '@svc/db/catalog';
import { recordDrop } from '../../drops/record-drop.ts';
import type { Context } from '../../http/context.ts';
import { requireExisting } from '../../http/guard/authorize.ts';
import { visibleInNamespace } from '../../tables/visible-tables.ts';
import { boundByPolicies, type CatalogContext, filesOf } from '../protocol/context.ts';
import { readPage } from '../protocol/pages.ts';
import { NO_CONTENT, ok } from '../protocol/response.ts';
import { type CatalogRoute, change, operation } from '../protocol/route.ts';
import { storageCredentials } from './delegation.ts';
import { etagOf, hasCurrent, type SnapshotMode, type TableResponse, tableResponse } from './load.ts';

/** Names of the tables, or views, of the namespace that the caller may read. */
export async function listed(ctx: CatalogContext, kind: 'managed' | 'view') {
  const visible = await visibleInNamespace(ctx as Context);
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

type Kind = 'managed' | 'view';

/** The object of the path if it has that kind; another kind counts as not found. */
export async function requireKind(ctx: CatalogContext, kind: Kind): Promise<CatalogTable> {
  const table = await findCatalogTable(ctx.db, ctx.table.id);
  if (table?.kind === kind) return table;
  throw notFound(ctx, kind, table === null ? 'It was dropped while this request ran.' : `It is of kind ${table.kind}.`);
}

function notFound(ctx: CatalogContext, kind: Kind, hint: string): CatalogError {
  return missing(kind === 'view' ? 'view' : 'table', ctx.tableName, hint);
}

/** Checks the same with what authorization loaded, without a database query. */
export function requireNamed(ctx: CatalogContext, kind: Kind): void {
  if (ctx.table.kind !== kind) throw notFound(ctx, kind, `It is of kind ${ctx.table.kind}.`);
}

/** A table whose files the caller may read. @throws AccessDeniedError if a policy of the table binds the caller */
function requireReadable(ctx: CatalogContext): TableResponse & { location: string } {
  requireNamed(ctx, 'managed');
  const { bound, location, metadata_location: metadataLocation } = filesOf(ctx);
  if (bound) throw boundByPolicies('READ_TABLE', ctx.target);
  return { id: ctx.table.id, name: ctx.table.name, location: location!, metadataLocation: metadataLocation!, bound };
}

function modeOf(value: string | undefined): SnapshotMode {
  if (value === undefined || value === 'all' || value === 'refs') return value ?? 'all';
  throw badRequest('snapshots must be "all" or "refs".');
}

const load = operation('loadTable', async (ctx) => {
  const mode = modeOf(ctx.query['snapshots']);
  const table = requireReadable(ctx);
  const etag = etagOf(ctx, table.metadataLocation, mode);
  if (hasCurrent(ctx.req.get('if-none-match'), etag)) return { status: 304, headers: { ETag: etag } };
  return tableResponse(ctx, table, mode);
});

const exists = operation('tableExists', async (ctx) => {
  requireNamed(ctx, 'managed');
  return NO_CONTENT;
});

const credentials = operation('loadCredentials', async (ctx) =>
  ok({ 'storage-credentials': await storageCredentials(ctx, requireReadable(ctx)) }),
);

const metrics = change('reportMetrics', metricsBody, async (ctx) => {
  requireNamed(ctx, 'managed');
  const { requestId, caller, body, table } = ctx;
  ctx.deps.log.debug(
    { requestId, table: table.id, principal: caller.id, report: body['report-type'] },
    'metrics of an engine',
  );
  return NO_CONTENT;
});

/** Drops the table or view of the path like every other drop of the service. */
export async function drop(ctx: CatalogContext, kind: 'managed' | 'view', reason: DropReason) {
  ctx.requireUnprotected('DROP_TABLE');
  const { id } = await requireKind(ctx, kind);
  if ((await recordDrop(ctx as Context, id, reason)) === null)
    throw missing(kind === 'view' ? 'view' : 'table', ctx.tableName, 'It was dropped while this request ran.');
  return NO_CONTENT;
}

const remove = operation('dropTable', (ctx) => {
  const purge = ctx.query['purgeRequested']?.toLowerCase() === 'true';
  return drop(ctx, 'managed', purge ? 'purge' : 'user');
});

export const tableRoutes: CatalogRoute[] = [list, load, exists, credentials, metrics, remove];
