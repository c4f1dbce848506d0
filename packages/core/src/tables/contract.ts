import * as z from 'zod';
import { columnName, description } from '../access/names.ts';
import { endpoint, integerText, needs, paging, unpagedByDefault } from '../contract/index.ts';
import { namespaceParams } from '../namespaces/contract.ts';
import { csvDialectSchema, csvFields } from '../writes/csv-options.ts';
import { urlField } from '../writes/file-url.ts';
import { LOAD_MEDIA_TYPES } from '../writes/media-types.ts';
import { tableChangeEndpoints } from './change-contract.ts';
import { newTableSchema } from './new-table.ts';
import { tableParams, tablePath } from './params.ts';
import { columnSchema, createdTableSchema, healthSchema, snapshotId, snapshotSchema, tableSchema } from './schemas.ts';

/** Maximum size of the part of a file from which columns are inferred. */
export const MAX_SAMPLE_BYTES = 64 * 1024 * 1024;

/** `csv`: what CSV was read as, to load it with; null for other formats. */
const inferredColumnsSchema = z
  .object({ columns: z.array(columnSchema), csv: csvDialectSchema.nullable() })
  .meta({ id: 'InferredColumns' });

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
    query: z.strictObject({ ...csvFields, ...urlField }),
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
    path: tablePath,
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
    path: tablePath,
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
  ...tableChangeEndpoints,
  snapshots: endpoint({
    id: 'tables.snapshots',
    method: 'GET',
    path: `${tablePath}/snapshots`,
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
    path: `${tablePath}/rollback`,
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
    path: `${tablePath}/health`,
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
    path: `${tablePath}/content`,
    summary: 'Download the file of an artifact',
    needs: needs('READ_TABLE', 'TABLE'),
    params: tableParams,
    response: { status: 200, stream: ['application/octet-stream'] },
    errors: ['not-found'],
  }),
};
