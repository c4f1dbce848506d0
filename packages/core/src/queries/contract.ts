import * as z from 'zod';
import { QUALIFIED_TABLE } from '../access/names.ts';
import {
  cursor,
  decided,
  endpoint,
  enumList,
  filterName,
  flag,
  integerText,
  needs,
  paging,
  wait,
} from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { failureSchema } from '../errors/index.ts';
import { changedTable, clonedTable } from '../statements/index.ts';
import { WORK_STATUSES } from '../writes/contract.ts';
import { queryParamsSchema } from './parameters.ts';

export const QUERY_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type QueryStatus = (typeof QUERY_STATUSES)[number];

export const INTO_MODES = ['create', 'append', 'replace'] as const;
export type IntoMode = (typeof INTO_MODES)[number];

/** Ways to submit a query other than the REST interface. */
export const QUERY_SOURCES = ['postgres'] as const;

/** How a query was submitted other than through the REST interface. */
export interface QueryOrigin {
  readonly source: (typeof QUERY_SOURCES)[number];
  /** As the client reports it. */
  readonly application: string | null;
  /** Its IP address. */
  readonly address: string;
}

const time = z.iso.datetime();

export const resultColumnSchema = z.object({ name: z.string(), type: z.string() }).meta({ id: 'ResultColumn' });

/**
 * Another person's statement without READ_QUERY_TEXT (AUDIT-10): SHA-256 in hex of its UTF-8, length in code points.
 */
export const hiddenTextSchema = z.object({ sha256: z.string(), length: z.int() }).meta({ id: 'HiddenText' });

/** Numbers of rows that a statement changed. */
export const affectedSchema = z
  .object({ inserted: z.int(), updated: z.int(), deleted: z.int() })
  .meta({ id: 'AffectedRows' });
export type AffectedRows = z.infer<typeof affectedSchema>;

export const querySchema = z
  .object({
    id: z.uuid(),
    status: z.enum(QUERY_STATUSES),
    sql_text: z.union([z.string(), hiddenTextSchema]),
    params: queryParamsSchema
      .optional()
      .meta({ description: 'the values of its parameters, if it has any; not shown where the text is hidden' }),
    submitter: z.string().nullable(),
    into: z.string().nullable(),
    columns: z.array(resultColumnSchema).nullable(),
    row_count: z.int().nullable(),
    progress: z.number().nullable(),
    error: failureSchema.nullable(),
    created_at: time,
    started_at: time.nullable(),
    ended_at: time.nullable(),
    affected: affectedSchema
      .optional()
      .meta({ description: 'the rows that INSERT, UPDATE, DELETE, MERGE or TRUNCATE changed, or would change' }),
    dry_run: z.literal(true).optional().meta({ description: 'present if the statement only counts the rows' }),
    parameter_types: z.array(z.string()).optional().meta({
      description:
        'the types of its parameters in order, if the statement was only described; unknown ones are VARCHAR',
    }),
    source: z
      .enum(QUERY_SOURCES)
      .optional()
      .meta({ description: 'present if the query did not come through the REST interface: postgres (POSTGRES-4)' }),
    application: z.string().optional().meta({ description: 'the application name that the client reported' }),
    client_address: z.string().optional().meta({ description: 'the address of the client, if source is present' }),
    cached: z.literal(true).optional().meta({ description: 'present if a cached result answered the query' }),
    retention_error: z.object({ detail: z.string(), remedy: z.string() }).optional(),
  })
  .meta({ id: 'Query' });
export type Query = z.infer<typeof querySchema>;

export const resultPageSchema = z
  .object({
    columns: z.array(resultColumnSchema),
    rows: z.array(z.array(z.unknown())),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ResultPage' });
export type ResultPage = z.infer<typeof resultPageSchema>;

/** The response to a submission with `wait`: includes the first page of the result if the query has finished. */
export const submittedQuerySchema = querySchema
  .extend({ result: resultPageSchema.optional() })
  .meta({ id: 'SubmittedQuery' });
export type SubmittedQuery = z.infer<typeof submittedQuerySchema>;

export const RESULT_FORMATS = ['json', 'csv', 'parquet', 'arrow'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

export const RESULT_LIMIT_MAX = 10_000;
const queryParams = envParams.extend({ id: z.string() });

export const queryEndpoints = {
  create: endpoint({
    id: 'queries.create',
    method: 'POST',
    path: '/api/v1/environments/{env}/queries',
    summary: 'Submit a query',
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({
      wait,
      omit_result: flag.meta({ description: 'true: respond without the first page of the result' }),
    }),
    body: z
      .strictObject({
        sql: z.string().min(1, 'must not be empty').max(1_000_000, 'must be at most 1,000,000 characters'),
        params: queryParamsSchema
          .optional()
          .meta({ description: 'values of the parameters: a list for ? and $1, or an object for $name' }),
        into: z.string().optional().meta({ description: '<namespace>.<table>', pattern: QUALIFIED_TABLE }),
        mode: z.enum(INTO_MODES).optional(),
        expire_after: z.int().min(1).max(3650).optional(),
        dry_run: z.boolean().optional().meta({
          description:
            'true: count the rows that INSERT, UPDATE, DELETE, MERGE or TRUNCATE would change, and change none',
        }),
        cache: z
          .boolean()
          .optional()
          .meta({ description: 'false: run the query even if its result is cached (default: true)' }),
      })
      .superRefine((b, context) => {
        const report = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
        const changes = changedTable(b.sql) !== null;
        if (b.into !== undefined && changes)
          report('into', 'is not valid with INSERT, UPDATE, DELETE, MERGE or TRUNCATE, which name their table');
        if (b.into !== undefined && clonedTable(b.sql) !== null)
          report('into', 'is not valid with CREATE TABLE … CLONE, which names its table');
        if (b.dry_run === true && !changes)
          report('dry_run', 'is only valid with INSERT, UPDATE, DELETE, MERGE or TRUNCATE');
        if (b.mode !== undefined && b.into === undefined) report('mode', 'is only valid with into');
        if (b.expire_after !== undefined && (b.mode ?? 'create') !== 'create')
          report('expire_after', 'is only valid with mode create');
        if (b.expire_after !== undefined && b.into === undefined) report('expire_after', 'is only valid with into');
      }),
    response: { status: 201, schema: submittedQuerySchema },
    errors: ['not-found', 'environment-protected'],
  }),
  list: endpoint({
    id: 'queries.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/queries',
    summary: 'List queries: running, then queued, then those that finished in the last 24 hours',
    client: { typescript: { type: 'QueryFilters' } },
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({
      include_ended: flag,
      status: enumList(WORK_STATUSES, { anyCase: true }),
      submitter: filterName,
      ...paging,
    }),
    response: { status: 200, schema: z.array(querySchema), list: true, paged: true },
    errors: ['not-found', 'activity-not-recorded'],
  }),
  get: endpoint({
    id: 'queries.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/queries/{id}',
    summary: 'Get a query',
    client: {},
    needs: decided('the submitter, or MANAGE_ENVIRONMENT', 'MANAGE_ENVIRONMENT'),
    params: queryParams,
    query: z.strictObject({ wait }),
    response: { status: 200, schema: querySchema },
    errors: ['not-found'],
  }),
  results: endpoint({
    id: 'queries.results',
    method: 'GET',
    path: '/api/v1/environments/{env}/queries/{id}/results',
    summary: 'Get the result of a query: pages of JSON, or all of it as CSV, Parquet or Arrow',
    needs: decided('only the submitter'),
    params: queryParams,
    query: z.strictObject({
      format: z.enum(RESULT_FORMATS, { error: 'must be json, csv, parquet or arrow' }).default('json'),
      limit: integerText(1, RESULT_LIMIT_MAX).default(1000),
      raw: flag.meta({
        description:
          "CSV with exact values, for programs; otherwise text that starts with =, +, -, @, a tab or a line break has a ' before it, so that spreadsheets don't run it as a formula",
      }),
      cursor,
    }),
    response: {
      status: 200,
      stream: ['text/csv', 'application/vnd.apache.parquet', 'application/vnd.apache.arrow.stream'],
      schema: resultPageSchema,
    },
    errors: ['not-found', 'not-ended', 'result-expired'],
  }),
  cancel: endpoint({
    id: 'queries.cancel',
    method: 'POST',
    path: '/api/v1/environments/{env}/queries/{id}/cancel',
    summary: 'Cancel a query',
    client: {},
    needs: decided('the submitter, or MANAGE_ENVIRONMENT', 'MANAGE_ENVIRONMENT'),
    params: queryParams,
    response: { status: 200, schema: querySchema },
    errors: ['not-found', 'already-ended'],
  }),
};
