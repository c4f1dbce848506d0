import { joinedTrino, type TrinoSql, trustedTrino } from '../sql-text.ts';

/*
 * The one place where names, texts and numbers become Trino's SQL; see `sql-text.ts`. Everything else in a statement for
 * Trino is written in templates with the tag `trino`, whose holes take fragments alone.
 */

/** A quoted name, which Trino writes as DuckDB does. */
export const identifier = (name: string): TrinoSql => trustedTrino(`"${name.replaceAll('"', '""')}"`);

/** A text literal: everything but plain ASCII by its code point, so that no character can end it. */
export function textLiteral(text: string): TrinoSql {
  if (/^[\x20-\x7e]*$/.test(text)) return trustedTrino(`'${text.replaceAll("'", "''")}'`);
  const parts = [...text].map((c) => {
    const point = c.codePointAt(0)!;
    if (c === "'") return "''";
    if (c === '\\') return '\\\\';
    if (point >= 0x20 && point <= 0x7e) return c;
    return point > 0xffff ? `\\+${hex(point, 6)}` : `\\${hex(point, 4)}`;
  });
  return trustedTrino(`U&'${parts.join('')}'`);
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');

/** Bytes. */
export const bytesLiteral = (bytes: Buffer): TrinoSql => trustedTrino(`X'${bytes.toString('hex')}'`);

/** A whole number. */
export function integer(value: number | bigint): TrinoSql {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw new TypeError('The value embedded in SQL is not an integer.');
  return trustedTrino(String(value));
}

/** A number in quotes, as the literals of Trino's types have it: DOUBLE '1.5'. */
export function quotedNumber(text: string | number | bigint): TrinoSql {
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(String(text)))
    throw new TypeError('The value embedded in SQL is not a number.');
  return trustedTrino(`'${text}'`);
}

/** A name of our own with a number, such as the column `c3` or the part `x1`. */
export function numbered(name: string, number: number): TrinoSql {
  if (!/^[a-z]$/.test(name) || !Number.isSafeInteger(number) || number < 0)
    throw new TypeError('A numbered name consists of a letter and a number.');
  return trustedTrino(`${name}${number}`);
}

/** A function of Trino, by a name that is written down in this program. */
export function calling(name: string, args: readonly TrinoSql[]): TrinoSql {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new TypeError('The name of a function consists of letters, digits and underscores.');
  return trustedTrino(`${name}(${joinedTrino(args).text})`);
}

/** The fragments of expressions, with commas between. */
export const listed = (expressions: readonly { readonly sql: TrinoSql }[]): TrinoSql =>
  joinedTrino(expressions.map(({ sql }) => sql));
