/** Why a statement is too long to parse, or null. Its length is measured in UTF-8. */
export function statementFault(sql: string, maxBytes: number): string | null {
  if (sql.length * 3 <= maxBytes) return null;
  const bytes = new TextEncoder().encode(sql).length;
  if (bytes <= maxBytes) return null;
  return `has ${bytes} bytes, and a statement may have ${maxBytes} (SVC_QUERY__MAX_STATEMENT_BYTES)`;
}
