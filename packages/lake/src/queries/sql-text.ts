import type { ColumnType } from '@svc/core/column-types';
import { UnsupportedTableError } from '../tables/metadata/metadata.ts';
import { duckdbType } from '../tables/values/duckdb-types.ts';

/*
 * The one place where texts become SQL. Names, values and paths come from files and requests that anybody may have written,
 * so that a statement is put together of fragments alone, each of which knows how it is quoted. A template that looks like
 * SQL and is not tagged with `sql` fails `npm run verify sql`, and so does `trustedSql` in a file that is not named there.
 */

/** A piece of SQL. Only this file makes one. */
export class Sql {
  readonly text: string;
  /** Nothing that merely has a text passes for a fragment. */
  readonly #made = true;

  private constructor(text: string) {
    this.text = text;
  }

  static of(text: string, key: symbol): Sql {
    if (key !== KEY) throw new TypeError('SQL is made with the tag sql.');
    return new Sql(text);
  }

  static is(value: unknown): value is Sql {
    return typeof value === 'object' && value !== null && #made in value;
  }

  /** A fragment in a plain template would lose what it is. */
  toString(): never {
    throw new TypeError('A piece of SQL is no text: use the tag sql, or its property text.');
  }
}

const KEY = Symbol('sql');
const made = (text: string): Sql => Sql.of(text, KEY);

/** SQL as written, with fragments in its holes. */
export function sql(parts: TemplateStringsArray, ...holes: readonly Sql[]): Sql {
  let text = parts[0]!;
  for (const [i, hole] of holes.entries()) {
    if (!Sql.is(hole))
      throw new TypeError('What stands in SQL must be a fragment: an identifier, a literal, a number.');
    text += hole.text + parts[i + 1]!;
  }
  return made(text);
}

/** NUL ends a statement for the engine's parser. */
function withoutNul(text: string): string {
  if (text.includes('\0')) throw new UnsupportedTableError('A name or a text in a table holds a NUL character.');
  return text;
}

/** A quoted name. */
export const identifier = (name: string): Sql => made(`"${withoutNul(name).replaceAll('"', '""')}"`);

const quoted = (text: string): string => `'${withoutNul(text).replaceAll("'", "''")}'`;

/** A text. */
export const literal = (text: string): Sql => made(quoted(text));

/** A list of texts. */
export const literals = (texts: readonly string[]): Sql => made(`[${texts.map(quoted).join(', ')}]`);

/** A whole number. */
export function integer(value: number | bigint): Sql {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw new TypeError('What stands in SQL is no whole number.');
  return made(String(value));
}

/** A type in the engine's spelling. */
export const typeName = (type: ColumnType): Sql => made(withoutNul(duckdbType(type)));

/** A name of our own with a number, such as the column `v3`. */
export function numbered(name: string, number: number): Sql {
  if (!/^[a-z][a-z_]*$/.test(name) || !Number.isSafeInteger(number) || number < 0)
    throw new TypeError('A numbered name is made of lower-case letters and a number.');
  return made(`${name}${number}`);
}

type Separator = ', ' | ' ' | ' AND ' | ' OR ' | '\nUNION ALL\n' | '; ' | '';

/** Fragments one after the other. */
export function joined(parts: readonly Sql[], separator: Separator = ', '): Sql {
  if (!parts.every(Sql.is)) throw new TypeError('What stands in SQL must be a fragment.');
  return made(parts.map((part) => part.text).join(separator));
}

/**
 * SQL of a person that was checked: a statement as the engine wrote it out of its guarded tree, a policy that was parsed as
 * one expression. Who may call it is written down in `scripts/check-sql.ts`.
 */
export const trustedSql = (text: string): Sql => made(withoutNul(text));
