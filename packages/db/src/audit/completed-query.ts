import { createHash } from 'node:crypto';
import type { QueryOrigin, QueryParams } from '@svc/core/queries';
import type { WorkStatus } from '@svc/core/writes';

type QueryTextMode = 'full' | 'hash' | 'off';

/**
 * The detail of QUERY_COMPLETED: the status from the query's record, the ids of the tables that it read, and as much of
 * its text as `SVC_AUDIT__QUERY_TEXT` stores (AUDIT-3).
 */
export function completedQuery(
  query: {
    id: string;
    status: WorkStatus;
    sql_text: string;
    params?: QueryParams | null;
    tables: readonly string[];
    source?: QueryOrigin['source'] | null;
    client?: Pick<QueryOrigin, 'application' | 'address'> | null;
  },
  mode: QueryTextMode,
): Record<string, unknown> {
  const { id, status, sql_text, params, tables, source, client } = query;
  const values = params == null ? {} : { params: mode === 'full' ? params : auditText(JSON.stringify(params), mode) };
  const origin = source == null ? {} : { source, application: client?.application, client_address: client?.address };
  return {
    query_id: id,
    status: status.toUpperCase(),
    sql_text: auditText(sql_text, mode),
    ...values,
    tables,
    ...origin,
  };
}

/** What events record of a saved statement: never its text. */
export const statementDigest = (sql: string, mode: QueryTextMode): unknown =>
  auditText(sql, mode === 'off' ? 'off' : 'hash');

function auditText(sql: string, mode: QueryTextMode): string | { sha256: string; length: number } | null {
  if (mode === 'full') return sql;
  if (mode === 'off') return null;
  return { sha256: createHash('sha256').update(sql).digest('hex'), length: [...sql].length };
}
