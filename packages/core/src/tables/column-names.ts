import { columnName } from '../access/names.ts';

/** The remedy for a result with such a column. */
export const RENAME_COLUMN = 'Name the column with AS.';

/** Why a table can't have these columns, whose names come from a statement or a file; null if it can (TABLE-2). */
export function columnNamesFault(columns: readonly { readonly name: string }[]): string | null {
  for (const { name } of columns) {
    const issue = columnName.safeParse(name).error?.issues[0];
    if (issue !== undefined)
      return `A table can't have the column ${JSON.stringify(name.slice(0, 100))}: its name ${issue.message}.`;
  }
  return null;
}
