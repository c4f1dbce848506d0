/** Why a statement is too long to be parsed, or null. Its text is UTF-8 when it is counted. */
export function statementFault(sql: string, maxBytes: number): string | null {
  if (sql.length * 3 <= maxBytes) return null;
  const bytes = new TextEncoder().encode(sql).length;
  if (bytes <= maxBytes) return null;
  return `has ${bytes} bytes, and a statement may have ${maxBytes} (SVC_QUERY__MAX_STATEMENT_BYTES)`;
}
