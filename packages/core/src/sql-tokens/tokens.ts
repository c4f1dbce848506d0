/** A part of a SQL text: words are unquoted names and keywords. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'literal' | 'parameter' | 'symbol';
  /** As written; a keyword in upper case compares equal to `upper`. */
  readonly text: string;
  readonly upper: string;
  readonly start: number;
  readonly end: number;
  /** The number of brackets and CASE expressions around it. */
  readonly depth: number;
}

/** The text isn't complete SQL; the message says why. */
export class SqlSyntaxError extends Error {}

const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*|\.\d[\w]*/y;
const PARAMETER = /\$\w+/y;
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
/** Closing brackets by their opening ones. */
const BRACKETS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
const CLOSING = new Set(BRACKETS.values());

/**
 * Splits a statement into tokens, as the engine's parser does. Comments are dropped, and `?` gets its number: parts of the
 * statement can then be used apart from each other.
 *
 * @throws SqlSyntaxError for an unterminated text or comment, or unbalanced brackets
 */
export function tokenize(sql: string): TokenizedStatement {
  const plain = withoutComments(sql);
  return { text: plain, tokens: new Lexer(plain).tokens() };
}

/** Like `tokenize`, but null for a text that isn't complete SQL: its errors are reported by the engine, which parses it. */
export function tryTokenize(sql: string): TokenizedStatement | null {
  try {
    return tokenize(sql);
  } catch (error) {
    if (error instanceof SqlSyntaxError) return null;
    throw error;
  }
}

/** The tokens, and the text without comments in which they have their positions. */
export interface TokenizedStatement {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** The name that a word or a quoted token stands for, in the letter case in which it is written. */
export const writtenName = ({ kind, text }: Token): string =>
  kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : text;

/** The name that a token stands for: as PostgreSQL folds it, in lower case unless it is quoted. Null for other tokens. */
export function nameOf(token: Token | undefined): string | null {
  if (token?.kind === 'word') return token.text.toLowerCase();
  return token?.kind === 'quoted' ? writtenName(token) : null;
}

/** The tokens of a statement without the semicolon at its end. */
export const withoutSemicolon = (tokens: readonly Token[]): readonly Token[] =>
  tokens.at(-1)?.text === ';' ? tokens.slice(0, -1) : tokens;

/** The first word of a statement in upper case; empty if it starts with something else. */
export function firstWord(sql: string): string {
  let at = 0;
  for (;;) {
    while (/\s/.test(sql[at] ?? '')) at++;
    if (sql.startsWith('/*', at)) at = endOfComment(sql, at);
    else if (sql.startsWith('--', at) && sql.includes('\n', at)) at = sql.indexOf('\n', at);
    else return (match(WORD, sql, at) ?? '').toUpperCase();
  }
}

/** Replaces comments by spaces and `?` by `$1`, `$2`, …. */
function withoutComments(sql: string): string {
  let [text, parameters] = ['', 0];
  for (let at = 0; at < sql.length; ) {
    const end = endOfQuoted(sql, at);
    if (end !== null) {
      text += sql.slice(at, end);
      at = end;
    } else if (sql.startsWith('--', at)) {
      const line = sql.indexOf('\n', at);
      at = line === -1 ? sql.length : line;
    } else if (sql.startsWith('/*', at)) {
      at = endOfComment(sql, at);
      text += ' ';
    } else if (sql[at] === '?') {
      text += `$${++parameters}`;
      at++;
    } else text += sql[at++];
  }
  return text;
}

/** Block comments can contain block comments. */
function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; ) {
    if (sql.startsWith('/*', at)) [depth, at] = [depth + 1, at + 2];
    else if (sql.startsWith('*/', at)) {
      [depth, at] = [depth - 1, at + 2];
      if (depth === 0) return at;
    } else at++;
  }
  throw new SqlSyntaxError('A comment that starts with /* has no end.');
}

/** The end of a text or quoted name that starts here, or null. */
function endOfQuoted(sql: string, at: number): number | null {
  const quote = sql[at]!;
  if (quote === '$') return endOfDollarQuoted(sql, at);
  if (quote !== "'" && quote !== '"') return null;
  const hasEscapes = quote === "'" && /^[eE]$/.test(sql[at - 1] ?? '') && !isNameCharacter(sql[at - 2]);
  for (let end = at + 1; end < sql.length; end++) {
    if (hasEscapes && sql[end] === '\\') end++;
    else if (sql[end] === quote) {
      if (sql[end + 1] !== quote) return end + 1;
      end++;
    }
  }
  throw new SqlSyntaxError(`A ${quote === "'" ? 'text' : 'name'} that starts with ${quote} has no end.`);
}

function endOfDollarQuoted(sql: string, at: number): number | null {
  const mark = match(DOLLAR_QUOTE, sql, at);
  // In a name, such as a$b$c, a dollar sign starts nothing.
  if (mark === null || isNameCharacter(sql[at - 1])) return null;
  const end = sql.indexOf(mark, at + mark.length);
  if (end === -1) throw new SqlSyntaxError(`A text that starts with ${mark} has no end.`);
  return end + mark.length;
}

const isNameCharacter = (character: string | undefined): boolean => /[\p{L}\p{N}_$]/u.test(character ?? '');

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

class Lexer {
  private readonly sql: string;
  private readonly found: Token[] = [];
  private readonly open: string[] = [];

  constructor(sql: string) {
    this.sql = sql;
  }

  tokens(): readonly Token[] {
    for (let at = 0; at < this.sql.length; ) at = /\s/.test(this.sql[at]!) ? at + 1 : this.read(at);
    if (this.open.length > 0) throw new SqlSyntaxError(`A ${this.open.at(-1)} has no end.`);
    return this.found;
  }

  private read(at: number): number {
    const quoted = endOfQuoted(this.sql, at);
    if (quoted !== null) return this.add(this.sql[at] === '"' ? 'quoted' : 'literal', at, quoted);
    const word = match(WORD, this.sql, at);
    if (word !== null) return this.word(word, at);
    const parameter = match(PARAMETER, this.sql, at);
    if (parameter !== null) return this.add('parameter', at, at + parameter.length);
    const number = match(NUMBER, this.sql, at);
    return number === null ? this.symbol(at) : this.add('literal', at, at + number.length);
  }

  private word(word: string, at: number): number {
    const upper = word.toUpperCase();
    // A qualified name, such as t.case, is not a keyword.
    const isName = this.found.at(-1)?.text === '.';
    if (upper === 'END' && this.open.at(-1) === 'CASE' && !isName) this.open.pop();
    const end = this.add('word', at, at + word.length);
    if (upper === 'CASE' && !isName) this.open.push('CASE');
    return end;
  }

  private symbol(at: number): number {
    const symbol = this.sql[at]!;
    if (CLOSING.has(symbol)) {
      const opening = this.open.pop();
      if (opening === undefined || BRACKETS.get(opening) !== symbol)
        throw new SqlSyntaxError(`A ${symbol} has no matching opening bracket.`);
    }
    const end = this.add('symbol', at, at + 1);
    if (BRACKETS.has(symbol)) this.open.push(symbol);
    return end;
  }

  private add(kind: Token['kind'], start: number, end: number): number {
    const text = this.sql.slice(start, end);
    this.found.push({
      kind,
      text,
      upper: kind === 'word' ? text.toUpperCase() : text,
      start,
      end,
      depth: this.open.length,
    });
    return end;
  }
}
