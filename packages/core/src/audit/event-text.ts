import type { AuditEvent } from './contract.ts';

const SHOWN = 70;

type Detail = Record<string, unknown>;

/** Summaries of frequently searched events; the JSON has the whole detail. */
const SENTENCES: Record<string, (detail: Detail) => string> = {
  AUTHORIZATION_DENIED: denial,
  GRANT_CREATED: grant,
  GRANT_EXPIRED: grant,
  GRANT_REVOKED: grant,
  QUERY_COMPLETED: ({ status, sql_text }) =>
    [status, typeof sql_text === 'string' ? sql_text : null].filter(Boolean).join(': '),
  TOKEN_ISSUED: ({ name, principal }) => `${name} of ${principal}`,
  TOKEN_REVOKED: ({ name, principal }) => `${name} of ${principal}`,
};

// The object has its own column.
function denial({ action, object, reason }: Detail): string {
  const { environment, namespace, table } = (object ?? {}) as Record<string, string | null>;
  const on = ` on ${[environment, namespace, table].filter(Boolean).join('/') || 'the instance'}`;
  const reasonText = String(reason ?? '').replace(on, '');
  return action === null || reasonText.includes(String(action)) ? reasonText : `${action}: ${reasonText}`;
}

function grant({ role, action, principal, group }: Detail): string {
  return `${role ?? action} to ${principal ?? `group ${group}`}`;
}

/** Summarizes an event in one line. */
export function eventText({ type, detail }: Pick<AuditEvent, 'type' | 'detail'>): string {
  const text = SENTENCES[type]?.(detail) ?? fields(detail);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}

function fields(detail: Detail): string {
  const granted = Object.entries(detail).filter(
    ([key, value]) => value !== null && key !== 'object' && !/(^|_)id$/.test(key),
  );
  return granted.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
}
