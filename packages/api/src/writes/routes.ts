import { scopeOf } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { writeEndpoints as endpoints, isEnded, LOAD_MEDIA_TYPES } from '@svc/core/writes';
import { heldGrants } from '@svc/db/access';
import { findTableById } from '@svc/db/tables';
import { findWrite, type StoredWrite, submitWrite, writeRecord } from '@svc/db/writes';
import { requireExisting } from '../http/authorise.ts';
import { type Context, notFound } from '../http/context.ts';
import { type Route, route, uploadRoute } from '../http/route.ts';
import { stageUpload } from './staging.ts';

/** Uploads are streamed: this bounds what one may stage, in bytes. */
const UPLOAD_LIMIT = 1024 ** 4;

function requireManaged(ctx: Context): void {
  ctx.requireUnprotected('WRITE_TABLE');
  const { kind, name } = ctx.table;
  if (kind === 'managed') return;
  throw new Problem('not-a-managed-table', `${name} is of kind ${kind}: rows are loaded into managed tables only.`);
}

const create = uploadRoute(
  endpoints.create,
  async (ctx) => {
    // Before the first byte is taken, so that nobody uploads in vain.
    requireManaged(ctx);
    return stageUpload(ctx, 'staged', ctx.deps.newId(), UPLOAD_LIMIT);
  },
  async (ctx, staged) => {
    requireManaged(ctx);
    const type = ctx.req.get('content-type')!.split(';')[0]!.trim().toLowerCase() as keyof typeof LOAD_MEDIA_TYPES;
    const id = ctx.deps.newId();
    await submitWrite(ctx.db, {
      id,
      environmentId: ctx.environment.id,
      tableId: ctx.table.id,
      requestedBy: ctx.caller.id,
      mode: ctx.query.mode,
      format: LOAD_MEDIA_TYPES[type],
      stagedLocation: staged.location,
      watermark: ctx.query.watermark ?? null,
      breakGlass: ctx.breakGlass,
      runId: ctx.caller.token.run_id,
      requestId: ctx.requestId,
      now: ctx.now,
    });
    return writeRecord((await findWrite(ctx.db, id))!);
  },
);

/** The write of the path: its requester's, or of a table that the caller may read. */
async function load(ctx: Context<{ id: string }>): Promise<StoredWrite> {
  const found = isUuid(ctx.params.id) ? await findWrite(ctx.db, ctx.params.id) : null;
  const row = found !== null && found.environment_id === ctx.object.environment?.id ? found : null;
  const own = row?.requested_by === ctx.caller.id;
  if (!own) {
    const held = await heldGrants(ctx.db, {
      principalId: ctx.caller.id,
      environmentId: ctx.object.environment?.id ?? null,
    });
    const table = row === null ? null : await findTableById(ctx.db, row.table_id);
    const readable =
      table !== null &&
      ctx.decide('READ_TABLE', ctx.scope({ namespace: table.namespace, table: table.name }), held).allowed;
    // An unknown write and one of a hidden table are refused alike.
    if (!readable) ctx.require('READ_TABLE', scopeOf({ environment: ctx.asked.environment }), held);
  }
  requireExisting(ctx);
  if (row === null) throw notFound('write', ctx.params.id);
  return row;
}

const get = route(
  endpoints.get,
  async (ctx) => {
    const first = await load(ctx);
    const look = () => findWrite(ctx.db, first.id).then((row) => row ?? first);
    const row = isEnded(first)
      ? first
      : await ctx.waitForEnd({ id: first.id, seconds: ctx.query.wait, look, ended: isEnded });
    return writeRecord(row);
  },
  load,
);

export const writeRoutes: Route[] = [create, get];
