import { SqlSyntaxError, type Token, tokenize, withoutSemicolon, writtenName } from '../sql-tokens/index.ts';

/** Reads the tokens of a statement in order. Its methods throw SqlSyntaxError if the statement continues differently. */
export class StatementReader {
  protected readonly text: string;
  protected readonly tokens: readonly Token[];
  /** The index of the next token. */
  protected at = 0;
  /** The parts of a table's name that `slice` shortens to the last one, where a column follows. */
  protected qualifier: readonly string[] = [];

  constructor(sql: string) {
    const { text, tokens } = tokenize(sql);
    this.text = text;
    this.tokens = withoutSemicolon(tokens);
  }

  protected next(): Token | undefined {
    return this.tokens[this.at];
  }

  protected take(): Token {
    const token = this.next();
    if (token === undefined) throw this.unexpected('more');
    this.at++;
    return token;
  }

  protected accept(word: string): boolean {
    if (this.next()?.upper !== word) return false;
    this.at++;
    return true;
  }

  protected expect(word: string): void {
    if (!this.accept(word)) throw this.unexpected(word);
  }

  protected unexpected(expected: string): SqlSyntaxError {
    const token = this.next();
    return new SqlSyntaxError(
      token === undefined
        ? `The statement ends where ${expected} is expected.`
        : `Expected ${expected}, found ${token.text.slice(0, 40)}.`,
    );
  }

  protected end(): void {
    if (this.next() !== undefined) throw this.unexpected('the end of the statement');
  }

  /** The names in parentheses. */
  protected names(): string[] {
    this.expect('(');
    const names = [this.name()];
    while (this.accept(',')) names.push(this.name());
    this.expect(')');
    return names;
  }

  /** The expressions in parentheses. */
  protected list(): string[] {
    this.expect('(');
    const values: string[] = [];
    do values.push(this.until('a value', ','));
    while (this.accept(','));
    this.expect(')');
    return values;
  }

  protected name(): string {
    const token = this.take();
    if (token.kind === 'word' || token.kind === 'quoted') return writtenName(token);
    this.at--;
    throw this.unexpected('a name');
  }

  /** The text up to one of these keywords or symbols outside of brackets, or to the end. */
  protected until(what: string, ...ends: string[]): string {
    const start = this.at;
    const depth = this.next()?.depth ?? 0;
    while (this.next() !== undefined && !this.isEnd(depth, ends)) this.at++;
    if (this.at === start) throw this.unexpected(what);
    return this.slice(start, this.at);
  }

  private isEnd(depth: number, ends: readonly string[]): boolean {
    const token = this.next()!;
    // The closing bracket around the text has the depth of its opening one.
    if (token.depth < depth) return true;
    // IS DISTINCT FROM compares; its FROM starts no clause.
    const compares = token.upper === 'FROM' && this.tokens[this.at - 1]?.upper === 'DISTINCT';
    return token.depth === depth && ends.includes(token.upper) && !compares;
  }

  protected rest(what: string): string {
    if (this.next() === undefined) throw this.unexpected(what);
    return this.slice(this.at, this.tokens.length);
  }

  /** The text between two tokens. A column that is qualified with the whole name of the table keeps only the table. */
  protected slice(from: number, to: number): string {
    let text = '';
    let start = this.tokens[from]!.start;
    for (let at = from; at < to; at++) {
      if (!this.isQualified(at, to)) continue;
      const table = at + 2 * (this.qualifier.length - 1);
      text += this.text.slice(start, this.tokens[at]!.start);
      start = this.tokens[table]!.start;
      at = table;
    }
    return text + this.text.slice(start, this.tokens[to - 1]!.end);
  }

  /** Whether the whole name of the table and a column start here, as in `shop.orders.id`. */
  private isQualified(at: number, end: number): boolean {
    const parts = this.qualifier;
    if (parts.length === 0 || at + 2 * parts.length >= end) return false;
    const before = this.tokens[at - 1];
    // After these words, it is a table of a namespace that has the name of the table.
    if (before?.text === '.' || ['FROM', 'JOIN', 'USING'].includes(before?.upper ?? '')) return false;
    return parts.every((part, i) => {
      const token = this.tokens[at + 2 * i]!;
      const isNamed = token.kind === 'word' || token.kind === 'quoted';
      return (
        isNamed && writtenName(token).toLowerCase() === part.toLowerCase() && this.tokens[at + 2 * i + 1]!.text === '.'
      );
    });
  }

  protected refuse(word: string, message: string): void {
    if (this.tokens.some(({ upper, depth }) => depth === 0 && upper === word)) throw new SqlSyntaxError(message);
  }
}
