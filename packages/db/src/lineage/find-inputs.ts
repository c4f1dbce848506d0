import type { Asset } from '@svc/core/deploys';
import type { LineageColumn } from '@svc/core/lineage';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type VisibleTables, visibleTablesSql } from '../tables/index.ts';
import { namedTablesSql } from './named-tables.ts';

/** A table, view or artifact that exists. */
export interface LineageTable {
  id: string;
  name: string;
  kind: TableKind;
}

/** What the latest build of a table recorded about one of its inputs, and the table at the other end. */
export interface RecordedInput extends LineageTable {
  table_id: string;
  input_id: string;
  is_read: boolean;
  input_snapshot_id: bigint | null;
  run_id: string;
  project_version_id: string;
  built_at: Date;
}

/**
 * The recorded inputs of tables (`upstream`), or the tables that have them as inputs, as far as the caller may see the other end. Dropped
 * tables are left out. At most `limit`, by name.
 */
export async function findInputs(
  client: Transaction,
  q: {
    environmentId: string;
    tableIds: readonly string[];
    direction: 'upstream' | 'downstream';
    visible: VisibleTables;
    limit: number;
  },
): Promise<RecordedInput[]> {
  if (q.tableIds.length === 0) return [];
  const [from, to] =
    q.direction === 'upstream'
      ? [Prisma.sql`i.table_id`, Prisma.sql`i.input_id`]
      : [Prisma.sql`i.input_id`, Prisma.sql`i.table_id`];
  return client.$queryRaw<RecordedInput[]>`
    SELECT t.id, n.path || '.' || t.name AS name, t.kind, i.table_id, i.input_id, i.is_read, i.input_snapshot_id,
      i.run_id, i.project_version_id, i.built_at
    FROM table_inputs i JOIN tables t ON t.id = ${to} JOIN namespaces n ON n.id = t.namespace_id
    WHERE ${from} = ANY(${[...q.tableIds]}::uuid[]) AND t.environment_id = ${q.environmentId}::uuid
      AND t.dropped_at IS NULL AND n.dropped_at IS NULL ${visibleTablesSql(q.visible)}
    ORDER BY n.path_key, t.name_key, ${from} LIMIT ${q.limit}`;
}

/** Finds the tables with these names; names without a table are left out. */
export async function findTablesByName(
  client: Transaction,
  { environmentId, names }: { environmentId: string; names: readonly string[] },
): Promise<LineageTable[]> {
  if (names.length === 0) return [];
  return client.$queryRaw<LineageTable[]>`
    SELECT t.id, n.path || '.' || t.name AS name, t.kind FROM ${namedTablesSql(environmentId, names)}`;
}

/** A table and one of its inputs. */
export interface InputKey {
  tableId: string;
  inputId: string;
}

/** The columns of recorded inputs. Null: unknown, or beyond `limit` columns in total, in the order of the keys. */
export async function findInputColumns(
  client: Transaction,
  { keys, limit }: { keys: readonly InputKey[]; limit: number },
): Promise<{ table_id: string; input_id: string; columns: LineageColumn[] | null; is_omitted: boolean }[]> {
  if (keys.length === 0) return [];
  const tables = keys.map(({ tableId }) => tableId);
  const inputs = keys.map(({ inputId }) => inputId);
  return client.$queryRaw`
    SELECT table_id, input_id, CASE WHEN total <= ${limit} THEN columns END AS columns, total > ${limit} AS is_omitted
    FROM (
      SELECT i.table_id, i.input_id, i.columns, sum(jsonb_array_length(i.columns)) OVER (ORDER BY k.position) AS total
      FROM unnest(${tables}::uuid[], ${inputs}::uuid[]) WITH ORDINALITY AS k(table_id, input_id, position)
      JOIN table_inputs i ON i.table_id = k.table_id AND i.input_id = k.input_id
      WHERE i.columns IS NOT NULL
    ) c`;
}

/** An asset of an active project version. */
export interface DeployedAsset {
  name: string;
  repository: string;
  dependsOn: Asset['dependsOn'];
}

/** The assets of all projects that are deployed in an environment, by name. */
export async function deployedAssets(client: Transaction, environmentId: string): Promise<DeployedAsset[]> {
  return client.$queryRaw<DeployedAsset[]>`
    SELECT a.name, r.name AS repository, a."dependsOn" FROM deployments d
    JOIN project_versions v ON v.id = d.project_version_id JOIN repositories r ON r.id = d.repository_id,
      jsonb_to_recordset(v.assets) AS a(name text, "dependsOn" jsonb)
    WHERE d.environment_id = ${environmentId}::uuid AND d.ended_at IS NULL ORDER BY lower(a.name), r.name`;
}
