import { ApiError, invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { statementFault } from '@svc/core/queries';
import { savedQueryEndpoints as endpoints } from '@svc/core/saved-queries';
import { statementDigest } from '@svc/db/audit';
import {
  createSavedQuery,
  deleteSavedQuery,
  findSavedQuery,
  listSavedQueries,
  type SavedQueryFields,
  type SavedQueryPosition,
  type StoredSavedQuery,
  savedQueryRecord,
  updateSavedQuery,
} from '@svc/db/saved-queries';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route } from '../http/route.ts';

/** The saved query of the path. One that the caller can't see doesn't exist. @throws ApiError `not-found` */
async function load(ctx: Context<{ id: string }>, lock = false): Promise<StoredSavedQuery> {
  const { id } = ctx.params;
  const here = { environmentId: ctx.environment.id, callerId: ctx.caller.id };
  const found = isUuid(id) ? await findSavedQuery(ctx.db, { id, ...here, lock }) : null;
  if (found === null)
    throw notFound('saved query', id, {
      to: 'list yours and the shared ones',
      run: `svc saved-query list --env ${ctx.environment.name}`,
    });
  return found;
}

/** The same for its owner and, if it is shared, for administrators of the environment. */
async function loadOwned(ctx: Context<{ id: string }>, lock = false): Promise<StoredSavedQuery> {
  ctx.require('SUBMIT_QUERY');
  requireExisting(ctx);
  const found = await load(ctx, lock);
  if (found.owner_id !== ctx.caller.id && !ctx.decide('MANAGE_ENVIRONMENT').allowed)
    throw ctx.denied(
      'MANAGE_ENVIRONMENT',
      ctx.target,
      'only its owner and administrators of the environment can change or delete a saved query',
    );
  return found;
}

function requireShort(ctx: Context, sql: string): void {
  const tooLong = statementFault(sql, ctx.deps.settings.queryMaxStatementBytes);
  if (tooLong !== null) throw invalid({ pointer: '/sql' }, tooLong);
}

/** Prevents that a change replaces another one that its writer hasn't seen (SAVED-9). @throws ApiError `version-conflict` */
function requireVersion(found: StoredSavedQuery, version: number | undefined): void {
  if (version !== undefined && version !== found.version)
    throw new ApiError(
      'version-conflict',
      `The saved query ${found.name} has changed since you read it: it has version ${found.version}, and your change is for version ${version}. Nothing was changed.`,
      {
        remedy: `Read it again (svc saved-query show ${found.id} --env ${found.environment}), merge your change, and repeat it with version ${found.version}; or save your text as another query.`,
      },
    );
}

/** What events record. Nobody else learns the text, nor the name of a private query (SAVED-7). */
function eventOf(ctx: Context, id: string, { name, shared, sql }: Pick<SavedQueryFields, 'name' | 'shared' | 'sql'>) {
  const sql_text = statementDigest(sql, ctx.deps.settings.auditQueryText);
  return { saved_query_id: id, name: shared ? name : null, shared, sql_text };
}

const create = route(endpoints.create, async (ctx) => {
  requireShort(ctx, ctx.body.sql);
  const id = ctx.deps.newId();
  const { id: environmentId } = ctx.environment;
  await createSavedQuery(ctx.db, { id, environmentId, ownerId: ctx.caller.id, ...ctx.body, now: ctx.now });
  await ctx.audit({ type: 'SAVED_QUERY_CREATED', object: ctx.target, detail: eventOf(ctx, id, ctx.body) });
  return savedQueryRecord((await findSavedQuery(ctx.db, { id, environmentId, callerId: ctx.caller.id }))!);
});

const list = route(endpoints.list, async (ctx) => {
  const { search, name, owner, limit } = ctx.query;
  const { items, next } = await listSavedQueries(ctx.db, {
    environmentId: ctx.environment.id,
    callerId: ctx.caller.id,
    ...{ search, name, owner, limit },
    after: ctx.position<SavedQueryPosition>(),
  });
  return new PageResponse(items.map(savedQueryRecord), next);
});

const get = route(endpoints.get, async (ctx) => savedQueryRecord(await load(ctx)));

const update = route(
  endpoints.update,
  async (ctx) => {
    const { version, ...body } = ctx.body;
    const found = await loadOwned(ctx, true);
    if (body.sql !== undefined) requireShort(ctx, body.sql);
    // Whether a name is free depends on the private queries of the owner.
    if (body.name !== undefined && found.owner_id !== ctx.caller.id)
      throw invalid({ pointer: '/name' }, 'can only be changed by the owner of the saved query');
    requireVersion(found, version);
    const { name, description, sql_text: sql, parameters, shared } = found;
    const changed = fieldsOf(body);
    const fields: SavedQueryFields = { name, description, sql, parameters, shared, ...changed };
    await updateSavedQuery(ctx.db, { id: found.id, ...fields, now: ctx.now });
    const detail = { ...eventOf(ctx, found.id, fields), owner: found.owner, changed: Object.keys(changed) };
    await ctx.audit({ type: 'SAVED_QUERY_UPDATED', object: ctx.target, detail });
    const { sql: sql_text, ...others } = fields;
    const record = { ...found, ...others, version: found.version + 1, parameters: [...fields.parameters] };
    return savedQueryRecord({ ...record, sql_text, updated_at: ctx.now });
  },
  (ctx) => loadOwned(ctx),
);

/** The fields that a body sets. */
const fieldsOf = (
  body: { [F in keyof SavedQueryFields]?: SavedQueryFields[F] | undefined },
): Partial<SavedQueryFields> => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

const remove = route(
  endpoints.delete,
  async (ctx) => {
    const { id, name, shared, owner, sql_text: sql } = await loadOwned(ctx, true);
    await deleteSavedQuery(ctx.db, id);
    const detail = { ...eventOf(ctx, id, { name, shared, sql }), owner };
    await ctx.audit({ type: 'SAVED_QUERY_DELETED', object: ctx.target, detail });
    return undefined;
  },
  (ctx) => loadOwned(ctx),
);

export const savedQueryRoutes: Route[] = [create, list, get, update, remove];
