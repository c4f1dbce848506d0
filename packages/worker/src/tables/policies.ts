import { scopeOf } from '@svc/core/access';
import { type BindingPolicy, bindPolicy, clearBroken, markBroken, type ReadableTable } from '@svc/db/policies';
import type { Policies, PolicyRecord, PolicyUse } from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';
import { type RequestedBy, workEvent } from '../work/events.ts';

/** Where a table is read, and by which request. */
interface Reading {
  environment: { id: string; name: string };
  request: RequestedBy;
}

/** Returns the policies that apply to a reader of a table. Stores their fields and whether they apply. */
export function policiesOf(deps: WorkerDeps, reading: Reading, table: ReadableTable): Policies {
  const recordOf = (policy: BindingPolicy): PolicyRecord => ({
    fields: policy.fields,
    onPolicyUse: (use) => recordPolicyUse(deps, reading, { table, policy, use }),
  });
  return {
    rowFilters: table.policies.flatMap((policy) =>
      policy.kind === 'row_filter' ? [{ predicate: policy.predicate, record: recordOf(policy) }] : [],
    ),
    masks: table.policies.flatMap((policy) =>
      policy.kind === 'column_mask'
        ? [{ column: policy.column, expression: policy.expression, record: recordOf(policy) }]
        : [],
    ),
  };
}

async function recordPolicyUse(
  deps: WorkerDeps,
  { environment, request }: Reading,
  { table, policy, use }: { table: ReadableTable; policy: BindingPolicy; use: PolicyUse },
): Promise<void> {
  const { prisma } = deps.db;
  if (use.applies) {
    const fields = use.fields.map(({ path, id }) => ({ path: [...path], id }));
    if (table.kind === 'managed' && policy.fields === null) await bindPolicy(prisma, policy, fields);
    if (policy.broken) await clearBroken(prisma, policy);
    return;
  }
  if (policy.broken) return;
  const { kind, id, created_by } = policy;
  const event = workEvent(
    deps,
    { principal: null, environmentId: environment.id, requestId: request.id },
    {
      type: 'POLICY_BROKEN',
      object: scopeOf({ environment: environment.name, namespace: table.namespace, table: table.name }),
      detail: { policy: kind, policy_id: id, table_id: table.id, column: use.column, reason: use.reason, created_by },
    },
  );
  await markBroken(prisma, policy, event);
}
