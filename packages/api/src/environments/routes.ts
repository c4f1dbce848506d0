import { decide, INSTANCE, mayDoAnythingIn, scopeOf } from '@svc/core/access';
import { type Environment, environmentEndpoints as endpoints } from '@svc/core/environments';
import { createEnvironment, environmentRecord, listEnvironments, updateEnvironment } from '@svc/db/environments';
import { wholeOrPage } from '../http/answer/whole-list.ts';
import { type Route, route } from '../http/route.ts';
import { deletionRoutes } from './deletion.ts';
import { orphanRoutes } from './orphaned.ts';
import { changeStorage, secretTooEarly } from './storage.ts';

const create = route(endpoints.create, async (ctx) => {
  const { caller, now, body } = ctx;
  const created = await createEnvironment(ctx.db, { id: ctx.deps.newId(), ...body, createdBy: caller.id, now });
  const { storage_location } = body;
  if (body.storage_secret !== null) throw secretTooEarly(body);
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

const placeOf = ({ name }: Environment) => [name];

const list = route(endpoints.list, async (ctx) => {
  const { deleted } = ctx.query;
  if (deleted) {
    ctx.require('MANAGE_ENVIRONMENT', INSTANCE);
    return wholeOrPage(ctx, await listEnvironments(ctx.db, { deleted }), placeOf);
  }
  const [rows, held] = await Promise.all([listEnvironments(ctx.db, { deleted: false }), ctx.heldEverywhere(null)]);
  const { environment_id: bound } = ctx.caller.token;
  const seen = rows
    .filter(({ id, name }) => (bound === null || bound === id) && mayDoAnythingIn(held, name))
    .map((row) =>
      decide(held, 'READ_ENVIRONMENT', scopeOf({ environment: row.name })).allowed ? row : outlineOf(row),
    );
  return wholeOrPage(ctx, seen, placeOf);
});

/** The environment as callers with any grant in it see it; its settings need READ_ENVIRONMENT. */
const outlineOf = (environment: Environment): Environment => ({
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
