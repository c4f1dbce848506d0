import { MAX_UPLOAD_BYTES } from '@svc/core/uploads';
import { writeEndpoints as endpoints, isFinished } from '@svc/core/writes';
import { findWrite, type StoredWrite } from '@svc/db/writes';
import type { Context } from '../http/context.ts';
import { uploadHasher } from '../http/request/idempotency.ts';
import { type Route, route, uploadRoute } from '../http/route.ts';
import { requireStorage } from '../quotas/require-storage.ts';
import { requireTableWork } from '../tables/table-work.ts';
import { mergeKey } from './merge-key.ts';
import { rejectedLines } from './rejected-lines.ts';
import { remoteFile, requireAllowedUrl } from './remote-file.ts';
import { requireLoadFields } from './require-load-fields.ts';
import { requireManaged } from './require-managed.ts';
import { formatOf, stageUpload } from './staging.ts';
import { submit } from './submit.ts';
import { visibleWrite } from './visible-write.ts';

const create = uploadRoute(
  endpoints.create,
  async (ctx) => {
    // Checked before the first byte is read, so that nobody uploads a file that would be rejected.
    requireManaged(ctx);
    requireLoadFields(ctx.query, formatOf(ctx), 'query');
    await mergeKey(ctx, ctx.query, 'query');
    const { url } = ctx.query;
    requireAllowedUrl(ctx, url);
    await requireStorage(ctx);
    const remote = url === undefined ? undefined : remoteFile(ctx, url);
    return stageUpload(ctx, 'staged', ctx.deps.newId(), MAX_UPLOAD_BYTES, uploadHasher(ctx), remote);
  },
  async (ctx, { location }) => {
    requireManaged(ctx);
    const key = await mergeKey(ctx, ctx.query, 'query');
    const files = [{ name: null, locations: [location] }];
    return submit(ctx, { format: formatOf(ctx), files }, { ...ctx.query, key });
  },
);

const load = (ctx: Context<{ id: string }>): Promise<StoredWrite> =>
  requireTableWork(ctx, 'write', (id) => findWrite(ctx.db, id));

const get = route(
  endpoints.get,
  async (ctx) => {
    const row = await ctx.waitUntilFinished({ load: () => load(ctx), isFinished });
    return visibleWrite(ctx, row);
  },
  load,
);

const rejected = route(endpoints.rejected, async (ctx) => rejectedLines(ctx, await load(ctx)), load);

export const writeRoutes: Route[] = [create, get, rejected];
