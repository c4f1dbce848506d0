/** Characters of the columns in a message: a table may have thousands. */
const MAX_SHOWN = 1000;

/** The message about a name that isn't a column of the table. */
export function unknownColumn(name: string, columns: readonly { readonly name: string }[]): string {
  const names = columns.map((column) => column.name).join(', ');
  const shown = names.length <= MAX_SHOWN ? names : `${names.slice(0, MAX_SHOWN)} …`;
  return `the table has no column ${name}; its columns: ${shown}`;
}
