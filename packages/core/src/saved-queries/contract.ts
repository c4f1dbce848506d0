import * as z from 'zod';
import { description, principalName } from '../access/names.ts';
import { decided, endpoint, filterName, needs, paging } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { isWrittenType, WRITTEN_TYPES } from '../queries/index.ts';
import { MAX_PARAMETERS, PARAMETER_NAME } from '../sql-tokens/index.ts';

export const MAX_STATEMENT = 100_000;
const MAX_DEFAULT = 10_000;
const MAX_SEARCH = 200;
export const MAX_VERSION = 2_000_000_000;

const time = z.iso.datetime();

/** A parameter of a saved query; a run without a value for it takes the default. */
export const savedParameterSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    default: z.string().nullable().meta({ description: 'null: a run needs a value' }),
  })
  .meta({ id: 'SavedQueryParameter' });
export type SavedParameter = z.infer<typeof savedParameterSchema>;

export const savedQuerySchema = z
  .object({
    id: z.uuid(),
    version: z.int().meta({ description: 'increases with every change' }),
    environment: z.string(),
    name: z.string(),
    owner: z.string(),
    shared: z.boolean(),
    description: z.string().nullable(),
    sql_text: z.string(),
    parameters: z.array(savedParameterSchema),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'SavedQuery' });
export type SavedQuery = z.infer<typeof savedQuerySchema>;

export const parameterName = z
  .string()
  .regex(PARAMETER_NAME, 'must be the name of a parameter without $, or the number of one from 1')
  .meta({ description: 'without $, or the number of ? and $1' });

export const parameterType = z.string().max(64).refine(isWrittenType, WRITTEN_TYPES);

const newParameter = z.strictObject({
  name: parameterName,
  type: parameterType.default('string'),
  default: z.string().max(MAX_DEFAULT, 'must be at most 10,000 characters').nullable().default(null),
});

export const haveOwnNames = (all: readonly { readonly name: string }[]): boolean =>
  new Set(all.map(({ name }) => name.toLowerCase())).size === all.length;

const newParameters = z
  .array(newParameter)
  .max(MAX_PARAMETERS)
  .refine(haveOwnNames, 'must not contain a name twice, ignoring letter case');

const fields = {
  sql: z.string().min(1, 'must not be empty').max(MAX_STATEMENT, 'must be at most 100,000 characters'),
  parameters: newParameters,
  description: description.nullable(),
  shared: z.boolean().meta({ description: 'true: everyone with SUBMIT_QUERY in the environment can read it' }),
};

const search = z
  .string()
  .trim()
  .refine((text) => [...text].length <= MAX_SEARCH, `must be at most ${MAX_SEARCH} characters`)
  .optional()
  .transform((text) => (text === '' ? undefined : text))
  .meta({ description: 'Case-insensitive text that the name, the description or the statement contains' });

const path = '/api/v1/environments/{env}/saved-queries';
const params = envParams.extend({ id: z.string() });
const OWNERS = 'SUBMIT_QUERY, and for a shared query of someone else MANAGE_ENVIRONMENT';

export const savedQueryEndpoints = {
  create: endpoint({
    id: 'savedQueries.create',
    method: 'POST',
    path,
    summary: 'Save a query. Only its owner sees it, unless it is shared',
    client: { positional: ['name', 'sql'], notes: '`default: null` means that a run needs a value.' },
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params: envParams,
    body: z.strictObject({
      name: principalName,
      sql: fields.sql,
      parameters: fields.parameters.default([]),
      description: fields.description.default(null),
      shared: fields.shared.default(false),
    }),
    response: { status: 201, schema: savedQuerySchema },
    errors: ['already-exists', 'not-found'],
  }),
  list: endpoint({
    id: 'savedQueries.list',
    method: 'GET',
    path,
    summary: "List the caller's saved queries and the shared ones of others, by name",
    client: { typescript: { type: 'SavedQueryFilters' } },
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({ search, name: filterName, owner: filterName, ...paging }),
    response: { status: 200, schema: z.array(savedQuerySchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  get: endpoint({
    id: 'savedQueries.get',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Get a saved query',
    client: {},
    needs: needs('SUBMIT_QUERY', 'ENVIRONMENT'),
    params,
    response: { status: 200, schema: savedQuerySchema },
    errors: ['not-found'],
  }),
  update: endpoint({
    id: 'savedQueries.update',
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a saved query: its name, statement, parameters or description, or whether it is shared',
    client: {
      notes:
        '`null` removes the description. With the `version` that was read, nothing changes if the query has changed since.',
    },
    needs: decided(OWNERS, 'SUBMIT_QUERY', 'MANAGE_ENVIRONMENT'),
    params,
    body: z
      .strictObject({
        name: principalName.optional(),
        sql: fields.sql.optional(),
        parameters: fields.parameters.optional(),
        description: fields.description.optional(),
        shared: fields.shared.optional(),
        version: z
          .int()
          .min(1)
          .max(MAX_VERSION)
          .optional()
          .meta({ description: 'the version that was read; without it, the change applies to any version' }),
      })
      .refine(
        ({ version: _, ...changes }) => Object.keys(changes).length > 0,
        'name at least one of name, sql, parameters, description, shared',
      )
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: savedQuerySchema },
    errors: ['already-exists', 'not-found', 'version-conflict'],
  }),
  delete: endpoint({
    id: 'savedQueries.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a saved query',
    client: {},
    needs: decided(OWNERS, 'SUBMIT_QUERY', 'MANAGE_ENVIRONMENT'),
    params,
    response: { status: 204 },
    errors: ['not-found'],
  }),
};
