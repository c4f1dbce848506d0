import { namespacePath, scopeOf, tableName } from '@svc/core/access';
import { invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import {
  queryEndpoints as endpoints,
  type IntoMode,
  type Query,
  type SubmittedQuery,
  statementFault,
} from '@svc/core/queries';
import { queryLimit } from '@svc/core/quotas';
import { changedTable, clonedTable } from '@svc/core/statements';
import { isFinished } from '@svc/core/writes';
import { findPrincipal } from '@svc/db/access';
import { completedQuery, recordEvent } from '@svc/db/audit';
import {
  cancelQuery,
  findQuery,
  type LocalQuery,
  listQueries,
  type NewQuery,
  type QueryPosition,
  type StoredQuery,
  submitQuery,
} from '@svc/db/queries';
import { assignSlots } from '@svc/db/quotas';
import { countOthers, recordActivity } from '../audit/activity.ts';
import type { Context } from '../http/context.ts';
import { authenticate, MOMENT_MS, requireExisting } from '../http/guard/authorize.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { sessionOf } from '../http/request/session-request.ts';
import { alreadyFinished, notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route, routeWithoutTransaction } from '../http/route.ts';
import { requireStorage } from '../quotas/require-storage.ts';
import { retentionError } from '../retention/retention-error.ts';
import { jsonPage, resultResponse, resultUnavailableError } from './results.ts';
import { isVisibleToToken, visibleQuery } from './visible-text.ts';

function readInto(text: string): { namespace: string; table: string } {
  const at = text.lastIndexOf('.');
  const [namespace, table] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 0 && namespacePath.safeParse(namespace).success && tableName.safeParse(table).success)
    return { namespace, table };
  throw invalid({ pointer: '/into' }, 'must be <namespace>.<table>');
}

/** A statement that writes needs the permission for its table, and free storage; one that only counts changes nothing. */
async function requireWrite(
  ctx: Context<{ env: string }, unknown, { dry_run?: boolean | undefined }>,
  into: { namespace: string; table: string },
  creates: boolean,
): Promise<void> {
  const action = creates ? 'CREATE_TABLE' : 'WRITE_TABLE';
  const on = creates ? ctx.scope({ namespace: into.namespace }) : ctx.scope(into);
  ctx.require(action, on, await ctx.listGrants());
  if (ctx.body.dry_run === true) return;
  ctx.requireUnprotected(action, on);
  await requireStorage(ctx);
}

/** The table that a statement writes to, and how. A statement that changes rows has no mode. */
function targetOf({ sql, into, mode }: { sql: string; into?: string | undefined; mode?: IntoMode | undefined }): {
  into: { namespace: string; table: string } | null;
  mode: IntoMode | null;
} {
  if (into !== undefined) return { into: readInto(into), mode: mode ?? 'create' };
  const created = clonedTable(sql);
  return created === null ? { into: changedTable(sql), mode: null } : { into: created, mode: 'create' };
}

const create = routeWithoutTransaction(
  endpoints.create,
  async (ctx) => {
    const { body, caller } = ctx;
    const tooLong = statementFault(body.sql, ctx.deps.settings.queryMaxStatementBytes);
    if (tooLong !== null) throw invalid({ pointer: '/sql' }, tooLong);
    const { into, mode } = targetOf(body);
    if (into !== null) await requireWrite(ctx, into, mode === 'create');
    const id = ctx.deps.newId();
    const session = sessionOf(ctx.req);
    const limit = queryLimit(ctx.environment, ctx.deps.settings);
    const days = body.expire_after;
    const refused =
      days === undefined ? null : await retentionError(ctx, endpoints.create, { table: ctx.scope(into!), days });
    const query: NewQuery = {
      id,
      expireAfter: refused === null ? (body.expire_after ?? null) : null,
      retentionError: refused,
      environmentId: ctx.environment.id,
      environment: ctx.environment.name,
      submitterId: caller.id,
      submitter: caller.name,
      sql: body.sql,
      params: body.params ?? null,
      into,
      mode,
      useCache: body.cache ?? true,
      dryRun: (body.dry_run ?? false) || (session?.describe ?? false),
      origin: session?.origin ?? null,
      searchPath: session?.searchPath ?? null,
      breakGlass: ctx.breakGlass,
      tokenKind: caller.token.kind,
      tokenActions: ctx.tokenScope?.actions ?? null,
      runId: caller.token.run_id,
      requestId: ctx.requestId,
      traceparent: ctx.traceparent,
      waits: limit !== null,
      now: ctx.now,
    };
    // In a transaction, which isn't committed yet, it must go through the queue.
    const direct = ctx.query.wait > 0 && !query.waits && ctx.db === ctx.deps.db.prisma;
    const local = direct ? await ctx.deps.dispatcher.dispatch(query) : null;
    if (local !== null) {
      ctx.res.locals[LOCAL] = local;
      return visibleQuery(ctx, local.query);
    }
    const row = await submitQuery(ctx.db, query);
    if (limit !== null) await assignSlots(ctx.db, { environmentId: ctx.environment.id, limit });
    return visibleQuery(ctx, row);
  },
  // A rejected retention writes an event, and a quota slot is assigned after a second step, so both need a transaction.
  {
    needsNoTransaction: (ctx) =>
      ctx.body.expire_after === undefined && queryLimit(ctx.environment, ctx.deps.settings) === null,
    afterCommit: waitForResult,
  },
);

/** Where the response keeps the query that this process has started for it. */
const LOCAL = 'localQuery';

/** The finished query, or its state when `?wait=` has passed (`HTTP-9`), with the first page of its result if any. */
async function waitForResult(
  ctx: Context<{ env: string }, { wait: number; omit_result: boolean }>,
  submitted: Query,
): Promise<SubmittedQuery> {
  sessionOf(ctx.req)?.onStored(submitted.id);
  if (ctx.query.wait === 0) return submitted;
  const local = ctx.res.locals[LOCAL] as LocalQuery | undefined;
  const row = await finishedRow(ctx, submitted.id, local);
  const query = row === local?.query ? submitted : visibleQuery(ctx, row);
  // A repeated request returns the query of the first one, which may have had another token.
  const isHidden = !isVisibleToToken(ctx, row);
  if (ctx.query.omit_result || isHidden || resultUnavailableError(ctx, row) !== null) return query;
  const params = { env: ctx.params.env, id: row.id };
  const first = endpoints.results.query!.parse({});
  return { ...query, result: await jsonPage(ctx.at(endpoints.results.id, params, first), row, first.limit) };
}

/** The row of a query that was just submitted: finished, or as it is when `?wait=` has passed. */
async function finishedRow(
  ctx: Context<unknown, { wait: number }>,
  id: string,
  local: LocalQuery | undefined,
): Promise<StoredQuery> {
  // Rows are confidential, so a late response checks again that the token still works.
  const reauthorizeSubmitter = async () => {
    const now = ctx.deps.clock();
    if (now.getTime() - ctx.now.getTime() > MOMENT_MS) await authenticate(ctx.deps, ctx.req, ctx.target, now);
  };
  if (local !== undefined && isFinished(local.query)) {
    await reauthorizeSubmitter();
    return local.query;
  }
  const load = async () => {
    const [row] = await Promise.all([findQuery(ctx.db, id), reauthorizeSubmitter()]);
    return row!;
  };
  const finished = local?.finished.then(async (row) => {
    if (row !== undefined) await reauthorizeSubmitter();
    return row;
  });
  return ctx.waitUntilFinished({ startedId: id, local: finished, load, isFinished });
}

const list = route(endpoints.list, async (ctx) => {
  const { include_ended, status, submitter, limit } = ctx.query;
  const everyone = ctx.decide('MANAGE_ENVIRONMENT', scopeOf({ environment: ctx.target.environment })).allowed;
  const named = submitter === undefined ? null : await findPrincipal(ctx.db, submitter);
  if (submitter !== undefined && named === null && everyone) throw notFound('principal', submitter);
  const foreign = submitter !== undefined && named?.id !== ctx.caller.id;
  if (!everyone && foreign) return new PageResponse([], null);
  const filter = {
    environmentId: ctx.environment.id,
    submitterId: named?.id ?? (everyone ? undefined : ctx.caller.id),
    statuses: status,
    includeFinished: include_ended,
  };
  const page = await listQueries(ctx.db, { filter, limit, after: ctx.position<QueryPosition>(), now: ctx.now });
  await recordActivity(ctx, {
    view: 'queries',
    object: scopeOf({ environment: ctx.environment.name }),
    objectId: ctx.environment.id,
    filters: { include_ended, status: status ?? null, limit },
    ...countOthers(ctx, page.rows, (row) => row.submitter_id),
    targetingKey: everyone && foreign ? { submitter } : null,
  });
  return new PageResponse(
    page.rows.map((row) => visibleQuery(ctx, row)),
    page.next,
  );
});

const NOT_SUBMITTER = 'only the submitter can read the result of a query';

/** Names no action, since no grant helps. */
const notSubmitter = ({ target, caller }: Pick<Context, 'target' | 'caller'>) =>
  new AccessDeniedError(
    { action: null, object: target, reason: NOT_SUBMITTER },
    {
      detail: `${caller.name} may not read this result: ${NOT_SUBMITTER}. No grant opens it; submit the query yourself: svc sql`,
    },
  );

/** The query of the path. Callers without permission to see it can't learn whether it exists. */
async function load(ctx: Context<{ id: string }>, submitterOnly = false): Promise<StoredQuery> {
  const row = isUuid(ctx.params.id) ? await findQuery(ctx.db, ctx.params.id) : null;
  const here = row !== null && row.environment_id === ctx.object.environment?.id ? row : null;
  const own = here?.submitter_id === ctx.caller.id && isVisibleToToken(ctx, here);
  const manages = ctx.decide('MANAGE_ENVIRONMENT').allowed;
  if (!own && !manages) {
    if (submitterOnly) throw notSubmitter(ctx);
    throw ctx.denied(
      'MANAGE_ENVIRONMENT',
      ctx.target,
      'only its submitter and administrators of the environment can see it',
    );
  }
  requireExisting(ctx);
  if (here === null) throw notFound('query', ctx.params.id);
  if (!own && submitterOnly) throw notSubmitter(ctx);
  return here;
}

const get = route(
  endpoints.get,
  async (ctx) => {
    const row = await ctx.waitUntilFinished({ load: () => load(ctx), isFinished });
    return visibleQuery(ctx, row);
  },
  (ctx) => load(ctx),
);

const results = route(
  endpoints.results,
  async (ctx) => (await resultResponse(ctx, await load(ctx, true))) as never,
  (ctx) => load(ctx, true),
);

const CANCELLED = { code: 'cancelled', detail: 'The query was cancelled before it started.', remedy: null };

/** No worker finishes a query that never started. The event's actor is the submitter, as for every query. */
function recordCancellation(ctx: Context<{ id: string }>, row: StoredQuery): Promise<void> {
  const detail = completedQuery({ ...row, status: 'cancelled', tables: [] }, ctx.deps.settings.auditQueryText);
  return recordEvent(ctx.db, {
    id: ctx.deps.newId(),
    time: ctx.now,
    type: 'QUERY_COMPLETED',
    principal: { id: row.submitter_id, name: row.submitter ?? '' },
    object: scopeOf({ environment: ctx.environment.name }),
    environmentId: ctx.environment.id,
    requestId: ctx.requestId,
    detail,
  });
}

const cancel = route(
  endpoints.cancel,
  async (ctx) => {
    const row = await load(ctx);
    const { cancelled, finished, isFirst } = await cancelQuery(ctx.db, { id: row.id, error: CANCELLED, now: ctx.now });
    if (!cancelled) throw alreadyFinished('query', row.status);
    if (isFirst && row.submitter_id !== ctx.caller.id) {
      const object = scopeOf({ environment: ctx.environment.name });
      const detail = { query_id: row.id, submitter: row.submitter };
      await ctx.audit({ type: 'QUERY_CANCEL_REQUESTED', object, detail });
    }
    if (finished) await recordCancellation(ctx, row);
    return visibleQuery(ctx, (await findQuery(ctx.db, row.id))!);
  },
  (ctx) => load(ctx),
);

export const queryRoutes: Route[] = [create, list, get, results, cancel];
