import { scopeOf } from '@svc/core/access';
import { invalid } from '@svc/core/errors';
import type { GrantObject } from '@svc/db/access';
import { findNamespace } from '@svc/db/namespaces';
import { findTable } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { requireEnvironment } from '../http/guard/authorize.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { requirePrincipal } from './principals.ts';

/** The names of an object in a query string or a body. */
export interface RequestedNames {
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
  service_account?: string | undefined;
}

/** Rejects a namespace without its environment, a table without its namespace, and a service account with either. */
export function checkNames({ environment, namespace, table, service_account }: RequestedNames): void {
  if (namespace !== undefined && environment === undefined)
    throw invalid({ parameter: 'namespace' }, 'needs environment');
  if (table !== undefined && namespace === undefined) throw invalid({ parameter: 'table' }, 'needs namespace');
  if (service_account !== undefined && environment !== undefined)
    throw invalid({ parameter: 'service_account' }, 'cannot be combined with environment');
}

/** Resolves an object by its names, as `scopeOf` does. @throws ApiError `not-found` naming what doesn't exist */
export async function resolveObject(ctx: Context, names: RequestedNames): Promise<GrantObject> {
  const client = ctx.db;
  const { kind } = scopeOf(names);
  const none: GrantObject = { kind, environmentId: null, namespaceId: null, tableId: null, serviceAccountId: null };
  if (names.service_account !== undefined) {
    const account = await requirePrincipal(client, names.service_account);
    if (account.type !== 'service-account') throw notFound('service account', names.service_account);
    return { ...none, serviceAccountId: account.id };
  }
  if (names.environment === undefined) return none;
  const environment = await requireEnvironment(ctx, names.environment);
  const inEnvironment = { ...none, environmentId: environment.id };
  if (names.namespace === undefined) return inEnvironment;
  const namespace = await findNamespace(client, { environmentId: environment.id, path: names.namespace });
  if (namespace === null) throw notFound('namespace', `${names.namespace} in environment ${names.environment}`);
  const inNamespace = { ...inEnvironment, namespaceId: namespace.id };
  if (names.table === undefined) return inNamespace;
  const table = await findTable(client, {
    environmentId: environment.id,
    namespace: names.namespace,
    name: names.table,
  });
  if (table === null) throw notFound('table', `${names.namespace}.${names.table} in environment ${names.environment}`);
  return { ...inNamespace, tableId: table.id };
}
