import { quotedPart } from '@svc/core/sql-tokens';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The part of a statement that an error is about; null unless the error quotes a part that occurs once. */
export function errorRange(sql: string, message: string): Range | null {
  if (/syntax error at end of input/.test(message)) {
    const to = sql.trimEnd().length;
    return to === 0 ? null : { from: to - 1, to };
  }
  const quoted = quotedPart(message);
  if (quoted === undefined) return null;
  const text = sql.toLowerCase();
  const part = quoted.toLowerCase();
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + part.length])) starts.push(at);
  const [from] = starts;
  return from === undefined || starts.length > 1 ? null : { from, to: from + part.length };
}

const isWord = (character: string | undefined): boolean => character !== undefined && /\w/.test(character);
