import { expiresSoon, type RetentionInput, retentionOf } from '@svc/core/retention';
import type { DataFormat, StoredColumn, Table, TableKind } from '@svc/core/tables';
import { Prisma } from '../generated/client.ts';

/** A table as this folder's queries select it. */
export interface StoredTable {
  id: string;
  environment_id: string;
  namespace_id: string;
  namespace: string;
  name: string;
  kind: TableKind;
  description: string | null;
  owner_id: string | null;
  owner: string | null;
  columns: StoredColumn[];
  location: string | null;
  metadata_location: string | null;
  format: DataFormat | null;
  view_sql: string | null;
  row_count: bigint | null;
  size_bytes: bigint | null;
  created_at: Date;
  updated_at: Date;
  last_read_at: Date | null;
  built: boolean;
  retention_days: number | null;
  retention_on: string | null;
  retention_never: boolean;
  retention_set_at: Date | null;
  retention_set_by: string | null;
  held_at: Date | null;
  held_by: string | null;
  hold_reason: string | null;
  hold_until: Date | null;
  environment_days: number | null;
  environment_set_at: Date | null;
  environment_set_by: string | null;
  environment_protected: boolean;
}

export const SELECT_TABLE = Prisma.sql`
  SELECT t.id, t.environment_id, t.namespace_id, n.path AS namespace, t.name, t.kind, t.description, t.owner_id,
         p.name AS owner, t.columns, t.location, t.metadata_location, t.format, t.view_sql, t.row_count, t.size_bytes,
         t.created_at, t.updated_at, t.last_read_at, t.built_by_repository IS NOT NULL AS built, t.retention_days,
         to_char(t.retention_on, 'YYYY-MM-DD') AS retention_on, t.retention_never, t.retention_set_at,
         rp.name AS retention_set_by, t.held_at, hp.name AS held_by, t.hold_reason, t.hold_until,
         e.retention_days AS environment_days, e.retention_set_at AS environment_set_at,
         ep.name AS environment_set_by, e.protected AS environment_protected
  FROM tables t JOIN namespaces n ON n.id = t.namespace_id JOIN environments e ON e.id = t.environment_id
  LEFT JOIN principals p ON p.id = t.owner_id LEFT JOIN principals rp ON rp.id = t.retention_set_by
  LEFT JOIN principals hp ON hp.id = t.held_by LEFT JOIN principals ep ON ep.id = e.retention_set_by`;

/** The time of a table's last activity: a catalog change or a read (RETAIN-3). */
export const activityOf = ({ updated_at, last_read_at }: Pick<StoredTable, 'updated_at' | 'last_read_at'>): Date =>
  last_read_at !== null && last_read_at > updated_at ? last_read_at : updated_at;

const hasLegalHold = ({ held_at, hold_until }: StoredTable, now: Date): boolean =>
  held_at !== null && (hold_until === null || hold_until > now);

/** The facts that decide whether and when a table expires. */
export function retentionFacts(row: StoredTable, now: Date): RetentionInput {
  return {
    kind: row.kind,
    own: { days: row.retention_days, on: row.retention_on, never: row.retention_never },
    environment: {
      days: row.environment_days,
      setAt: row.environment_set_at,
      protected: row.environment_protected,
    },
    builtByProject: row.built,
    hasLegalHold: hasLegalHold(row, now),
    activityAt: activityOf(row),
  };
}

/** The legal hold on a table at a time. */
export function legalHoldRecord(row: StoredTable, now: Date): Table['hold'] {
  if (!hasLegalHold(row, now)) return null;
  return {
    reason: row.hold_reason!,
    until: row.hold_until?.toISOString() ?? null,
    set_by: row.held_by,
    set_at: row.held_at!.toISOString(),
  };
}

const numberOrNull = (n: bigint | null): number | null => (n === null ? null : Number(n));

/** Builds the API record of a table; `warningDays` is the window of `expires_soon`. */
export function tableRecord(row: StoredTable, { now, warningDays }: { now: Date; warningDays: number }): Table {
  const { expiresAt } = retentionOf(retentionFacts(row, now));
  return {
    id: row.id,
    name: row.name,
    namespace: row.namespace,
    kind: row.kind,
    description: row.description,
    owner: row.owner,
    columns: row.columns.map(({ identifier: _, ...column }) => column),
    identifier_fields: row.columns.filter((column) => column.identifier).map(({ name }) => name),
    location: row.location,
    row_count: numberOrNull(row.row_count),
    size_bytes: numberOrNull(row.size_bytes),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    expires_soon: expiresSoon(expiresAt, now, warningDays),
    hold: legalHoldRecord(row, now),
    format: row.format,
    view_sql: row.view_sql,
  };
}
