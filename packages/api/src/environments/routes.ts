import { decide, hasAnyActionIn, INSTANCE, scopeOf } from '@svc/core/access';
import { type Environment, environmentEndpoints as endpoints } from '@svc/core/environments';
import { createEnvironment, environmentRecord, listEnvironments, updateEnvironment } from '@svc/db/environments';
import { allOrPage } from '../http/response/all-or-page.ts';
import { type Route, route } from '../http/route.ts';
import { deletionRoutes } from './deletion.ts';
import { orphanRoutes } from './orphaned.ts';
import { changeStorage, secretWithoutStorage } from './storage.ts';

const create = route(endpoints.create, async (ctx) => {
  const { caller, now, body } = ctx;
  const created = await createEnvironment(ctx.db, { id: ctx.deps.newId(), ...body, createdBy: caller.id, now });
  const { storage_location } = body;
  if (body.storage_secret !== null) throw secretWithoutStorage(body);
  const storage = storage_location === null ? {} : await changeStorage(ctx, created, { storage_location });
  const environment = storage_location === null ? created : await updateEnvironment(ctx.db, { ...created, ...storage });
  await ctx.audit({
    type: 'ENVIRONMENT_CREATED',
    object: scopeOf({ environment: environment.name }),
    environmentId: environment.id,
    detail: { environment_id: environment.id, name: environment.name, protected: environment.protected },
  });
  return environment;
});

const sortKey = ({ name }: Environment) => [name];

const list = route(endpoints.list, async (ctx) => {
  const { deleted } = ctx.query;
  if (deleted) {
    ctx.require('MANAGE_ENVIRONMENT', INSTANCE);
    return allOrPage(ctx, await listEnvironments(ctx.db, { deleted }), sortKey);
  }
  const [rows, grants] = await Promise.all([listEnvironments(ctx.db, { deleted: false }), ctx.listGrants(null)]);
  const { environment_id: bound } = ctx.caller.token;
  const visible = rows
    .filter(({ id, name }) => (bound === null || bound === id) && hasAnyActionIn(grants, name))
    .map((row) =>
      decide(grants, 'READ_ENVIRONMENT', scopeOf({ environment: row.name })).allowed ? row : withoutDetails(row),
    );
  return allOrPage(ctx, visible, sortKey);
});

/** The environment as callers with any grant in it see it; its settings need READ_ENVIRONMENT. */
const withoutDetails = (environment: Environment): Environment => ({
  ...environment,
  description: null,
  retention_days: null,
  maintenance: null,
  storage_location: null,
  storage_secret: null,
});

const get = route(endpoints.get, async (ctx) => environmentRecord(ctx.environment));

const update = route(endpoints.update, async (ctx) => {
  const storage = await changeStorage(ctx, ctx.environment, ctx.body);
  const environment = await updateEnvironment(ctx.db, { id: ctx.environment.id, ...ctx.body, ...storage });
  await ctx.audit({
    type: 'ENVIRONMENT_UPDATED',
    object: ctx.target,
    detail: { environment_id: environment.id, changed: Object.keys(ctx.body), protected: environment.protected },
  });
  return environment;
});

export const environmentRoutes: Route[] = [create, list, get, update, ...deletionRoutes, ...orphanRoutes];
