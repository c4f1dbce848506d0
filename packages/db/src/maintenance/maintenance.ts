import type { Failure } from '@svc/core/errors';
import type { Maintenance, MaintenanceResult } from '@svc/core/maintenance';
import type { WorkStatus } from '@svc/core/writes';
import { jsonText, type Transaction } from '../connection/index.ts';
import { announceFinished, announceWork, type Claim, requireLease } from '../leases/index.ts';
import { requireLiveTable } from '../tables/index.ts';

/** A maintenance job as this folder's queries select it. */
export interface StoredMaintenance {
  id: string;
  environment_id: string;
  table_id: string;
  table: string;
  requested_by: string | null;
  requester: string | null;
  compact: boolean;
  expire_days: number | null;
  sort_by: string[];
  bloom_filters: string[];
  status: WorkStatus;
  result: MaintenanceResult | null;
  error: Failure | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  request_id: string | null;
}

export function maintenanceRecord(row: StoredMaintenance): Maintenance {
  return {
    id: row.id,
    table: row.table,
    compact: row.compact,
    expire_snapshots_older_than_days: row.expire_days,
    sort_by: row.sort_by,
    bloom_filters: row.bloom_filters,
    status: row.status,
    result: row.result,
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

export interface NewMaintenanceRow {
  id: string;
  environmentId: string;
  tableId: string;
  /** Null for automatic maintenance. */
  requestedBy: string | null;
  compact: boolean;
  expireDays: number | null;
  /** Columns as the table spells them (default: none). */
  sortBy?: readonly string[];
  bloomFilters?: readonly string[];
  requestId: string | null;
  /** The trace context (W3C) that the work continues. */
  traceparent?: string | null;
  now: Date;
}

/** Enqueues maintenance of a table and wakes a worker. @throws ApiError `not-found` if the table was dropped */
export async function submitMaintenance(client: Transaction, m: NewMaintenanceRow): Promise<void> {
  await requireLiveTable(client, m.tableId);
  await client.maintenance.create({
    data: {
      id: m.id,
      environment_id: m.environmentId,
      table_id: m.tableId,
      requested_by: m.requestedBy,
      compact: m.compact,
      expire_days: m.expireDays,
      sort_by: [...(m.sortBy ?? [])],
      bloom_filters: [...(m.bloomFilters ?? [])],
      request_id: m.requestId,
      traceparent: m.traceparent ?? null,
      status: 'queued',
      created_at: m.now,
    },
  });
  await announceWork(client, 'maintenance');
}

export async function findMaintenance(client: Transaction, id: string): Promise<StoredMaintenance | null> {
  const rows = await client.$queryRaw<StoredMaintenance[]>`
    SELECT m.id, m.environment_id, m.table_id, n.path || '.' || t.name AS table, m.requested_by, p.name AS requester,
           m.compact, m.expire_days, m.sort_by, m.bloom_filters, m.status, m.result, m.error, m.created_at, m.started_at,
           m.ended_at, m.request_id
    FROM maintenance m JOIN tables t ON t.id = m.table_id JOIN namespaces n ON n.id = t.namespace_id
    LEFT JOIN principals p ON p.id = m.requested_by WHERE m.id = ${id}::uuid`;
  return rows[0] ?? null;
}

export type MaintenanceOutcome =
  | { status: 'succeeded'; result: MaintenanceResult }
  | { status: 'failed'; error: Failure };

/** Finishes a claimed maintenance. @throws LeaseLostError */
export async function finishMaintenance(
  client: Transaction,
  { claim, outcome, now }: { claim: Claim; outcome: MaintenanceOutcome; now: Date },
): Promise<void> {
  await requireLease(client, { kind: 'maintenance', claim });
  const result = outcome.status === 'succeeded' ? jsonText(outcome.result) : null;
  const error = outcome.status === 'failed' ? jsonText(outcome.error) : null;
  await client.$executeRaw`
    UPDATE maintenance SET status = ${outcome.status}, ended_at = ${now}, lease_owner = NULL, lease_expires_at = NULL,
      result = ${result}::jsonb, error = ${error}::jsonb
    WHERE id = ${claim.id}::uuid`;
  await announceFinished(client, { kind: 'maintenance', id: claim.id });
}
