import type { Node } from '../guard-error.ts';
import { foldName } from '../names.ts';
import { nodesOf } from '../nodes.ts';
import { typeName } from './casts.ts';
import { childrenOf } from './rewriter.ts';

/** Names the columns of a SELECT that have no name as PostgreSQL does, because clients read them by these names. */
export function nameOutputs(select: Node): void {
  for (const item of select['select_list'] as Node[]) {
    if (item['alias'] !== '' || item['class'] === 'COLUMN_REF' || expandsToMany(item)) continue;
    item['alias'] = outputName(item) ?? '?column?';
  }
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
  svc_vch: 'varchar',
  svch: 'bpchar',
  blob: 'bytea',
  'timestamp with time zone': 'timestamptz',
};

/** Null for an expression that PostgreSQL gives no name. */
function outputName(node: Node): string | null {
  switch (node['class']) {
    case 'COLUMN_REF':
      return String((node['column_names'] as string[]).at(-1));
    case 'FUNCTION':
      return functionName(node);
    case 'WINDOW':
      return foldName(String(node['function_name']));
    case 'CAST': {
      const inner = outputName(node['child'] as Node);
      const name = typeName(node['cast_type'] as Node);
      return inner ?? TYPES[name] ?? name;
    }
    case 'COLLATE':
      return outputName(node['child'] as Node);
    case 'CASE':
      return outputName(node['else_expr'] as Node) ?? 'case';
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

function operatorName(node: Node): string | null {
  const type = String(node['type']);
  const [first, second] = childrenOf(node);
  if (type === 'STRUCT_EXTRACT') return String((second?.['value'] as Node | undefined)?.['value'] ?? '');
  if (type === 'ARRAY_EXTRACT' || type === 'ARRAY_SLICE') return outputName(first!);
  return OPERATORS[type] ?? null;
}

function subqueryName(node: Node): string | null {
  if (node['subquery_type'] === 'EXISTS') return 'exists';
  if (node['subquery_type'] !== 'SCALAR') return null;
  const list = ((node['subquery'] as Node)['node'] as Node)['select_list'] as Node[] | undefined;
  const first = list?.[0];
  if (first === undefined) return null;
  // An array of a query is parsed as a query with an aggregate.
  if (first['class'] === 'CASE' && JSON.stringify(first).includes('POSITIONAL_REFERENCE')) return 'array';
  return first['alias'] === '' ? outputName(first) : String(first['alias']);
}
