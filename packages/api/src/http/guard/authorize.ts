import { type Action, hasAnyActionIn, isTokenText, type ObjectScope, scopeOf } from '@svc/core/access';
import type { AnyEndpoint } from '@svc/core/contract';
import { ApiError } from '@svc/core/errors';
import { type AuthorizedRequest, bindToken, hashToken, listEffectiveGrants } from '@svc/db/access';
import { findEnvironment, type StoredEnvironment } from '@svc/db/environments';
import type { Request } from 'express';
import type { Context } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import type { Route } from '../route.ts';
import { credentialOf } from './credential.ts';
import { AccessDeniedError } from './denial.ts';
import { extendSession } from './session-lifetime.ts';
import { requireUnlimited } from './session-limit.ts';

/** The object a path names: `{env}`, `{path}` and, below a namespace, `{name}`. */
export function targetScope(params: Record<string, string>): ObjectScope {
  const { env, path } = params;
  if (env === undefined) return scopeOf({});
  return scopeOf({ environment: env, namespace: path, table: path === undefined ? undefined : params['name'] });
}

/**
 * Binds a task token that was minted without an environment to the first one it is used in (`ACCESS-25`). One in which its principal
 * can do nothing doesn't count: the token would reveal that it exists (`ACCESS-20`).
 */
async function boundToFirst(deps: ApiDeps, found: AuthorizedRequest, now: Date): Promise<AuthorizedRequest> {
  const { token } = found.caller;
  const { environment } = found.object;
  if (token.kind !== 'task' || token.environment_id !== null || environment === null || environment.deleted_at !== null)
    return found;
  const of = { principalId: found.caller.id, environmentId: environment.id, now };
  if (!hasAnyActionIn(await listEffectiveGrants(deps.db.prisma, of), environment.name)) return found;
  const environment_id = await bindToken(deps.db.prisma, { id: token.id, environmentId: environment.id });
  return { ...found, caller: { ...found.caller, token: { ...token, environment_id } } };
}

/** How long the authorization made at the start of a request remains valid for what it receives and sends. */
export const MOMENT_MS = 1000;

interface Identification {
  required: ObjectScope;
  now: Date;
  files?: boolean;
}

/** Resolves the caller, the objects and the relevant grants in one round trip; null without a valid credential. */
export async function identify(
  deps: ApiDeps,
  req: Request,
  { required, now, files = false }: Identification,
): Promise<AuthorizedRequest | null> {
  const text = credentialOf(req, deps.keys)?.token ?? null;
  // A bootstrap token may have any form. Other tokens carry a checksum, which detects typos without the database.
  const mayBeOwner =
    text !== null && (!text.startsWith('svc_') || isTokenText(text) || text === deps.settings.bootstrapToken);
  return mayBeOwner ? deps.authorize({ tokenHash: hashToken(text), now, names: required, files }) : null;
}

/** Identifies the caller of a request, which extends the session of a browser. @throws ApiError `not-signed-in` */
export async function authenticate(
  deps: ApiDeps,
  req: Request,
  required: ObjectScope,
  now: Date,
  files = false,
): Promise<AuthorizedRequest> {
  const credential = credentialOf(req, deps.keys);
  const found = await identify(deps, req, { required, now, files });
  if (found !== null && (!credential!.isCookie || (await extendSession(deps.db, found.caller.token, now))))
    return boundToFirst(deps, found, now);
  throw new ApiError(
    'not-signed-in',
    credential === null
      ? 'This route requires a credential: send Authorization: Bearer <token>, or run svc login.'
      : 'The token is not valid: it is mistyped, expired or revoked, or its principal is deactivated. Issue a new one, or run svc login.',
  );
}

const scopeAt = (required: ObjectScope, kind: ObjectScope['kind']): ObjectScope =>
  kind === 'INSTANCE'
    ? scopeOf({})
    : kind === 'ENVIRONMENT'
      ? scopeOf({ environment: required.environment })
      : kind === 'NAMESPACE'
        ? scopeOf({ environment: required.environment, namespace: required.namespace })
        : required;

/** The parts of an endpoint that authorization needs, for the service's own API and the catalog protocol. */
export type Guarded = Pick<AnyEndpoint, 'path' | 'needs'> & { method: string };

/**
 * Requires the endpoint's action. Forbidden and unknown objects get the same error (`ACCESS-20`): an unknown object has
 * no grants of its own, so the decision follows from the objects that contain it, and only callers who pass it learn
 * that the object doesn't exist.
 */
export function authorize(ctx: Context, endpoint: Guarded): void {
  const { needs } = endpoint;
  requireUnlimited(ctx, endpoint);
  if (needs.kind === 'signed-in' && !needs.taskTokens) {
    if (ctx.isTask) throw taskRefusal(ctx, endpoint);
    if (ctx.tokenScope !== null) throw scopeRefusal(ctx, endpoint);
  }
  if (needs.kind === 'action') {
    if (needs.orSelf !== undefined && ctx.isTask) throw taskRefusal(ctx, endpoint);
    const on = scopeAt(ctx.target, needs.on);
    const decision = ctx.decide(needs.action, on);
    const owner = needs.orOwner && ctx.isOwner(ctx.object.table?.owner_id, needs.action, on);
    const self = needs.orSelf !== undefined && (ctx.params as { name?: string }).name === ctx.caller.name;
    if (self && needs.action === 'MANAGE_TOKEN' && ctx.tokenScope !== null) throw scopeRefusal(ctx, endpoint);
    if (!decision.allowed && !owner && !self)
      throw ctx.denied(needs.action, on, needs.orSelf ?? decision.reason ?? 'it is not granted');
    requireExisting(ctx);
  }
}

/**
 * A request that takes long, with the credential, the rights and the objects of now. @throws ApiError if the credential no longer works or
 * its environment was deleted
 */
async function renewed(ctx: Context, now: Date): Promise<Context> {
  const found = await authenticate(ctx.deps, ctx.req, ctx.target, now);
  const [before, after] = [ctx.object.environment, found.object.environment];
  if (before !== null && (after === null || after.id !== before.id || after.deleted_at !== null))
    throw missing('environment', before.name);
  return ctx.renewed(found, now);
}

/**
 * Checks an action again during a long response, so that a deactivated caller or one whose grant was revoked stops
 * receiving data.
 * @throws ApiError
 */
export async function reauthorize(ctx: Context, action: Action): Promise<void> {
  const current = await renewed(ctx, ctx.deps.clock());
  requireUnlimited(current, { needs: { kind: 'public' } });
  current.require(action, current.target);
}

/** The same for everything that the route of the request requires. @throws ApiError */
export async function requireStillAllowed(
  ctx: Context,
  { endpoint, authorize: decide }: Pick<Route, 'endpoint' | 'authorize'>,
  now: Date,
): Promise<void> {
  const current = await renewed(ctx, now);
  authorize(current, endpoint);
  await decide?.(current as never);
}

/** The error for a route that tokens with a scope can't use: what it changes isn't limited by the scope. */
export function scopeRefusal(ctx: Context, endpoint: Pick<Guarded, 'method' | 'path'>): AccessDeniedError {
  const reason = 'a token with a scope cannot be used here';
  return new AccessDeniedError(
    { action: null, object: ctx.target, reason },
    { detail: `${endpoint.method} ${endpoint.path}: ${reason}. Sign in, or use a token without a scope.` },
  );
}

/** The error for a route that task tokens can't use. */
export function taskRefusal(ctx: Context, endpoint: Pick<Guarded, 'method' | 'path'>): AccessDeniedError {
  const reason = 'a task token cannot be used here';
  return new AccessDeniedError(
    { action: null, object: ctx.target, reason },
    { detail: `${endpoint.method} ${endpoint.path}: ${reason}. Use a token of your own.` },
  );
}

/**
 * 404 for the outermost object of the path that does not exist. Call it only after authorization.
 * @param required the object that must exist, if that is less than the whole path
 */
export function requireExisting(ctx: Context, required: ObjectScope = ctx.target): void {
  const { object } = ctx;
  if (required.environment === null) return;
  const { environment } = object;
  if (environment === null) throw missing('environment', required.environment);
  if (environment.deleted_at !== null) throw deletedEnvironment(ctx, environment);
  if (required.namespace !== null && object.namespace === null) {
    throw missing('namespace', `${required.namespace} in environment ${required.environment}`);
  }
  if (required.table !== null && object.table === null) {
    throw missing('table', `${required.namespace}.${required.table} in environment ${required.environment}`);
  }
}

/**
 * The environment that a parameter or a field names. @throws ApiError 404, which explains to authorized callers how to restore
 * a deleted one (`ENV-4`)
 */
export async function requireEnvironment(ctx: Context, name: string): Promise<StoredEnvironment> {
  const environment = await findEnvironment(ctx.db, name, { includeDeleted: true });
  if (environment === null) throw missing('environment', name);
  if (environment.deleted_at !== null) throw deletedEnvironment(ctx, environment);
  return environment;
}

const missing = (what: string, name: string) =>
  new ApiError(
    'not-found',
    `There is no ${what} ${name}. Check the name.`,
    what === 'environment' ? { remedy: 'svc env list' } : {},
  );

function deletedEnvironment(
  ctx: Context,
  { name, purge_after }: Pick<StoredEnvironment, 'name' | 'purge_after'>,
): ApiError {
  if (!ctx.decide('MANAGE_ENVIRONMENT', scopeOf({})).allowed) return missing('environment', name);
  if (purge_after !== null && purge_after <= ctx.now)
    return new ApiError(
      'environment-deleted',
      `The environment ${name} is deleted and can no longer be restored. Its name becomes free after the next sweep.`,
    );
  const remedy = `svc env restore ${name}`;
  return new ApiError(
    'environment-deleted',
    `The environment ${name} is deleted. To use it again, restore it: ${remedy}`,
    { remedy },
  );
}
