import { AGGREGATE_FUNCTIONS } from './functions.ts';
import type { Node } from './guard-refusal.ts';
import { foldName } from './names.ts';

/** How many rows a checked statement is to give at most, as far as its text tells (an `unnest` may add some); else null. */
export function mostRows(ast: Node): number | null {
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
  const most = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(most) && most >= 0 ? most : null;
}

/** An aggregate at the top of the list and no groups: one row. Where it stands deeper nothing is said. */
function isOneRow(select: Node): boolean {
  if (listOf(select['group_expressions']).length > 0 || listOf(select['group_sets']).length > 0) return false;
  return listOf(select['select_list']).some(
    (item) => item['class'] === 'FUNCTION' && AGGREGATE_FUNCTIONS.has(foldName(String(item['function_name']))),
  );
}

const listOf = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : []);
