import { type Node, nodesOf } from './plan-nodes.ts';

/**
 * Whether a projection over a grouping is DuckDB's form of a scalar subquery: its first row, or an error if there are
 * more. Users can't write this themselves, because statements can't call `error`.
 */
export function isSubqueryGuard(projection: Node, below: Node): boolean {
  const [only, ...more] = nodesOf(projection['expressions']);
  if (only?.['expression_class'] !== 'BOUND_CASE' || more.length > 0) return false;
  const checks = nodesOf(only['case_checks']);
  const then = checks[0]?.['then_expr'] as Node | undefined;
  const otherwise = only['else_expr'] as Node;
  if (checks.length !== 1 || then?.['name'] !== 'error' || otherwise['expression_class'] !== 'BOUND_REF') return false;
  if (below['type'] !== 'LOGICAL_AGGREGATE_AND_GROUP_BY' || nodesOf(below['groups']).length > 0) return false;
  const aggregates = nodesOf(below['expressions']);
  const first = nodesOf(aggregates[0]?.['children'])[0];
  return (
    aggregates.map((a) => a['name']).join() === 'first,count_star' &&
    aggregates.every((a) => a['filter'] === null) &&
    first?.['expression_class'] === 'BOUND_REF' &&
    String(first['index']) === '0'
  );
}
