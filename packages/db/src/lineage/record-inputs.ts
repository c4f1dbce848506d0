import type { LineageColumn } from '@svc/core/lineage';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { namedTablesSql } from './named-tables.ts';

/** A table that a build read. */
export interface ReadInput {
  id: string;
  snapshotId: bigint | null;
  /** Null if unknown. */
  columns: readonly LineageColumn[] | null;
}

/** A finished build of a table. */
export interface TableBuild {
  tableId: string;
  environmentId: string;
  runId: string;
  projectVersionId: string;
  /** Whether rows of earlier builds are still in the table, and therefore their inputs too. */
  retainsRows: boolean;
  /** Null if unknown. */
  read: readonly ReadInput[] | null;
  /** The names of the inputs that the asset declares, which count if it is unknown what was read. */
  declared: readonly string[];
  now: Date;
}

/** Records what a table was built from, in the transaction that stores the build (LINEAGE-1). */
export async function recordInputs(client: Transaction, build: TableBuild): Promise<void> {
  const { tableId, retainsRows, now } = build;
  if (!retainsRows) await client.tableInput.deleteMany({ where: { table_id: tableId } });
  await client.$executeRaw`
    INSERT INTO table_inputs (table_id, input_id, is_read, input_snapshot_id, columns, run_id, project_version_id, built_at)
    SELECT ${tableId}::uuid, i.id, ${build.read !== null}, i.snapshot_id, i.columns, ${build.runId}::uuid,
      ${build.projectVersionId}::uuid, ${now}
    FROM (${inputsOf(build)}) i WHERE i.id <> ${tableId}::uuid ORDER BY i.id
    ON CONFLICT (table_id, input_id) DO UPDATE SET is_read = excluded.is_read,
      input_snapshot_id = excluded.input_snapshot_id, columns = excluded.columns, run_id = excluded.run_id,
      project_version_id = excluded.project_version_id, built_at = excluded.built_at`;
}

function inputsOf({ read, declared, environmentId }: TableBuild): Prisma.Sql {
  if (read === null)
    return Prisma.sql`
      SELECT t.id, NULL::bigint AS snapshot_id, NULL::jsonb AS columns FROM ${namedTablesSql(environmentId, declared)}`;
  const rows = read.map(({ id, snapshotId, columns }) => ({
    id,
    snapshot_id: snapshotId === null ? null : String(snapshotId),
    columns,
  }));
  return Prisma.sql`
    SELECT id, snapshot_id, columns
    FROM jsonb_to_recordset(${jsonText(rows)}::jsonb) AS r(id uuid, snapshot_id bigint, columns jsonb)`;
}
