import { decide, INSTANCE, type ObjectScope, scopeOf } from '@svc/core/access';
import { bindCommand, nameCommand, type SecretHolder } from '@svc/core/secrets';
import { bindSecret, type StoredSecret, secretsBoundTo, secretsNamed } from '@svc/db/secrets';
import type { Context } from '../http/context.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';

/** A package index or a repository that names a secret as its credential. */
export interface NamingHolder extends SecretHolder {
  id: string;
  /** True if this request is registering it, so that no secret can be bound to it yet. */
  fresh?: boolean;
}

const KINDS = { 'package-index': 'package index', repository: 'repository' } as const;

export const holderText = ({ kind, name }: SecretHolder) => `the ${KINDS[kind]} ${name}`;

/**
 * Lets an index or a repository name a secret (`INDEX-16`). In every environment with a secret of that name, the secret
 * must be bound to it already, or be unbound while the caller has MANAGE_SECRET there; the latter are bound in the same
 * step. Otherwise nothing is bound. @throws AccessDeniedError naming the `secret bind` command
 */
export async function nameSecret(ctx: Context, name: string, holder: NamingHolder): Promise<void> {
  const found = await secretsNamed(ctx.db, name);
  const held = await ctx.heldEverywhere(null);
  const may = (scope: ObjectScope) => !ctx.isTask && decide(held, 'MANAGE_SECRET', scope).allowed;
  if (found.length === 0) {
    const anywhere = held.some(({ scope }) => may(scope));
    if (!anywhere) throw unknownSecret(ctx, name, holder);
    return;
  }
  const loose = found.filter((secret) => !serves(secret, holder));
  for (const secret of loose) if (secret.use !== null) throw usedByOthers(secret, holder);
  for (const secret of loose) {
    if (!may(scopeOf({ environment: secret.environment }))) throw unbound(ctx, secret, holder);
  }
  for (const secret of loose) {
    await bindSecret(ctx.db, { ...secret, binding: bindingOf(holder), by: ctx.caller.id, now: ctx.now });
    await auditBinding(ctx, secret, { use: holder.kind, [USE_FIELD[holder.kind]]: holder.name });
  }
}

/**
 * A new URL of an index or a repository sends the secrets bound to it to another host, so it needs MANAGE_SECRET
 * (`INDEX-17`). @throws AccessDeniedError
 */
export async function requireBoundSecrets(ctx: Context, holder: NamingHolder): Promise<void> {
  const bound = await secretsBoundTo(ctx.db, bindingOf(holder));
  if (bound.length === 0) return;
  const held = await ctx.heldEverywhere(null);
  for (const { environment, environment_id, name } of bound) {
    const scope = scopeOf({ environment });
    if (decide(held, 'MANAGE_SECRET', scope).allowed) continue;
    const reason = `the secret ${name} of environment ${environment} is bound to ${holderText(holder)}, so a new URL needs MANAGE_SECRET there`;
    throw ctx.denied('MANAGE_SECRET', scope, reason, environment_id);
  }
}

export const bindingOf = ({ kind, id }: NamingHolder) => ({ use: kind, id });
export const USE_FIELD = { 'package-index': 'index', repository: 'repository' } as const;

/** The secrets that became unbound, for the event of the object they were bound to. */
export const unboundSecrets = (unbound: readonly { environment: string; name: string }[]) =>
  unbound.length === 0 ? {} : { unbound_secrets: unbound };

function serves(secret: StoredSecret, { kind, id }: NamingHolder): boolean {
  return secret.use === kind && id === (kind === 'package-index' ? secret.package_index_id : secret.repository_id);
}

/** Describes what a secret is used for; null if it isn't bound. */
export function useText({ use, index, repository }: Pick<StoredSecret, 'use' | 'index' | 'repository'>): string | null {
  if (use === null) return null;
  if (use === 'environment') return 'used by its environment for storage or webhooks';
  return `bound to ${holderText({ kind: use, name: (use === 'package-index' ? index : repository) ?? '' })}`;
}

export function auditBinding(
  ctx: Context,
  secret: StoredSecret,
  to: { use: string; index?: string; repository?: string },
): Promise<void> {
  const { id, name, environment, environment_id: environmentId, use, index, repository } = secret;
  return ctx.audit({
    type: 'SECRET_BOUND',
    object: scopeOf({ environment }),
    environmentId,
    detail: { secret_id: id, name, index: null, repository: null, ...to, previous: { use, index, repository } },
  });
}

function refusal(secret: StoredSecret, holder: NamingHolder, reason: string, detail: string): AccessDeniedError {
  const remedy = bindCommand(secret.name, secret.environment, holder);
  const first = holder.fresh
    ? ` To have it bound, register ${holderText(holder)} without --credential-secret first, and name the secret afterwards: ${nameCommand(holder, secret.name)}.`
    : '';
  const object = scopeOf({ environment: secret.environment });
  const denial = { action: 'MANAGE_SECRET' as const, object, reason, environmentId: secret.environment_id };
  return new AccessDeniedError(denial, { detail: `${detail} ${remedy}${first === '' ? '' : `.${first}`}`, remedy });
}

function unbound(ctx: Context, secret: StoredSecret, holder: NamingHolder): AccessDeniedError {
  const { name, environment } = secret;
  const reason = `the secret ${name} of environment ${environment} is not bound to ${holderText(holder)}`;
  const detail = `${ctx.caller.name} may not bind the secret ${name} of environment ${environment} to ${holderText(holder)}: that needs MANAGE_SECRET there. Ask a holder of it to run`;
  return refusal(secret, holder, reason, `${detail}:`);
}

function usedByOthers(secret: StoredSecret, holder: NamingHolder): AccessDeniedError {
  const { name, environment } = secret;
  const reason = `the secret ${name} of environment ${environment} is ${useText(secret)}`;
  const detail = `The secret ${name} of environment ${environment} is ${useText(secret)}, and a secret serves one use only. Name another secret; or, where it is no longer needed there, a holder of MANAGE_SECRET moves it:`;
  return refusal(secret, holder, reason, detail);
}

function unknownSecret(ctx: Context, name: string, holder: NamingHolder): AccessDeniedError {
  const remedy = bindCommand(name, 'ENV', holder);
  const detail = `${ctx.caller.name} may not name the secret ${name}: no environment has one, and naming it ahead needs MANAGE_SECRET in at least one environment. Ask a holder of it to create the secret and to bind it: ${remedy}`;
  const reason = `no environment has a secret ${name}, and the caller holds MANAGE_SECRET nowhere`;
  return new AccessDeniedError({ action: 'MANAGE_SECRET', object: INSTANCE, reason }, { detail, remedy });
}
