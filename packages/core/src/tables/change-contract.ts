import * as z from 'zod';
import { columnName, isNamePart, QUALIFIED_TABLE } from '../access/names.ts';
import { decided, endpoint, needs } from '../contract/index.ts';
import { columnType, IDENTIFIER_FIELDS, newColumns } from './new-table.ts';
import { tableParams, tablePath } from './params.ts';
import { snapshotId, tableSchema } from './schemas.ts';

/** What a truncation removed. `previous_snapshot_id` is the snapshot to roll back to, or null for a table without one. */
const truncationSchema = z
  .object({
    table: z.string(),
    deleted: z.int(),
    snapshot_id: snapshotId,
    previous_snapshot_id: snapshotId.nullable(),
  })
  .meta({ id: 'Truncation' });
export type Truncation = z.infer<typeof truncationSchema>;

/** Changes of a table that write metadata only. */
export const tableChangeEndpoints = {
  alter: endpoint({
    id: 'tables.alter',
    method: 'PATCH',
    path: `${tablePath}/columns`,
    summary: 'Add, rename, reorder or drop columns of a managed table, widen their types, or set its identifier fields',
    client: { breakGlass: true },
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: tableParams,
    body: z
      .strictObject({
        rename: z.record(z.string(), columnName).optional().meta({ description: 'new names by old ones' }),
        types: z.record(z.string(), columnType).optional().meta({ description: 'wider types by column' }),
        identifier_fields: z
          .array(z.string())
          .optional()
          .meta({ description: `${IDENTIFIER_FIELDS}; empty for none` }),
        optional: z.array(z.string()).optional().meta({ description: 'columns that may be null from now on' }),
        drop: z.array(z.string()).optional(),
        add: newColumns.optional(),
        order: z.array(z.string()).optional().meta({ description: 'columns that come first, in this order' }),
      })
      .refine(
        (b) => Object.keys(b).length > 0,
        'name at least one of rename, types, identifier_fields, optional, drop, add, order',
      )
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: tableSchema },
    errors: ['not-found', 'not-a-managed-table', 'environment-protected', 'in-use', 'write-conflict'],
  }),
  truncate: endpoint({
    id: 'tables.truncate',
    method: 'POST',
    path: `${tablePath}/truncate`,
    summary: 'Remove all rows of a managed table in a new snapshot',
    client: {
      breakGlass: true,
      notes: 'Older snapshots keep the rows: `rollback` to `previous_snapshot_id` brings them back.',
    },
    needs: needs('WRITE_TABLE', 'TABLE'),
    params: tableParams,
    response: { status: 200, schema: truncationSchema },
    errors: ['not-found', 'not-a-managed-table', 'environment-protected', 'write-conflict'],
  }),
  rename: endpoint({
    id: 'tables.rename',
    method: 'POST',
    path: `${tablePath}/rename`,
    summary: 'Rename a table or view, or move it to another namespace of its environment',
    client: {
      positional: ['to'],
      breakGlass: true,
      notes:
        'Its id, rows, history, grants, policies and retention stay. Views and assets that name it must be changed.',
    },
    needs: decided('DROP_TABLE on the table, and CREATE_TABLE in the new namespace', 'DROP_TABLE', 'CREATE_TABLE'),
    params: tableParams,
    body: z.strictObject({
      to: z
        .string()
        .max(1153)
        .refine((name) => name.includes('.') && name.split('.').every(isNamePart), 'must be <namespace>.<table>')
        .meta({ description: 'the new name: <namespace>.<table>', pattern: QUALIFIED_TABLE }),
    }),
    response: { status: 200, schema: tableSchema },
    errors: ['not-found', 'already-exists', 'environment-protected'],
  }),
};
