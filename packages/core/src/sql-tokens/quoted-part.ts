/** How messages about a query quote the part of the statement that they are about. */
const QUOTES = [
  / at or near "([^"]+)"/,
  /^The column "([^"]+)" (?:doesn't exist|is ambiguous|must be in the GROUP BY)/,
  /^The (?:type|struct has no field|statement has no table or alias) "([^"]+)"/,
  /function "([^"]+)"/i,
  /^The table (\S+) doesn't exist/,
];

/** The part of a statement that the message of a failed query quotes, such as the name of a column that doesn't exist. */
export function quotedPart(message: string): string | undefined {
  return QUOTES.map((pattern) => pattern.exec(message)?.[1]).find((part) => part !== undefined);
}
