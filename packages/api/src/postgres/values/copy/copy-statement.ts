import { firstWord, SqlSyntaxError, tokenize } from '@svc/core/sql-tokens';
import { PgValueError } from '../value-error.ts';
import type { CopyOptions, SetOptions } from './copy-options.ts';
import { readOptions } from './read-options.ts';
import { TokenReader } from './token-reader.ts';

/** `COPY … TO STDOUT` or `COPY … FROM STDIN`. */
export type CopyStatement = {
  readonly options: CopyOptions;
} & (
  | { readonly direction: 'to'; readonly source: CopyQuery | CopyTable }
  | { readonly direction: 'from'; readonly source: CopyTable }
);

export type CopyQuery = { readonly kind: 'query'; readonly sql: string };
export type CopyTable = {
  readonly kind: 'table';
  /** The parts of its name: of a nested namespace too. */
  readonly name: readonly string[];
  /** The name as it is written. */
  readonly sql: string;
  /** The columns in this order, or null for all of them. */
  readonly columns: readonly string[] | null;
};

/**
 * Parses COPY; null for any other statement.
 *
 * @throws PgValueError for a malformed statement, and for files and programs of the server
 */
export function parseCopy(statement: string): CopyStatement | null {
  try {
    if (firstWord(statement) !== 'COPY') return null;
    const { text, tokens } = tokenize(statement);
    return readCopy(new TokenReader(text, tokens));
  } catch (error) {
    if (error instanceof SqlSyntaxError) throw new PgValueError('42601', error.message);
    throw error;
  }
}

function readCopy(reader: TokenReader): CopyStatement {
  reader.expect('COPY');
  const set: SetOptions = {};
  const source = reader.take('(') ? readQuery(reader) : readTable(reader, set);
  const direction = reader.take('TO') ? 'to' : 'from';
  if (direction === 'from') reader.expect('FROM');
  readTarget(reader, direction);
  const options = readOptions(reader, direction, set);
  if (direction === 'to') return { direction, source, options };
  if (source.kind === 'query') throw new PgValueError('42601', 'COPY FROM needs a table, not a query.');
  return { direction, source, options };
}

function readQuery(reader: TokenReader): CopyQuery {
  const first = reader.next;
  if (first === undefined || reader.is(')')) throw reader.unexpected('a query');
  let end = first.start;
  // The closing bracket has the depth of the opening one.
  while (!(reader.is(')') && reader.next!.depth === first.depth - 1)) end = reader.advance().end;
  reader.expect(')');
  return { kind: 'query', sql: reader.text.slice(first.start, end) };
}

function readTable(reader: TokenReader, set: SetOptions): CopyTable {
  // COPY BINARY t is the old syntax; COPY binary TO … names a table.
  if (reader.is('BINARY')) {
    const word = reader.advance();
    if (reader.is('TO', 'FROM', '.', '(')) return restOfTable(reader, word.text, word.start);
    set.format = 'binary';
  }
  const start = reader.next?.start ?? 0;
  return restOfTable(reader, reader.name(), start);
}

function restOfTable(reader: TokenReader, first: string, start: number): CopyTable {
  const name = [first];
  while (reader.take('.')) name.push(reader.name());
  const sql = reader.text.slice(start, reader.next?.start).trim();
  if (!reader.take('(')) return { kind: 'table', name, sql, columns: null };
  const columns = [reader.name()];
  while (reader.take(',')) columns.push(reader.name());
  reader.expect(')');
  return { kind: 'table', name, sql, columns };
}

function readTarget(reader: TokenReader, direction: 'to' | 'from'): void {
  // PostgreSQL treats both words alike.
  if (reader.take('STDIN') || reader.take('STDOUT')) return;
  const target = direction === 'to' ? 'STDOUT' : 'STDIN';
  if (reader.is('PROGRAM')) {
    throw new PgValueError(
      '42501',
      `COPY can't run programs of the server. Use COPY … ${direction.toUpperCase()} ${target}.`,
    );
  }
  if (reader.next?.kind === 'literal') {
    throw new PgValueError(
      '42501',
      `COPY can't use files of the server. Use COPY … ${direction.toUpperCase()} ${target}, or \\copy in psql.`,
    );
  }
  throw reader.unexpected(target);
}
