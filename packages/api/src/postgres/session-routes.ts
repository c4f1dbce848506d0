import { decide } from '@svc/core/access';
import { endpoint, needs } from '@svc/core/contract';
import { queryParamsSchema } from '@svc/core/queries';
import { findNamespace } from '@svc/db/namespaces';
import { findTable } from '@svc/db/tables';
import * as z from 'zod';
import type { ApiDeps } from '../http/deps.ts';
import { clientGone } from '../http/response/client-gone.ts';
import { type Route, route, routeWithoutTransaction } from '../http/route.ts';
import {
  answerCatalog,
  type CatalogDescription,
  type CatalogOutcome,
  type CatalogRequest,
  type CatalogSession,
  describeCatalog,
} from './introspection/index.ts';

const params = z.object({ env: z.string() });

const tableName = z.tuple([z.string(), z.string()]);

/**
 * Routes that only the sessions of this process can call. They aren't part of the contract, but authentication, authorization and
 * events are those of every route.
 */
export const sessionEndpoints = {
  open: endpoint({
    id: 'postgres.open',
    method: 'GET',
    path: '/postgres/{env}',
    summary: 'Open a session',
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    response: {
      status: 200,
      schema: z.object({ principal: z.string(), environment: z.string(), token_id: z.string() }),
    },
  }),
  catalog: endpoint({
    id: 'postgres.catalog',
    method: 'POST',
    path: '/postgres/{env}/catalog',
    summary: 'Answer a statement that only reads the catalog',
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    body: z.object({
      sql: z.string(),
      params: queryParamsSchema.nullable(),
      describe: z.boolean(),
      search_path: z.array(z.string()),
      settings: z.record(z.string(), z.string()),
      pid: z.number(),
      address: z.string().nullable(),
    }),
    response: { status: 200, schema: z.custom<CatalogOutcome | CatalogDescription>() },
  }),
  table: endpoint({
    id: 'postgres.table',
    method: 'POST',
    path: '/postgres/{env}/table',
    summary: 'Find the first of several tables that exists and that the caller may read',
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    body: z.object({ names: z.array(tableName) }),
    response: { status: 200, schema: z.object({ name: tableName.nullable() }) },
  }),
  namespace: endpoint({
    id: 'postgres.namespace',
    method: 'POST',
    path: '/postgres/{env}/namespace',
    summary: 'Find the first of several namespaces that exists and in which the caller may create tables',
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    body: z.object({ paths: z.array(z.string()) }),
    response: { status: 200, schema: z.object({ path: z.string().nullable() }) },
  }),
};

const open = route(sessionEndpoints.open, async ({ caller, environment }) => ({
  principal: caller.name,
  environment: environment.name,
  token_id: caller.token.id,
}));

const catalog = routeWithoutTransaction(
  sessionEndpoints.catalog,
  async (ctx) => {
    const { body, caller, environment, deps } = ctx;
    const session = {
      caller: { id: caller.id, name: caller.name },
      environment: { id: environment.id, name: environment.name },
      grants: await ctx.listGrants(),
      tokenActions: ctx.tokenScope?.actions ?? null,
      searchPath: body.search_path,
      settings: new Map(Object.entries(body.settings)),
      pid: body.pid,
      address: body.address,
    };
    const signal = clientGone(ctx.res);
    const request = { sql: body.sql, params: body.params, signal };
    try {
      return await inSlot<CatalogOutcome | CatalogDescription>(deps, signal, () =>
        body.describe ? describeCatalog(deps, session, request) : answer(deps, session, request),
      );
    } catch (error) {
      if (!signal.aborted) throw error;
      return NOT_ANSWERED;
    }
  },
  { needsNoTransaction: () => true },
);

/** Nobody gets it, because the client has cancelled its statement. */
const NOT_ANSWERED = { kind: 'not-catalog' } as const;

/** Runs work when a slot for statements about the catalog is free. Rejects once the signal is aborted. */
async function inSlot<T>({ catalogSlots }: ApiDeps, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await catalogSlots.take(signal);
  try {
    return await work();
  } finally {
    catalogSlots.release();
  }
}

async function answer(deps: ApiDeps, session: CatalogSession, request: CatalogRequest): Promise<CatalogOutcome> {
  const outcome = await answerCatalog(deps, session, request);
  // Nobody reads the file of an answer that nobody gets.
  if (request.signal.aborted && outcome.kind === 'rows' && outcome.location !== null)
    await deps.store.remove(outcome.location);
  return outcome;
}

/** Tables that the caller may not read are passed over without an event, because the statement doesn't mean them. */
const table = routeWithoutTransaction(
  sessionEndpoints.table,
  async (ctx) => {
    const grants = await ctx.listGrants();
    for (const [namespace, name] of ctx.body.names) {
      if (!decide(grants, 'READ_TABLE', ctx.scope({ namespace, table: name })).allowed) continue;
      const found = await findTable(ctx.db, { environmentId: ctx.environment.id, namespace, name });
      if (found !== null) return { name: [namespace, name] as [string, string] };
    }
    return { name: null };
  },
  { needsNoTransaction: () => true },
);

/** Namespaces in which the caller may not create tables are passed over without an event, because the statement doesn't mean them. */
const namespace = routeWithoutTransaction(
  sessionEndpoints.namespace,
  async (ctx) => {
    const grants = await ctx.listGrants();
    for (const path of ctx.body.paths) {
      if (!decide(grants, 'CREATE_TABLE', ctx.scope({ namespace: path })).allowed) continue;
      const found = await findNamespace(ctx.db, { environmentId: ctx.environment.id, path });
      if (found !== null) return { path };
    }
    return { path: null };
  },
  { needsNoTransaction: () => true },
);

export const sessionRoutes: Route[] = [open, catalog, table, namespace];
