import { ownValue } from '@svc/core/own-value';
import { CLOCK_NAMES } from '../functions.ts';
import type { Node } from '../guard-error.ts';
import { foldName } from '../names.ts';
import { nodesOf } from '../nodes.ts';
import { childrenOf } from './rewriter.ts';
import { typeName } from './type-names.ts';

/** Names the columns of a SELECT that have no name as PostgreSQL does, because clients read them by these names. */
export function nameOutputs(select: Node): void {
  for (const item of select['select_list'] as Node[]) {
    if (item['alias'] !== '' || isColumn(item) || expandsToMany(item)) continue;
    const name = outputName(item)?.name ?? '?column?';
    // As an alias, it would hide the function of this name from the expressions of the list.
    if (!CLOCK_NAMES.has(foldName(name))) item['alias'] = name;
  }
}

/** Functions that are written like columns, and that the rewriter replaces. */
const WITHOUT_BRACKETS: ReadonlySet<string> = new Set([
  ...['current_catalog', 'current_role', 'current_schema', 'current_user', 'session_user', 'user'],
]);

function isColumn(item: Node): boolean {
  if (item['class'] !== 'COLUMN_REF') return false;
  const names = item['column_names'] as string[];
  return names.length > 1 || !WITHOUT_BRACKETS.has(foldName(names[0]!));
}

/** COLUMNS(…) makes several columns, which have names of their own. */
const expandsToMany = (item: Node): boolean =>
  item['class'] === 'STAR' || (item['class'] !== 'SUBQUERY' && nodesOf(item).some((node) => node['class'] === 'STAR'));

const OPERATORS: Readonly<Record<string, string>> = {
  OPERATOR_COALESCE: 'coalesce',
  ARRAY_CONSTRUCTOR: 'array',
};

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  smallint: 'int2',
  integer: 'int4',
  bigint: 'int8',
  float: 'float4',
  double: 'float8',
  varchar: 'text',
  decimal: 'numeric',
  svc_num: 'numeric',
  svc_f: 'float8',
  svc_vch: 'varchar',
  svch: 'bpchar',
  blob: 'bytea',
  'timestamp with time zone': 'timestamptz',
};

/** A name, and whether PostgreSQL prefers that of a cast or CASE around it. */
interface OutputName {
  readonly name: string;
  readonly isWeak: boolean;
}

const strong = (name: string | null): OutputName | null => (name === null ? null : { name, isWeak: false });

/** The name of an expression inside a cast or CASE, which has a weak name of its own. */
function within(node: Node, name: string): OutputName {
  const inner = outputName(node);
  return inner === null || inner.isWeak ? { name, isWeak: true } : inner;
}

/** Null for an expression without a name in PostgreSQL. */
function outputName(node: Node): OutputName | null {
  switch (node['class']) {
    case 'COLUMN_REF':
      return strong(String((node['column_names'] as string[]).at(-1)));
    case 'FUNCTION':
      return strong(functionName(node));
    case 'WINDOW':
      return strong(foldName(String(node['function_name'])));
    case 'CAST': {
      const name = typeName(node['cast_type'] as Node);
      return within(node['child'] as Node, ownValue(TYPES, name) ?? name);
    }
    case 'COLLATE':
      return outputName(node['child'] as Node);
    case 'CASE':
      return within(node['else_expr'] as Node, 'case');
    case 'SUBQUERY':
      return subqueryName(node);
    case 'OPERATOR':
      return operatorName(node);
    default:
      return null;
  }
}

function functionName(node: Node): string | null {
  const name = foldName(String(node['function_name']));
  if (node['is_operator'] === true || !/^[a-z_]/.test(name)) return null;
  if (name === 'count_star') return 'count';
  if (name === 'date_part' && node['schema'] === 'main') return 'extract';
  if (name === 'quantile_cont' || name === 'quantile_disc') return name.replace('quantile', 'percentile');
  return name === 'regexp_full_match' ? null : name === 'struct_pack' || name === 'list_value' ? 'row' : name;
}

function operatorName(node: Node): OutputName | null {
  const type = String(node['type']);
  const [first, second] = childrenOf(node);
  if (type === 'STRUCT_EXTRACT') return strong(String((second?.['value'] as Node | undefined)?.['value'] ?? ''));
  if (type === 'ARRAY_EXTRACT' || type === 'ARRAY_SLICE') return outputName(first!);
  return strong(OPERATORS[type] ?? null);
}

function subqueryName(node: Node): OutputName | null {
  if (node['subquery_type'] === 'EXISTS') return strong('exists');
  if (node['subquery_type'] !== 'SCALAR') return null;
  const list = ((node['subquery'] as Node)['node'] as Node)['select_list'] as Node[] | undefined;
  const first = list?.[0];
  if (first === undefined) return null;
  // An array of a query is parsed as a query with an aggregate.
  if (first['class'] === 'CASE' && JSON.stringify(first).includes('POSITIONAL_REFERENCE')) return strong('array');
  return first['alias'] === '' ? outputName(first) : strong(String(first['alias']));
}
