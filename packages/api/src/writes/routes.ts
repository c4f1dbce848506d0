import { MAX_UPLOAD_BYTES } from '@svc/core/uploads';
import { writeEndpoints as endpoints, isFinished } from '@svc/core/writes';
import { findWrite, type StoredWrite, writeRecord } from '@svc/db/writes';
import type { Context } from '../http/context.ts';
import { uploadHasher } from '../http/request/idempotency.ts';
import { type Route, route, uploadRoute } from '../http/route.ts';
import { requireStorage } from '../quotas/require-storage.ts';
import { requireTableWork } from '../tables/table-work.ts';
import { blankMark } from './byte-order-mark.ts';
import { mergeKey } from './merge-key.ts';
import { requireManaged } from './require-managed.ts';
import { formatOf, stageUpload } from './staging.ts';
import { submit } from './submit.ts';

const create = uploadRoute(
  endpoints.create,
  async (ctx) => {
    // Checked before the first byte is read, so that nobody uploads a file that would be rejected.
    requireManaged(ctx);
    await mergeKey(ctx, ctx.query, 'query');
    await requireStorage(ctx);
    const as = formatOf(ctx) === 'ndjson' ? blankMark : undefined;
    return stageUpload(ctx, 'staged', ctx.deps.newId(), MAX_UPLOAD_BYTES, uploadHasher(ctx), as);
  },
  async (ctx, { location }) => {
    requireManaged(ctx);
    const key = await mergeKey(ctx, ctx.query, 'query');
    return submit(ctx, { format: formatOf(ctx), locations: [location] }, { ...ctx.query, key });
  },
);

const load = (ctx: Context<{ id: string }>): Promise<StoredWrite> =>
  requireTableWork(ctx, 'write', (id) => findWrite(ctx.db, id));

const get = route(
  endpoints.get,
  async (ctx) => {
    const row = await ctx.waitUntilFinished({ load: () => load(ctx), isFinished });
    return writeRecord(row);
  },
  load,
);

export const writeRoutes: Route[] = [create, get];
