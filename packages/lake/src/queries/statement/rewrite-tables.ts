import { type Guarded, type TableName, type TableVersion, tableKey } from './guard.ts';

/** The schema of tables named without a namespace; no namespace can have this name. */
const NO_NAMESPACE = '(none)';

/** Schema and name of the view that stands for a table, or for a version of it. */
export function placeOf(name: TableName, version: TableVersion | null): readonly [string, string] {
  const schema = name.length > 1 ? name.slice(0, -1).join('.').toLowerCase() : NO_NAMESPACE;
  const table = name.at(-1)!.toLowerCase();
  return [schema, version === null ? table : `${table} @${version.kind} ${version.text}`];
}

/** Points every table at its view. `a.b.t` has one schema, `a.b`: columns written `a.b.t.c` follow. */
export function rewriteTables(guarded: Guarded): void {
  const long = new Set<string>();
  for (const { node, name, version } of guarded.tableNodes) {
    const [schema, table] = placeOf(name, version);
    if (name.length > 2) long.add(tableKey(name));
    node['catalog_name'] = 'lake';
    node['schema_name'] = schema;
    // The name as written stays visible, so that `Orders.id` and messages read as the person wrote them.
    if (!node['alias'] && (name.length === 1 || version !== null)) node['alias'] = name.at(-1);
    if (version === null) continue;
    node['table_name'] = table;
    node['at_clause'] = null;
  }
  for (const ref of guarded.columnRefs) {
    const names = ref['column_names'] as string[];
    for (let n = 3; n < names.length; n++) {
      if (!long.has(tableKey(names.slice(0, n)))) continue;
      ref['column_names'] = [
        names
          .slice(0, n - 1)
          .join('.')
          .toLowerCase(),
        ...names.slice(n - 1),
      ];
      break;
    }
  }
}
