/** The column of a name in any letter case, as SQL finds it. External tables can have two that differ in it alone. */
export function findColumn<C extends { readonly name: string }>(columns: readonly C[], name: string): C | undefined {
  return (
    columns.find((column) => column.name === name) ??
    columns.find((column) => column.name.toLowerCase() === name.toLowerCase())
  );
}
