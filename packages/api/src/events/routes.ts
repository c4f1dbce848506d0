import { hasAnyActionIn, scopeOf } from '@svc/core/access';
import { liveEventEndpoints as endpoints, type Reader } from '@svc/core/events';
import type { StoredEnvironment } from '@svc/db/environments';
import { findEnvironment } from '@svc/db/environments';
import type { Context } from '../http/context.ts';
import { identify, requireEnvironment, taskRefusal } from '../http/guard/authorize.ts';
import { sessionLimit } from '../http/guard/session-limit.ts';
import { type Route, route, StreamResponse } from '../http/route.ts';
import type { RightsNeeded } from './event-stream.ts';
import { idOfPosition } from './position.ts';

const stream = route(endpoints.stream, async (ctx) => {
  if (ctx.isTask) throw taskRefusal(ctx, endpoints.stream);
  const environment = await authorizedEnvironment(ctx, ctx.query.environment);
  const { events, keys } = ctx.deps;
  const lastId = ctx.req.get('last-event-id');
  const opened = await events.open(
    {
      environmentId: environment.id,
      principalId: ctx.caller.id,
      check: await checker(ctx, environment, lastId !== undefined),
      idOf: (position) => idOfPosition(keys.eventPosition, position),
    },
    lastId,
  );
  // Some proxies would otherwise collect the messages.
  return new StreamResponse('text/event-stream', opened.body, { 'X-Accel-Buffering': 'no' }, { checksCaller: true });
});

/** @throws AccessDeniedError with the same error for an environment without any grant and an unknown one */
async function authorizedEnvironment(ctx: Context, name: string): Promise<StoredEnvironment> {
  if (!hasAnyActionIn(await ctx.listGrants(null), name)) {
    const found = await findEnvironment(ctx.db, name);
    throw ctx.denied(
      'READ_ENVIRONMENT',
      scopeOf({ environment: name }),
      `no grant allows anything in ${name}`,
      found?.id,
    );
  }
  return requireEnvironment(ctx, name);
}

/**
 * Checks the credential and the grants again for each batch of messages. It doesn't extend a browser's session: only
 * requests do.
 */
async function checker(ctx: Context, { id: environmentId, name: environment }: StoredEnvironment, resumes: boolean) {
  const { deps, req } = ctx;
  const principalId = ctx.caller.id;
  const names = scopeOf({ environment });
  const allGrants = () => ctx.listGrants(environmentId, { db: deps.db.prisma, now: deps.clock() });
  const idsOf = (grants: Reader['grants']) =>
    grants
      .map(({ grant_id }) => grant_id)
      .sort()
      .join();
  // A client that resumes doesn't know what changed in between.
  let known = resumes ? null : idsOf(await allGrants());
  return async ({ all, access }: RightsNeeded): Promise<Reader | null> => {
    const found = await identify(deps, req, { required: names, now: deps.clock() });
    if (found === null || found.caller.id !== principalId || sessionLimit({ deps, ...found }) !== null) return null;
    const { environment: present } = found.object;
    if (present === null || present.id !== environmentId || present.deleted_at !== null) return null;
    if (!all) return { principalId, environment, grants: found.grants, rightsChanged: false };
    const grants = await allGrants();
    if (!hasAnyActionIn(grants, environment)) return null;
    const ids = idsOf(grants);
    const rightsChanged = ids !== known;
    // A grant counts before its event is sealed: a message about something else must not use up the change.
    if (access) known = ids;
    return { principalId, environment, grants, rightsChanged };
  };
}

export const eventRoutes: Route[] = [stream];
