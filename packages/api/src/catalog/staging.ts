import { badRequest, type CommitBody, commitBody, missing, STAGING_NAMESPACE, stagingId } from '@svc/core/catalog';
import { commitToStaging, findStaging, type StoredStaging } from '@svc/db/staging';
import { commitTable, readTableMetadata, tableIds } from '@svc/iceberg';
import type { Context } from '../http/context.ts';
import { requireUnlimited } from '../http/guard/session-limit.ts';
import { parseCatalogBody, readCatalogBody } from './protocol/body.ts';
import { type CatalogContext, fullName } from './protocol/context.ts';
import { type CatalogResponse, NO_CONTENT } from './protocol/response.ts';
import type { CatalogRoute } from './protocol/route.ts';
import { tableResponse } from './tables/load.ts';
import { commitRefusal, requirementsOf, requireOwnFiles, updatesOf } from './tables/table-commit.ts';

/** The staging table that a path names, if the caller is the account of the engine that it is for. */
export async function stagingOf(ctx: CatalogContext): Promise<StoredStaging | null> {
  const { namespace, table } = ctx.params;
  const id = namespace === STAGING_NAMESPACE && table !== undefined ? stagingId(table) : null;
  const { environment } = ctx.object;
  if (id === null || environment === null || environment.deleted_at !== null) return null;
  return findStaging(ctx.db, { id, environmentId: environment.id, principalId: ctx.caller.id });
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
  ctx.require('READ_TABLE', ctx.scope());
  switch (endpoint.id) {
    case 'tableExists':
    case 'reportMetrics':
      return NO_CONTENT;
    case 'loadTable':
      return described(ctx, staging.id, staging.metadataLocation);
    case 'updateTable':
      return commit(ctx, staging);
    default:
      throw missing('table', fullName(ctx.params.namespace, ctx.params.table));
  }
}

/** Without credentials: the account has no permissions on the table that gets the rows. */
const described = (ctx: CatalogContext, id: string, metadataLocation: string) =>
  tableResponse(ctx, { id, name: ctx.params.table, metadataLocation, location: null, bound: false });

/** Stores the rows of the statement. There is no second commit, so a statement that was sent twice doesn't write its rows twice. */
async function commit(ctx: CatalogContext, { id, location, metadataLocation, isWritten }: StoredStaging) {
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
  return described(ctx, id, result.metadataLocation);
}

const WRITTEN = 'The rows of this staging table are written already.';
