import { grantsWithin, type ObjectScope } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import { namespaceEndpoints as endpoints } from '@svc/core/namespaces';
import { createNamespace, describeNamespace, findNamespace, listNamespaces } from '@svc/db/namespaces';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { PageResponse, type Route, route } from '../http/route.ts';
import { readableNamespaces } from './readable.ts';
import { removeNamespace } from './remove.ts';

/**
 * The body names the parent. Before it is read, CREATE_NAMESPACE anywhere in the environment is enough. A replay has a
 * body.
 *
 * @throws AccessDeniedError if the caller lacks the permission
 */
async function authorizeCreate(ctx: Context): Promise<void> {
  const grants = await ctx.listGrants();
  const body = ctx.body as { path: string } | undefined;
  const somewhere = grantsWithin(grants, ['CREATE_NAMESPACE'], ctx.target).length > 0;
  const on = body === undefined ? ctx.target : parentScope(ctx, body.path);
  if (ctx.isTask || body !== undefined || !somewhere) ctx.require('CREATE_NAMESPACE', on, grants);
  requireExisting(ctx);
}

function parentScope(ctx: Context, path: string): ObjectScope {
  const parent = path.split('.').slice(0, -1).join('.');
  return ctx.scope(parent === '' ? {} : { namespace: parent });
}

const create = route(
  endpoints.create,
  async (ctx) => {
    const { path, description } = ctx.body;
    await authorizeCreate(ctx);
    ctx.requireUnprotected('CREATE_NAMESPACE', parentScope(ctx, path));
    const { caller, now } = ctx;
    const id = ctx.deps.newId();
    const created = await createNamespace(ctx.db, {
      id,
      environmentId: ctx.environment.id,
      path,
      description,
      createdBy: caller.id,
      now,
    });
    if (created === null) throw new ApiError('already-exists', `The namespace ${path} already exists.`);
    await ctx.audit({
      type: 'NAMESPACE_CREATED',
      object: ctx.scope({ namespace: path }),
      detail: { namespace_id: id, path },
    });
    return created;
  },
  authorizeCreate,
);

const list = route(
  endpoints.list,
  async (ctx) => {
    const visible = await readableNamespaces(ctx);
    const { limit } = ctx.query;
    const rows = await listNamespaces(ctx.db, {
      environmentId: ctx.environment.id,
      visible,
      after: ctx.position<string>(),
      limit,
    });
    return new PageResponse(rows.slice(0, limit), rows.length > limit ? rows[limit - 1]!.path : null);
  },
  readableNamespaces,
);

const get = route(endpoints.get, async (ctx) => {
  const { id: _, ...namespace } = (await findNamespace(ctx.db, {
    environmentId: ctx.environment.id,
    path: ctx.params.path,
  }))!;
  return namespace;
});

const update = route(endpoints.update, async (ctx) => {
  ctx.requireUnprotected('MANAGE_NAMESPACE');
  const namespace = await describeNamespace(ctx.db, { id: ctx.namespace.id, description: ctx.body.description });
  await ctx.audit({
    type: 'NAMESPACE_UPDATED',
    object: ctx.scope({ namespace: namespace.path }),
    detail: { changed: ['description'] },
  });
  return namespace;
});

const remove = route(endpoints.delete, async (ctx) => {
  await removeNamespace(ctx);
  return undefined;
});

export const namespaceRoutes: Route[] = [create, list, get, update, remove];
