import * as z from 'zod';
import { endpoint, needs } from '../contract/index.ts';
import { tableParams, tablePath } from '../tables/params.ts';
import { loadFields, writeSchema } from '../writes/contract.ts';
import { LOAD_MEDIA_TYPES } from '../writes/media-types.ts';

/** Maximum size of a file in bytes. Uploads are streamed, so memory doesn't limit them. */
export const MAX_UPLOAD_BYTES = 1024 ** 4;

/** Maximum number of files in one load. */
export const MAX_FILES = 10_000;
const MAX_NAME = 255;

const time = z.iso.datetime();

const partSchema = z.object({ number: z.int(), size: z.int(), sha256: z.string() }).meta({ id: 'UploadPart' });
export type UploadPart = z.infer<typeof partSchema>;

/** An unfinished upload. Its parts are numbered from 1; all have `part_bytes` bytes except the last. */
const uploadSchema = z
  .object({
    id: z.uuid(),
    format: z.enum(Object.values(LOAD_MEDIA_TYPES)),
    size: z.int(),
    part_bytes: z.int(),
    parts: z.array(partSchema),
    created_at: time,
    expires_at: time,
  })
  .meta({ id: 'Upload' });
export type Upload = z.infer<typeof uploadSchema>;

const path = `${tablePath}/uploads`;
const uploadParams = tableParams.extend({ id: z.string() });

export const uploadEndpoints = {
  create: endpoint({
    id: 'uploads.create',
    method: 'POST',
    path,
    summary: 'Start an upload of a file in parts. With the fingerprint of an unfinished upload, it continues that one',
    client: { breakGlass: true },
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: tableParams,
    body: z.strictObject({
      format: z.enum(Object.values(LOAD_MEDIA_TYPES)),
      size: z.int().min(0).max(MAX_UPLOAD_BYTES),
      fingerprint: z.string().min(1).max(256).optional(),
      /** Names the file in messages, if several are loaded together. */
      name: z.string().min(1).max(MAX_NAME).optional(),
    }),
    response: { status: 201, schema: uploadSchema },
    errors: ['not-found', 'not-a-managed-table', 'environment-protected'],
  }),
  get: endpoint({
    id: 'uploads.get',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Get an unfinished upload, with the parts that have arrived',
    client: {},
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: uploadParams,
    response: { status: 200, schema: uploadSchema },
    errors: ['not-found'],
  }),
  putPart: endpoint({
    id: 'uploads.putPart',
    method: 'PUT',
    path: `${path}/{id}/parts/{number}`,
    summary: 'Upload a part of a file. A part that has arrived already is replaced',
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: uploadParams.extend({ number: z.string() }),
    body: { stream: ['application/octet-stream'] },
    response: { status: 200, schema: partSchema },
    errors: ['not-found', 'not-a-managed-table', 'unsupported-media-type', 'body-too-large', 'environment-protected'],
  }),
  finish: endpoint({
    id: 'uploads.finish',
    method: 'POST',
    path: `${path}/{id}/writes`,
    summary: 'Load the file of a complete upload into its table, with those of other complete uploads',
    client: { breakGlass: true },
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: uploadParams,
    body: z.strictObject({
      ...loadFields,
      also: z
        .array(z.uuid())
        .max(MAX_FILES - 1)
        .optional()
        .meta({ description: 'further complete uploads of the same format, whose files follow in the same write' }),
    }),
    bodyOptional: true,
    response: { status: 202, schema: writeSchema },
    errors: ['not-found', 'not-a-managed-table', 'upload-incomplete', 'environment-protected'],
  }),
  cancel: endpoint({
    id: 'uploads.cancel',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Cancel an unfinished upload',
    client: {},
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: uploadParams,
    response: { status: 204 },
    errors: ['not-found'],
  }),
};
