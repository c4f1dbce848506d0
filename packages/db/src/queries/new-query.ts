import type { Action } from '@svc/core/access';
import type { QueryPreview } from '@svc/core/policies';
import type { IntoMode, QueryOrigin, QueryParams } from '@svc/core/queries';
import { jsonText } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { StoredQuery } from './stored-query.ts';

export interface NewQuery {
  id: string;
  environmentId: string;
  environment: string;
  submitterId: string;
  submitter: string;
  sql: string;
  /** The values of its parameters (default: it has none). */
  params?: QueryParams | null;
  into: { namespace: string; table: string } | null;
  mode: IntoMode | null;
  /** Days without activity after which the table that the query creates expires. */
  expireAfter?: number | null;
  /** Why the table will not get that retention (RETAIN-10). */
  retentionError?: { detail: string; remedy: string } | null;
  /** Whether a cached result may answer it (default: true). */
  useCache?: boolean;
  /** Whether it only counts the rows that it would change, and a SELECT is only described (default: false). */
  dryRun?: boolean;
  /** How it was submitted (default: through the REST interface). */
  origin?: QueryOrigin | null;
  /** The namespaces in which names without one are looked up, in order. */
  searchPath?: readonly string[] | null;
  /** The table that it shows as another principal sees it (default: it is a statement). */
  preview?: QueryPreview | null;
  breakGlass: string | null;
  tokenKind: string;
  /** The actions that the submitter's token carries at most (default: all). */
  tokenActions?: readonly Action[] | null;
  runId: string | null;
  requestId: string;
  /** The trace context (W3C) that the query continues. */
  traceparent?: string | null;
  /** Whether the query waits for a slot of its environment's quota (see `givePlaces`). */
  waits?: boolean;
  /** Whether it waits in the lane of long queries (default: whether it writes a table). */
  isLong?: boolean;
  now: Date;
}

/** The first lease of a query that its worker stores itself. */
export interface FirstLease {
  owner: string;
  leaseMs: number;
  /** When the query starts. */
  now: Date;
}

/** A query that writes a table takes time, however little it reads (QUERY-10). */
export const isLong = ({ isLong: isKnown, into }: NewQuery): boolean => isKnown ?? into !== null;

/** The record of a new query, which isn't stored yet: queued, or running under its first lease. */
export function newRecord(q: NewQuery, lease: FirstLease | null = null): StoredQuery {
  const { origin } = q;
  return {
    id: q.id,
    environment_id: q.environmentId,
    submitter_id: q.submitterId,
    submitter: q.submitter,
    status: lease === null ? 'queued' : 'running',
    sql_text: q.sql,
    params: q.params ?? null,
    into_namespace: q.into?.namespace ?? null,
    into_table: q.into?.table ?? null,
    mode: q.mode,
    expire_after: q.expireAfter ?? null,
    retention_error: q.retentionError ?? null,
    use_cache: q.useCache ?? true,
    cached: false,
    affected: null,
    dry_run: q.dryRun ?? false,
    parameter_types: null,
    source: origin?.source ?? null,
    client: origin == null ? null : { application: origin.application, address: origin.address },
    search_path: q.searchPath == null ? null : [...q.searchPath],
    preview: q.preview ?? null,
    break_glass: q.breakGlass,
    token_kind: q.tokenKind,
    token_actions: q.tokenActions == null ? null : [...q.tokenActions],
    run_id: q.runId,
    columns: null,
    row_count: null,
    first_rows: null,
    result_location: null,
    result_expires_at: null,
    progress: null,
    error: null,
    created_at: q.now,
    started_at: lease?.now ?? null,
    ended_at: null,
    cancel_requested_at: null,
    request_id: q.requestId,
    placed: false,
  };
}

/** A record with the columns of `queries` that no record shows. */
export type QueryRow = Omit<StoredQuery, 'submitter' | 'status'> & {
  status: StoredQuery['status'] | 'waiting';
  /** Ids of the tables that it read. */
  tables: readonly string[];
  traceparent: string | null;
  is_long: boolean;
  attempts: number;
  lease_owner: string | null;
  lease_fence: number;
  lease_expires_at: Date | null;
};

/** The row of a new query. */
export function newRow(q: NewQuery, lease: FirstLease | null = null): QueryRow {
  const { submitter: _, ...record } = newRecord(q, lease);
  return {
    ...record,
    status: q.waits ? 'waiting' : record.status,
    tables: [],
    traceparent: q.traceparent ?? null,
    is_long: isLong(q),
    attempts: lease === null ? 0 : 1,
    lease_owner: lease?.owner ?? null,
    lease_fence: lease === null ? 0 : 1,
    lease_expires_at: lease && new Date(lease.now.getTime() + lease.leaseMs),
  };
}

/** The types of the columns. Every other column has its default when a query is stored. */
const TYPES: Record<keyof QueryRow, string> = {
  id: 'uuid',
  environment_id: 'uuid',
  submitter_id: 'uuid',
  status: 'text',
  sql_text: 'text',
  params: 'jsonb',
  into_namespace: 'text',
  into_table: 'text',
  mode: 'text',
  expire_after: 'int',
  retention_error: 'jsonb',
  use_cache: 'boolean',
  cached: 'boolean',
  affected: 'jsonb',
  dry_run: 'boolean',
  parameter_types: 'jsonb',
  source: 'text',
  client: 'jsonb',
  search_path: 'jsonb',
  preview: 'jsonb',
  break_glass: 'text',
  token_kind: 'text',
  token_actions: 'jsonb',
  run_id: 'uuid',
  columns: 'jsonb',
  row_count: 'bigint',
  first_rows: 'jsonb',
  result_location: 'text',
  result_expires_at: 'timestamptz',
  progress: 'float8',
  error: 'jsonb',
  created_at: 'timestamptz',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  cancel_requested_at: 'timestamptz',
  request_id: 'text',
  placed: 'boolean',
  tables: 'jsonb',
  traceparent: 'text',
  is_long: 'boolean',
  attempts: 'int',
  lease_owner: 'uuid',
  lease_fence: 'bigint',
  lease_expires_at: 'timestamptz',
};
const NAMES = Prisma.raw(Object.keys(TYPES).join(', '));
const RECORDSET = Prisma.raw(
  Object.entries(TYPES)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
);

/** A row as JSON text, for `insertQueries`. */
export const rowText = (row: QueryRow): string =>
  jsonText({ ...row, row_count: row.row_count === null ? null : Number(row.row_count) });

/** Inserts rows of `rowText`, as a SQL fragment. */
export const insertQueries = (rows: readonly string[]): Prisma.Sql => Prisma.sql`
  INSERT INTO queries (${NAMES})
  SELECT ${NAMES} FROM jsonb_to_recordset(${`[${rows.join()}]`}::jsonb) AS x(${RECORDSET})`;
