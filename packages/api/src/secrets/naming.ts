import { appliesWithin, decide, INSTANCE, type ObjectScope, scopeOf } from '@svc/core/access';
import { bindCommand, nameCommand, type SecretConsumer } from '@svc/core/secrets';
import { bindSecret, type StoredSecret, secretsBoundTo, secretsNamed } from '@svc/db/secrets';
import type { Context } from '../http/context.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';

/** A package index or a repository that names a secret as its credential. */
export interface NamingConsumer extends SecretConsumer {
  id: string;
  /** True if this request is registering it, so that no secret can be bound to it yet. */
  fresh?: boolean;
}

const KINDS = { 'package-index': 'package index', repository: 'repository' } as const;

export const consumerText = ({ kind, name }: SecretConsumer) => `the ${KINDS[kind]} ${name}`;

/**
 * Lets an index or a repository name a secret (`INDEX-16`). In every environment with a secret of that name, the secret
 * must be bound to it already, or be unbound while the caller has MANAGE_SECRET there; the latter are bound in the same
 * step. Otherwise nothing is bound. @throws AccessDeniedError naming the `secret bind` command
 */
export async function nameSecret(ctx: Context, name: string, consumer: NamingConsumer): Promise<void> {
  const found = await secretsNamed(ctx.db, name);
  const grants = await ctx.listGrants(null);
  const isAllowed = (scope: ObjectScope) => !ctx.isTask && decide(grants, 'MANAGE_SECRET', scope).allowed;
  if (found.length === 0) {
    // A role on a namespace or a table also carries MANAGE_SECRET, which has no effect there.
    const anywhere = grants.some(({ scope }) => appliesWithin('MANAGE_SECRET', scope.kind) && isAllowed(scope));
    if (!anywhere) throw unknownSecret(ctx, name, consumer);
    return;
  }
  const loose = found.filter((secret) => !isBoundTo(secret, consumer));
  for (const secret of loose) if (secret.use !== null) throw boundToOther(secret, consumer);
  for (const secret of loose) {
    if (!isAllowed(scopeOf({ environment: secret.environment }))) throw unbound(ctx, secret, consumer);
  }
  for (const secret of loose) {
    await bindSecret(ctx.db, { ...secret, binding: bindingOf(consumer), by: ctx.caller.id, now: ctx.now });
    await auditBinding(ctx, secret, { use: consumer.kind, [USE_FIELD[consumer.kind]]: consumer.name });
  }
}

/**
 * A new URL of an index or a repository sends the secrets bound to it to another host, so it needs MANAGE_SECRET
 * (`INDEX-17`). @throws AccessDeniedError
 */
export async function requireBoundSecrets(ctx: Context, consumer: NamingConsumer): Promise<void> {
  const bound = await secretsBoundTo(ctx.db, bindingOf(consumer));
  if (bound.length === 0) return;
  const grants = await ctx.listGrants(null);
  for (const { environment, environment_id, name } of bound) {
    const scope = scopeOf({ environment });
    if (decide(grants, 'MANAGE_SECRET', scope).allowed) continue;
    const reason = `the secret ${name} of environment ${environment} is bound to ${consumerText(consumer)}, so a new URL needs MANAGE_SECRET there`;
    throw ctx.denied('MANAGE_SECRET', scope, reason, environment_id);
  }
}

export const bindingOf = ({ kind, id }: NamingConsumer) => ({ use: kind, id });
export const USE_FIELD = { 'package-index': 'index', repository: 'repository' } as const;

/** The secrets that became unbound, for the event of the object they were bound to. */
export const unboundSecrets = (unbound: readonly { environment: string; name: string }[]) =>
  unbound.length === 0 ? {} : { unbound_secrets: unbound };

function isBoundTo(secret: StoredSecret, { kind, id }: NamingConsumer): boolean {
  return secret.use === kind && id === (kind === 'package-index' ? secret.package_index_id : secret.repository_id);
}

/** Describes what a secret is used for; null if it isn't bound. */
export function useText({ use, index, repository }: Pick<StoredSecret, 'use' | 'index' | 'repository'>): string | null {
  if (use === null) return null;
  if (use === 'environment') return 'used by its environment for storage or webhooks';
  return `bound to ${consumerText({ kind: use, name: (use === 'package-index' ? index : repository) ?? '' })}`;
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

function refusal(secret: StoredSecret, consumer: NamingConsumer, reason: string, detail: string): AccessDeniedError {
  const remedy = bindCommand(secret.name, secret.environment, consumer);
  const first = consumer.fresh
    ? ` To have it bound, register ${consumerText(consumer)} without --credential-secret first, and name the secret afterwards: ${nameCommand(consumer, secret.name)}.`
    : '';
  const object = scopeOf({ environment: secret.environment });
  const denial = { action: 'MANAGE_SECRET' as const, object, reason, environmentId: secret.environment_id };
  return new AccessDeniedError(denial, { detail: `${detail} ${remedy}${first === '' ? '' : `.${first}`}`, remedy });
}

function unbound(ctx: Context, secret: StoredSecret, consumer: NamingConsumer): AccessDeniedError {
  const { name, environment } = secret;
  const reason = `the secret ${name} of environment ${environment} is not bound to ${consumerText(consumer)}`;
  const detail = `${ctx.caller.name} may not bind the secret ${name} of environment ${environment} to ${consumerText(consumer)}: that needs MANAGE_SECRET there. Ask a holder of it to run`;
  return refusal(secret, consumer, reason, `${detail}:`);
}

function boundToOther(secret: StoredSecret, consumer: NamingConsumer): AccessDeniedError {
  const { name, environment } = secret;
  const reason = `the secret ${name} of environment ${environment} is ${useText(secret)}`;
  const detail = `The secret ${name} of environment ${environment} is ${useText(secret)}, and a secret serves one use only. Name another secret; or, where it is no longer needed there, a holder of MANAGE_SECRET moves it:`;
  return refusal(secret, consumer, reason, detail);
}

function unknownSecret(ctx: Context, name: string, consumer: NamingConsumer): AccessDeniedError {
  const remedy = bindCommand(name, 'ENV', consumer);
  const detail = `${ctx.caller.name} may not name the secret ${name}: no environment has one, and naming it ahead needs MANAGE_SECRET in at least one environment. Ask a holder of it to create the secret and to bind it: ${remedy}`;
  const reason = `no environment has a secret ${name}, and the caller holds MANAGE_SECRET nowhere`;
  return new AccessDeniedError({ action: 'MANAGE_SECRET', object: INSTANCE, reason }, { detail, remedy });
}
