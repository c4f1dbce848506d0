import {
  ACTIONS,
  type Action,
  ADMIN_ONLY,
  accessEndpoints as endpoints,
  hasAnyActionIn,
  INSTANCE,
  makeTokenText,
  parseEnum,
  rotatedExpiry,
  scopeOf,
  type TokenKind,
  tokenExpiry,
} from '@svc/core/access';
import { shellCommand } from '@svc/core/command-lines';
import { ApiError, invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import {
  findToken,
  hashToken,
  listTokens,
  type NewTokenScope,
  replaceToken,
  revokeToken,
  type StoredPrincipal,
  scopeFields,
  storeToken,
} from '@svc/db/access';
import { findEnvironment, type StoredEnvironment } from '@svc/db/environments';
import type { Context } from '../http/context.ts';
import { requireEnvironment } from '../http/guard/authorize.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { readExpiry } from './expiry.ts';
import { requirePrincipal } from './principals.ts';

const TASK_TOKEN_MS = 3_600_000;

/** The principal that a token is made for, locked against deactivation. @throws ApiError if it is not active */
async function requireActivePrincipal(ctx: Context, name: string): Promise<StoredPrincipal> {
  const principal = await requirePrincipal(ctx.db, name, 'share');
  if (principal.active) return principal;
  const remedy = shellCommand('svc principal activate', name, []);
  throw new ApiError('invalid-request', `${name} is deactivated. Activate it first: ${remedy}`, { remedy });
}

/** The setting that limits how long tokens of the principal last, and its value. */
function maxLifetime({ deps: { settings } }: Context, { type }: Pick<StoredPrincipal, 'type'>) {
  return type === 'person'
    ? { setting: 'SVC_TOKENS__MAX_DAYS_PERSON', maxDays: settings.tokenMaxDaysPerson }
    : { setting: 'SVC_TOKENS__MAX_DAYS_SERVICE_ACCOUNT', maxDays: settings.tokenMaxDaysServiceAccount };
}

/** @throws ApiError `invalid-request` for a time that has passed, or is later than allowed (TOKEN-1) */
function readTokenExpiry(ctx: Context, principal: StoredPrincipal, text: string | undefined): Date | null {
  const { setting, maxDays } = maxLifetime(ctx, principal);
  const expiry = tokenExpiry({ requested: readExpiry(ctx, text), maxDays, now: ctx.now });
  if (expiry.ok) return expiry.expiresAt;
  const latest = expiry.latest.toISOString();
  throw invalid({ pointer: '/expires_at' }, `must be at most ${latest}: ${setting} is ${maxDays} days`);
}

interface RequestedScope {
  environments?: readonly string[] | undefined;
  actions?: readonly string[] | undefined;
}

/** The scope of a new token, or null. @throws ApiError for an environment that is unknown or hidden from the caller */
export async function readScope(ctx: Context, requested: RequestedScope): Promise<NewTokenScope | null> {
  const { environments } = requested;
  if (environments === undefined && requested.actions === undefined) return null;
  const actions = readActions(requested.actions);
  const names = environments === undefined ? null : [...new Set(environments)].sort();
  const found: StoredEnvironment[] = [];
  for (const name of names ?? []) found.push(await readableEnvironment(ctx, name));
  return {
    environments: names,
    environmentIds: names === null ? null : found.map(({ id }) => id),
    actions,
  };
}

/** The actions of a scope; null without any. @throws ApiError for one that doesn't exist, or that no scope has */
export function readActions(texts: readonly string[] | undefined): Action[] | null {
  if (texts === undefined) return null;
  const actions = texts.map((text) => {
    const action = parseEnum(ACTIONS, text);
    if (action !== undefined) return action;
    throw invalid({ pointer: '/actions' }, `${text} is not an action; must be from ${ACTIONS.join(', ')}`);
  });
  const never = actions.find((action) => ADMIN_ONLY.includes(action));
  if (never !== undefined) throw invalid({ pointer: '/actions' }, `a token with a scope never carries ${never}`);
  return [...new Set(actions)];
}

/** What the events of a token record about its scope. */
export const scopeDetail = (scope: NewTokenScope | null) => (scope === null ? {} : scopeFields(scope));

function rejectTaskTokens(ctx: Context): void {
  if (!ctx.isTask) return;
  const reason = 'a task token cannot manage tokens';
  throw new AccessDeniedError(
    { action: 'MANAGE_TOKEN', object: INSTANCE, reason },
    { detail: `Not allowed: ${reason}. Use a token of your own.` },
  );
}

const issue = route(endpoints.issueToken, async (ctx) => {
  const principal = await requireActivePrincipal(ctx, ctx.params.name);
  const kind: TokenKind = principal.type === 'person' ? 'personal' : 'service-account';
  const expiresAt = readTokenExpiry(ctx, principal, ctx.body.expires_at);
  const scope = await readScope(ctx, ctx.body);
  const token = makeTokenText(kind, ctx.deps.random);
  const record = await storeToken(ctx.db, {
    id: ctx.deps.newId(),
    principalId: principal.id,
    principal: principal.name,
    name: ctx.body.name,
    kind,
    hash: hashToken(token),
    now: ctx.now,
    createdBy: ctx.caller.id,
    expiresAt,
    scope,
  });
  const { id, name, expires_at } = record;
  await ctx.audit({
    type: 'TOKEN_ISSUED',
    detail: { token_id: id, name, principal: principal.name, kind, expires_at, ...scopeDetail(scope) },
  });
  return { ...record, token };
});

const list = route(endpoints.listTokens, async (ctx) => {
  const { id } = await requirePrincipal(ctx.db, ctx.params.name);
  // The list shows the uses so far, this request's included.
  await ctx.deps.tokenUses.settled();
  const tokens = await listTokens(ctx.db, { principalId: id, now: ctx.now });
  return allOrPage(ctx, tokens, (token) => [token.created_at, token.id]);
});

/** The token of the path: the caller's own, or any token for callers with MANAGE_TOKEN. */
async function loadToken(ctx: Context<{ id: string }>, isAllowed: (id: string) => boolean, lock = false) {
  rejectTaskTokens(ctx);
  const { id } = ctx.params;
  const token = isUuid(id) ? await findToken(ctx.db, id, { lock }) : null;
  if (token?.principal_id !== ctx.caller.id || !isAllowed(id)) ctx.require('MANAGE_TOKEN', INSTANCE);
  if (token === null) throw notFound('token', id);
  return token;
}

/** A token with a scope can only revoke itself. */
const load = (ctx: Context<{ id: string }>) =>
  loadToken(ctx, (id) => ctx.tokenScope === null || id.toLowerCase() === ctx.caller.token.id);

const loadForRotation = (ctx: Context<{ id: string }>, lock = false) =>
  loadToken(ctx, () => ctx.tokenScope === null, lock);

const DAY_SECONDS = 86_400;

/** Replaces a token, so that programs can switch to the new one while the old one still works (TOKEN-5). */
const rotate = route(
  endpoints.rotateToken,
  async (ctx) => {
    // The principal is locked first, as when it is deleted.
    const principal = await requireActivePrincipal(ctx, (await loadForRotation(ctx)).principal);
    const old = await loadForRotation(ctx, true);
    const { now } = ctx;
    if (old.expires_at !== null && old.expires_at <= now) throw notFound('token', old.id);
    if (old.kind === 'session' || old.kind === 'task')
      throw invalid({ pointer: '/id' }, `a ${old.kind} token can't be rotated`);
    if (old.workload_identity_id !== null)
      throw invalid({ pointer: '/id' }, "a workload's token can't be rotated; it exchanges another one");
    if (old.replaced_by !== null)
      throw new ApiError('token-rotated', `The token ${old.name} was already replaced by ${old.replaced_by}.`, {
        remedy: shellCommand('svc token rotate', old.replaced_by, []),
      });
    const { maxDays } = maxLifetime(ctx, principal);
    const scope = old.scope && { ...old.scope, environmentIds: old.environment_ids };
    const token = makeTokenText(old.kind, ctx.deps.random);
    const record = await storeToken(ctx.db, {
      id: ctx.deps.newId(),
      principalId: principal.id,
      principal: principal.name,
      name: old.name,
      kind: old.kind,
      hash: hashToken(token),
      now,
      createdBy: ctx.caller.id,
      expiresAt: rotatedExpiry(old, { maxDays, now }),
      scope,
    });
    const { overlap_seconds: overlap = DAY_SECONDS } = ctx.body;
    const end = new Date(now.getTime() + overlap * 1000);
    const previousEnd = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
    await replaceToken(ctx.db, { id: old.id, by: record.id, expiresAt: previousEnd });
    await ctx.audit({
      type: 'TOKEN_ROTATED',
      detail: {
        ...{ token_id: old.id, new_token_id: record.id, name: old.name, principal: principal.name, kind: old.kind },
        ...{ expires_at: record.expires_at, previous_expires_at: previousEnd.toISOString(), ...scopeDetail(scope) },
      },
    });
    return { ...record, token };
  },
  (ctx) => loadForRotation(ctx),
);

async function revokeOne(ctx: Context<{ id: string }>): Promise<undefined> {
  await revokeRecorded(ctx, await load(ctx));
  return undefined;
}

interface RevocableToken {
  readonly id: string;
  readonly name: string;
  readonly principal: string;
  readonly kind: string;
}

/** Revokes a token and records it. @throws ApiError if somebody else has just revoked it */
export async function revokeRecorded(ctx: Context, { id, name, principal, kind }: RevocableToken): Promise<void> {
  if (!(await revokeToken(ctx.db, { id, by: ctx.caller.id, now: ctx.now }))) throw notFound('token', id);
  await ctx.audit({ type: 'TOKEN_REVOKED', detail: { token_id: id, name, principal, kind } });
}

const revoke = route(endpoints.revokeToken, revokeOne, load);

/** Unknown environments and those hidden from the caller get the same error. @throws ApiError */
async function readableEnvironment(ctx: Context, name: string): Promise<StoredEnvironment> {
  if (!hasAnyActionIn(await ctx.listGrants(null), name))
    ctx.require('READ_ENVIRONMENT', scopeOf({ environment: name }));
  return requireEnvironment(ctx, name);
}

/** The ids of the environments in the scope of the caller's token. One that was purged since is left out. */
async function idsOf(ctx: Context, names: readonly string[] | null): Promise<string[] | null> {
  if (names === null) return null;
  const found = await Promise.all(names.map((name) => findEnvironment(ctx.db, name, { includeDeleted: true })));
  return found.flatMap((environment) => environment?.id ?? []);
}

const mint = route(endpoints.mintTaskToken, async (ctx) => {
  const { principal: name = ctx.caller.name, environment } = ctx.body;
  if (name !== ctx.caller.name) ctx.require('MANAGE_GRANT', INSTANCE);
  const principal = await requireActivePrincipal(ctx, name);
  const bound = environment === undefined ? null : await readableEnvironment(ctx, environment);
  const scope = ctx.tokenScope && { ...ctx.tokenScope, environmentIds: await idsOf(ctx, ctx.tokenScope.environments) };
  const token = makeTokenText('task', ctx.deps.random);
  const expiresAt = new Date(ctx.now.getTime() + TASK_TOKEN_MS);
  const record = await storeToken(ctx.db, {
    id: ctx.deps.newId(),
    principalId: principal.id,
    principal: principal.name,
    name: 'task',
    kind: 'task',
    hash: hashToken(token),
    now: ctx.now,
    createdBy: ctx.caller.id,
    expiresAt,
    environmentId: bound?.id ?? null,
    scope,
  });
  const { id, expires_at } = record;
  await ctx.audit({
    type: 'TOKEN_ISSUED',
    detail: { token_id: id, name: 'task', principal: name, kind: 'task', expires_at, ...scopeDetail(scope) },
  });
  return { token, expires_at: expiresAt.toISOString() };
});

export const tokenRoutes: Route[] = [issue, list, rotate, revoke, mint];
