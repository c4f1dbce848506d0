import { isNamePart } from '../access/names.ts';
import { type Token, writtenName } from '../sql-tokens/index.ts';

/** A table with the dotted path of its namespace. */
export interface TableName {
  readonly namespace: string;
  readonly table: string;
}

/** The parts of a dotted name, or null. */
export function nameParts(tokens: readonly Token[]): string[] | null {
  const parts: string[] = [];
  for (const [i, token] of tokens.entries()) {
    if (i % 2 === 1 ? token.text !== '.' : token.kind !== 'word' && token.kind !== 'quoted') return null;
    if (i % 2 === 0) parts.push(writtenName(token));
  }
  return tokens.length % 2 === 1 ? parts : null;
}

/** The table that the parts of a name stand for, or null if no table can have that name. */
export function tableOf(parts: readonly string[]): TableName | null {
  const [namespace, table] = [parts.slice(0, -1).join('.'), parts.at(-1)!];
  return [...namespace.split('.'), table].every(isNamePart) ? { namespace, table } : null;
}
