import { TABLE_FUNCTIONS } from '../functions.ts';
import type { Node } from '../guard-error.ts';
import { nodesOf } from '../nodes.ts';
import { rewriteCall } from './calls.ts';
import { isVector } from './columns.ts';
import { withInterval } from './intervals.ts';
import { calledName, childrenOf, type Rewriting } from './rewriter.ts';
import { isOfValues } from './value-columns.ts';

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
  'string_to_table',
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
  if (name === 'unnest' && args.length > 1) return ofLists(rewriting, node, args);
  if (name === 'generate_series') withInterval(args);
  // The engine's own function accepts no columns of other tables.
  if (name === 'generate_series' && !args.some(dependsOnColumns)) return node;
  const isOfVector = name === 'generate_subscripts' && rewriting.isCatalog && args.length > 0 && isVector(args[0]!);
  const own = isOfVector ? null : rewriting.tryTable(name, args, node);
  if (own === null && TABLE_FUNCTIONS.has(name)) return node;
  const table = own ?? rewriting.tryTable('value', [rewriteCall(rewriting, call, node)], node)!;
  if (columns.length === 0 && (own === null || ONE_COLUMN.has(name)))
    columns.push(columnOf(name, String(node['alias'])));
  table['alias'] = node['alias'] === '' ? name : node['alias'];
  table['column_name_alias'] = columns;
  return table;
}

const columnOf = (name: string, alias: string): string => alias || (isOfValues(name) ? 'value' : name);

/** `FROM unnest(a, b)`: a column for each list, and as many rows as the longest one has elements. */
function ofLists(rewriting: Rewriting, node: Node, lists: readonly Node[]): Node {
  const items = lists.map((list) => ({ ...rewriting.call('unnest', [list], node), alias: 'unnest' }));
  if (node['with_ordinality'] === 'WITH_ORDINALITY') {
    const lengths = lists.map((list) => rewriting.call('length', [list], node));
    const longest = lengths.reduce((a, b) => rewriting.call('greatest', [a, b], node));
    items.push({ ...rewriting.call('positions', [longest], node), alias: 'ordinality' });
  }
  const table = rewriting.tryTable('value', [items[0]!], node)!;
  const subquery = (table['subquery'] as Node)['node'] as Node;
  subquery['select_list'] = items;
  table['alias'] = node['alias'] === '' ? 'unnest' : node['alias'];
  table['column_name_alias'] = node['column_name_alias'];
  return table;
}

const dependsOnColumns = (arg: Node): boolean =>
  nodesOf(arg).some((node) => node['class'] === 'COLUMN_REF' || node['class'] === 'SUBQUERY');
