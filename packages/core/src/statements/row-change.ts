import { isNamePart } from '../access/names.ts';
import { firstWord, SqlSyntaxError, type Token, tokenize } from '../sql-tokens/index.ts';

/** `column = expression`. */
export interface Assignment {
  readonly column: string;
  readonly expression: string;
}

/** One WHEN of a MERGE. */
export type MergeClause =
  | { readonly kind: 'update'; readonly condition: string | null; readonly set: readonly Assignment[] }
  | { readonly kind: 'delete' | 'nothing'; readonly isMatched: boolean; readonly condition: string | null }
  | {
      readonly kind: 'insert';
      readonly condition: string | null;
      /** Null: all columns of the table, in their order. */
      readonly columns: readonly string[] | null;
      readonly values: readonly string[];
    };

interface Target {
  readonly namespace: string;
  readonly table: string;
  /** The name by which expressions refer to its rows. */
  readonly alias: string;
  /** The common table expressions before the statement, which all of its parts may use; or an empty text. */
  readonly with: string;
}

/** A statement that changes rows, in parts that are SQL texts without comments. */
export type RowChange = Target &
  (
    | {
        readonly kind: 'insert';
        readonly columns: readonly string[] | null;
        readonly byName: boolean;
        readonly query: string;
      }
    | { readonly kind: 'delete'; readonly using: string | null; readonly condition: string | null }
    | { readonly kind: 'truncate' }
    | {
        readonly kind: 'update';
        readonly set: readonly Assignment[];
        readonly from: string | null;
        readonly condition: string | null;
      }
    | { readonly kind: 'merge'; readonly source: string; readonly on: string; readonly clauses: readonly MergeClause[] }
  );

export type RowChangeResult =
  | { readonly ok: true; readonly change: RowChange }
  | { readonly ok: false; readonly message: string };

/** The verbs that may follow common table expressions. */
const VERBS_AFTER_WITH = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const VERBS = new Set([...VERBS_AFTER_WITH, 'TRUNCATE']);

/**
 * The table that a statement changes, or null for any other statement. Only the start of the statement must be valid.
 */
export const changedTable = (sql: string): { namespace: string; table: string } | null =>
  ofChange(sql, (parser) => parser.target());

/** How a statement names the table that it changes. */
export interface ChangedName {
  /** Without a namespace, it is one part. */
  readonly parts: readonly string[];
  /** The text of the statement before and after the name. */
  readonly around: readonly [before: string, after: string];
}

/** Null for a statement that changes no rows. */
export const changedName = (sql: string): ChangedName | null => ofChange(sql, (parser) => parser.changedName());

function ofChange<T>(sql: string, read: (parser: RowChangeParser) => T): T | null {
  try {
    const first = firstWord(sql);
    if (first !== 'WITH' && !VERBS.has(first)) return null;
    const parser = new RowChangeParser(sql);
    return parser.isChange() ? read(parser) : null;
  } catch (error) {
    if (error instanceof SqlSyntaxError) return null;
    throw error;
  }
}

/** Parses a statement that changes rows; expressions and queries in it stay texts. */
export function parseRowChange(sql: string): RowChangeResult {
  try {
    return { ok: true, change: new RowChangeParser(sql).parse() };
  } catch (error) {
    if (error instanceof SqlSyntaxError) return { ok: false, message: error.message };
    throw error;
  }
}

/** The names of the parameters in a text, in lower case and without the dollar sign. */
export function parametersIn(sql: string): ReadonlySet<string> {
  const parameters = tokenize(sql).tokens.filter(({ kind }) => kind === 'parameter');
  return new Set(parameters.map(({ text }) => text.slice(1).toLowerCase()));
}

const nameIn = ({ kind, text }: Token): string => (kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : text);

class RowChangeParser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;
  private with = '';
  /** The parts of the table's name, if expressions may refer to its rows by all of them: it has no alias. */
  private qualifier: readonly string[] = [];
  /** The name by which expressions refer to its rows. */
  private rows = '';

  constructor(sql: string) {
    const { text, tokens } = tokenize(sql);
    this.text = text;
    this.tokens = tokens.at(-1)?.text === ';' ? tokens.slice(0, -1) : tokens;
  }

  isChange(): boolean {
    if (this.next()?.upper === 'WITH') {
      const verb = this.tokens.findIndex(
        (token) => token.depth === 0 && (VERBS_AFTER_WITH.has(token.upper) || token.upper === 'SELECT'),
      );
      if (verb === -1 || this.tokens[verb]!.upper === 'SELECT') return false;
      this.with = this.slice(0, verb);
      this.at = verb;
    }
    return VERBS.has(this.next()?.upper ?? '');
  }

  changedName(): ChangedName {
    const { start, parts, end } = this.targetName();
    return { parts, around: [this.text.slice(0, start), this.text.slice(end)] };
  }

  target(): { namespace: string; table: string } {
    const { parts } = this.targetName();
    const table = parts.at(-1)!;
    const namespace = parts.slice(0, -1).join('.');
    if (namespace === '') throw new SqlSyntaxError(`Name the table with its namespace: <namespace>.${table}.`);
    if (![...namespace.split('.'), table].every(isNamePart))
      throw new SqlSyntaxError(`${parts.join('.')} isn't the name of a table.`);
    return { namespace, table };
  }

  private targetName(): { start: number; parts: string[]; end: number } {
    const verb = this.take().upper;
    if (verb === 'INSERT' || verb === 'MERGE') this.expect('INTO');
    if (verb === 'DELETE') this.expect('FROM');
    // A namespace may have the name of the keyword.
    if (verb === 'TRUNCATE' && this.tokens[this.at + 1]?.text !== '.') this.accept('TABLE');
    const start = this.next()?.start ?? this.text.length;
    const parts = [this.name()];
    while (this.accept('.')) parts.push(this.name());
    return { start, parts, end: this.tokens[this.at - 1]!.end };
  }

  parse(): RowChange {
    if (!this.isChange()) throw new SqlSyntaxError('The statement must be INSERT, UPDATE, DELETE, MERGE or TRUNCATE.');
    if (this.tokens.some(({ text, depth }) => text === ';' && depth === 0))
      throw new SqlSyntaxError('Run one statement at a time: it contains a ";".');
    if (this.tokens.some(({ upper, depth }) => upper === 'RETURNING' && depth === 0))
      throw new SqlSyntaxError('RETURNING is not supported. Query the table after the change.');
    const verb = this.next()!.upper;
    const table = this.target();
    if (verb === 'TRUNCATE') {
      this.end();
      return { kind: 'truncate', ...table, alias: table.table, with: this.with };
    }
    if (verb === 'INSERT') return { kind: 'insert', ...table, alias: table.table, with: this.with, ...this.insert() };
    const written = this.alias();
    const alias = written ?? table.table;
    this.rows = alias;
    if (written === null) this.qualifier = [...table.namespace.split('.'), table.table];
    const target = { ...table, alias, with: this.with };
    if (verb === 'DELETE') return { kind: 'delete', ...target, ...this.delete() };
    if (verb === 'UPDATE') return { kind: 'update', ...target, ...this.update() };
    return { kind: 'merge', ...target, ...this.merge() };
  }

  private insert() {
    const columns = this.next()?.text === '(' && !this.isQueryAhead() ? this.names() : null;
    let byName = false;
    if (this.accept('BY')) {
      byName = this.accept('NAME');
      if (!byName) this.expect('POSITION');
    }
    if (byName && columns !== null) throw new SqlSyntaxError('BY NAME takes no list of columns.');
    if (this.next()?.upper === 'DEFAULT')
      throw new SqlSyntaxError('DEFAULT VALUES is not supported. Write the values.');
    this.refuse('CONFLICT', 'ON CONFLICT is not supported. Use MERGE.');
    return { columns, byName, query: this.rest('a query or VALUES') };
  }

  /** Whether the parenthesis starts a query instead of a list of columns. */
  private isQueryAhead(): boolean {
    return ['SELECT', 'WITH', 'VALUES', 'FROM', '('].includes(this.tokens[this.at + 1]?.upper ?? '');
  }

  private delete() {
    const using = this.accept('USING') ? this.until('a table after USING', 'WHERE') : null;
    return { using, condition: this.where() };
  }

  private update() {
    this.expect('SET');
    const set = this.assignments('FROM', 'WHERE');
    const from = this.accept('FROM') ? this.until('a table after FROM', 'WHERE') : null;
    return { set, from, condition: this.where() };
  }

  private where(): string | null {
    if (this.accept('WHERE')) return this.rest('a condition after WHERE');
    if (this.next() !== undefined) throw this.unexpected('WHERE or the end of the statement');
    return null;
  }

  private end(): void {
    if (this.next() !== undefined) throw this.unexpected('the end of the statement');
  }

  private merge() {
    this.expect('USING');
    const source = this.until('a table after USING', 'ON');
    this.expect('ON');
    const on = this.until('a condition after ON', 'WHEN');
    const clauses: MergeClause[] = [];
    while (this.accept('WHEN')) clauses.push(this.when());
    if (clauses.length === 0) throw this.unexpected('WHEN MATCHED or WHEN NOT MATCHED');
    return { source, on, clauses };
  }

  private when(): MergeClause {
    const isMatched = !this.accept('NOT');
    this.expect('MATCHED');
    if (this.accept('BY') && !this.accept('TARGET'))
      throw new SqlSyntaxError('WHEN NOT MATCHED BY SOURCE is not supported. Delete these rows in a second statement.');
    const condition = this.accept('AND') ? this.until('a condition after AND', 'THEN') : null;
    this.expect('THEN');
    if (this.accept('DO')) {
      this.expect('NOTHING');
      return { kind: 'nothing', isMatched, condition };
    }
    if (!isMatched) return this.mergeInsert(condition);
    if (this.accept('DELETE')) return { kind: 'delete', isMatched, condition };
    this.expect('UPDATE');
    this.expect('SET');
    return { kind: 'update', condition, set: this.assignments('WHEN') };
  }

  private mergeInsert(condition: string | null): MergeClause {
    this.expect('INSERT');
    const columns = this.next()?.text === '(' ? this.names() : null;
    this.expect('VALUES');
    if (this.next()?.text !== '(') throw this.unexpected('( after VALUES');
    const values = this.list();
    if (columns !== null && columns.length !== values.length)
      throw new SqlSyntaxError(`INSERT names ${columns.length} columns and has ${values.length} values.`);
    return { kind: 'insert', condition, columns, values };
  }

  private assignments(...ends: string[]): Assignment[] {
    const set: Assignment[] = [];
    do {
      if (this.next()?.text === '(') throw new SqlSyntaxError('Assign one column at a time: column = value.');
      const column = this.assigned();
      if (!this.accept('=')) throw this.unexpected(`= after the column "${column}"`);
      const expression = this.until(`a value for the column "${column}"`, ',', ...ends);
      if (expression.toUpperCase() === 'DEFAULT')
        throw new SqlSyntaxError('DEFAULT is not supported. Write the value.');
      if (set.some((other) => other.column.toLowerCase() === column.toLowerCase()))
        throw new SqlSyntaxError(`The column "${column}" is set twice.`);
      set.push({ column, expression });
    } while (this.accept(','));
    return set;
  }

  /** A column, which may follow the name of the table. */
  private assigned(): string {
    const parts = [this.name()];
    while (this.accept('.')) parts.push(this.name());
    const prefix = parts.slice(0, -1).join('.').toLowerCase();
    const isTable = [this.rows, this.qualifier.join('.')].some((name) => name.toLowerCase() === prefix);
    if (prefix !== '' && !isTable)
      throw new SqlSyntaxError(
        `${parts.join('.')} can't be assigned: name a column of the table, not a field of a struct.`,
      );
    return parts.at(-1)!;
  }

  private alias(): string | null {
    if (this.accept('AS')) return this.name();
    const token = this.next();
    const isName =
      token?.kind === 'quoted' || (token?.kind === 'word' && !['SET', 'USING', 'WHERE'].includes(token.upper));
    return isName ? this.name() : null;
  }

  /** The names in parentheses. */
  private names(): string[] {
    this.expect('(');
    const names = [this.name()];
    while (this.accept(',')) names.push(this.name());
    this.expect(')');
    return names;
  }

  /** The expressions in parentheses. */
  private list(): string[] {
    this.expect('(');
    const values: string[] = [];
    do values.push(this.until('a value', ','));
    while (this.accept(','));
    this.expect(')');
    return values;
  }

  private name(): string {
    const token = this.take();
    if (token.kind === 'word' || token.kind === 'quoted') return nameIn(token);
    this.at--;
    throw this.unexpected('a name');
  }

  /** The text up to one of these keywords or symbols outside of brackets, or to the end. */
  private until(what: string, ...ends: string[]): string {
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

  private rest(what: string): string {
    if (this.next() === undefined) throw this.unexpected(what);
    return this.slice(this.at, this.tokens.length);
  }

  /** The text between two tokens. A column that is qualified with the whole name of the table keeps only the table. */
  private slice(from: number, to: number): string {
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
      return isNamed && nameIn(token).toLowerCase() === part.toLowerCase() && this.tokens[at + 2 * i + 1]!.text === '.';
    });
  }

  private refuse(word: string, message: string): void {
    if (this.tokens.some(({ upper, depth }) => depth === 0 && upper === word)) throw new SqlSyntaxError(message);
  }

  private next(): Token | undefined {
    return this.tokens[this.at];
  }

  private take(): Token {
    const token = this.next();
    if (token === undefined) throw this.unexpected('more');
    this.at++;
    return token;
  }

  private accept(word: string): boolean {
    if (this.next()?.upper !== word) return false;
    this.at++;
    return true;
  }

  private expect(word: string): void {
    if (!this.accept(word)) throw this.unexpected(word);
  }

  private unexpected(expected: string): SqlSyntaxError {
    const token = this.next();
    return new SqlSyntaxError(
      token === undefined
        ? `The statement ends where ${expected} is expected.`
        : `Expected ${expected}, found ${token.text.slice(0, 40)}.`,
    );
  }
}
