const STATEMENT_NAME = /^\s*\/\* prepared ([\w-]+) \*\//;

/**
 * The name under which a connection caches a statement's plan, or an empty text if the statement is planned each time.
 * A statement opts in by starting with a comment of the form `prepared NAME`; its text must never vary. Use it only for
 * statements whose best plan doesn't depend on the parameters: filtered lists are better planned for their filters.
 */
export function preparedName({ sql }: { sql: string }): string {
  return STATEMENT_NAME.exec(sql)?.[1] ?? '';
}
