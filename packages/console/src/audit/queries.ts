import { infiniteQueryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';
import { instantIn, lengthOf } from '../text/periods.ts';

/** The filters of the log, as the address has them. */
export interface AuditFilters {
  readonly type?: string | undefined;
  /** The id of a principal. */
  readonly principal?: string | undefined;
  /** `instance`: events of all environments, and those without one. */
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
  readonly table?: string | undefined;
  readonly request?: string | undefined;
  /** A period until now such as `24h`, or a time. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The time that a filter of the address means; undefined if it means none. */
export function instantOf(text: string | undefined, now: number): Date | undefined {
  const length = lengthOf(text);
  return length === undefined ? instantIn(text) : new Date(now - length);
}

export const environmentOf = (env: string, { scope }: AuditFilters): string | undefined =>
  scope === 'instance' ? undefined : env;

export const auditQuery = (env: string, filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', env, filters],
    queryFn: async ({ pageParam: { cursor, now = Date.now() }, signal }) => {
      const page = await svc.audit.listPage({
        event_type: filters.type,
        principal_id: filters.principal,
        environment: environmentOf(env, filters),
        namespace: filters.namespace,
        table: filters.table,
        request_id: filters.request,
        since: instantOf(filters.since, now),
        until: instantOf(filters.until, now),
        limit: 100,
        cursor,
        signal,
      });
      return { ...page, now };
    },
    initialPageParam: {} as { cursor?: string; now?: number },
    // A cursor belongs to its filters: periods until now keep the time of the first page.
    getNextPageParam: ({ next_cursor, now }) => (next_cursor === null ? undefined : { cursor: next_cursor, now }),
  });
