import { TABLE_FUNCTIONS } from '../functions.ts';
import type { Node } from '../guard-error.ts';
import { nodesOf } from '../nodes.ts';
import { rewriteCall } from './calls.ts';
import { calledName, childrenOf, type Rewriting } from './rewriter.ts';

/** Functions whose result in FROM has one column, which has the alias of the table. */
const ONE_COLUMN = new Set([
  'generate_series',
  'unnest',
  'generate_subscripts',
  'json_array_elements',
  'jsonb_array_elements',
  'json_array_elements_text',
  'jsonb_array_elements_text',
  'json_object_keys',
  'jsonb_object_keys',
]);

/** A function in FROM. */
export function rewriteTableFunction(rewriting: Rewriting, node: Node): Node {
  const call = node['function'] as Node;
  const name = call['class'] === 'FUNCTION' ? calledName(call) : null;
  if (name === null) return node;
  const args = childrenOf(call);
  const columns = node['column_name_alias'] as string[];
  if (ONE_COLUMN.has(name) && (name !== 'unnest' || args.length === 1) && columns.length === 0 && node['alias'] !== '')
    columns.push(String(node['alias']));
  // The engine's own function accepts no columns of other tables.
  if (name === 'generate_series' && !args.some(dependsOnColumns)) return node;
  const own = rewriting.tryTable(name, args, node);
  if (own === null && TABLE_FUNCTIONS.has(name)) return node;
  const table = own ?? rewriting.tryTable('value', [rewriteCall(rewriting, call, node)], node)!;
  if (own === null && columns.length === 0) columns.push(String(node['alias'] || name));
  table['alias'] = node['alias'] === '' ? name : node['alias'];
  table['column_name_alias'] = columns;
  return table;
}

const dependsOnColumns = (arg: Node): boolean =>
  nodesOf(arg).some((node) => node['class'] === 'COLUMN_REF' || node['class'] === 'SUBQUERY');
