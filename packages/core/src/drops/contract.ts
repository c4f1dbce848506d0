import * as z from 'zod';
import { tableName } from '../access/names.ts';
import { decided, endpoint, flag, needs, paging } from '../contract/index.ts';
import { namespaceParams } from '../namespaces/contract.ts';
import { TABLE_KINDS, tableParams, tablePath, tableSchema } from '../tables/index.ts';
import { DROP_REASONS } from './rules.ts';

const time = z.iso.datetime();

/** A dropped table whose files still exist (DROP-14); `purge_after` is the end of its undo period. */
export const droppedTableSchema = z
  .object({
    name: z.string(),
    namespace: z.string(),
    uuid: z.uuid(),
    kind: z.enum(TABLE_KINDS),
    dropped_at: time,
    purge_after: time.nullable(),
    restorable: z.boolean(),
    reason: z.enum(DROP_REASONS),
    held: z.boolean(),
  })
  .meta({ id: 'DroppedTable' });
export type DroppedTable = z.infer<typeof droppedTableSchema>;

export const PURGE_STATES = ['due', 'deleting', 'deleted'] as const;

/** Progress of deleting a dropped table's files. `error` is the last storage error; the deletion is retried. */
export const purgeSchema = z
  .object({
    name: z.string(),
    namespace: z.string(),
    uuid: z.uuid(),
    state: z.enum(PURGE_STATES),
    dropped_at: time,
    purge_after: time,
    started_at: time.nullable(),
    purged_at: time.nullable(),
    files: z.int(),
    bytes: z.int(),
    attempts: z.int(),
    error: z.string().nullable(),
    held: z.boolean(),
  })
  .meta({ id: 'TablePurge' });
export type TablePurge = z.infer<typeof purgeSchema>;

const reasonText = z.string().trim().min(1, 'must not be empty').max(500, 'must be at most 500 characters');
const ownerOrAdmin = decided(
  "the ADMIN role on the table or its container, or DROP_TABLE for the table's owner",
  'DROP_TABLE',
);

/** Dropping and restoring tables (DROP-1 to DROP-14). */
export const dropEndpoints = {
  delete: endpoint({
    id: 'tables.delete',
    method: 'DELETE',
    path: tablePath,
    summary: 'Drop a table, view or artifact. Its files are retained for the undo period',
    client: {
      breakGlass: true,
      notes: 'During that period, `undrop` restores it. With `purge`, the next sweep deletes them.',
      python: { positional: ['purge'], defaults: { purge: false } },
    },
    needs: needs('DROP_TABLE', 'TABLE'),
    params: tableParams,
    query: z.strictObject({ purge: flag }),
    response: { status: 200, schema: droppedTableSchema },
    errors: ['not-found', 'environment-protected', 'table-held'],
  }),
  listDropped: endpoint({
    id: 'tables.listDropped',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}/dropped-tables',
    summary: 'List dropped tables whose files still exist, newest first',
    client: {
      path: { path: 'namespace' },
      typescript: { lists: { first: 'listDropped', page: 'listDroppedPage' } },
      python: { lists: { all: 'listDropped' } },
    },
    needs: decided('READ_TABLE on the namespace or its container', 'READ_TABLE'),
    params: namespaceParams,
    query: z.strictObject({ ...paging }),
    response: { status: 200, schema: z.array(droppedTableSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  undrop: endpoint({
    id: 'tables.undrop',
    method: 'POST',
    path: `${tablePath}/undrop`,
    summary: 'Restore a dropped table, with its data, history and policies',
    client: {
      breakGlass: true,
      notes: 'Without `id`, it is the newest drop of that name.',
      typescript: { type: 'UndropOptions', camelCase: true },
      python: { positional: ['new_name'] },
    },
    needs: decided('DROP_TABLE and CREATE_TABLE on the namespace', 'DROP_TABLE', 'CREATE_TABLE'),
    params: tableParams,
    body: z.strictObject({ new_name: tableName.optional(), id: z.uuid().optional() }),
    bodyOptional: true,
    response: { status: 200, schema: tableSchema },
    errors: [
      'not-found',
      'nothing-dropped',
      'name-taken',
      'undo-period-over',
      'dropped-with-purge',
      'purge-started',
      'files-gone',
      'namespace-dropped',
      'environment-protected',
    ],
  }),
  hold: endpoint({
    id: 'tables.hold',
    method: 'PUT',
    path: `${tablePath}/hold`,
    summary: 'Place a legal hold on a table: neither a purge nor retention deletes its files',
    client: {
      notes:
        'Without `until`, it lasts until `release`. Without `id`, it is on the table of that name, or on its newest drop.',
      typescript: { object: 'body' },
      python: { positional: ['reason'] },
    },
    needs: ownerOrAdmin,
    params: tableParams,
    body: z.strictObject({
      reason: reasonText,
      until: z
        .union([z.iso.date(), z.iso.datetime({ offset: true })], {
          error: 'must be a day, written like 2026-03-01, or a time with a time zone, like 2026-03-01T08:00:00Z',
        })
        .nullable()
        .optional(),
      id: z.uuid().optional(),
    }),
    response: { status: 200, schema: tableSchema },
    errors: ['not-found', 'not-a-managed-table', 'purge-started'],
  }),
  release: endpoint({
    id: 'tables.release',
    method: 'DELETE',
    path: `${tablePath}/hold`,
    summary: 'Release the legal hold on a table',
    client: { notes: 'Without `id`, it is that of the table of that name, or of its newest drop.' },
    needs: ownerOrAdmin,
    params: tableParams,
    query: z.strictObject({ id: z.uuid().optional() }),
    response: { status: 200, schema: tableSchema },
    errors: ['not-found', 'not-held'],
  }),
  purges: endpoint({
    id: 'tables.purges',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}/purges',
    summary: 'List purges of dropped tables: due, running or finished, latest first',
    client: {
      path: { path: 'namespace' },
      typescript: { lists: { page: 'purgesPage' } },
      python: { lists: { all: 'purges' } },
    },
    needs: decided('READ_TABLE on the namespace or its container', 'READ_TABLE'),
    params: namespaceParams,
    query: z.strictObject({ ...paging }),
    response: { status: 200, schema: z.array(purgeSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
};
