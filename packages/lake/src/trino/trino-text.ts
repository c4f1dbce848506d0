import { joinedTrino, type TrinoSql, trustedTrino } from '../queries/sql-text.ts';

/*
 * The only module that converts names, strings and numbers to Trino's SQL; see `sql-text.ts`. The rest of a statement is
 * written in templates with the tag `trino`, which accept only fragments as values.
 */

/** A quoted name, which has the same syntax in Trino and DuckDB. */
export const identifier = (name: string): TrinoSql => trustedTrino(`"${name.replaceAll('"', '""')}"`);

/** A string literal. Everything but plain ASCII is written as a code point, so no character can end the literal. */
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

/** An integer. */
export function integer(value: number | bigint): TrinoSql {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw new TypeError('The value embedded in SQL is not an integer.');
  return trustedTrino(String(value));
}

/** A quoted number for literals of Trino's types: DOUBLE '1.5'. */
export function quotedNumber(text: string | number | bigint): TrinoSql {
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(String(text)))
    throw new TypeError('The value embedded in SQL is not a number.');
  return trustedTrino(`'${text}'`);
}

/** A generated name with a number, such as the column `c3` or the WITH clause `x1`. */
export function numbered(name: string, number: number): TrinoSql {
  if (!/^[a-z]$/.test(name) || !Number.isSafeInteger(number) || number < 0)
    throw new TypeError('A numbered name consists of a letter and a number.');
  return trustedTrino(`${name}${number}`);
}

/** A call of a Trino function whose name is a constant in this program. */
export function calling(name: string, args: readonly TrinoSql[]): TrinoSql {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new TypeError('The name of a function consists of letters, digits and underscores.');
  return trustedTrino(`${name}(${joinedTrino(args).text})`);
}

/** The fragments of expressions, separated by commas. */
export const listed = (expressions: readonly { readonly sql: TrinoSql }[]): TrinoSql =>
  joinedTrino(expressions.map(({ sql }) => sql));
