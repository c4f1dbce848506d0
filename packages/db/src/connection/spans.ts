import type { NewSpan, Traces } from '@svc/core/traces';

/** What every span of the database is; neither statements nor their values are told. */
export const DATABASE_SPAN = {
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const satisfies Partial<NewSpan>;

/** What lets work that is stored now go on with the trace under way; null where nothing is traced. */
export function traceparentOf({ traces }: { readonly traces?: Traces | undefined }): string | null {
  return traces?.activeSpan()?.traceparent ?? null;
}
