import type { Node } from '../guard-error.ts';
import { arrayConstant } from './array-constants.ts';
import { childrenOf, type Rewriting, textNode, textOf, unsupported } from './rewriter.ts';

/** Functions that return `jsonb`. */
const MAKES_JSONB = new Set(
  ['to_jsonb', 'build_object', 'build_array', 'agg', 'object_agg', 'strip_nulls', 'extract_path'].map((name) =>
    name === 'to_jsonb' ? name : `jsonb_${name}`,
  ),
);

/** Remembers that the result of a call is `jsonb`, whose operators are others than those of a text. */
export function noteJsonb(rewriting: Rewriting, name: string, result: Node): Node {
  if (MAKES_JSONB.has(name)) rewriting.jsonb.add(result);
  return result;
}

/** `jsonb || jsonb`. */
export function joinedJson(rewriting: Rewriting, node: Node, args: readonly Node[]): Node | null {
  if (!args.some((arg) => rewriting.jsonb.has(arg))) return null;
  const joined = rewriting.call('json_concat', args, node);
  rewriting.jsonb.add(joined);
  return joined;
}

/** `jsonb - 'key'`. */
export function withoutKey(rewriting: Rewriting, node: Node, [left, key]: readonly Node[]): Node | null {
  if (left === undefined || !rewriting.jsonb.has(left) || textOf(key) === undefined) return null;
  const rest = rewriting.call('json_without', [left, key!], node);
  rewriting.jsonb.add(rest);
  return rest;
}

/** `->` with a constant key or index. */
export function element(rewriting: Rewriting, node: Node, [left, key]: readonly Node[]): Node {
  const found = rewriting.call('get', [left!, key!], node);
  if (rewriting.jsonb.has(left!)) rewriting.jsonb.add(found);
  return found;
}

/** `#>` and `#>>` with a constant path. */
export function atPath(
  rewriting: Rewriting,
  node: Node,
  operator: 'path' | 'pathText',
  [left, right]: readonly [Node, Node],
): Node {
  const path = textOf(right) ?? textOf(right['child'] as Node | undefined);
  const elements = path === undefined ? childrenOf(right).map(textOf) : null;
  if (elements?.some((part) => part === undefined)) throw unsupported('#> needs its path as a constant.', node);
  const parts = elements ?? childrenOf(arrayConstant(rewriting, textNode(path!))).map(textOf);
  return rewriting.call(operator, [left, textNode(jsonPath(parts as string[]))], node);
}

/** `json_extract_path(json, 'a', 'b')`. */
export function extractedPath(
  rewriting: Rewriting,
  node: Node,
  operator: 'path' | 'pathText',
  [left, ...path]: readonly Node[],
): Node | null {
  const parts = path.map(textOf);
  if (parts.length < 2) return null;
  if (parts.includes(undefined)) throw unsupported('A path needs its keys as constant texts.', node);
  return rewriting.call(operator, [left!, textNode(jsonPath(parts as string[]))], node);
}

/** A pointer, whose number is the name of a member or the position of an element. A path can count from the end. */
const jsonPath = (parts: readonly string[]): string =>
  parts.length === 0 || parts.some((part) => /^-\d+$/.test(part))
    ? `$${parts.map((part) => (/^-?\d+$/.test(part) ? `[${part}]` : `."${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join('')}`
    : parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
