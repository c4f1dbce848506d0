/** A table that a statement reads or writes, and the name by which the statement calls it. */
export interface NamedTable {
  readonly table: string;
  readonly alias: string;
}

const PART = '(?:"(?:[^"]|"")+"|[A-Za-z_]\\w*)';
const NAMED = new RegExp(`\\b(?:from|join|into|update)\\s+(${PART}(?:\\.${PART})+)(?:\\s+(?:as\\s+)?(${PART}))?`, 'gi');
const KEYWORDS = new Set(
  'where on using set join left right full inner cross natural order group having limit union except intersect values select when window qualify'.split(
    ' ',
  ),
);

const unquoted = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);

/** The tables of a statement that is being written. It needn't be valid, so this reads no more than the names. */
export function tablesOf(sql: string): NamedTable[] {
  return [...sql.slice(0, 20_000).matchAll(NAMED)].map(([, path = '', alias]) => {
    const parts = (path.match(new RegExp(PART, 'g')) ?? []).map(unquoted);
    const named = alias === undefined || KEYWORDS.has(alias.toLowerCase()) ? undefined : unquoted(alias);
    return { table: parts.join('.'), alias: named ?? parts.at(-1) ?? '' };
  });
}
