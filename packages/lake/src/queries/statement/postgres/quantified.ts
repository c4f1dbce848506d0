import type { Node } from '../guard-error.ts';
import { nodesOf } from '../nodes.ts';
import { arrayConstant } from './array-constants.ts';
import { calledName, childrenOf, type Rewriting, textNode, textOf } from './rewriter.ts';

/**
 * `a = ANY (array)` as a function. The engine parses it as a subquery over the elements, which it can't run if the array is
 * a column.
 */
export function rewriteSubquery(rewriting: Rewriting, node: Node): Node {
  if (node['subquery_type'] !== 'ANY') return node;
  const list = unnestedList(node);
  if (list === null) return node;
  const isEqual = node['comparison_type'] === 'COMPARE_EQUAL';
  if (textOf(list) === undefined) {
    if (!isEqual) return node;
    // The engine infers no type of a parameter that occurs more often.
    const occursOnce = nodesOf(list).some((part) => part['class'] === 'PARAMETER' || part['class'] === 'SUBQUERY');
    return rewriting.call(occursOnce ? 'element' : 'element_or_null', [list, node['child'] as Node], node);
  }
  const constants = arrayConstant(rewriting, list);
  if (!isEqual || childrenOf(constants).length === 0) {
    childrenOf(selected(node)!)[0] = constants;
    return node;
  }
  // The elements have the type of the left side.
  const contained = rewriting.call('in', [node['child'] as Node, textNode('')], node);
  contained['children'] = [childrenOf(contained)[0], ...childrenOf(constants)];
  return contained;
}

const selectOf = (node: Node): Node => (node['subquery'] as Node)['node'] as Node;

function selected(node: Node): Node | null {
  const select = selectOf(node);
  const list = select['select_list'] as Node[] | undefined;
  const isBare = list?.length === 1 && (select['from_table'] as Node | null)?.['type'] === 'EMPTY';
  return isBare ? list[0]! : null;
}

/** The array of `SELECT unnest(array)` without a table. */
function unnestedList(node: Node): Node | null {
  const call = selected(node);
  if (call === null || call['class'] !== 'FUNCTION' || calledName(call) !== 'unnest') return null;
  const args = childrenOf(call);
  return args.length === 1 ? args[0]! : null;
}
