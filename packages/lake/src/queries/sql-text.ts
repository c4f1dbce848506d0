import type { ColumnType } from '@svc/core/column-types';
import { UnsupportedTableError } from '@svc/iceberg/errors';
import { duckdbType } from '../tables/duckdb-types.ts';

/*
 * The only module that turns text into SQL. Names, values and paths come from files and requests with untrusted
 * content, so statements are composed only of fragments, each of which knows how it is quoted. A template that looks
 * like SQL and isn't tagged with `sql` fails `npm run verify sql`, and so does `trustedSql` in a file that isn't listed
 * there.
 */

/** The SQL dialect of a fragment: what one engine parses as a name or a text, another may not. */
type Dialect = 'duckdb' | 'trino';

/** A fragment of SQL. Only this file creates one. */
export class Sql<D extends Dialect = 'duckdb'> {
  readonly text: string;
  readonly dialect: D;
  /** Prevents any other object with a `text` property from passing as a fragment. */
  readonly #made = true;

  private constructor(text: string, dialect: D) {
    this.text = text;
    this.dialect = dialect;
  }

  static of<D extends Dialect>(text: string, dialect: D, key: symbol): Sql<D> {
    if (key !== KEY) throw new TypeError('Build SQL with the sql tag.');
    return new Sql(text, dialect);
  }

  static is(value: unknown): value is Sql {
    return isOf(value, 'duckdb');
  }

  static isInstance(value: unknown): value is Sql<Dialect> {
    return typeof value === 'object' && value !== null && #made in value;
  }

  /** Interpolating a fragment into a plain template would lose its type. */
  toString(): never {
    throw new TypeError('A SQL fragment is not a string: use the sql tag or the text property.');
  }
}

const isOf = <D extends Dialect>(value: unknown, dialect: D): value is Sql<D> =>
  Sql.isInstance(value) && value.dialect === dialect;

const KEY = Symbol('sql');
const fromText = (text: string): Sql => Sql.of(text, 'duckdb', KEY);

type Tag<D extends Dialect> = (parts: TemplateStringsArray, ...placeholders: readonly Sql<D>[]) => Sql<D>;

const tagOf =
  <D extends Dialect>(dialect: D): Tag<D> =>
  (parts, ...placeholders) => {
    let text = parts[0]!;
    for (const [i, placeholder] of placeholders.entries()) {
      if (!isOf(placeholder, dialect))
        throw new TypeError('Only fragments can be embedded in SQL: an identifier, a literal, a number.');
      text += placeholder.text + parts[i + 1]!;
    }
    return Sql.of(text, dialect, KEY);
  };

/** A template of DuckDB's SQL that accepts only fragments as values. */
export const sql = tagOf('duckdb');

/** NUL ends a statement for the engine's parser. */
function withoutNul(text: string): string {
  if (text.includes('\0')) throw new UnsupportedTableError('A name or a string in a table contains a NUL character.');
  return text;
}

export const identifier = (name: string): Sql => fromText(`"${withoutNul(name).replaceAll('"', '""')}"`);

const quoted = (text: string): string => `'${withoutNul(text).replaceAll("'", "''")}'`;

/** A string literal. */
export const literal = (text: string): Sql => fromText(quoted(text));

/** A list of string literals. */
export const literals = (texts: readonly string[]): Sql => fromText(`[${texts.map(quoted).join(', ')}]`);

export function integer(value: number | bigint): Sql {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw new TypeError('The value embedded in SQL is not an integer.');
  return fromText(String(value));
}

/** A type in the engine's syntax. */
export const typeName = (type: ColumnType): Sql => fromText(withoutNul(duckdbType(type)));

/** One of our own names with a number, such as the column `v3`. */
export function numbered(name: string, number: number): Sql {
  if (!/^[a-z][a-z_]*$/.test(name) || !Number.isSafeInteger(number) || number < 0)
    throw new TypeError('A numbered name consists of lower-case letters and a number.');
  return fromText(`${name}${number}`);
}

type Separator = ', ' | ' ' | ' AND ' | ' OR ' | ' = ' | '\nUNION ALL\n' | '; ' | '.' | '';

const joinOf =
  <D extends Dialect>(dialect: D) =>
  (parts: readonly Sql<D>[], separator: Separator = ', '): Sql<D> => {
    if (!parts.every((part) => isOf(part, dialect))) throw new TypeError('Only fragments can be embedded in SQL.');
    return Sql.of(parts.map((part) => part.text).join(separator), dialect, KEY);
  };

export const joined = joinOf('duckdb');

/**
 * A user's SQL after validation: a statement that the engine serialized from its guarded tree, or a policy that was
 * parsed as one expression. `scripts/check-sql.ts` lists the allowed callers.
 */
export const trustedSql = (text: string): Sql => fromText(withoutNul(text));

export type TrinoSql = Sql<'trino'>;

/**
 * A template of Trino's SQL that accepts only Trino fragments. `trino/trino-text.ts` creates its names and literals.
 */
export const trino = tagOf('trino');

export const joinedTrino = joinOf('trino');

/** `scripts/check-sql.ts` lists the allowed callers of this function too. */
export const trustedTrino = (text: string): TrinoSql => Sql.of(withoutNul(text), 'trino', KEY);
