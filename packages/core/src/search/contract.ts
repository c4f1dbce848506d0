import * as z from 'zod';
import { decided, endpoint, enumList, paging } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';

/** Kinds of results. Results of the same name are in this order. */
export const SEARCH_KINDS = ['namespace', 'table', 'column', 'asset', 'job'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const MAX_LENGTH = 200;

/** `table` is the table of a column, `repository` that of an asset or a job; otherwise they are null. */
export const searchResultSchema = z
  .object({
    kind: z.enum(SEARCH_KINDS),
    name: z.string(),
    description: z.string().nullable(),
    table: z.string().nullable(),
    repository: z.string().nullable(),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResultSchema>;

const text = z
  .string()
  .trim()
  .min(1, 'must not be blank: set the text to search for')
  .refine((q) => [...q].length <= MAX_LENGTH, `must be at most ${MAX_LENGTH} characters`)
  .meta({
    description: 'Case-insensitive text; of several words, each must be in the name or the description',
    maxLength: MAX_LENGTH,
    pattern: '\\S',
  });

export const searchEndpoints = {
  find: endpoint({
    id: 'search.find',
    method: 'GET',
    path: '/api/v1/environments/{env}/search',
    summary: 'Find namespaces, tables, columns, assets and jobs by name and description',
    client: {
      positional: ['q'],
      notes: 'Returns what the caller can list; exact names come first. `kind` accepts one value or several.',
      lists: { first: 'find', page: 'findPage', iterate: 'iter' },
      typescript: { type: 'FindOptions' },
    },
    needs: decided(
      'READ_ENVIRONMENT, READ_NAMESPACE or READ_TABLE in the environment; finds the namespaces that READ_NAMESPACE covers, the tables that READ_TABLE covers with their columns, and assets and jobs with READ_ENVIRONMENT',
      'READ_ENVIRONMENT',
      'READ_NAMESPACE',
      'READ_TABLE',
    ),
    params: envParams,
    query: z.strictObject({ q: text, kind: enumList(SEARCH_KINDS), ...paging }),
    response: { status: 200, schema: z.array(searchResultSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
};
