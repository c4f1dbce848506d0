import { isLosslessNumber, parse } from 'lossless-json';
import type { Node } from '../queries/statement/guard-error.ts';
import { untranslated } from './untranslated.ts';

/** DuckDB's serialized logical plan, in which every name is resolved and every type and cast is explicit. */
export type { Node } from '../queries/statement/guard-error.ts';

/** The engine's JSON contains bare literals for numbers that JSON can't represent. */
// bounded: every string of the engine's JSON is closed.
const BARE = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|nan|Infinity|inf)\b/g;

/**
 * The plan of a serialized statement, with numbers in their original form.
 *
 * @throws QueryRejectedError if the engine can't serialize the plan
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

/** The children of an operator, which must have exactly this number of them. */
export function childrenOf(node: Node, count: number): readonly Node[] {
  const children = nodesOf(node['children']);
  if (children.length !== count) throw unknownPart(node);
  return children;
}

/** User-facing names of unsupported parts. */
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

/** Rejects a node with unexpected fields, or with content in fields that must be empty. */
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

/** An integer of the plan. */
export function integerOf(value: unknown): bigint {
  const text = isLosslessNumber(value) ? value.value : '';
  if (!/^-?\d{1,40}$/.test(text)) throw untranslated('This form of number');
  return BigInt(text);
}

export const indexOf = (value: unknown): number => Number(integerOf(value));
