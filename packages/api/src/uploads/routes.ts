import { createHash } from 'node:crypto';
import { ApiError, invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { uploadEndpoints as endpoints, partBytes, partCount, sizeOfPart } from '@svc/core/uploads';
import {
  deleteUpload,
  findUpload,
  findUploads,
  finishUploads,
  type StoredUpload,
  startUpload,
  storePart,
  uploadRecord,
} from '@svc/db/uploads';
import { findWrite, writeRecord } from '@svc/db/writes';
import type { Context } from '../http/context.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route, uploadRoute } from '../http/route.ts';
import { requireStorage } from '../quotas/require-storage.ts';
import { mergeKey } from '../writes/merge-key.ts';
import { requireLoadFields } from '../writes/require-load-fields.ts';
import { requireManaged } from '../writes/require-managed.ts';
import { stageUpload } from '../writes/staging.ts';
import { submit } from '../writes/submit.ts';

/** How long an upload waits for its next part. */
const HOURS = 24;

const expiryOf = (ctx: Context): Date => new Date(ctx.now.getTime() + HOURS * 3_600_000);

/** The caller's upload of the path; anyone else's doesn't exist for the caller. */
async function requireUpload(ctx: Context<{ id: string }>, { lock = false } = {}): Promise<StoredUpload> {
  const { id } = ctx.params;
  const key = { id, tableId: ctx.table.id, requestedBy: ctx.caller.id, lock };
  const row = isUuid(id) ? await findUpload(ctx.db, key) : null;
  if (row === null) throw notFound('upload', id);
  return row;
}

/** The same, unless its file is loaded already. */
async function requireUnfinished(ctx: Context<{ id: string }>, options = {}): Promise<StoredUpload> {
  const row = await requireUpload(ctx, options);
  if (row.write_id !== null) throw notFound('unfinished upload', row.id);
  return row;
}

const fileOf = ({ size, part_bytes }: StoredUpload) => ({ size: Number(size), part_bytes });

const create = route(endpoints.create, async (ctx) => {
  requireManaged(ctx);
  await requireStorage(ctx);
  const { format, size, fingerprint = null, name = null } = ctx.body;
  const id = await startUpload(ctx.db, {
    id: ctx.deps.newId(),
    environmentId: ctx.environment.id,
    tableId: ctx.table.id,
    requestedBy: ctx.caller.id,
    format,
    size,
    partBytes: partBytes(size),
    fingerprint,
    name,
    now: ctx.now,
    expiresAt: expiryOf(ctx),
  });
  const key = { id, tableId: ctx.table.id, requestedBy: ctx.caller.id };
  return uploadRecord((await findUpload(ctx.db, key))!);
});

const get = route(endpoints.get, async (ctx) => uploadRecord(await requireUnfinished(ctx)));

function partNumber(upload: StoredUpload, text: string): number {
  const count = partCount(fileOf(upload));
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > count) throw notFound('part', `${text} of ${count}`);
  return number;
}

const putPart = uploadRoute(
  endpoints.putPart,
  async (ctx) => {
    requireManaged(ctx);
    const upload = await requireUnfinished(ctx);
    const number = partNumber(upload, ctx.params.number);
    await requireStorage(ctx);
    const expected = sizeOfPart(fileOf(upload), number);
    const staged = await stageUpload(ctx, 'staged', ctx.deps.newId(), expected, createHash('sha256'));
    if (staged.value.size === expected) return staged;
    await staged.discard();
    throw invalid({ pointer: '' }, `part ${number} must have ${expected} bytes, but has ${staged.value.size}`);
  },
  async (ctx, { location, size, hash }) => {
    // The upload may have been finished or cancelled while the part arrived.
    const upload = await requireUnfinished(ctx, { lock: true });
    const part = { number: partNumber(upload, ctx.params.number), size, sha256: hash.toString('hex'), location };
    // The sweep removes the file of a part that is replaced.
    await storePart(ctx.db, { uploadId: upload.id, part, expiresAt: expiryOf(ctx) });
    return { number: part.number, size, sha256: part.sha256 };
  },
);

const finish = route(endpoints.finish, async (ctx) => {
  requireManaged(ctx);
  const { also = [], ...fields } = ctx.body;
  const [upload, ...others] = await requireUploads(ctx, also);
  // A client that lost the response repeats the request.
  if (upload!.write_id !== null) return writeRecord((await findWrite(ctx.db, upload!.write_id))!);
  const uploads = [upload!, ...others];
  for (const { id, write_id, format } of others) {
    if (write_id !== null) throw notFound('unfinished upload', id);
    if (format !== upload!.format)
      throw invalid({ pointer: '/also' }, `the upload ${id} is ${format}, but the first one is ${upload!.format}`);
  }
  for (const each of uploads)
    if (each.parts.length < partCount(fileOf(each))) throw incomplete(each, others.length > 0);
  requireLoadFields(fields, upload!.format, 'body');
  const key = await mergeKey(ctx, fields, 'body');
  const files = uploads.map(({ name, parts }) => ({ name, locations: parts.map(({ location }) => location) }));
  const write = await submit(ctx, { format: upload!.format, files }, { ...fields, key });
  await finishUploads(ctx.db, { ids: uploads.map(({ id }) => id), writeId: write.id });
  return write;
});

/** The upload of the path and further ones, in this order, which nobody else changes until the transaction ends. */
async function requireUploads(ctx: Context<{ id: string }>, also: readonly string[]): Promise<StoredUpload[]> {
  const { id } = ctx.params;
  if (also.length === 0) return [await requireUpload(ctx, { lock: true })];
  const ids = [id, ...also].map((each) => each.toLowerCase());
  const repeated = ids.find((each, i) => ids.indexOf(each) < i);
  if (repeated !== undefined) throw invalid({ pointer: '/also' }, `names the upload ${repeated} twice`);
  const key = { ids: ids.filter(isUuid), tableId: ctx.table.id, requestedBy: ctx.caller.id, lock: true };
  const found = new Map((await findUploads(ctx.db, key)).map((row) => [row.id, row]));
  return ids.map((each) => {
    const row = found.get(each);
    if (row === undefined) throw notFound('upload', each);
    return row;
  });
}

function incomplete(upload: StoredUpload, isOneOfSeveral: boolean): ApiError {
  const { id, name, parts } = upload;
  const count = partCount(fileOf(upload));
  const arrived = new Set(parts.map(({ number }) => number));
  const first = Array.from({ length: count }, (_, i) => i + 1).find((number) => !arrived.has(number));
  const which = isOneOfSeveral ? ` of the upload ${id}${name === null ? '' : ` (${name})`}` : '';
  return new ApiError(
    'upload-incomplete',
    `${count - parts.length} of ${count} parts${which} have not arrived yet; the first of them is part ${first}.`,
  );
}

const cancel = route(endpoints.cancel, async (ctx) => {
  const upload = await requireUnfinished(ctx, { lock: true });
  // The sweep removes the files of its parts.
  await deleteUpload(ctx.db, upload.id);
  return undefined;
});

export const uploadRoutes: Route[] = [create, get, putPart, finish, cancel];
