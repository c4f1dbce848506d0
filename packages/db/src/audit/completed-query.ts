import { createHash } from 'node:crypto';

/** What the audit log keeps of a statement, by `SVC_AUDIT__QUERY_TEXT` (specification 8). */
export function auditText(
  sql: string,
  keep: 'full' | 'hash' | 'off',
): string | { sha256: string; length: number } | null {
  if (keep === 'full') return sql;
  if (keep === 'off') return null;
  return { sha256: createHash('sha256').update(sql).digest('hex'), length: [...sql].length };
}
