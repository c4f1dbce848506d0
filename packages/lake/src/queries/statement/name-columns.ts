import { stringify } from 'lossless-json';
import type { Node } from './guard-error.ts';
import { nodesOf } from './nodes.ts';

/**
 * Names unnamed columns as the engine would from the original text. After rewriting, the derived names would expose
 * generated names. Must run before the rewrite.
 */
export async function nameColumns(deparse: (ast: string) => Promise<string | null>, ast: Node): Promise<void> {
  for (const item of unnamedItems(ast)) {
    const text = await deparse(stringify(selectOf(item))!);
    if (text?.startsWith('SELECT ')) item['alias'] = text.slice('SELECT '.length);
  }
}

/** Items of SELECT lists whose text changes in the rewrite. */
function unnamedItems(ast: Node): Node[] {
  const items: Node[] = [];
  for (const node of nodesOf(ast)) {
    if (node['type'] !== 'SELECT_NODE') continue;
    for (const item of node['select_list'] as Node[]) {
      const named = item['alias'] !== '' || item['class'] === 'COLUMN_REF';
      if (!named && !expandsToMany(item) && isRewritten(item)) items.push(item);
    }
  }
  return items;
}

/** A table, or a column qualified with a multi-part namespace. */
const isRewritten = (item: Node): boolean =>
  nodesOf(item).some((node) => {
    const names = node['class'] === 'COLUMN_REF' ? (node['column_names'] as unknown[]) : [];
    return node['type'] === 'BASE_TABLE' || names.length > 3;
  });

function expandsToMany(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(expandsToMany);
  if (typeof value !== 'object' || value === null) return false;
  const node = value as Node;
  if (node['class'] === 'SUBQUERY') return false;
  return node['class'] === 'STAR' || Object.values(node).some(expandsToMany);
}

const selectOf = (item: Node): Node => ({
  error: false,
  statements: [{ node: selectNode([item], { type: 'EMPTY', alias: '', sample: null }), named_param_map: [] }],
});

/** A SELECT without further clauses. */
export const selectNode = (items: readonly Node[], from: Node): Node => ({
  type: 'SELECT_NODE',
  modifiers: [],
  cte_map: { map: [] },
  select_list: items,
  from_table: from,
  where_clause: null,
  group_expressions: [],
  group_sets: [],
  aggregate_handling: 'STANDARD_HANDLING',
  having: null,
  sample: null,
  qualify: null,
});
