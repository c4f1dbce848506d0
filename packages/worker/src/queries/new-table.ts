import { type Action, type ObjectScope, scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { findEnvironmentById } from '@svc/db/environments';
import { findNamespace } from '@svc/db/namespaces';
import { findTable } from '@svc/db/tables';
import { storageQuotaFailure } from '../quotas/index.ts';
import { deniedAction, protectedFailure } from '../work/denied-action.ts';
import { failure } from '../work/failures.ts';
import { type QueryWork, ROUTE } from './finish-query.ts';

/** Why a statement may no longer write to a table, or null. */
export async function writeFailure(
  { deps, row, environment, reader }: QueryWork,
  needed: { action: Action; object: ObjectScope; full: string },
): Promise<Failure | null> {
  const request = { id: row.request_id, route: ROUTE };
  const work = { principalId: row.submitter_id, environment, request, grants: await reader.grants() };
  const denied = await deniedAction(deps, work, needed);
  if (denied !== null || row.dry_run) return denied;
  const current = await findEnvironmentById(deps.db.prisma, environment.id);
  const refused =
    current === null ? null : await protectedFailure(deps, { ...work, environment: current, origin: row }, needed);
  return refused ?? storageQuotaFailure(deps, environment);
}

/**
 * The namespace of the table that a statement creates, or why it can't be created.
 *
 * @param remedy for a name that is taken
 */
export async function namespaceForNew(
  work: QueryWork,
  remedy: string,
): Promise<{ id: string; path: string } | Failure> {
  const { deps, row, environment } = work;
  const [path, name] = [row.into_namespace!, row.into_table!];
  const full = `${path}.${name}`;
  const object = scopeOf({ environment: environment.name, namespace: path });
  const refused = await writeFailure(work, { action: 'CREATE_TABLE', object, full });
  if (refused !== null) return refused;
  const { prisma } = deps.db;
  if ((await findTable(prisma, { environmentId: environment.id, namespace: path, name })) !== null)
    return failure('already-exists', `${full} already exists.`, remedy);
  const namespace = await findNamespace(prisma, { environmentId: environment.id, path });
  if (namespace !== null) return namespace;
  return failure(
    'not-found',
    `The namespace ${path} doesn't exist.`,
    `svc ns create ${path} --env ${environment.name}`,
  );
}
