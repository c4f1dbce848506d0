export interface MigrationText {
  name: string;
  sql: string;
}

const NAME = '"?(\\w+)"?';
/** Patterns that programs of the previous version may not survive, each with a description. `$1` is the table. */
const RISKS: readonly (readonly [RegExp, string])[] = [
  [/^DROP (TABLE|VIEW|FUNCTION|TRIGGER|TYPE|SEQUENCE)\b/i, 'takes away what they may use'],
  [/^TRUNCATE\b|^DELETE FROM\b/i, 'removes rows'],
  [/^UPDATE\b/i, 'changes rows'],
  [/\bRENAME\b/i, 'renames something that older programs still use'],
  [/\bDROP COLUMN\b/i, 'drops a column'],
  [/\bALTER COLUMN\s+\S+\s+(SET DATA )?TYPE\b/i, 'changes the type of a column'],
  [/\bALTER COLUMN\s+\S+\s+SET NOT NULL\b/i, 'wants a value that they may leave out'],
  [/\bALTER COLUMN\s+\S+\s+DROP DEFAULT\b/i, 'takes away a value that they may count on'],
  [/\bADD COLUMN\b(?![^,]*\bDEFAULT\b)[^,]*\bNOT NULL\b/i, 'adds a column that older programs do not set'],
];
const OF_TABLE: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`^ALTER TABLE (?:ONLY )?${NAME}[\\s\\S]*\\bADD CONSTRAINT\\b`, 'i'),
    'adds a rule that their rows may break',
  ],
  [new RegExp(`^CREATE UNIQUE INDEX \\S+ ON ${NAME}`, 'i'), 'makes unique what they may repeat'],
  [new RegExp(`^CREATE (?:OR REPLACE )?TRIGGER[\\s\\S]*\\bON ${NAME}`, 'i'), 'acts on rows that they write'],
];
const WHY = /^--[ \t]*old programs[ \t]*:[ \t]*\S/im;

/**
 * Lists what a migration does beyond adding to the schema, because programs of the previous version keep running while
 * it is applied. Empty if it only adds, or if a line `-- Old programs: …` explains why they survive the rest.
 * @param before the earlier migrations: an old program's statement may rely on an index that they made unique
 */
export function beyondExpansion({ sql }: MigrationText, before: readonly MigrationText[] = []): string[] {
  if (WHY.test(sql)) return [];
  const statements = statementsOf(sql);
  const made = new Set(statements.flatMap((text) => new RegExp(`^CREATE TABLE ${NAME}`, 'i').exec(text)?.[1] ?? []));
  const unique = new Set(before.flatMap((earlier) => uniqueOf(earlier.sql)));
  const found: string[] = [];
  for (const text of statements) {
    const report = (what: string) => found.push(`${text.split('\n')[0]} … ${what}`);
    for (const [risk, what] of RISKS) if (risk.test(text)) report(what);
    for (const [risk, what] of OF_TABLE) {
      const table = risk.exec(text)?.[1];
      if (table !== undefined && !made.has(table)) report(what);
    }
    const dropped = new RegExp(`^DROP INDEX ${NAME}`, 'i').exec(text)?.[1];
    if (dropped !== undefined && unique.has(dropped))
      report('drops a unique index, which an ON CONFLICT of theirs may name');
  }
  return found;
}

const uniqueOf = (sql: string): string[] =>
  statementsOf(sql).flatMap((text) => new RegExp(`^CREATE UNIQUE INDEX ${NAME}`, 'i').exec(text)?.[1] ?? []);

/** The statements without comments and without dollar-quoted texts. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--.*$/gm, '')
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
