import * as z from 'zod';
import { decided, endpoint, integerText, needs, paging } from '../contract/index.ts';
import { environmentSchema, envParams } from '../environments/index.ts';
import { legalHoldSchema, TABLE_KINDS, tableParams, tablePath } from '../tables/index.ts';
import { MAX_DAYS, MIN_DAYS } from './rules.ts';

const time = z.iso.datetime();
const range = `must be a whole number from ${MIN_DAYS} to 3,650`;
const days = z.int({ error: range }).min(MIN_DAYS, range).max(MAX_DAYS, range);
export const RETENTION_SOURCES = ['table', 'environment'] as const;
export const NO_EXPIRY_REASONS = ['protected', 'project_asset'] as const;

/**
 * The rule that applies to a table and when the table expires (RETAIN-1 to RETAIN-4). A legal hold prevents expiry too
 * and has its own field.
 */
export const retentionSchema = z
  .object({
    source: z.enum(RETENTION_SOURCES).nullable(),
    days: z.int().nullable(),
    on: z.iso.date().nullable(),
    never: z.boolean(),
    set_by: z.string().nullable(),
    set_at: time.nullable(),
    last_activity_at: time,
    expires_at: time.nullable(),
    kept: z.enum(NO_EXPIRY_REASONS).nullable(),
    hold: legalHoldSchema.nullable(),
  })
  .meta({ id: 'TableRetention' });
export type TableRetention = z.infer<typeof retentionSchema>;

export const expiringTableSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    namespace: z.string(),
    kind: z.enum(TABLE_KINDS),
    owner: z.string().nullable(),
    expires_at: time,
    expires_soon: z.boolean(),
    source: z.enum(RETENTION_SOURCES),
    days: z.int().nullable(),
    on: z.iso.date().nullable(),
    last_activity_at: time,
  })
  .meta({ id: 'ExpiringTable' });
export type ExpiringTable = z.infer<typeof expiringTableSchema>;

export const retentionEndpoints = {
  get: endpoint({
    id: 'retention.get',
    method: 'GET',
    path: `${tablePath}/retention`,
    summary: 'Get whether and when a table expires, and the rule that decides it',
    client: { name: 'tables.retention' },
    needs: needs('READ_TABLE', 'TABLE'),
    params: tableParams,
    response: { status: 200, schema: retentionSchema },
    errors: ['not-found', 'not-a-managed-table'],
  }),
  set: endpoint({
    id: 'retention.set',
    method: 'PUT',
    path: `${tablePath}/retention`,
    summary: 'Set the retention of a table: drop it after days without use, on a date, or never',
    needs: decided(
      'the owner; otherwise DROP_TABLE to make the table expire or expire sooner, WRITE_TABLE to make it expire later or never',
      'DROP_TABLE',
      'WRITE_TABLE',
    ),
    params: tableParams,
    body: z
      .strictObject({
        days: days.optional(),
        on: z.iso.date('must be a day, written like 2026-03-01').optional(),
        never: z.literal(true, { error: 'must be true or omitted' }).optional(),
      })
      .refine(
        (b) => Object.values(b).filter((value) => value !== undefined).length === 1,
        'name exactly one of days (whole number), on (a day, YYYY-MM-DD) and never (true)',
      ),
    response: { status: 200, schema: retentionSchema },
    errors: ['not-found', 'not-a-managed-table', 'environment-protected'],
  }),
  setEnvironment: endpoint({
    id: 'retention.setEnvironment',
    method: 'PUT',
    path: '/api/v1/environments/{env}/retention',
    summary: 'Set the default retention of an environment, in days without use; null: none',
    client: { name: 'environments.setRetention', path: { env: 'name' }, positional: ['days'] },
    needs: needs('MANAGE_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    body: z.strictObject({ days: days.nullable() }),
    response: { status: 200, schema: environmentSchema },
    errors: ['not-found', 'environment-protected'],
  }),
  expiring: endpoint({
    id: 'retention.expiring',
    method: 'GET',
    path: '/api/v1/environments/{env}/expiring-tables',
    summary: 'List the tables that the caller can read and that expire within a number of days, soonest first',
    client: {
      name: 'tables.expiring',
      typescript: { type: 'WithinOptions', camelCase: true, lists: { first: 'expiring', page: 'expiringPage' } },
      python: { positional: ['within_days'], lists: { all: 'expiring' } },
    },
    needs: decided(
      'READ_TABLE or READ_ENVIRONMENT in the environment; lists only the tables that READ_TABLE covers',
      'READ_TABLE',
      'READ_ENVIRONMENT',
    ),
    params: envParams,
    query: z.strictObject({
      within_days: integerText(0, MAX_DAYS)
        .optional()
        .meta({ description: 'Days from now (default: SVC_TABLES__EXPIRY_WARNING_DAYS)' }),
      ...paging,
    }),
    response: { status: 200, schema: z.array(expiringTableSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  preview: endpoint({
    id: 'retention.preview',
    method: 'GET',
    path: '/api/v1/environments/{env}/retention/preview',
    summary: 'Preview which tables would expire, and when, with a default retention of this many days',
    client: {
      name: 'environments.previewRetention',
      path: { env: 'name' },
      positional: ['days'],
      typescript: { lists: { page: 'previewRetention' } },
      python: { lists: { all: 'previewRetention' } },
    },
    needs: needs('MANAGE_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({ days: integerText(MIN_DAYS, MAX_DAYS, range), ...paging }),
    response: { status: 200, schema: z.array(expiringTableSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
};
