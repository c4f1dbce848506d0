import { type Token, tryTokenize } from '@svc/core/sql-tokens';

/** One statement of a text. */
export interface StatementText {
  readonly sql: string;
  /** Without the `;`. Null: the text isn't complete SQL, which the engine reports. */
  readonly tokens: readonly Token[] | null;
  /** The text without comments in which the tokens have their positions. */
  readonly plain: string;
}

/** The statements of a text. A text with a single statement stays as it is, so that positions in errors match. */
export function splitStatements(text: string): StatementText[] {
  const found = tryTokenize(text);
  if (found === null) return [{ sql: text, tokens: null, plain: text }];
  const { text: plain, tokens } = found;
  const groups: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === ';' && token.depth === 0) groups.push([]);
    else groups.at(-1)!.push(token);
  }
  const statements = groups.filter((group) => group.length > 0);
  if (statements.length === 1) return [{ sql: withoutEnd(text, tokens), tokens: statements[0]!, plain }];
  return statements.map((group) => ({ sql: plain.slice(group[0]!.start, group.at(-1)!.end), tokens: group, plain }));
}

/** The part of a statement that starts with a token; empty if there is no such token. */
export function partFrom({ tokens, plain }: StatementText, index: number): string {
  const first = tokens?.[index];
  return first === undefined ? '' : plain.slice(first.start, tokens!.at(-1)!.end);
}

/** The text without a `;` at its end, if nothing follows it. */
function withoutEnd(text: string, tokens: readonly Token[]): string {
  return tokens.at(-1)?.text === ';' ? text.replace(/;\s*$/, '') : text;
}
