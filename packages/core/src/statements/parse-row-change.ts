import { firstWord, SqlSyntaxError } from '../sql-tokens/index.ts';
import type { Assignment, ChangedName, MergeClause, RowChange, RowChangeResult } from './row-change.ts';
import { StatementReader } from './statement-reader.ts';
import { type TableName, tableOf } from './table-name.ts';

/** The verbs that may follow common table expressions. */
const VERBS_AFTER_WITH = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const VERBS = new Set([...VERBS_AFTER_WITH, 'TRUNCATE']);

/**
 * The table that a statement changes, or null for any other statement. Only the start of the statement must be valid.
 */
export const changedTable = (sql: string): TableName | null => ofChange(sql, (parser) => parser.target());

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

class RowChangeParser extends StatementReader {
  private with = '';
  /** The name by which expressions refer to the rows of the table. */
  private rows = '';

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

  target(): TableName {
    const { parts } = this.targetName();
    if (parts.length === 1) throw new SqlSyntaxError(`Name the table with its namespace: <namespace>.${parts[0]}.`);
    const table = tableOf(parts);
    if (table === null) throw new SqlSyntaxError(`${parts.join('.')} isn't the name of a table.`);
    return table;
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
}
