const MARK = /^\s*\/\* prepared ([\w-]+) \*\//;

/**
 * The name under which a connection keeps the plan of a statement; empty for one that is planned every time. A
 * statement asks for it by beginning with a comment of the form `prepared NAME`; its text must never vary. Only for
 * statements whose best plan does not depend on the values: filtered lists are better planned for what they are asked.
 */
export function preparedName({ sql }: { sql: string }): string {
  return MARK.exec(sql)?.[1] ?? '';
}
