import { type Guarded, type TableName, type TableVersion, tableKey } from './guard.ts';
import { GuardError } from './guard-error.ts';
import { foldName } from './names.ts';
import { nodesOf } from './nodes.ts';

/** The schema of tables named without a namespace; no namespace can have this name. */
const NO_NAMESPACE = '(none)';
/** The engine has schemas of these names itself. */
const ENGINE_SCHEMAS = new Set(['information_schema', 'pg_catalog']);

/**
 * Schema and name of the view that represents a table or a version of it. The engine ignores the letter case of names, which
 * branches and tags may differ in.
 */
export function viewNameOf(name: TableName, version: TableVersion | null): readonly [string, string] {
  const schema = name.length > 1 ? foldName(name.slice(0, -1).join('.')) : NO_NAMESPACE;
  const table = foldName(name.at(-1)!);
  const view = version === null ? table : `${table} @${version.kind} ${Buffer.from(version.text).toString('hex')}`;
  return [ENGINE_SCHEMAS.has(schema) ? `(${schema})` : schema, view];
}

/**
 * Replaces every relation name: tables by the qualified names of their views, CTEs by generated names. The engine never
 * resolves a name that the author chose, which could match a file, one of its own views or a setting.
 *
 * @throws Refusal for a relation that was overlooked
 */
export function rewriteNames(guarded: Guarded): void {
  rewriteTables(guarded);
  renameCtes(guarded);
  requireRewritten(guarded);
}

/** The second half of the rewrite. It stays safe even if a table was mistaken for a CTE or the other way round. */
export function renameCtes({ cteNames }: Guarded): void {
  for (const { node, field, name } of cteNames) {
    // Columns are qualified with the name as written.
    if (field === 'table_name' && !node['alias']) node['alias'] = node['table_name'];
    node[field] = name;
  }
}

/** Checks the whole tree, not only the parts that the guard visited. */
function requireRewritten({ ast, tableNodes, cteNames }: Guarded): void {
  const known = new Set([...tableNodes, ...cteNames].map(({ node }) => node));
  for (const node of nodesOf(ast)) {
    if (node['type'] !== 'BASE_TABLE' || known.has(node)) continue;
    throw new GuardError('not-supported', 'The query uses a table name where a table is not allowed.', node);
  }
}

/** Points every table at its view. `a.b.t` has one schema, `a.b`, so columns written `a.b.t.c` are rewritten too. */
export function rewriteTables(guarded: Guarded): void {
  const long = new Set<string>();
  for (const { node, name, version } of guarded.tableNodes) {
    const [schema, table] = viewNameOf(name, version);
    if (name.length > 2) long.add(tableKey(name));
    node['catalog_name'] = 'lake';
    node['schema_name'] = schema;
    // Keep the name as written visible, so that `Orders.id` and error messages match the author's text.
    if (!node['alias'] && (name.length === 1 || version !== null)) node['alias'] = name.at(-1);
    if (version === null) continue;
    node['table_name'] = table;
    node['at_clause'] = null;
  }
  for (const ref of guarded.columnRefs) {
    const names = ref['column_names'] as string[];
    for (let n = 3; n < names.length; n++) {
      if (!long.has(tableKey(names.slice(0, n)))) continue;
      ref['column_names'] = [foldName(names.slice(0, n - 1).join('.')), ...names.slice(n - 1)];
      break;
    }
  }
}
