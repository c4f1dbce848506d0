/** How a field of an event's detail is shown. */
export type EventValue =
  | { readonly kind: 'text' | 'code' | 'hidden'; readonly text: string }
  | { readonly kind: 'none' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Other people's content is replaced by the service (AUDIT-10): the page says so instead of showing the replacement. */
export function eventValue(field: string, value: unknown): EventValue {
  if (value === null || value === undefined) return { kind: 'none' };
  if (isObject(value) && value['hidden'] === true) return { kind: 'hidden', text: 'hidden' };
  if (isObject(value) && typeof value['sha256'] === 'string' && typeof value['length'] === 'number')
    return { kind: 'hidden', text: `${value['length']} characters, SHA-256 ${value['sha256']}` };
  if (typeof value === 'string')
    return { kind: field === 'sql_text' || value.includes('\n') ? 'code' : 'text', text: value };
  if (typeof value !== 'object') return { kind: 'text', text: String(value) };
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.length === 0 ? { kind: 'none' } : { kind: 'text', text: value.join(', ') };
  return { kind: 'code', text: JSON.stringify(value, null, 2) };
}
