import * as z from 'zod';
import { decided, endpoint, needs, wait } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { failureSchema } from '../errors/index.ts';
import { tableParams, tablePath } from '../tables/params.ts';
import { csvDialectSchema, csvFields } from './csv-options.ts';
import { urlField } from './file-url.ts';
import { errorFields } from './load-errors.ts';
import { LOAD_MEDIA_TYPES } from './media-types.ts';

/**
 * Statuses of writes, deploys and runs, in lower case on the wire (RUN-1); those of queries are in capitals (QUERY-2).
 */
export const WORK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

/** The allowed status transitions; the database rejects all others. */
export const WORK_MOVES: Record<WorkStatus, readonly WorkStatus[]> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['queued', 'succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

/** Whether the work has finished, successfully or not. */
export function isFinished({ status }: { status: WorkStatus }): boolean {
  return WORK_MOVES[status].length === 0;
}

export const LOAD_MODES = ['append', 'replace', 'merge'] as const;
export type LoadMode = (typeof LOAD_MODES)[number];

/** What a load takes besides its rows. */
export const loadFields = {
  mode: z.enum(LOAD_MODES, { error: 'must be append, replace or merge' }).default('append'),
  key: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((names) => (typeof names === 'string' ? [names] : names)?.filter((name) => name !== ''))
    .meta({
      description:
        'for merge: the columns that identify a row (repeat it for several; default: the identifier fields of the table)',
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    }),
  watermark: z.string().max(1024).optional(),
  ...errorFields,
  ...csvFields,
};

const loadFieldsSchema = z.object(loadFields);
export type LoadFields = z.output<typeof loadFieldsSchema>;

const time = z.iso.datetime();

export const writeSchema = z
  .object({
    id: z.uuid(),
    table: z.string(),
    mode: z.enum(LOAD_MODES),
    status: z.enum(WORK_STATUSES),
    rows: z.int().nullable(),
    /** Lines that a load with `on_error=skip` left out; null for any other load. */
    rejected: z.int().nullable(),
    /** The part of the rows that has been read, 0 to 1; null until the engine knows. */
    progress: z.number().nullable(),
    /** What CSV was read as; null until then, and for other formats. */
    csv: csvDialectSchema.nullable(),
    error: failureSchema.nullable(),
    created_at: time,
    started_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'Write' });
export type Write = z.infer<typeof writeSchema>;

export const writeEndpoints = {
  create: endpoint({
    id: 'writes.create',
    method: 'POST',
    path: `${tablePath}/writes`,
    summary: 'Load rows into a managed table',
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: tableParams,
    query: z.strictObject({ ...loadFields, ...urlField }),
    body: { stream: Object.keys(LOAD_MEDIA_TYPES) },
    response: { status: 202, schema: writeSchema },
    errors: ['not-found', 'not-a-managed-table', 'unsupported-media-type', 'environment-protected'],
  }),
  get: endpoint({
    id: 'writes.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/writes/{id}',
    summary: 'Get a write',
    client: {},
    needs: decided('the requester, or READ_TABLE on the table', 'READ_TABLE'),
    params: envParams.extend({ id: z.string() }),
    query: z.strictObject({ wait }),
    response: { status: 200, schema: writeSchema },
    errors: ['not-found'],
  }),
  rejected: endpoint({
    id: 'writes.rejected',
    method: 'GET',
    path: '/api/v1/environments/{env}/writes/{id}/rejected',
    summary: 'Download the lines that a load left out, as CSV with file, line, column, reason and text',
    needs: decided('the requester'),
    params: envParams.extend({ id: z.string() }),
    response: { status: 200, stream: ['text/csv'] },
    errors: ['not-found'],
  }),
};
