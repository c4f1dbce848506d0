import { invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { workloadIdentityEndpoints as endpoints } from '@svc/core/workload-identities';
import {
  createWorkloadIdentity,
  deleteWorkloadIdentity,
  findWorkloadIdentity,
  listWorkloadIdentities,
  type StoredWorkloadIdentity,
  workloadIdentityRecord,
} from '@svc/db/workload-identities';
import { requirePrincipal } from '../access/principals.ts';
import { readScope } from '../access/tokens.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';

const create = route(endpoints.create, async (ctx) => {
  const { issuer, audience, subject, claims = {}, ...scope } = ctx.body;
  const principal = await requirePrincipal(ctx.db, ctx.params.name, 'share');
  if (principal.type !== 'service-account')
    throw invalid({ pointer: '/subject' }, `${principal.name} is a person: only service accounts have workloads`);
  const id = ctx.deps.newId();
  await createWorkloadIdentity(ctx.db, {
    ...{ id, principalId: principal.id, issuer, audience, subject, claims },
    ...{ scope: await readScope(ctx, scope), createdBy: ctx.caller.id, now: ctx.now },
  });
  const created = (await findWorkloadIdentity(ctx.db, id))!;
  await ctx.audit({ type: 'WORKLOAD_IDENTITY_CREATED', detail: detailOf(created) });
  return workloadIdentityRecord(created);
});

const list = route(endpoints.list, async (ctx) => {
  const { id } = await requirePrincipal(ctx.db, ctx.params.name);
  const rows = (await listWorkloadIdentities(ctx.db, id)).map(workloadIdentityRecord);
  return allOrPage(ctx, rows, (row) => [row.created_at, row.id]);
});

const remove = route(endpoints.delete, async (ctx) => {
  const { id } = ctx.params;
  const found = isUuid(id) ? await findWorkloadIdentity(ctx.db, id) : null;
  const deletion = { by: ctx.caller.id, now: ctx.now };
  if (found === null || !(await deleteWorkloadIdentity(ctx.db, found, deletion)))
    throw notFound('workload identity', id);
  await ctx.audit({ type: 'WORKLOAD_IDENTITY_DELETED', detail: detailOf(found) });
  return undefined;
});

function detailOf(row: StoredWorkloadIdentity) {
  const { id, created_at: _, ...fields } = workloadIdentityRecord(row);
  return { workload_identity_id: id, ...fields };
}

export const workloadIdentityRoutes: Route[] = [create, list, remove];
