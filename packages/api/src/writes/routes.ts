import { ApiError } from '@svc/core/errors';
import { writeEndpoints as endpoints, isFinished, LOAD_MEDIA_TYPES } from '@svc/core/writes';
import { findWrite, type StoredWrite, submitWrite, writeRecord } from '@svc/db/writes';
import type { Context } from '../http/context.ts';
import { uploadHasher } from '../http/request/idempotency.ts';
import { type Route, route, uploadRoute } from '../http/route.ts';
import { requireStorage } from '../quotas/require-storage.ts';
import { requireTableWork } from '../tables/table-work.ts';
import { blankMark } from './byte-order-mark.ts';
import { stageUpload } from './staging.ts';

/** Maximum size of an upload in bytes. Uploads are streamed, so memory doesn't limit them. */
const UPLOAD_LIMIT = 1024 ** 4;

function requireManaged(ctx: Context): void {
  ctx.requireUnprotected('WRITE_TABLE');
  const { kind } = ctx.table;
  if (kind === 'managed') return;
  throw new ApiError(
    'not-a-managed-table',
    `${ctx.tableName} is of kind ${kind}: rows can only be loaded into managed tables.`,
  );
}

/** The format for the Content-Type, which has been validated already. */
function formatOf({ req }: Pick<Context, 'req'>) {
  const type = req.get('content-type')!.split(';')[0]!.trim().toLowerCase();
  return LOAD_MEDIA_TYPES[type as keyof typeof LOAD_MEDIA_TYPES];
}

const create = uploadRoute(
  endpoints.create,
  async (ctx) => {
    // Checked before the first byte is read, so that nobody uploads a file that would be rejected.
    requireManaged(ctx);
    await requireStorage(ctx);
    const as = formatOf(ctx) === 'ndjson' ? blankMark : undefined;
    return stageUpload(ctx, 'staged', ctx.deps.newId(), UPLOAD_LIMIT, uploadHasher(ctx), as);
  },
  async (ctx, staged) => {
    requireManaged(ctx);
    const id = ctx.deps.newId();
    await submitWrite(ctx.db, {
      id,
      environmentId: ctx.environment.id,
      tableId: ctx.table.id,
      requestedBy: ctx.caller.id,
      mode: ctx.query.mode,
      format: formatOf(ctx),
      stagedLocation: staged.location,
      watermark: ctx.query.watermark ?? null,
      breakGlass: ctx.breakGlass,
      runId: ctx.caller.token.run_id,
      requestId: ctx.requestId,
      traceparent: ctx.traceparent,
      now: ctx.now,
    });
    return writeRecord((await findWrite(ctx.db, id))!);
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
