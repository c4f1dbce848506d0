import { environmentEndpoints as endpoints, type OrphanedLocation } from '@svc/core/environments';
import { foldersWithoutRecord } from '@svc/db/drops';
import { tableFolders } from '@svc/lake/tables';
import { wholeOrPage } from '../http/answer/whole-list.ts';
import type { Context } from '../http/context.ts';
import { type Route, route, singleRoute } from '../http/route.ts';

/** Nothing younger is touched: a writer under way has not committed it yet. */
const YOUNGEST_MS = 24 * 3_600_000;
const BATCH = 500;
/** Files that one request removes at the most, so that it ends in time. */
const MOST_FILES = 10_000;

/** Folders of the environment's tables that no record names, a day old at least, as they are found. */
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
  return wholeOrPage(ctx, found, ({ location }) => [location]);
});

const removeLocations = async (ctx: Context<unknown, { location?: string | undefined }>) => {
  const removed = { locations: [] as string[], files: 0, bytes: 0, more: false };
  try {
    for await (const { location } of orphaned(ctx as Context)) {
      if (ctx.query.location !== undefined && ctx.query.location !== location) continue;
      const { files, bytes, done } = await ctx.deps.store.removePrefix(location, { limit: MOST_FILES - removed.files });
      removed.files += files;
      removed.bytes += bytes;
      if (done) removed.locations.push(location);
      removed.more = !done || removed.files >= MOST_FILES;
      if (removed.more) break;
    }
  } finally {
    // Of a removal that broke off, what is gone is told too.
    if (removed.files > 0)
      await ctx.audit({
        type: 'ORPHANED_LOCATIONS_REMOVED',
        object: ctx.asked,
        detail: { locations: removed.locations, files: removed.files, bytes: removed.bytes },
      });
  }
  return removed;
};

/** Storage may take longer than a transaction may last, and the files would be gone all the same. */
const remove = singleRoute(endpoints.removeOrphaned, removeLocations, { single: () => true });

export const orphanRoutes: Route[] = [list, remove];
