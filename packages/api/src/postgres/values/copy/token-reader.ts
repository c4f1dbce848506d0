import { type Token, writtenName } from '@svc/core/sql-tokens';
import { PgValueError } from '../value-error.ts';

/** Reads the tokens of a statement one after the other. */
export class TokenReader {
  readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text;
    this.tokens = tokens;
  }

  get next(): Token | undefined {
    return this.tokens[this.at];
  }

  /** Whether the next token is one of these keywords or symbols. */
  is(...keywords: readonly string[]): boolean {
    const { next } = this;
    return next !== undefined && next.kind !== 'quoted' && next.kind !== 'literal' && keywords.includes(next.upper);
  }

  take(word: string): boolean {
    if (!this.is(word)) return false;
    this.at++;
    return true;
  }

  expect(word: string): void {
    if (!this.take(word)) throw this.unexpected(word);
  }

  advance(): Token {
    const { next } = this;
    if (next === undefined) throw this.unexpected();
    this.at++;
    return next;
  }

  /** A name; unquoted ones are in any letter case. */
  name(): string {
    const { next } = this;
    if (next?.kind !== 'word' && next?.kind !== 'quoted') throw this.unexpected('a name');
    this.at++;
    return writtenName(next);
  }

  /** A text in quotes. */
  literal(): string {
    const { next } = this;
    // E'…' is a word and a literal.
    const hasEscapes = next?.kind === 'word' && next.upper === 'E' && this.tokens[this.at + 1]?.start === next.end;
    if (hasEscapes) this.at++;
    const token = this.next;
    if (token?.kind !== 'literal' || !/^['$]/.test(token.text)) throw this.unexpected('a text in quotes');
    this.at++;
    if (token.text.startsWith('$')) return token.text.replace(/^\$[^$]*\$|\$[^$]*\$$/g, '');
    const text = token.text.slice(1, -1).replaceAll("''", "'");
    return hasEscapes ? unescaped(text) : text;
  }

  atEnd(): boolean {
    return this.next === undefined || (this.next.text === ';' && this.at === this.tokens.length - 1);
  }

  unexpected(wanted?: string): PgValueError {
    const { next } = this;
    const found = next === undefined ? 'syntax error at end of input' : `syntax error at or near "${next.text}"`;
    return new PgValueError('42601', wanted === undefined ? found : `${found}: COPY needs ${wanted} here`);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The text of `E'…'`. */
const unescaped = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return ESCAPES[code] ?? code;
  });
