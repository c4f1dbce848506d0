import { grantCommand, scopeOf } from '@svc/core/access';
import { dropEndpoints as endpoints, ownsFiles } from '@svc/core/drops';
import { ApiError, invalid } from '@svc/core/errors';
import {
  findDropWithLegalHold,
  type LockedTable,
  lockTableForLegalHold,
  releaseCommand,
  releaseLegalHold,
  setLegalHold,
} from '@svc/db/drops';
import { findStoredTable } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { hasAdminRole } from '../http/guard/admin-role.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { tableResponse } from '../tables/record.ts';

type TableContext = Context<{ env: string; path: string; name: string }>;

/**
 * The target of the legal hold, for authorized callers: the active table of that name, else the newest dropped one
 * whose files still exist; or the one with the id, because a later table may have the name. Tables of a deleted environment
 * count, because a hold can still protect their files.
 */
const load = (ctx: TableContext, id?: string): Promise<LockedTable> => allowed(ctx, { id });

/** Before the id in the request is validated, the caller may mean any of its own tables of that name. */
const authorizeAny = (ctx: TableContext): Promise<LockedTable> => allowed(ctx, { owner: ctx.caller.id });

async function allowed(ctx: TableContext, which: { id?: string | undefined; owner?: string }): Promise<LockedTable> {
  const { env, path, name } = ctx.params;
  const found = await lockTableForLegalHold(ctx.db, { environment: env, namespace: path, name, ...which });
  // Grants on the table that has the name now don't apply to an earlier one, whose own grants were revoked by its drop.
  const isActive = found === null || found.id === ctx.object.table?.id;
  const on = isActive ? ctx.target : ctx.scope({ namespace: path });
  const admin = hasAdminRole(ctx, on);
  const owner = ctx.isOwner(found?.ownerId, 'DROP_TABLE', on) && ctx.decide('DROP_TABLE', on).allowed;
  if (!admin && !owner) {
    const reason = "a hold requires the ADMIN role, or DROP_TABLE for the table's owner";
    const refused = `${ctx.caller.name} may not hold or release ${path}.${name}: ${reason}.`;
    const denial = { action: 'DROP_TABLE', object: ctx.target, reason } as const;
    if (ctx.isTask) throw new AccessDeniedError(denial, { detail: `${refused} Use your own token.` });
    const remedy = grantCommand(ctx.caller.name, 'ADMIN', on);
    throw new AccessDeniedError(denial, {
      detail: `${refused} An administrator can grant the role: ${remedy}`,
      remedy,
    });
  }
  if (found !== null) return found;
  requireExisting(ctx);
  const withId = which.id === undefined ? '' : ` with the id ${which.id}`;
  throw notFound('table', `${path}.${name}${withId} in environment ${env}`);
}

const applyLegalHold = route(
  endpoints.hold,
  async (ctx) => {
    const { reason, until: text, id } = ctx.body;
    const found = await load(ctx, id);
    const table = `${ctx.params.path}.${ctx.params.name}`;
    if (!ownsFiles(found.kind)) {
      throw new ApiError(
        'not-a-managed-table',
        `${table} is of kind ${found.kind}. A hold only applies to tables whose files svc manages.`,
      );
    }
    if (found.purgeStarted)
      throw new ApiError('purge-started', `${table} cannot be held: the sweep has started to delete its files.`);
    const until = text == null ? null : new Date(text);
    if (until !== null && until <= ctx.now) throw invalid({ pointer: '/until' }, 'must be in the future');
    await setLegalHold(ctx.db, { id: found.id, reason, until, by: ctx.caller.id, now: ctx.now });
    await recordEvent(ctx, found, 'TABLE_HELD', { reason, until: until?.toISOString() ?? null });
    return response(ctx, found);
  },
  authorizeAny,
);

const release = route(
  endpoints.release,
  async (ctx) => {
    const found = await load(ctx, ctx.query.id);
    if (!found.held) throw await withoutLegalHold(ctx, found);
    await releaseLegalHold(ctx.db, found.id);
    await recordEvent(ctx, found, 'TABLE_RELEASED', {});
    return response(ctx, found);
  },
  authorizeAny,
);

async function withoutLegalHold(
  { db, params, now }: TableContext,
  { id, environment }: LockedTable,
): Promise<ApiError> {
  const table = `${params.path}.${params.name}`;
  const dropped = await findDropWithLegalHold(db, { id, now });
  if (dropped === null) return new ApiError('not-held', `${table} is not held.`);
  const remedy = releaseCommand({ environment, table, droppedId: dropped });
  const detail = `${table} is not held, but a dropped table of that name is. To release that hold: ${remedy}`;
  return new ApiError('not-held', detail, { remedy });
}

function recordEvent(
  ctx: TableContext,
  found: LockedTable,
  type: 'TABLE_HELD' | 'TABLE_RELEASED',
  detail: Record<string, unknown>,
): Promise<void> {
  const object = scopeOf({ environment: found.environment, namespace: ctx.params.path, table: ctx.params.name });
  return ctx.audit({ type, object, environmentId: found.environmentId, detail: { table_id: found.id, ...detail } });
}

const response = async (ctx: TableContext, { id }: LockedTable) =>
  tableResponse(ctx, (await findStoredTable(ctx.db, id))!);

export const legalHoldRoutes: Route[] = [applyLegalHold, release];
