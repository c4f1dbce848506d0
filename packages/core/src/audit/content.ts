import { EVENTS, type EventType } from './event-types.ts';

/** Replaces content that the reader may not see (AUDIT-10). */
export const HIDDEN = { hidden: true } as const;

/** Fields that any event may have in addition to its own. */
const COMMON_FIELDS = ['break_glass'];

/**
 * The detail of another person's event for a reader without READ_QUERY_TEXT (AUDIT-10): a statement becomes its hash
 * and length, and any field that isn't classified as harmless is hidden. `sha256` returns lower-case hex of UTF-8
 * (AUDIT-11).
 */
export function hideContent(
  type: EventType,
  detail: Readonly<Record<string, unknown>>,
  sha256: (text: string) => string,
): Record<string, unknown> {
  // During a rolling upgrade, a newer version may have written an event type that this version doesn't know.
  const known: readonly string[] = EVENTS[type]?.fields ?? [];
  const visible = (field: string, value: unknown): unknown => {
    if (known.includes(field) || COMMON_FIELDS.includes(field) || value === null) return value;
    if (type === 'QUERY_COMPLETED' && field === 'sql_text') {
      return typeof value === 'string' ? { sha256: sha256(value), length: [...value].length } : value;
    }
    return HIDDEN;
  };
  return Object.fromEntries(Object.entries(detail).map(([field, value]) => [field, visible(field, value)]));
}
