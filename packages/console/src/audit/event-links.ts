import type { AuditEvent } from '@svc/sdk/browser';
import type { NavigateOptions } from '@tanstack/react-router';

/** The page of what a field of an event's detail names; undefined without one. */
export function fieldTarget({ object, detail }: AuditEvent, field: string): NavigateOptions | undefined {
  const value = detail[field];
  const env = object.environment;
  if (!env || typeof value !== 'string') return undefined;
  if (field === 'query_id') return { to: '/$env/sql', params: { env }, search: { query: value } };
  if (field === 'run_id') return { to: '/$env/runs/$run', params: { env, run: value }, search: {} };
  const { repository } = detail;
  if (field === 'job' && typeof repository === 'string')
    return { to: '/$env/runs', params: { env }, search: { job: value, repository } };
  return undefined;
}
