import { namespacePath } from '@svc/core/access';
import {
  CatalogError,
  createNamespaceBody,
  levelsOf,
  missing,
  pathFromText,
  pathOfLevels,
  updatePropertiesBody,
} from '@svc/core/catalog';
import {
  listChildNamespaces,
  lockNamespaceProperties,
  namespaceProperties,
  setNamespaceProperties,
} from '@svc/db/catalog';
import { createNamespace, findNamespace } from '@svc/db/namespaces';
import { tableParent } from '@svc/lake/tables';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { readableNamespaces } from '../namespaces/readable.ts';
import { removeNamespace } from '../namespaces/remove.ts';
import { type CatalogContext, namespaceScope, requireAnywhere } from './protocol/context.ts';
import { readPage } from './protocol/pages.ts';
import { NO_CONTENT, ok } from './protocol/response.ts';
import { type CatalogRoute, change, operation } from './protocol/route.ts';

const list = operation('listNamespaces', async (ctx) => {
  const visible = await readableNamespaces(ctx as Context);
  const text = ctx.query['parent'];
  const parent = text === undefined || text === '' ? null : pathFromText(text);
  if (parent !== null) await requireParent(ctx, parent);
  const environmentId = ctx.environment.id;
  const { names, next } = await readPage(ctx, (after, limit) =>
    listChildNamespaces(ctx.db, { environmentId, parent, visible, after, limit }),
  );
  return ok({ namespaces: names.map(levelsOf), ...(next === null ? {} : { 'next-page-token': next }) });
});

async function requireParent(ctx: CatalogContext, parent: string): Promise<void> {
  const isValidPath = namespacePath.safeParse(parent).success;
  const { id: environmentId } = ctx.environment;
  if (!isValidPath || (await findNamespace(ctx.db, { environmentId, path: parent })) === null) {
    throw missing('namespace', parent);
  }
}

/** The scope in which the namespace of a body is to be created. */
const parentScope = (ctx: CatalogContext, body: { namespace: string[] } | undefined) =>
  namespaceScope(ctx, body === undefined ? [] : body.namespace.slice(0, -1));

const create = change(
  'createNamespace',
  createNamespaceBody,
  async (ctx) => {
    const on = parentScope(ctx, ctx.body);
    ctx.require('CREATE_NAMESPACE', on, await ctx.listGrants());
    const path = pathOfLevels(ctx.body.namespace);
    requireExisting(ctx as Context);
    ctx.requireUnprotected('CREATE_NAMESPACE', on);
    const id = ctx.deps.newId();
    const { caller, now, environment } = ctx;
    const row = { id, environmentId: environment.id, path, description: null, createdBy: caller.id, now };
    if ((await createNamespace(ctx.db, row)) === null) {
      throw new CatalogError('AlreadyExistsException', `Namespace already exists: ${path}.`);
    }
    const properties = ctx.body.properties ?? {};
    await setNamespaceProperties(ctx.db, { id, properties });
    await ctx.audit({
      type: 'NAMESPACE_CREATED',
      object: ctx.scope({ namespace: path }),
      detail: { namespace_id: id, path },
    });
    return ok({ namespace: levelsOf(path), properties });
  },
  { authorizeNamed: (ctx) => requireAnywhere(ctx, ['CREATE_NAMESPACE'], parentScope(ctx, ctx.body)) },
);

const notFound = (ctx: CatalogContext) => missing('namespace', ctx.params.namespace);

const load = operation('loadNamespaceMetadata', async (ctx) => {
  const properties = await namespaceProperties(ctx.db, ctx.namespace.id);
  if (properties === null) throw notFound(ctx);
  // Some engines choose the folder of a new table themselves, under a name of their own below this location.
  const location = tableParent({ root: ctx.storageRoot }, ctx.environment.id);
  return ok({ namespace: levelsOf(ctx.namespace.path), properties: { location, ...properties } });
});

const exists = operation('namespaceExists', async () => NO_CONTENT);

const drop = operation('dropNamespace', async (ctx) => {
  await removeNamespace(ctx as Context);
  return NO_CONTENT;
});

const update = change('updateProperties', updatePropertiesBody, async (ctx) => {
  ctx.requireUnprotected('MANAGE_NAMESPACE');
  const updates = ctx.body.updates ?? {};
  const removals = [...new Set(ctx.body.removals ?? [])];
  const both = removals.find((name) => Object.hasOwn(updates, name));
  if (both !== undefined) {
    throw new CatalogError('UnprocessableEntityException', `The property ${both} is both set and removed.`);
  }
  const properties = await lockNamespaceProperties(ctx.db, ctx.namespace.id);
  if (properties === null) throw notFound(ctx);
  const [removed, absent] = [true, false].map((exists) =>
    removals.filter((name) => Object.hasOwn(properties, name) === exists),
  );
  const remaining = Object.fromEntries(Object.entries(properties).filter(([name]) => !removals.includes(name)));
  await setNamespaceProperties(ctx.db, { id: ctx.namespace.id, properties: { ...remaining, ...updates } });
  await ctx.audit({
    type: 'NAMESPACE_UPDATED',
    object: ctx.scope({ namespace: ctx.namespace.path }),
    detail: { changed: ['properties'] },
  });
  return ok({ updated: Object.keys(updates), removed, missing: absent });
});

export const namespaceRoutes: CatalogRoute[] = [list, create, load, exists, drop, update];
