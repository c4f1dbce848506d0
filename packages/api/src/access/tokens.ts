import {
  accessEndpoints as endpoints,
  hasAnyActionIn,
  INSTANCE,
  makeTokenText,
  scopeOf,
  type TokenKind,
} from '@svc/core/access';
import { shellCommand } from '@svc/core/command-lines';
import { ApiError } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { findToken, listTokens, revokeToken, type StoredPrincipal, storeToken } from '@svc/db/access';
import type { StoredEnvironment } from '@svc/db/environments';
import { type Context, notFound } from '../http/context.ts';
import { requireEnvironment } from '../http/guard/authorize.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { sha256 } from '../http/keys.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
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
  const token = makeTokenText(kind, ctx.deps.random);
  const record = await storeToken(ctx.db, {
    id: ctx.deps.newId(),
    principalId: principal.id,
    principal: principal.name,
    name: ctx.body.name,
    kind,
    hash: sha256(token),
    now: ctx.now,
    createdBy: ctx.caller.id,
    expiresAt: readExpiry(ctx, ctx.body.expires_at),
  });
  const { id, name, expires_at } = record;
  await ctx.audit({
    type: 'TOKEN_ISSUED',
    detail: { token_id: id, name, principal: principal.name, kind, expires_at },
  });
  return { ...record, token };
});

const list = route(endpoints.listTokens, async (ctx) => {
  const { id, name } = await requirePrincipal(ctx.db, ctx.params.name);
  const tokens = await listTokens(ctx.db, { principalId: id, principal: name, now: ctx.now });
  return allOrPage(ctx, tokens, (token) => [token.created_at, token.id]);
});

/** The token of the path: the caller's own, or any token for callers with MANAGE_TOKEN. */
async function load(ctx: Context<{ id: string }>) {
  rejectTaskTokens(ctx);
  const { id } = ctx.params;
  const token = isUuid(id) ? await findToken(ctx.db, id) : null;
  if (token?.principal_id !== ctx.caller.id) ctx.require('MANAGE_TOKEN', INSTANCE);
  if (token === null) throw notFound('token', id);
  return token;
}

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

const mint = route(endpoints.mintTaskToken, async (ctx) => {
  const { principal: name = ctx.caller.name, environment } = ctx.body;
  if (name !== ctx.caller.name) ctx.require('MANAGE_GRANT', INSTANCE);
  const principal = await requireActivePrincipal(ctx, name);
  const bound = environment === undefined ? null : await readableEnvironment(ctx, environment);
  const token = makeTokenText('task', ctx.deps.random);
  const expiresAt = new Date(ctx.now.getTime() + TASK_TOKEN_MS);
  const record = await storeToken(ctx.db, {
    id: ctx.deps.newId(),
    principalId: principal.id,
    principal: principal.name,
    name: 'task',
    kind: 'task',
    hash: sha256(token),
    now: ctx.now,
    createdBy: ctx.caller.id,
    expiresAt,
    environmentId: bound?.id ?? null,
  });
  await ctx.audit({
    type: 'TOKEN_ISSUED',
    detail: { token_id: record.id, name: 'task', principal: name, kind: 'task', expires_at: record.expires_at },
  });
  return { token, expires_at: expiresAt.toISOString() };
});

export const tokenRoutes: Route[] = [issue, list, revoke, mint];
