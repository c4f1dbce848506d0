import { stringify } from 'lossless-json';
import type { Node } from './guard-refusal.ts';
import { nodesOf } from './nodes.ts';

/**
 * Gives columns without a name the name that the engine would derive from the text as written: derived from the rewritten
 * text, it would show generated names. Comes before the rewriting.
 */
export async function nameColumns(deparse: (ast: string) => Promise<string | null>, ast: Node): Promise<void> {
  for (const item of unnamedItems(ast)) {
    const text = await deparse(stringify(selectOf(item))!);
    if (text?.startsWith('SELECT ')) item['alias'] = text.slice('SELECT '.length);
  }
}

/** Items of SELECT lists whose text the rewriting changes. */
function unnamedItems(ast: Node): Node[] {
  const items: Node[] = [];
  for (const node of nodesOf(ast)) {
    if (node['type'] !== 'SELECT_NODE') continue;
    for (const item of node['select_list'] as Node[]) {
      const named = item['alias'] !== '' || item['class'] === 'COLUMN_REF';
      if (!named && !standsForSeveral(item) && isRewritten(item)) items.push(item);
    }
  }
  return items;
}

/** A table, or a column qualified with a namespace of several parts. */
const isRewritten = (item: Node): boolean =>
  nodesOf(item).some((node) => {
    const names = node['class'] === 'COLUMN_REF' ? (node['column_names'] as unknown[]) : [];
    return node['type'] === 'BASE_TABLE' || names.length > 3;
  });

function standsForSeveral(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(standsForSeveral);
  if (typeof value !== 'object' || value === null) return false;
  const node = value as Node;
  if (node['class'] === 'SUBQUERY') return false;
  return node['class'] === 'STAR' || Object.values(node).some(standsForSeveral);
}

const selectOf = (item: Node): Node => ({
  error: false,
  statements: [
    {
      node: {
        type: 'SELECT_NODE',
        modifiers: [],
        cte_map: { map: [] },
        select_list: [item],
        from_table: { type: 'EMPTY', alias: '', sample: null },
        where_clause: null,
        group_expressions: [],
        group_sets: [],
        aggregate_handling: 'STANDARD_HANDLING',
        having: null,
        sample: null,
        qualify: null,
      },
      named_param_map: [],
    },
  ],
});
