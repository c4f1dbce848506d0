import { AGGREGATE_FUNCTIONS, SET_FUNCTIONS } from './functions.ts';
import type { Node } from './guard-error.ts';
import { foldName } from './names.ts';
import { nodesOf } from './nodes.ts';

/** The maximum number of rows that a checked statement returns according to its text, or null if the text sets no limit. */
export function maxRows(ast: Node): number | null {
  const root = (ast['statements'] as Node[])[0]!['node'] as Node;
  const bounds = [
    ...listOf(root['modifiers']).map(limitOf),
    root['type'] === 'SELECT_NODE' && isOneRow(root) ? 1 : null,
  ];
  const known = bounds.filter((bound) => bound !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function limitOf(modifier: Node): number | null {
  const limit = modifier['limit'] as Node | null | undefined;
  if (modifier['type'] !== 'LIMIT_MODIFIER' || limit?.['class'] !== 'CONSTANT') return null;
  const { value } = limit['value'] as { value?: unknown };
  const rows = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(rows) && rows >= 0 ? rows : null;
}

/** An aggregate at the top level of the select list without groups returns one row. Deeper aggregates don't count. */
function isOneRow(select: Node): boolean {
  if (listOf(select['group_expressions']).length > 0 || listOf(select['group_sets']).length > 0) return false;
  const items = listOf(select['select_list']);
  return (
    items.some((item) => calls(item, AGGREGATE_FUNCTIONS)) &&
    !items.flatMap(nodesOf).some((node) => calls(node, SET_FUNCTIONS))
  );
}

const calls = (node: Node, functions: ReadonlySet<string>): boolean =>
  node['class'] === 'FUNCTION' && functions.has(foldName(String(node['function_name'])));

const listOf = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : []);
