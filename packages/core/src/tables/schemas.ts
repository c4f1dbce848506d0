import * as z from 'zod';

export const TABLE_KINDS = ['managed', 'external', 'view', 'artifact'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];
export const EXTERNAL_FORMATS = ['csv', 'ndjson', 'parquet'] as const;
export type DataFormat = (typeof EXTERNAL_FORMATS)[number];

export const columnSchema = z
  .object({ name: z.string(), type: z.string(), nullable: z.boolean(), description: z.string().nullable() })
  .meta({ id: 'Column' });
export type Column = z.infer<typeof columnSchema>;
/** A column as a table's row stores it. */
export type StoredColumn = Column & { readonly identifier?: true };

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
    identifier_fields: z.array(z.string()),
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
export const createdTableSchema = tableSchema
  .extend({ retention_error: z.object({ detail: z.string(), remedy: z.string() }).optional() })
  .meta({ id: 'CreatedTable' });

/** A snapshot's id: a number, or a text of digits if a JSON number would lose precision (ids of other engines). */
export const snapshotId = z.union([z.int(), z.string().regex(/^\d{1,19}$/, 'must be the id of a snapshot')], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be the id of a snapshot'),
});

/** What made a snapshot, as far as the caller may see it (TABLE-26). */
const snapshotWorkSchema = z
  .object({
    principal: z.string().nullable(),
    run_id: z.uuid().nullable(),
    asset: z.string().nullable(),
    query_id: z.uuid().nullable(),
    write_id: z.uuid().nullable(),
  })
  .meta({ id: 'SnapshotWork' });

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
    /** Null if it isn't known or visible; absent in a service of an older version. */
    made_by: snapshotWorkSchema.nullable().optional(),
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
