import type { Node } from '../guard-error.ts';
import { childrenOf, type Rewriting } from './rewriter.ts';
import { typeName } from './type-names.ts';

/** `value::text`, or null if the engine writes the same text, or if the form of the value doesn't show its type. */
export function castToText(rewriting: Rewriting, node: Node, value: Node): Node | null {
  if (isList(value)) return rewriting.call('list_text', [value], node);
  const part = value['class'] === 'CAST' ? PARTS[castName(value)] : undefined;
  return part === undefined ? null : rewriting.call(part, [value], node);
}

/** A value as concat and format write it. */
export function written(rewriting: Rewriting, node: Node, value: Node): Node {
  return isBoolean(value) ? rewriting.call('flag', [value], node) : (castToText(rewriting, node, value) ?? value);
}

const PARTS: Readonly<Record<string, string>> = {
  double: 'float_text',
  float: 'real_text',
  interval: 'interval_text',
  blob: 'bytes_text',
  bytea: 'bytes_text',
};

/** An operand of `||` that is joined as a text; bytes and lists are joined as such. */
export function joinedText(rewriting: Rewriting, node: Node, value: Node): Node {
  const isText = value['class'] === 'CAST' && ['double', 'float', 'interval'].includes(castName(value));
  return isText ? castToText(rewriting, node, value)! : value;
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
