import type { Action } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import type { QueryPreview } from '@svc/core/policies';
import type { AffectedRows, IntoMode, Query, QueryOrigin, QueryParams, QueryStatus } from '@svc/core/queries';
import type { WorkStatus } from '@svc/core/writes';
import { Prisma } from '../generated/client.ts';

export interface ResultColumn {
  name: string;
  type: string;
}

/** A query as this folder's queries select it. */
export interface StoredQuery {
  id: string;
  environment_id: string;
  submitter_id: string;
  submitter: string | null;
  status: WorkStatus;
  sql_text: string;
  /** The values of its parameters; null if it has none. */
  params: QueryParams | null;
  into_namespace: string | null;
  into_table: string | null;
  mode: IntoMode | null;
  expire_after: number | null;
  /** Why the table that the query creates doesn't get the requested retention (RETAIN-10). */
  retention_error: { detail: string; remedy: string } | null;
  /** Whether a cached result may answer it. */
  use_cache: boolean;
  /** Whether a cached result answered it. */
  cached: boolean;
  /** The rows that it changed, if it is a statement that changes rows. */
  affected: AffectedRows | null;
  /** Whether it only counts the rows that it would change; a SELECT is only described. */
  dry_run: boolean;
  /** The types of its parameters, if it was only described. */
  parameter_types: string[] | null;
  /** Null if it came through the REST interface. */
  source: QueryOrigin['source'] | null;
  client: Pick<QueryOrigin, 'application' | 'address'> | null;
  /** The namespaces in which names without one are looked up, in order. */
  search_path: string[] | null;
  /** The table that it shows as another principal sees it; null if it is a statement. */
  preview: QueryPreview | null;
  break_glass: string | null;
  token_kind: string;
  /** The actions that the submitter's token carried at most; null if it had no such limit. */
  token_actions: Action[] | null;
  run_id: string | null;
  columns: ResultColumn[] | null;
  row_count: bigint | null;
  first_rows: unknown[][] | null;
  result_location: string | null;
  result_expires_at: Date | null;
  progress: number | null;
  error: Failure | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  cancel_requested_at: Date | null;
  request_id: string | null;
  /** Whether the query occupies a slot of its environment's quota. */
  placed: boolean;
}

/**
 * Selects queries with the names of their submitters. A query that waits for a quota slot has the status of a queued
 * one. `from` is a relation with the columns of `queries`.
 */
export const selectQuery = (from: 'queries q' | 'finished q' | 'q'): Prisma.Sql => Prisma.sql`
  SELECT q.id, q.environment_id, q.submitter_id, p.name AS submitter,
         CASE q.status WHEN 'waiting' THEN 'queued' ELSE q.status END AS status, q.placed, q.sql_text, q.params, q.into_namespace,
         q.into_table, q.mode, q.expire_after, q.retention_error, q.use_cache, q.cached, q.affected, q.dry_run,
         q.parameter_types, q.source, q.client, q.search_path, q.preview, q.break_glass, q.token_kind, q.token_actions, q.run_id, q.columns, q.row_count, q.first_rows,
         q.result_location, q.result_expires_at, q.progress, q.error, q.created_at, q.started_at, q.ended_at,
         q.cancel_requested_at, q.request_id
  FROM ${Prisma.raw(from)} LEFT JOIN principals p ON p.id = q.submitter_id`;

export const SELECT_QUERY = selectQuery('queries q');

function affectedOf({ affected }: StoredQuery): Pick<Query, 'affected'> {
  if (affected === null) return {};
  const { inserted, updated, deleted } = affected;
  return { affected: { inserted, updated, deleted } };
}

function originOf({ source, client }: StoredQuery): Pick<Query, 'source' | 'application' | 'client_address'> {
  if (source === null || client === null) return {};
  const { application, address } = client;
  return { source, ...(application === null ? {} : { application }), client_address: address };
}

/** Builds the API record of a query; `text` is as much of the statement as the caller may see. */
export function queryRecord(row: StoredQuery, text: Query['sql_text'] = row.sql_text): Query {
  return {
    id: row.id,
    status: row.status.toUpperCase() as QueryStatus,
    sql_text: text,
    ...(row.params !== null && typeof text === 'string' ? { params: row.params } : {}),
    submitter: row.submitter,
    into: row.into_table === null ? null : `${row.into_namespace}.${row.into_table}`,
    columns: row.columns,
    row_count: row.row_count === null ? null : Number(row.row_count),
    progress: row.progress,
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    ...affectedOf(row),
    ...(row.dry_run ? { dry_run: true } : {}),
    ...(row.parameter_types === null ? {} : { parameter_types: row.parameter_types }),
    ...originOf(row),
    ...(row.cached ? { cached: true } : {}),
    ...(row.status === 'succeeded' && row.retention_error !== null ? { retention_error: row.retention_error } : {}),
  };
}
