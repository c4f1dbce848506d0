import { environmentEndpoints as endpoints, type OrphanedLocation } from '@svc/core/environments';
import { lockLocations } from '@svc/db/catalog';
import { inTransaction } from '@svc/db/connection';
import { foldersWithoutRecord } from '@svc/db/drops';
import { tableFolders } from '@svc/lake/tables';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { type Route, route, routeWithoutTransaction } from '../http/route.ts';

/** Younger files are left alone, because a writer may not have committed them yet. */
const YOUNGEST_MS = 24 * 3_600_000;
const BATCH = 500;
/** Maximum number of files removed per request, so that it finishes in time. */
const MAX_FILES = 10_000;

/** Yields folders of the environment's tables that no record references and that are at least a day old. */
async function* orphaned(ctx: Context): AsyncGenerator<OrphanedLocation> {
  const before = ctx.now.getTime() - YOUNGEST_MS;
  const root = `${ctx.storageRoot}/tables/${ctx.environment.id}`;
  for await (const batch of tableFolders(ctx.deps.store, root, 1, BATCH)) {
    const free = await foldersWithoutRecord(
      ctx.deps.db.prisma,
      batch.map(({ location }) => location),
    );
    for (const { location, files, bytes, youngest } of batch) {
      if (!free.has(location) || youngest >= before) continue;
      yield { location, files, bytes, modified_at: new Date(youngest).toISOString() };
    }
  }
}

const list = route(endpoints.listOrphaned, async (ctx) => {
  const found: OrphanedLocation[] = [];
  for await (const location of orphaned(ctx)) found.push(location);
  return allOrPage(ctx, found, ({ location }) => [location]);
});

/**
 * Checks a folder again right before its removal: the removal of others takes long, and an engine may have created or
 * registered a table in it since. The lock waits for engines that are doing so.
 */
function isStillOrphaned({ deps }: Pick<Context, 'deps'>, location: string): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    await lockLocations(tx);
    return (await foldersWithoutRecord(tx, [location])).has(location);
  });
}

const removeLocations = async (ctx: Context<unknown, { location?: string | undefined }>) => {
  const removed = { locations: [] as string[], files: 0, bytes: 0, more: false };
  try {
    for await (const { location } of orphaned(ctx as Context)) {
      if (ctx.query.location !== undefined && ctx.query.location !== location) continue;
      if (!(await isStillOrphaned(ctx, location))) continue;
      const { files, bytes, done } = await ctx.deps.store.removePrefix(location, { limit: MAX_FILES - removed.files });
      removed.files += files;
      removed.bytes += bytes;
      if (done) removed.locations.push(location);
      removed.more = !done || removed.files >= MAX_FILES;
      if (removed.more) break;
    }
  } finally {
    // An interrupted removal is recorded, too, with the files that it removed.
    if (removed.files > 0)
      await ctx.audit({
        type: 'ORPHANED_LOCATIONS_REMOVED',
        object: ctx.target,
        detail: { locations: removed.locations, files: removed.files, bytes: removed.bytes },
      });
  }
  return removed;
};

/** Runs without a transaction: storage may take longer than one may last, and a rollback can't bring files back. */
const remove = routeWithoutTransaction(endpoints.removeOrphaned, removeLocations, { needsNoTransaction: () => true });

export const orphanRoutes: Route[] = [list, remove];
