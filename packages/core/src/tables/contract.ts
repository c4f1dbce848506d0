import * as z from 'zod';
import { columnName, description, tableName } from '../access/names.ts';
import { formatColumnType, parseColumnType } from '../column-types/index.ts';
import { endpoint, integerText, needs, paging, unpagedByDefault } from '../contract/index.ts';
import { namespaceParams } from '../namespaces/contract.ts';
import { csvDialectSchema, csvFields } from '../writes/csv-options.ts';
import { LOAD_MEDIA_TYPES } from '../writes/media-types.ts';

export const TABLE_KINDS = ['managed', 'external', 'view', 'artifact'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];
export const EXTERNAL_FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type DataFormat = (typeof EXTERNAL_FORMATS)[number];

export const columnSchema = z
  .object({ name: z.string(), type: z.string(), nullable: z.boolean(), description: z.string().nullable() })
  .meta({ id: 'Column' });
export type Column = z.infer<typeof columnSchema>;

const time = z.iso.datetime();

/** A legal hold prevents deletion of a table's files until a given time or until it is released. */
export const legalHoldSchema = z
  .object({ reason: z.string(), until: time.nullable(), set_by: z.string().nullable(), set_at: time })
  .meta({ id: 'Hold' });

export const tableSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    namespace: z.string(),
    kind: z.enum(TABLE_KINDS),
    description: z.string().nullable(),
    owner: z.string().nullable(),
    columns: z.array(columnSchema),
    location: z.string().nullable(),
    row_count: z.int().nullable(),
    size_bytes: z.int().nullable(),
    created_at: time,
    updated_at: time,
    expires_at: time.nullable(),
    expires_soon: z.boolean(),
    hold: legalHoldSchema.nullable(),
    format: z.enum(EXTERNAL_FORMATS).nullable(),
    view_sql: z.string().nullable(),
  })
  .meta({ id: 'Table' });
export type Table = z.infer<typeof tableSchema>;

/** A new table. If its retention was refused, `retention_error` says why and what to do (RETAIN-10). */
const createdTableSchema = tableSchema
  .extend({ retention_error: z.object({ detail: z.string(), remedy: z.string() }).optional() })
  .meta({ id: 'CreatedTable' });

/** A snapshot's id: a number, or a text of digits if a JSON number would lose precision (ids of other engines). */
const snapshotId = z.union([z.int(), z.string().regex(/^\d{1,19}$/, 'must be the id of a snapshot')], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be the id of a snapshot'),
});

/** A snapshot of a table; `refs` are the branches and tags that reference it. */
export const snapshotSchema = z
  .object({
    snapshot_id: snapshotId,
    parent_id: snapshotId.nullable(),
    committed_at: time,
    operation: z.string(),
    summary: z.record(z.string(), z.string()),
    current: z.boolean(),
    refs: z.array(z.string()),
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Table health. `readers` is null for callers who neither maintain nor own the table (TABLE-9). Sizes in bytes. */
export const healthSchema = z
  .object({
    table: z.string(),
    days: z.int(),
    last_write_at: time.nullable(),
    last_read_at: time.nullable(),
    row_count: z.int().nullable(),
    size_bytes: z.int().nullable(),
    file_count: z.int().nullable(),
    small_files: z.int().nullable(),
    snapshots: z.int().nullable(),
    readers: z.array(z.object({ principal: z.string(), reads: z.int(), last_read_at: time })).nullable(),
  })
  .meta({ id: 'TableHealth' });
export type TableHealth = z.infer<typeof healthSchema>;

const columnType = z.string().transform((text, context) => {
  const parsed = parseColumnType(text);
  if (parsed.ok) return formatColumnType(parsed.type);
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

const newColumns = z
  .array(
    z.strictObject({
      name: columnName,
      type: columnType,
      nullable: z.boolean().default(true),
      description: description.nullable().default(null),
    }),
  )
  .min(1, 'must name at least one column')
  .max(2000, 'must be at most 2,000 columns')
  .superRefine((columns, context) => {
    const seen = new Set<string>();
    columns.forEach(({ name }, i) => {
      const key = name.toLowerCase();
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [i, 'name'], message: `duplicate column ${name}` });
      seen.add(key);
    });
  });

export const newTableSchema = z
  .strictObject({
    name: tableName,
    kind: z
      .enum(['managed', 'external'], { error: 'must be managed or external: deploys create views and artifacts' })
      .default('managed'),
    columns: newColumns.optional(),
    description: description.nullable().default(null),
    expire_after: z.int().min(1).max(3650).optional(),
    location: z.string().max(2048).optional(),
    format: z.enum(EXTERNAL_FORMATS).optional(),
  })
  .superRefine((table, context) => {
    const report = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (table.kind === 'managed') {
      if (!table.columns) report('columns', 'a managed table requires columns');
      if (table.location !== undefined) report('location', 'is only valid for kind external');
      if (table.format !== undefined) report('format', 'is only valid for kind external');
    } else {
      if (table.location === undefined) report('location', 'an external table requires the location of its files');
      if (table.format === undefined)
        report('format', `an external table requires its format: ${EXTERNAL_FORMATS.join(', ')}`);
      if (table.expire_after !== undefined) report('expire_after', 'is only valid for kind managed');
    }
  });
export type NewTable = z.output<typeof newTableSchema>;

/** Maximum size of the part of a file from which columns are inferred. */
export const MAX_SAMPLE_BYTES = 64 * 1024 * 1024;

/** `csv`: what CSV was read as, to load it with; null for other formats. */
const inferredColumnsSchema = z
  .object({ columns: z.array(columnSchema), csv: csvDialectSchema.nullable() })
  .meta({ id: 'InferredColumns' });

export const tableParams = namespaceParams.extend({ name: z.string() });

export const tableEndpoints = {
  create: endpoint({
    id: 'tables.create',
    method: 'POST',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables',
    summary: 'Create a managed or an external table',
    needs: needs('CREATE_TABLE', 'NAMESPACE'),
    params: namespaceParams,
    body: newTableSchema,
    response: { status: 201, schema: createdTableSchema },
    errors: ['not-found', 'already-exists', 'environment-protected'],
  }),
  infer: endpoint({
    id: 'tables.infer',
    method: 'POST',
    path: '/api/v1/environments/{env}/namespaces/{path}/columns',
    summary:
      'Infer the columns of a table for a file: from the start of CSV or NDJSON, or from Parquet with its footer',
    needs: needs('CREATE_TABLE', 'NAMESPACE'),
    params: namespaceParams,
    query: z.strictObject(csvFields),
    body: { stream: Object.keys(LOAD_MEDIA_TYPES) },
    response: { status: 200, schema: inferredColumnsSchema },
    errors: ['not-found', 'unsupported-media-type', 'body-too-large'],
  }),
  list: endpoint({
    id: 'tables.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables',
    summary: 'List the tables of a namespace that the caller can read, by name',
    client: { path: { path: 'namespace' }, python: { lists: { page: 'listPage', all: 'list' } } },
    needs: {
      kind: 'decided',
      actions: ['READ_TABLE', 'READ_NAMESPACE'],
      rule: 'READ_TABLE or READ_NAMESPACE in the namespace; lists only the tables that READ_TABLE covers',
    },
    params: namespaceParams,
    query: z.strictObject({ ...paging }),
    response: { status: 200, schema: z.array(tableSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  get: endpoint({
    id: 'tables.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables/{name}',
    summary: 'Get a table',
    client: {},
    needs: needs('READ_TABLE', 'TABLE'),
    params: tableParams,
    response: { status: 200, schema: tableSchema },
    errors: ['not-found'],
  }),
  update: endpoint({
    id: 'tables.update',
    method: 'PATCH',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables/{name}',
    summary: 'Change the descriptions or the owner of a table',
    client: { breakGlass: true },
    needs: needs('WRITE_TABLE', 'TABLE', { orOwner: true }),
    params: tableParams,
    body: z
      .strictObject({
        description: description.nullable().optional(),
        column_descriptions: z.record(columnName, description.nullable()).optional(),
        owner: z.string().optional(),
      })
      .refine((b) => Object.keys(b).length > 0, 'name at least one of description, column_descriptions, owner')
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: tableSchema },
    errors: ['not-found', 'environment-protected'],
  }),
  alter: endpoint({
    id: 'tables.alter',
    method: 'PATCH',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables/{name}/columns',
    summary: 'Add, rename, reorder or drop columns of a managed table, or widen their types',
    client: { breakGlass: true },
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: tableParams,
    body: z
      .strictObject({
        rename: z.record(z.string(), columnName).optional().meta({ description: 'new names by old ones' }),
        types: z.record(z.string(), columnType).optional().meta({ description: 'wider types by column' }),
        optional: z.array(z.string()).optional().meta({ description: 'columns that may be null from now on' }),
        drop: z.array(z.string()).optional(),
        add: newColumns.optional(),
        order: z.array(z.string()).optional().meta({ description: 'columns that come first, in this order' }),
      })
      .refine((b) => Object.keys(b).length > 0, 'name at least one of rename, types, optional, drop, add, order')
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: tableSchema },
    errors: ['not-found', 'not-a-managed-table', 'environment-protected', 'in-use', 'write-conflict'],
  }),
  snapshots: endpoint({
    id: 'tables.snapshots',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables/{name}/snapshots',
    summary: 'List the snapshots of a managed table, newest first',
    client: {},
    needs: needs('READ_TABLE', 'TABLE'),
    params: tableParams,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(snapshotSchema), list: true, paged: true },
    errors: ['not-found', 'not-a-managed-table'],
  }),
  rollback: endpoint({
    id: 'tables.rollback',
    method: 'POST',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables/{name}/rollback',
    summary: 'Roll back a managed table to an older snapshot',
    client: {
      positional: ['snapshot_id'],
      breakGlass: true,
      notes: 'Newer snapshots stay in the history. Fails with `Conflict` if another change is committed concurrently.',
    },
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: tableParams,
    body: z.strictObject({ snapshot_id: snapshotId }),
    response: { status: 200, schema: tableSchema },
    errors: ['not-found', 'not-a-managed-table', 'environment-protected', 'write-conflict'],
  }),
  health: endpoint({
    id: 'tables.health',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables/{name}/health',
    summary: 'Get the health of a table: last write and read, size, files and readers',
    client: { notes: 'Counts the reads of the last `days` (default: 30).' },
    needs: needs('READ_TABLE', 'TABLE'),
    params: tableParams,
    query: z.strictObject({ days: integerText(1, 3650).default(30) }),
    response: { status: 200, schema: healthSchema },
    errors: ['not-found', 'activity-not-recorded', 'files-gone'],
  }),
  content: endpoint({
    id: 'tables.content',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}/tables/{name}/content',
    summary: 'Download the file of an artifact',
    needs: needs('READ_TABLE', 'TABLE'),
    params: tableParams,
    response: { status: 200, stream: ['application/octet-stream'] },
    errors: ['not-found'],
  }),
};
