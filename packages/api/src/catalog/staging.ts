import {
  badRequest,
  type CommitBody,
  commitBody,
  missing,
  type SignRequestBody,
  STAGING_NAMESPACE,
  signRequestBody,
  stagingId,
} from '@svc/core/catalog';
import { commitToStaging, findStaging, type StoredStaging } from '@svc/db/staging';
import { commitTable, readTableMetadata, tableIds } from '@svc/iceberg';
import type { Context } from '../http/context.ts';
import { requireUnlimited } from '../http/guard/session-limit.ts';
import { parseCatalogBody, readCatalogBody } from './protocol/body.ts';
import { type CatalogContext, fullName } from './protocol/context.ts';
import { type CatalogResponse, NO_CONTENT, ok } from './protocol/response.ts';
import type { CatalogRoute } from './protocol/route.ts';
import { type DelegatedTable, storageCredentials } from './tables/delegation.ts';
import { tableResponse } from './tables/load.ts';
import { signRequestFor } from './tables/sign.ts';
import { commitRefusal, requirementsOf, requireOwnFiles, updatesOf } from './tables/table-commit.ts';

/** The staging table that a path names, if it is for the caller: the account of an engine, or the token of a task. */
export async function stagingOf(ctx: CatalogContext): Promise<StoredStaging | null> {
  const { namespace, table } = ctx.params;
  const id = namespace === STAGING_NAMESPACE && table !== undefined ? stagingId(table) : null;
  const { environment } = ctx.object;
  if (id === null || environment === null || environment.deleted_at !== null) return null;
  const { id: principalId, token } = ctx.caller;
  return findStaging(ctx.db, { id, environmentId: environment.id, principalId, taskId: token.task_id });
}

/**
 * A request for a staging table. It exists only for the statement that writes it, and whatever reads tables can write it: the rows
 * become visible when the service commits them to their table.
 */
export async function serveStaging(
  ctx: CatalogContext,
  { endpoint }: CatalogRoute,
  staging: StoredStaging,
): Promise<CatalogResponse> {
  requireUnlimited(ctx as Context, endpoint);
  // The worker has checked what the principal of a run may write.
  if (!ctx.isTask) ctx.require('READ_TABLE', ctx.scope());
  switch (endpoint.id) {
    case 'tableExists':
    case 'reportMetrics':
      return NO_CONTENT;
    case 'loadTable':
      return described(ctx, staging);
    case 'updateTable':
      return commit(ctx, staging);
    case 'signRequest':
      return signRequestFor(await withSignBody(ctx), staging);
    case 'loadCredentials':
      return ok({ 'storage-credentials': await storageCredentials(ctx, delegated(ctx, staging)) });
  }
  throw missing('table', fullName(ctx.params.namespace, ctx.params.table));
}

async function withSignBody(ctx: CatalogContext): Promise<CatalogContext<SignRequestBody>> {
  const body = parseCatalogBody(await readCatalogBody(ctx.req), signRequestBody);
  return ctx.withBody(body) as CatalogContext<SignRequestBody>;
}

/** Its owner may write its folder, and read the files of the table whose rows it has first. */
const delegated = (ctx: CatalogContext, { id, location, baseLocation, metadataLocation }: StoredStaging) =>
  ({
    id,
    name: ctx.params.table,
    location,
    metadataLocation,
    staged: { reads: baseLocation },
  }) satisfies DelegatedTable;

const described = (ctx: CatalogContext, staging: StoredStaging) =>
  tableResponse(ctx, { ...delegated(ctx, staging), bound: false });

/** Stores the rows of the statement. There is no second commit, so a statement that was sent twice doesn't write its rows twice. */
async function commit(ctx: CatalogContext, staging: StoredStaging) {
  const { id, location, metadataLocation, isWritten } = staging;
  const body = parseCatalogBody(await readCatalogBody(ctx.req), commitBody) as CommitBody;
  if (isWritten) throw badRequest(WRITTEN);
  const updates = updatesOf(body);
  requireOwnFiles(ctx, location, updates);
  const { store } = ctx.deps;
  const result = await commitTable({
    store,
    current: { metadataLocation, metadata: await readTableMetadata(store, metadataLocation) },
    requirements: requirementsOf(body),
    updates,
    now: ctx.now.getTime(),
    ids: tableIds(ctx.deps),
    swap: (next) => commitToStaging(ctx.db, { id, metadataLocation: next.metadataLocation }),
  });
  if (!result.ok) throw result.kind === 'conflict' ? badRequest(WRITTEN) : commitRefusal(result);
  const committed = { ...delegated(ctx, staging), metadataLocation: result.metadataLocation };
  return tableResponse(ctx, { ...committed, location: null, bound: false });
}

const WRITTEN = 'The rows of this staging table are written already.';
