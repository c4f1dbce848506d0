import type { NewSpan, Traces } from '@svc/core/traces';

/** Attributes of every database span. They include neither statements nor parameters. */
export const DATABASE_SPAN = {
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const satisfies Partial<NewSpan>;

/** The trace context to store with new work, so that the work continues the current trace; null without tracing. */
export function traceparentOf({ traces }: { readonly traces?: Traces | undefined }): string | null {
  return traces?.activeSpan()?.traceparent ?? null;
}
