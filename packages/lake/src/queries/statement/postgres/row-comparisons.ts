import type { Node } from '../guard-error.ts';
import { calledName, childrenOf } from './rewriter.ts';

/**
 * `(a, b) = (c, d)` as `a = c AND b = d`, and `<>` as `a <> c OR b <> d`, which are unknown if that depends on a null. The engine compares
 * the nulls of rows like values.
 */
export function comparedByColumn(node: Node): Node {
  const joins = JOINS[String(node['type'])];
  const [left, right] = [rowOf(node['left'] as Node), rowOf(node['right'] as Node)];
  if (joins === undefined || left === null || left.length !== right?.length) return node;
  const { alias, query_location } = node;
  const children = left.map((value, i) => ({ ...node, alias: '', left: value, right: right[i]! }));
  return { class: 'CONJUNCTION', type: joins, alias, query_location, children };
}

const JOINS: Readonly<Record<string, string>> = {
  COMPARE_EQUAL: 'CONJUNCTION_AND',
  COMPARE_NOTEQUAL: 'CONJUNCTION_OR',
};

/** The values of `(a, b)`, or null for any other expression. */
function rowOf(node: Node): readonly Node[] | null {
  const values = node['class'] === 'FUNCTION' && calledName(node) === 'row' ? childrenOf(node) : [];
  return values.length > 1 ? values : null;
}
