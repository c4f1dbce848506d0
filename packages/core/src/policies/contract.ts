import * as z from 'zod';
import { columnName } from '../access/names.ts';
import { decided, endpoint, filterName, needs, unpagedByDefault } from '../contract/index.ts';
import { tableParams, tablePath } from '../tables/params.ts';

const target = { principal: z.string().nullable(), group: z.string().nullable() };
const stored = {
  id: z.uuid(),
  table: z.string(),
  ...target,
  created_at: z.iso.datetime(),
  created_by: z.uuid().nullable(),
};

export const rowFilterSchema = z.object({ ...stored, predicate: z.string() }).meta({ id: 'RowFilter' });
export type RowFilter = z.infer<typeof rowFilterSchema>;

export const columnMaskSchema = z
  .object({ ...stored, column: z.string(), expression: z.string() })
  .meta({ id: 'ColumnMask' });
export type ColumnMask = z.infer<typeof columnMaskSchema>;

const tablePreviewSchema = z
  .object({
    table: z.string(),
    principal: z.string(),
    active: z.boolean(),
    readable: z.boolean(),
    reason: z.string().nullable().meta({ description: "why the principal can't read the table" }),
    row_filters: z.array(rowFilterSchema),
    column_masks: z.array(columnMaskSchema),
    query_id: z
      .uuid()
      .nullable()
      .meta({ description: 'the query that reads the rows; null if the table is not readable' }),
  })
  .meta({ id: 'TablePreview' });

export const PREVIEW_ROWS_MAX = 1000;

const expression = z.string().min(1, 'must not be empty').max(10_000, 'must be at most 10,000 characters');
const oneTarget = { principal: filterName, group: filterName };
const exactlyOne = (b: { principal?: string | undefined; group?: string | undefined }) =>
  (b.principal === undefined) !== (b.group === undefined);
const targetMessage = { path: ['principal'], message: 'name exactly one of principal and group' };
const byId = z.object({ id: z.string() });
const replaces = z
  .uuid()
  .optional()
  .meta({ description: 'id of the policy of the same kind and table that this one replaces at the same moment' });

/**
 * Row filters and column masks apply to the principals and groups they name, administrators included (TABLE-8).
 * Managing them needs MANAGE_POLICY on the instance (ACCESS-8).
 */
export const policyEndpoints = {
  createRowFilter: endpoint({
    id: 'rowFilters.create',
    method: 'POST',
    path: `${tablePath}/row-filters`,
    summary: 'Create a row filter: a principal or group sees only the rows that match a predicate',
    client: {
      exactlyOne: [['principal', 'group']],
      typescript: { object: 'body' },
      python: { positional: ['predicate'] },
    },
    needs: needs('MANAGE_POLICY', 'INSTANCE'),
    params: tableParams,
    body: z.strictObject({ ...oneTarget, predicate: expression, replaces }).refine(exactlyOne, targetMessage),
    response: { status: 201, schema: rowFilterSchema },
    errors: ['not-found', 'already-exists'],
  }),
  listRowFilters: endpoint({
    id: 'rowFilters.list',
    method: 'GET',
    path: `${tablePath}/row-filters`,
    summary: 'List the row filters of a table, oldest first',
    client: {},
    needs: needs('MANAGE_POLICY', 'INSTANCE'),
    params: tableParams,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(rowFilterSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  deleteRowFilter: endpoint({
    id: 'rowFilters.delete',
    method: 'DELETE',
    path: '/api/v1/row-filters/{id}',
    summary: 'Delete a row filter',
    client: {},
    needs: needs('MANAGE_POLICY', 'INSTANCE'),
    params: byId,
    response: { status: 204 },
    errors: ['not-found'],
  }),
  createColumnMask: endpoint({
    id: 'columnMasks.create',
    method: 'POST',
    path: `${tablePath}/column-masks`,
    summary: 'Create a column mask: a principal or group sees an expression instead of the column',
    client: {
      exactlyOne: [['principal', 'group']],
      typescript: { object: 'body' },
      python: { positional: ['column', 'expression'] },
    },
    needs: needs('MANAGE_POLICY', 'INSTANCE'),
    params: tableParams,
    body: z.strictObject({ ...oneTarget, column: columnName, expression, replaces }).refine(exactlyOne, targetMessage),
    response: { status: 201, schema: columnMaskSchema },
    errors: ['not-found', 'already-exists'],
  }),
  listColumnMasks: endpoint({
    id: 'columnMasks.list',
    method: 'GET',
    path: `${tablePath}/column-masks`,
    summary: 'List the column masks of a table, oldest first',
    client: {},
    needs: needs('MANAGE_POLICY', 'INSTANCE'),
    params: tableParams,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(columnMaskSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  previewTable: endpoint({
    id: 'tables.previewAs',
    method: 'POST',
    path: `${tablePath}/previews`,
    summary: 'Read the first rows of a table as another principal sees them',
    client: {
      typescript: { object: 'body' },
      python: { positional: ['principal'] },
      notes: 'Its query contains only rows and values that both may see. The audit log records each preview.',
    },
    needs: decided(
      'MANAGE_POLICY on the instance, READ_TABLE on the table and SUBMIT_QUERY on the environment; no policy on the table binds the caller',
      'MANAGE_POLICY',
      'READ_TABLE',
      'SUBMIT_QUERY',
    ),
    params: tableParams,
    body: z.strictObject({
      principal: z.string().min(1, 'must not be empty'),
      limit: z
        .int()
        .min(1)
        .max(PREVIEW_ROWS_MAX)
        .optional()
        .meta({ description: 'maximum number of rows (default: 100)' }),
    }),
    response: { status: 201, schema: tablePreviewSchema },
    errors: ['not-found'],
  }),
  deleteColumnMask: endpoint({
    id: 'columnMasks.delete',
    method: 'DELETE',
    path: '/api/v1/column-masks/{id}',
    summary: 'Delete a column mask',
    client: {},
    needs: needs('MANAGE_POLICY', 'INSTANCE'),
    params: byId,
    response: { status: 204 },
    errors: ['not-found'],
  }),
};
