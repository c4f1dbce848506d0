import * as z from 'zod';
import { isNamePart, QUALIFIED_TABLE } from '../access/names.ts';
import { decided, endpoint, integerText } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { snapshotId, TABLE_KINDS } from '../tables/schemas.ts';

const LINEAGE_DIRECTIONS = ['both', 'upstream', 'downstream'] as const;

/** The most tables that a lineage shows in each direction. */
export const MAX_LINEAGE_TABLES = 1000;
/** The most columns that a lineage shows, and that one build records. */
export const MAX_LINEAGE_COLUMNS = 20_000;
export const MAX_BUILD_COLUMNS = 5000;
const MAX_DEPTH = 50;

const time = z.iso.datetime();

/** `kind` is null if no such table exists; `repository` is the project whose active version builds it. `depth` counts the steps. */
export const lineageTableSchema = z
  .object({
    name: z.string(),
    kind: z.enum(TABLE_KINDS).nullable(),
    repository: z.string().nullable(),
    depth: z.int(),
  })
  .meta({ id: 'LineageTable' });
export type LineageTable = z.infer<typeof lineageTableSchema>;

/** A column, and one that its values were computed from. */
const lineageColumnSchema = z.object({ input: z.string(), output: z.string() }).meta({ id: 'LineageColumn' });
export type LineageColumn = z.infer<typeof lineageColumnSchema>;

/**
 * One table from which another one is built. `declared`: an asset of an active project version names it. `read`: the latest build read
 * it, at `input_snapshot_id`; the build was part of `run_id`. `columns` is null if unknown, and has the names that columns had then.
 */
export const lineageEdgeSchema = z
  .object({
    input: z.string(),
    output: z.string(),
    declared: z.boolean(),
    read: z.boolean(),
    input_snapshot_id: snapshotId.nullable(),
    columns: z.array(lineageColumnSchema).nullable(),
    run_id: z.uuid().nullable(),
    project_version_id: z.uuid().nullable(),
    built_at: time.nullable(),
  })
  .meta({ id: 'LineageEdge' });
export type LineageEdge = z.infer<typeof lineageEdgeSchema>;

/** `truncated`: there is more, beyond the depth, or the number of tables or columns. */
export const tableLineageSchema = z
  .object({
    table: z.string(),
    kind: z.enum(TABLE_KINDS).nullable(),
    repository: z.string().nullable(),
    upstream: z.array(lineageTableSchema),
    downstream: z.array(lineageTableSchema),
    edges: z.array(lineageEdgeSchema),
    truncated: z.boolean(),
  })
  .meta({ id: 'TableLineage' });
export type TableLineage = z.infer<typeof tableLineageSchema>;

export const lineageEndpoints = {
  get: endpoint({
    id: 'lineage.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/lineage',
    summary: 'Get the tables that a table is built from, and those that are built from it',
    client: {
      positional: ['table'],
      notes: 'Shows the tables that the caller can read, and with READ_ENVIRONMENT the assets of deployed projects.',
    },
    needs: decided(
      'READ_TABLE on the table; shows the tables that READ_TABLE covers, and with READ_ENVIRONMENT the assets of deployed projects, runs and project versions',
      'READ_TABLE',
      'READ_ENVIRONMENT',
      'READ_NAMESPACE',
    ),
    params: envParams,
    query: z.strictObject({
      table: z
        .string()
        .max(1153)
        .refine((name) => name.includes('.') && name.split('.').every(isNamePart), 'must be <namespace>.<table>')
        .meta({ description: '<namespace>.<table>', pattern: QUALIFIED_TABLE }),
      direction: z
        .string()
        .meta({ enum: [...LINEAGE_DIRECTIONS] })
        .pipe(z.enum(LINEAGE_DIRECTIONS, { error: 'must be both, upstream or downstream' }))
        .default('both'),
      depth: integerText(1, MAX_DEPTH).default(10),
    }),
    response: { status: 200, schema: tableLineageSchema },
    errors: ['not-found'],
  }),
};
