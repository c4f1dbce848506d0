import { LosslessNumber } from 'lossless-json';
import { node as constant, typeOf } from '../constant-nodes.ts';
import type { Node } from '../guard-error.ts';
import { foldName } from '../names.ts';
import { isNode, type Rewriting } from './rewriter.ts';

/** Names that are functions without parentheses. */
const SESSION_NAMES = new Set([
  'current_user',
  'session_user',
  'user',
  'current_role',
  'current_catalog',
  'current_schema',
]);

/** Schemas that a column's name may start with: the relations are replaced by views of another schema. */
const CATALOG_SCHEMAS = new Set(['pg_catalog', 'information_schema']);

export function rewriteColumn(rewriting: Rewriting, node: Node): Node {
  const names = node['column_names'] as string[];
  const [first, ...others] = names;
  if (!rewriting.isCatalog || first === undefined) return node;
  if (others.length === 0 && SESSION_NAMES.has(foldName(first))) return rewriting.call(foldName(first), [], node);
  if (others.length > 1 && CATALOG_SCHEMAS.has(foldName(first))) node['column_names'] = others;
  return node;
}

/** Columns of OIDs that PostgreSQL shows as the names of functions. */
const FUNCTION_COLUMNS =
  /^(?:typ(?:input|output|receive|send|modin|modout|analyze|subscript)|amhandler|oprcode|prosupport)$/;

export const isFunctionColumn = (node: Node): boolean =>
  node['class'] === 'COLUMN_REF' && FUNCTION_COLUMNS.test(foldName((node['column_names'] as string[]).at(-1)!));

/** Shows the names of functions in the result of a statement. Inside it they are compared as OIDs. */
export function showFunctions(rewriting: Rewriting, ast: Node): void {
  for (const { node } of (ast['statements'] as { node: Node }[] | undefined) ?? []) {
    const list = node['type'] === 'SELECT_NODE' ? (node['select_list'] as Node[]) : [];
    for (const [i, item] of list.entries()) {
      if (!isFunctionColumn(item)) continue;
      const alias = item['alias'] === '' ? (item['column_names'] as string[]).at(-1)! : item['alias'];
      list[i] = { ...rewriting.call('shown_regproc', [{ ...item, alias: '' }], item), alias };
    }
  }
}

/** The relations that names mean in a query: by alias or name, in lower case. */
type Scope = ReadonlyMap<string, string>;

/** The system columns that relations of the catalog have in PostgreSQL, but no view has, become constants. */
export function systemColumns(value: unknown, outer: Scope = new Map()): void {
  if (Array.isArray(value)) {
    for (const item of value) systemColumns(item, outer);
    return;
  }
  if (!isNode(value)) return;
  const own = value['type'] === 'SELECT_NODE' ? relationsIn(value['from_table'] as Node | null) : null;
  if (value['class'] === 'COLUMN_REF') systemColumn(value, outer);
  const scope = own === null ? outer : new Map([...outer, ...own]);
  for (const inner of Object.values(value)) systemColumns(inner, scope);
}

function relationsIn(from: Node | null, found = new Map<string, string>()): Map<string, string> {
  if (from?.['type'] === 'JOIN') {
    relationsIn(from['left'] as Node, found);
    relationsIn(from['right'] as Node, found);
  } else if (from?.['type'] === 'BASE_TABLE') {
    const name = foldName(String(from['table_name']));
    found.set(foldName(String(from['alias'] || name)), name);
  }
  return found;
}

function systemColumn(node: Node, scope: Scope): void {
  const names = node['column_names'] as string[];
  const name = foldName(names.at(-1)!);
  const qualifier = names.at(-2);
  const relations = qualifier === undefined ? [...scope.values()] : [scope.get(foldName(qualifier))];
  const oid = relations.length === 1 && relations[0] !== undefined ? SYSTEM_OIDS[relations[0]] : undefined;
  if (oid === undefined) return;
  const value = name === 'tableoid' ? oid : name === 'xmin' || name === 'xmax' ? 1 : null;
  if (value === null) return;
  const { query_location, alias } = node;
  for (const field of Object.keys(node)) delete node[field];
  const made = constant({ type: typeOf('INTEGER'), is_null: false, value: new LosslessNumber(String(value)) });
  Object.assign(node, made, { query_location, alias: alias === '' ? name : alias });
}

/** The OIDs of PostgreSQL's own relations that other relations refer to. */
export const SYSTEM_OIDS: Readonly<Record<string, number>> = {
  pg_am: 2601,
  pg_amop: 2602,
  pg_amproc: 2603,
  pg_attrdef: 2604,
  pg_attribute: 1249,
  pg_auth_members: 1261,
  pg_authid: 1260,
  pg_cast: 2605,
  pg_class: 1259,
  pg_collation: 3456,
  pg_constraint: 2606,
  pg_conversion: 2607,
  pg_database: 1262,
  pg_depend: 2608,
  pg_description: 2609,
  pg_enum: 3501,
  pg_event_trigger: 3466,
  pg_extension: 3079,
  pg_foreign_data_wrapper: 2328,
  pg_foreign_server: 1417,
  pg_foreign_table: 3118,
  pg_index: 2610,
  pg_inherits: 2611,
  pg_language: 2612,
  pg_namespace: 2615,
  pg_opclass: 2616,
  pg_operator: 2617,
  pg_opfamily: 2753,
  pg_policy: 3256,
  pg_proc: 1255,
  pg_publication: 6104,
  pg_range: 3541,
  pg_rewrite: 2618,
  pg_sequence: 2224,
  pg_shdescription: 2396,
  pg_statistic_ext: 3381,
  pg_tablespace: 1213,
  pg_trigger: 2620,
  pg_ts_config: 3602,
  pg_ts_dict: 3600,
  pg_ts_parser: 3601,
  pg_ts_template: 3764,
  pg_type: 1247,
};

const VECTORS = new Set([
  ...['indkey', 'indclass', 'indoption', 'indcollation', 'proargtypes', 'partattrs', 'partclass', 'partcollation'],
]);

/** Whether a node is a column of the catalog with the type int2vector or oidvector, whatever relation it belongs to. */
export const isVector = (node: Node): boolean =>
  node['class'] === 'COLUMN_REF' && isVectorColumn(String((node['column_names'] as string[]).at(-1)));

export const isVectorColumn = (name: string): boolean => VECTORS.has(name.toLowerCase());
