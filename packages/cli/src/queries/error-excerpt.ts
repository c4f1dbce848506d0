import { positionIn } from '@svc/core/deploys';
import { errorPosition } from '@svc/core/sql-tokens';

/** The line of a statement that an error is about, with a caret below the position; nothing if the error quotes no part of it. */
export function excerptOf(sql: string, message: string): string[] {
  const position = errorPosition(sql, message);
  if (position === undefined) return [];
  const offset = [...sql].slice(0, position - 1).join('').length;
  const { line, caret } = positionIn(sql, offset);
  const prefix = sql.trim().includes('\n') ? `  line ${line}: ` : '  ';
  return [`${prefix}${caret.excerpt}`, `${' '.repeat(prefix.length + caret.indent)}^`];
}
