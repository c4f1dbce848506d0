import {
  type Action,
  type EffectiveGrant,
  grantsWithin,
  namespacePath,
  type ObjectScope,
  tableName,
} from '@svc/core/access';
import type { Identifier } from '@svc/core/catalog';
import { BOUND } from '@svc/core/policies';
import type { TableFiles } from '@svc/db/access';
import type { Context } from '../../http/context.ts';
import { AccessDeniedError } from '../../http/guard/denial.ts';

/** The decoded names of a path; `namespace` is dotted. */
export interface CatalogParams {
  prefix: string;
  namespace: string;
  table: string;
  view: string;
}

/** An authorized request of the protocol. */
export type CatalogContext<B = unknown> = Context<CatalogParams, Readonly<Record<string, string>>, B>;

/** Requires one of the actions. @throws AccessDeniedError naming the first */
export function requireAny(
  ctx: CatalogContext,
  actions: readonly Action[],
  on: ObjectScope,
  grants: readonly EffectiveGrant[] = ctx.grants,
): void {
  const decisions = actions.map((action) => ctx.decide(action, on, grants));
  if (decisions.some(({ allowed }) => allowed)) return;
  throw ctx.denied(actions[0]!, on, decisions[0]!.reason ?? 'it is not granted');
}

/**
 * Denies callers who have none of the actions anywhere in the environment; the body determines where one is needed.
 * @param on the object that the error names
 * @throws AccessDeniedError
 */
export async function requireAnywhere(
  ctx: CatalogContext,
  actions: readonly [Action, ...Action[]],
  on: ObjectScope,
): Promise<void> {
  const granting = ctx.isTask ? [] : grantsWithin(await ctx.listGrants(), actions, ctx.scope());
  ctx.noteUse(granting);
  if (granting.length === 0) ctx.require(actions[0], on);
}

/** The table that a body names, or the environment if the name is not valid for a table. */
export function tableScope(ctx: CatalogContext, { namespace, name }: Identifier): ObjectScope {
  const within = namespaceScope(ctx, namespace);
  if (within.namespace === null || !tableName.safeParse(name).success) return within;
  return ctx.scope({ namespace: within.namespace, table: name });
}

/** The namespace that a body names, or the environment if the body names no valid namespace. */
export function namespaceScope(ctx: CatalogContext, levels: readonly string[]): ObjectScope {
  const path = levels.join('.');
  return ctx.scope(namespacePath.safeParse(path).success ? { namespace: path } : {});
}

/** The file locations of the path's table, as they were when the request was authorized. */
export function filesOf(ctx: CatalogContext): TableFiles {
  const { files } = ctx.table;
  if (files === undefined) throw new Error('the request was authorized without the location of its files');
  return files;
}

/** 403 for callers bound by a policy: engines read files directly and would see what the service hides. */
export function boundByPolicies(
  action: Action,
  on: ObjectScope,
  instead = 'Read it with svc sql instead.',
): AccessDeniedError {
  const name = `${on.namespace}.${on.table}`;
  return new AccessDeniedError(
    { action, object: on, reason: BOUND },
    {
      detail: `${name} has a row filter or column mask that binds you, which an engine reading its files would pass by. ${instead}`,
    },
  );
}

/** `ns.name`, as messages of the protocol write it. */
export const fullName = (namespace: string, name: string): string => `${namespace}.${name}`;
