import type { Failure } from '@svc/core/errors';
import type { DataFormat } from '@svc/core/tables';
import type { CsvDialect, CsvOptions, LoadMode, WorkStatus, Write } from '@svc/core/writes';
import { jsonText, type Transaction } from '../connection/index.ts';
import type { Prisma } from '../generated/client.ts';
import { announceFinished, announceWork, type Claim, requireLease } from '../leases/index.ts';
import { requireLiveTable } from '../tables/index.ts';

/** A write as this folder's queries select it. */
export interface StoredWrite {
  id: string;
  environment_id: string;
  table_id: string;
  table: string;
  requested_by: string;
  requester: string | null;
  requester_active: boolean;
  mode: LoadMode;
  /** The columns that identify a row, for a merge. */
  merge_key: string[];
  format: DataFormat;
  /** The locations of all parts, in the order of the files. */
  staged_locations: string[];
  /** The number of parts of each file, if there are several files. */
  file_parts: number[];
  file_names: string[];
  csv_options: CsvOptions | null;
  /** What CSV was read as. */
  csv: CsvDialect | null;
  /** How many lines it may leave out; null if it may not leave out any. */
  max_errors: number | null;
  rejected: bigint | null;
  progress: number | null;
  rejected_location: string | null;
  watermark: string | null;
  break_glass: string | null;
  status: WorkStatus;
  rows: bigint | null;
  error: Failure | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  request_id: string | null;
  run_id: string | null;
}

export function writeRecord(row: StoredWrite): Write {
  return {
    id: row.id,
    table: row.table,
    mode: row.mode,
    status: row.status,
    rows: row.rows === null ? null : Number(row.rows),
    rejected: row.rejected === null ? null : Number(row.rejected),
    progress: row.progress,
    csv: row.csv,
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** A staged file. Its bytes are those of its parts, one after the other. */
export interface StagedParts {
  name: string | null;
  locations: readonly string[];
}

/** The files of a write. */
export function filesOfWrite(row: StoredWrite): StagedParts[] {
  if (row.file_parts.length === 0) return [{ name: null, locations: row.staged_locations }];
  let at = 0;
  return row.file_parts.map((parts, i) => {
    const locations = row.staged_locations.slice(at, at + parts);
    at += parts;
    return { name: row.file_names[i] || null, locations };
  });
}

export interface NewWrite {
  id: string;
  environmentId: string;
  tableId: string;
  requestedBy: string;
  mode: LoadMode;
  /** The columns that identify a row, for a merge. */
  mergeKey: readonly string[];
  format: DataFormat;
  /** The files with the locations of their parts. */
  files: readonly StagedParts[];
  csvOptions: CsvOptions | null;
  maxErrors: number | null;
  watermark: string | null;
  breakGlass: string | null;
  runId: string | null;
  requestId: string;
  /** The trace context (W3C) that the write continues. */
  traceparent?: string | null;
  now: Date;
}

/** Enqueues a write whose rows are staged and wakes a worker. @throws ApiError `not-found` if the table was dropped */
export async function submitWrite(client: Transaction, w: NewWrite): Promise<void> {
  // A later expiry sees the write and waits.
  await requireLiveTable(client, w.tableId);
  await client.write.create({
    data: {
      id: w.id,
      environment_id: w.environmentId,
      table_id: w.tableId,
      requested_by: w.requestedBy,
      mode: w.mode,
      merge_key: [...w.mergeKey],
      format: w.format,
      ...stagedAs(w),
      ...(w.csvOptions === null ? {} : { csv_options: w.csvOptions as Prisma.InputJsonObject }),
      max_errors: w.maxErrors,
      watermark: w.watermark,
      break_glass: w.breakGlass,
      run_id: w.runId,
      request_id: w.requestId,
      traceparent: w.traceparent ?? null,
      status: 'queued',
      created_at: w.now,
    },
  });
  await announceWork(client, 'writes');
}

/**
 * A worker of version 0.1 knows only `staged_location`. It must not load a part as if it were the whole file, and knows
 * neither merges nor options.
 */
function stagedAs({ id, mode, files, csvOptions, maxErrors }: NewWrite) {
  const locations = files.flatMap((file) => file.locations);
  const [only, ...others] = locations;
  // CSV as that worker reads it is what detection tries first.
  const isPlain = mode !== 'merge' && Object.keys(csvOptions ?? {}).every((o) => o === 'detect') && maxErrors === null;
  if (files.length === 1 && others.length === 0 && only !== undefined && isPlain) return { staged_location: only };
  return {
    staged_location: `${only?.slice(0, only.lastIndexOf('/')) ?? 'file://'}/parts-of-${id}`,
    staged_parts: locations,
    ...(files.length === 1 && locations.length > 0
      ? {}
      : { file_parts: files.map((file) => file.locations.length), file_names: files.map(({ name }) => name ?? '') }),
  };
}

export async function findWrite(client: Transaction, id: string): Promise<StoredWrite | null> {
  const rows = await client.$queryRaw<StoredWrite[]>`
    SELECT w.id, w.environment_id, w.table_id, n.path || '.' || t.name AS table, w.requested_by, p.name AS requester,
           coalesce(p.active AND p.deleted_at IS NULL, false) AS requester_active,
           w.mode, w.merge_key, w.format,
           CASE WHEN cardinality(w.staged_parts) > 0 OR cardinality(w.file_parts) > 0 THEN w.staged_parts
                ELSE ARRAY[w.staged_location] END AS staged_locations,
           w.file_parts, w.file_names, w.csv_options, w.csv, w.max_errors, w.rejected, w.progress, w.rejected_location, w.watermark,
           w.break_glass, w.status, w.rows, w.error, w.created_at, w.started_at, w.ended_at, w.request_id, w.run_id
    FROM writes w JOIN tables t ON t.id = w.table_id JOIN namespaces n ON n.id = t.namespace_id
    LEFT JOIN principals p ON p.id = w.requested_by WHERE w.id = ${id}::uuid`;
  return rows[0] ?? null;
}

export type WriteOutcome =
  | {
      status: 'succeeded';
      rows: number;
      snapshotId: number | null;
      csv: CsvDialect | null;
      /** The number of lines that were left out and the file with them, if the load may leave out lines. */
      rejected: { count: number; location: string } | null;
    }
  | { status: 'failed'; error: Failure };

/** Finishes a claimed write, in the transaction that swaps the table's pointer. */
export async function finishWrite(
  client: Transaction,
  { claim, outcome, now }: { claim: Claim; outcome: WriteOutcome; now: Date },
): Promise<void> {
  await requireLease(client, { kind: 'writes', claim });
  const done = outcome.status === 'succeeded' ? outcome : null;
  await client.$executeRaw`
    UPDATE writes SET status = ${outcome.status}, ended_at = ${now}, lease_owner = NULL, lease_expires_at = NULL,
      rows = ${done?.rows ?? null}, csv = ${done?.csv ? jsonText(done.csv) : null}::jsonb,
      rejected = ${done?.rejected?.count ?? null},
      rejected_location = ${done?.rejected?.count ? done.rejected.location : null}, snapshot_id = ${done?.snapshotId ?? null},
      error = ${outcome.status === 'failed' ? jsonText(outcome.error) : null}::jsonb
    WHERE id = ${claim.id}::uuid`;
  await announceFinished(client, { kind: 'writes', id: claim.id });
}

/** Returns those of the writes whose principal was deactivated or deleted (ACCESS-22). */
export async function filterStoppedWrites(client: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT w.id FROM writes w JOIN principals p ON p.id = w.requested_by
    WHERE w.id = ANY(${ids}::uuid[]) AND (NOT p.active OR p.deleted_at IS NOT NULL)`;
  return rows.map(({ id }) => id);
}

/** Stores the progress (0 to 1) if the claim is still valid. */
export async function setWriteProgress(
  client: Transaction,
  { claim, progress }: { claim: Claim; progress: number },
): Promise<void> {
  await client.$executeRaw`
    UPDATE writes SET progress = ${progress}
    WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running'`;
}
