import { decide, INSTANCE } from '@svc/core/access';
import { BOUND, policyEndpoints, previewText } from '@svc/core/policies';
import { queryLimit } from '@svc/core/quotas';
import { findReadableTable, listColumnMasks, listRowFilters, type TableAccess } from '@svc/db/policies';
import { submitQuery } from '@svc/db/queries';
import { assignSlots } from '@svc/db/quotas';
import { requirePrincipal } from '../access/principals.ts';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { type Route, route } from '../http/route.ts';
import { isCallerBound } from '../tables/record.ts';
import { policyTable } from './policy-table.ts';

const ROWS = 100;

function authorize(ctx: Context): void {
  ctx.require('MANAGE_POLICY', INSTANCE);
  ctx.require('READ_TABLE');
  ctx.require('SUBMIT_QUERY', ctx.scope());
}

/** Someone who doesn't see all of a table could see the rest as another principal does. */
async function requireUnbound(ctx: Context): Promise<void> {
  if (!(await isCallerBound(ctx, ctx.table.id))) return;
  throw new AccessDeniedError(
    { action: 'READ_TABLE', object: ctx.target, reason: BOUND },
    {
      detail: `A row filter or column mask on ${ctx.tableName} applies to you, so you can't see it as others do.`,
    },
  );
}

/** The grants of the principal on the table, and the policies of the table that bind it. */
const accessOf = ({ db, environment, namespace, table, now }: Context, principalId: string): Promise<TableAccess> =>
  findReadableTable(db, { environment, namespace: namespace.path, name: table.name, principalId, now });

/** The records of these policies. */
async function bindingPolicies(ctx: Context, { table }: TableAccess) {
  const { id } = ctx.table;
  const binding = new Set(table?.policies.map((policy) => policy.id));
  const binds = (policy: { id: string }) => binding.has(policy.id);
  return {
    row_filters: (await listRowFilters(ctx.db, id)).filter(binds),
    column_masks: (await listColumnMasks(ctx.db, id)).filter(binds),
  };
}

/** Submits the query that reads the rows; the worker checks the permissions of both again (ACCESS-30). */
async function submit(ctx: Context, principal: { id: string; name: string }, limit: number): Promise<string> {
  const id = ctx.deps.newId();
  const preview = {
    ...{ principal_id: principal.id, principal: principal.name },
    ...{ namespace: ctx.namespace.path, table: ctx.table.name, limit },
  };
  const slots = queryLimit(ctx.environment, ctx.deps.settings);
  await submitQuery(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    environment: ctx.environment.name,
    submitterId: ctx.caller.id,
    submitter: ctx.caller.name,
    sql: previewText(preview),
    preview,
    into: null,
    mode: null,
    useCache: false,
    breakGlass: null,
    tokenKind: ctx.caller.token.kind,
    tokenActions: ctx.tokenScope?.actions ?? null,
    runId: null,
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    waits: slots !== null,
    now: ctx.now,
  });
  if (slots !== null) await assignSlots(ctx.db, { environmentId: ctx.environment.id, limit: slots });
  return id;
}

/** The first rows of a table as another principal sees them (ACCESS-29). */
export const previewRoute: Route = route(
  policyEndpoints.previewTable,
  async (ctx) => {
    authorize(ctx);
    requireExisting(ctx);
    const table = await policyTable(ctx);
    await requireUnbound(ctx);
    const { limit = ROWS } = ctx.body;
    const principal = await requirePrincipal(ctx.db, ctx.body.principal);
    const access = await accessOf(ctx, principal.id);
    const { allowed, reason } = decide(access.grants, 'READ_TABLE', ctx.target);
    const queryId = allowed ? await submit(ctx, principal, limit) : null;
    const subject = { principal: principal.name, principal_id: principal.id };
    await ctx.audit({
      type: 'TABLE_PREVIEWED',
      object: ctx.target,
      detail: { table_id: table.id, ...subject, readable: allowed, limit, query_id: queryId },
    });
    return {
      table: ctx.tableName,
      principal: principal.name,
      active: principal.active,
      readable: allowed,
      reason: allowed ? null : reason,
      ...(await bindingPolicies(ctx, access)),
      query_id: queryId,
    };
  },
  authorize,
);
