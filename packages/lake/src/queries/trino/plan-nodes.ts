import { isLosslessNumber, parse } from 'lossless-json';
import type { Node } from '../statement/guard-error.ts';
import { untranslated } from './untranslated.ts';

/** DuckDB's serialised logical plan, in which every name is resolved and every type and cast is written out. */
export type { Node } from '../statement/guard-error.ts';

/** Numbers that JSON has no spelling for stand bare in the engine's JSON. */
// bounded: every string of the engine's JSON is closed.
const BARE = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|nan|Infinity|inf)\b/g;

/**
 * The one plan of a serialised statement, with numbers kept as written.
 *
 * @throws QueryRejectedError where the engine cannot write the plan out
 */
export function readPlan(serialized: string): Node {
  const tree = parse(serialized.replace(BARE, (found) => (found[0] === '"' ? found : `"${found}"`))) as Node;
  const plans = tree['plans'];
  if (tree['error'] !== false || !Array.isArray(plans) || plans.length !== 1) {
    throw untranslated('This form of statement');
  }
  return plans[0] as Node;
}

export const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? (value as Node[]) : []);

/** The children of an operator, as many as it must have. */
export function childrenOf(node: Node, count: number): readonly Node[] {
  const children = nodesOf(node['children']);
  if (children.length !== count) throw unknownPart(node);
  return children;
}

/** What people call the parts that are not known. */
const PARTS: Readonly<Record<string, string>> = {
  LOGICAL_RECURSIVE_CTE: 'WITH RECURSIVE',
  LOGICAL_ASOF_JOIN: 'ASOF JOIN',
  LOGICAL_SAMPLE: 'TABLESAMPLE',
  LOGICAL_POSITIONAL_JOIN: 'POSITIONAL JOIN',
  BOUND_LAMBDA: 'A lambda function',
};

export function unknownPart(node: Node) {
  const type = String(node['type'] ?? node['expression_class']).slice(0, 60);
  return untranslated(PARTS[type] ?? `This part of a statement (${type})`);
}

/** Refuses a node that has fields other than these, or anything in those that must be empty. */
export function requireFields(node: Node, known: string, empty = ''): void {
  const names = new Set(known.split(' '));
  const none = new Set(empty.split(' '));
  for (const [field, value] of Object.entries(node)) {
    if (names.has(field)) continue;
    if (!none.has(field) || !isNothing(value)) throw unknownPart(node);
  }
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && !isLosslessNumber(value) && Object.values(value).every(isNothing);
}

/** A whole number of the plan. */
export function integerOf(value: unknown): bigint {
  const text = isLosslessNumber(value) ? value.value : '';
  if (!/^-?\d{1,40}$/.test(text)) throw untranslated('This form of number');
  return BigInt(text);
}

export const indexOf = (value: unknown): number => Number(integerOf(value));
