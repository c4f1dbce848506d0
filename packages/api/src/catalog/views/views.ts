import {
  CatalogError,
  commitBody,
  createViewBody,
  missing,
  nameTakenError,
  registerBody,
  requireName,
} from '@svc/core/catalog';
import { trimEnd } from '@svc/core/contract';
import { lockCatalogTables, swapView } from '@svc/db/catalog';
import { lockStorageForShare } from '@svc/db/environments';
import { createTable, findTable } from '@svc/db/tables';
import { applyViewUpdates, noView, type ViewMetadata, viewLocation, writeViewMetadata } from '@svc/lake/views';
import { type CatalogContext, fullName } from '../protocol/context.ts';
import { NO_CONTENT } from '../protocol/response.ts';
import { type CatalogRoute, change, operation } from '../protocol/route.ts';
import { requireLocation } from '../table-location.ts';
import { commitRefusal, requirementsOf, updatesOf } from '../tables/table-commit.ts';
import { drop, listed, requireKind, requireNamed } from '../tables/tables.ts';
import { registerViewAs } from './register-view.ts';
import { conflict, viewResponse, viewRow, viewState } from './view-metadata.ts';

const list = operation('listViews', (ctx) => listed(ctx, 'view'));

const load = operation('loadView', async (ctx) => viewResponse(await viewState(ctx, await requireKind(ctx, 'view'))));

const exists = operation('viewExists', async (ctx) => {
  requireNamed(ctx, 'view');
  return NO_CONTENT;
});

const remove = operation('dropView', (ctx) => drop(ctx, 'view', 'user'));

const findNamed = (ctx: CatalogContext, name: string) =>
  findTable(ctx.db, { environmentId: ctx.environment.id, namespace: ctx.namespace.path, name });

/** @param id of the restored view, if known */
const reload = async (ctx: CatalogContext, name: string, id: string | null = null) => {
  const found = await findNamed(ctx, name);
  const view = found === null ? undefined : (await lockCatalogTables(ctx.db, [found.id])).get(found.id);
  if (view?.kind !== 'view' || view.id !== (id ?? view.id)) throw missing('view', fullName(ctx.namespace.path, name));
  return viewResponse(await viewState(ctx, view));
};

const create = change(
  'createView',
  createViewBody,
  async (ctx) => {
    ctx.requireUnprotected('CREATE_TABLE');
    const { body } = ctx;
    const name = requireName(body.name);
    if (body.location != null) requireLocation(ctx, body.location);
    const id = ctx.deps.newId();
    const folder = viewLocation({ root: ctx.storageRoot }, ctx.environment.id, id);
    const made = applyViewUpdates(
      noView(id, body.location == null ? folder : trimEnd(body.location, '/')),
      [],
      [
        { action: 'add-schema', schema: body.schema },
        { action: 'add-view-version', 'view-version': { ...body['view-version'], 'schema-id': -1 } },
        { action: 'set-current-view-version', 'view-version-id': -1 },
        { action: 'set-properties', updates: body.properties ?? {} },
      ],
      ctx.now.getTime(),
    );
    if (!made.ok) throw new CatalogError('IllegalArgumentException', made.message);
    return viewResponse(await insertView(ctx, name, made.metadata));
  },
  { replay: (ctx, id) => reload(ctx, ctx.body.name, id) },
);

/** Inserts the view's row and event. @throws CatalogError */
async function insertView(ctx: CatalogContext, name: string, metadata: ViewMetadata) {
  const id = metadata['view-uuid'];
  const { sql, columns, description } = viewRow(metadata, ctx.deps.settings.queryMaxStatementBytes);
  const existing = await findNamed(ctx, name);
  if (existing !== null) throw nameTakenError('view', existing.kind, fullName(ctx.namespace.path, name));
  const folder = viewLocation({ root: ctx.storageRoot }, ctx.environment.id, id);
  const metadataLocation = await writeViewMetadata(ctx.deps.store, folder, metadata, ctx.deps.newId);
  const created = await createTable(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    namespaceId: ctx.namespace.id,
    name,
    kind: 'view',
    apart: ctx.environment.storage_location !== null,
    description,
    columns,
    location: null,
    metadataLocation,
    viewSql: sql,
    createdBy: ctx.caller.id,
    now: ctx.now,
  });
  if (!created)
    throw nameTakenError('view', (await findNamed(ctx, name))?.kind ?? 'view', fullName(ctx.namespace.path, name));
  await ctx.audit({
    type: 'VIEW_CREATED',
    object: ctx.scope({ namespace: ctx.namespace.path, table: name }),
    detail: { table_id: id, name, columns: columns.length },
  });
  return { metadataLocation, metadata };
}

/** Engines distinguish an invalid view from an invalid request. */
const viewRefusal = (refusal: { kind: 'conflict' | 'invalid'; message: string }) =>
  refusal.kind === 'invalid' ? new CatalogError('IllegalArgumentException', refusal.message) : commitRefusal(refusal);

const replace = change(
  'replaceView',
  commitBody,
  async (ctx) => {
    ctx.requireUnprotected('WRITE_TABLE');
    await requireKind(ctx, 'view');
    const view = (await lockCatalogTables(ctx.db, [ctx.table.id])).get(ctx.table.id);
    if (view === undefined) throw missing('view', ctx.tableName);
    const { metadata } = await viewState(ctx, view);
    for (const update of ctx.body.updates) {
      const location = update['location'];
      if (update.action === 'set-location' && location !== metadata.location) requireLocation(ctx, String(location));
    }
    const applied = applyViewUpdates(metadata, requirementsOf(ctx.body), updatesOf(ctx.body), ctx.now.getTime());
    if (!applied.ok) throw viewRefusal(applied);
    const row = viewRow(applied.metadata, ctx.deps.settings.queryMaxStatementBytes);
    const folder = viewLocation({ root: ctx.storageRoot }, ctx.environment.id, view.id);
    const { id: environmentId, storage_location: storage } = ctx.environment;
    if (view.metadataLocation === null) await lockStorageForShare(ctx.db, { environmentId, storage });
    const next = await writeViewMetadata(ctx.deps.store, folder, applied.metadata, ctx.deps.newId);
    const swap = { id: view.id, expected: view.metadataLocation, next, now: ctx.now, ...row };
    if (!(await swapView(ctx.db, swap))) throw conflict();
    await ctx.audit({
      type: 'VIEW_UPDATED',
      object: ctx.scope({ namespace: view.namespace, table: view.name }),
      detail: { table_id: view.id, name: view.name, columns: row.columns.length },
    });
    return viewResponse({ metadataLocation: next, metadata: applied.metadata });
  },
  { replay: (ctx, id) => reload(ctx, ctx.params.view, id) },
);

const register = change(
  'registerView',
  registerBody,
  async (ctx) => {
    ctx.requireUnprotected('CREATE_TABLE');
    await registerViewAs(ctx, requireName(ctx.body.name), ctx.body['metadata-location']);
    return reload(ctx, ctx.body.name);
  },
  { replay: (ctx, id) => reload(ctx, ctx.body.name, id) },
);

export const viewRoutes: CatalogRoute[] = [list, load, exists, remove, create, replace, register];
