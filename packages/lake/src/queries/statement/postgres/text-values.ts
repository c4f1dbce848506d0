import type { Node } from '../guard-error.ts';
import { nodesOf } from '../nodes.ts';
import { childrenOf, type Rewriting } from './rewriter.ts';
import { typeName } from './type-names.ts';

/** `value::text`, or null if the engine writes the same text. */
export function castToText(rewriting: Rewriting, node: Node, value: Node): Node | null {
  if (isList(value)) return rewriting.call('list_text', [value], node);
  return isOfUnknownType(value) ? rewriting.call('text_of', [value], node) : null;
}

/** A value as concat and format write it. */
export function written(rewriting: Rewriting, node: Node, value: Node): Node {
  if (isList(value)) return rewriting.call('list_text', [value], node);
  if (isBoolean(value)) return rewriting.call('flag', [value], node);
  return isOfUnknownType(value) ? rewriting.call('written', [value], node) : value;
}

/** More nodes than an expression that is worth repeating. */
const MAX_NODES = 60;

/**
 * Whether the value may be a number with a fraction, an interval or a boolean. The engine infers no type of a parameter that occurs more often,
 * and an expression that contains one of these texts already would multiply.
 */
function isOfUnknownType(value: Node): boolean {
  if (['CONSTANT', 'PARAMETER', 'COMPARISON', 'CONJUNCTION'].includes(String(value['class']))) return false;
  if (value['class'] === 'CAST' && !['double', 'float', 'interval'].includes(castName(value))) return false;
  const nodes = nodesOf(value);
  return (
    nodes.length <= MAX_NODES &&
    !nodes.some((node) => ['PARAMETER', 'SUBQUERY'].includes(String(node['class'])) || isCallOf(node, ['typeof']))
  );
}

const castName = (node: Node): string => typeName(node['cast_type'] as Node);

const isCallOf = (node: Node, names: readonly string[]): boolean =>
  node['class'] === 'FUNCTION' && names.includes(String(node['function_name']).toLowerCase());

const LISTS = ['array_agg', 'string_to_array', 'list_value', 'regexp_split_to_array'];

const isList = (value: Node): boolean =>
  value['type'] === 'ARRAY_CONSTRUCTOR'
    ? !childrenOf(value).some((element) => element['type'] === 'ARRAY_CONSTRUCTOR')
    : isCallOf(value, LISTS) || (value['class'] === 'CAST' && (value['cast_type'] as Node)['id'] === 'LIST');

const isBoolean = (value: Node): boolean =>
  ['COMPARISON', 'CONJUNCTION'].includes(String(value['class'])) ||
  (value['class'] === 'CAST' && ['boolean', 'bool'].includes(castName(value)));
