/** A quoted identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A quoted text literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A list of text literals. */
export function literals(texts: readonly string[]): string {
  return `[${texts.map(literal).join(', ')}]`;
}
