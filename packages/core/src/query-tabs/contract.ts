import * as z from 'zod';
import { endpoint, integerText, needs, unpagedByDefault } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { haveOwnNames, MAX_STATEMENT, MAX_VERSION, parameterName, parameterType } from '../saved-queries/contract.ts';
import { MAX_PARAMETERS } from '../sql-tokens/index.ts';

/** Tabs of one principal in an environment. */
export const MAX_QUERY_TABS = 30;
const MAX_VALUES = 100_000;

const time = z.iso.datetime();

const tabParameterSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    value: z.string().nullable().meta({ description: 'text of a value of the type; null: NULL' }),
  })
  .meta({ id: 'QueryTabParameter' });

const chartSchema = z
  .strictObject({
    kind: z.string().max(20),
    x: z.string().max(1024).meta({ description: 'name of the column of the x axis' }),
    y: z.string().max(1024).meta({ description: 'name of the column of the y axis' }),
  })
  .meta({ id: 'QueryTabChart' });

export const queryTabSchema = z
  .object({
    id: z.uuid(),
    version: z.int().meta({ description: 'increases with every change' }),
    title: z.string().nullable(),
    sql_text: z.string(),
    parameters: z.array(tabParameterSchema),
    query_id: z.uuid().nullable().meta({ description: 'the query whose result the tab shows' }),
    saved_query_id: z.uuid().nullable().meta({ description: 'the saved query that was opened in the tab' }),
    saved_query_version: z
      .int()
      .nullable()
      .meta({ description: 'the version of the saved query that the text of the tab comes from' }),
    chart: chartSchema.nullable().meta({ description: 'present if the tab shows the result as a chart' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'QueryTab' });
export type QueryTab = z.infer<typeof queryTabSchema>;

const parameters = z
  .array(z.strictObject({ name: parameterName, type: parameterType.default('string'), value: z.string().nullable() }))
  .max(MAX_PARAMETERS)
  .refine(haveOwnNames, 'must not contain a name twice, ignoring letter case')
  .refine(
    (all) => all.reduce((sum, { value }) => sum + (value?.length ?? 0), 0) <= MAX_VALUES,
    'must have at most 100,000 characters of values together',
  );

const path = '/api/v1/environments/{env}/query-tabs';
const params = envParams.extend({ id: z.string() });

export const queryTabEndpoints = {
  list: endpoint({
    id: 'queryTabs.list',
    method: 'GET',
    path,
    summary: "List the caller's query tabs in the environment, oldest first",
    client: {},
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(queryTabSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  get: endpoint({
    id: 'queryTabs.get',
    method: 'GET',
    path: `${path}/{id}`,
    summary: "Get one of the caller's query tabs",
    client: {},
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    response: { status: 200, schema: queryTabSchema },
    errors: ['not-found'],
  }),
  save: endpoint({
    id: 'queryTabs.save',
    method: 'PUT',
    path: `${path}/{id}`,
    summary: 'Create or replace a query tab, unless it has changed since the caller read it',
    client: {
      typescript: { object: 'tab' },
      notes: '`version` is the one that was read, or 0 for a new tab, whose id is any UUID.',
    },
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    body: z.strictObject({
      version: z.int().min(0).max(MAX_VERSION).meta({ description: 'the version that was read; 0: the tab is new' }),
      sql: z.string().max(MAX_STATEMENT, 'must be at most 100,000 characters'),
      title: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(200, 'must be at most 200 characters')
        .nullable()
        .default(null),
      parameters: parameters.default([]),
      query_id: z.uuid().nullable().default(null),
      saved_query_id: z.uuid().nullable().default(null),
      saved_query_version: z.int().min(1).max(MAX_VERSION).nullable().default(null),
      chart: chartSchema.nullable().default(null),
    }),
    response: { status: 200, schema: queryTabSchema },
    errors: ['not-found', 'version-conflict', 'limit-reached'],
  }),
  delete: endpoint({
    id: 'queryTabs.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a query tab, unless it has changed since the caller read it',
    client: { positional: ['version'] },
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    query: z.strictObject({
      version: integerText(1, MAX_VERSION).meta({ description: 'the version that was read' }),
    }),
    response: { status: 204 },
    errors: ['not-found', 'version-conflict'],
  }),
};
