import { type Action, decide, scopeOf } from '@svc/core/access';
import { shellOption } from '@svc/core/command-lines';
import { ApiError, type Failure } from '@svc/core/errors';
import { listEffectiveGrants } from '@svc/db/access';
import { findNamespace } from '@svc/db/namespaces';
import { findTable, type StoredTable } from '@svc/db/tables';
import { auditDenial } from '../../work/events.ts';
import { failure } from '../../work/failures.ts';
import type { TaskWork } from '../run-work.ts';

/** Where an asset is built: in the existing object, or in the namespace that will contain it. */
export interface Target {
  table: StoredTable | null;
  namespace: { id: string; path: string };
}

const NOUN_OF = {
  managed: 'a managed table',
  external: 'an external table',
  view: 'a view',
  artifact: 'an artifact',
} as const;
const KIND_OF = { table: 'managed', view: 'view', artifact: 'artifact' } as const;

/** Finds the asset's object and checks the run principal's rights on it. */
export async function findTarget({
  deps,
  asset,
  environment,
  principal,
  request,
}: TaskWork): Promise<Target | Failure> {
  const client = deps.db.prisma;
  const namespace = await findNamespace(client, { environmentId: environment.id, path: asset.namespace });
  if (namespace === null)
    return failure(
      'not-found',
      `The namespace ${asset.namespace} no longer exists.`,
      'Deploy the project again to create it.',
    );
  const table = await findTable(client, {
    environmentId: environment.id,
    namespace: asset.namespace,
    name: asset.table,
  });
  if (table !== null && table.kind !== KIND_OF[asset.kind]) {
    return failure(
      'kind-changed',
      `${asset.name} exists as ${NOUN_OF[table.kind]}, but the project builds ${NOUN_OF[KIND_OF[asset.kind]]}.`,
      `Drop it with svc table delete ${asset.name} --env ${environment.name}, or rename the asset.`,
    );
  }
  const action: Action = table === null ? 'CREATE_TABLE' : 'WRITE_TABLE';
  const scope = scopeOf({
    environment: environment.name,
    namespace: asset.namespace,
    ...(table === null ? {} : { table: asset.table }),
  });
  const grants = await listEffectiveGrants(client, {
    principalId: principal.id,
    environmentId: environment.id,
    now: deps.clock(),
  });
  const decision = decide(grants, action, scope);
  deps.statements.grantUses.note(decision.via, deps.clock());
  if (!decision.allowed) {
    const { reason } = decision;
    await auditDenial(deps, { principalId: principal.id, environment, request }, { action, object: scope, reason });
    return failure(
      'not-allowed',
      `The run principal ${principal.name} doesn't have ${action} on ${asset.name}: ${reason}.`,
      `svc grant create --kind ENVIRONMENT ${shellOption('principal', principal.name)} --role DATA_ENGINEER --env ${environment.name}`,
    );
  }
  return { table, namespace };
}

export const isFailure = (value: object): value is Failure => 'code' in value && 'detail' in value;

/** The object existed when the task started. */
export const droppedConcurrently = (asset: string): ApiError =>
  new ApiError('not-found', `${asset} was dropped while it was being built. Run it again to recreate it.`);
