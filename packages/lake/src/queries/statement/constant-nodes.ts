import { LosslessNumber } from 'lossless-json';
import type { Node } from './guard-error.ts';

/** A string constant. */
export const text = (value: string): Node => node({ type: typeOf('VARCHAR'), is_null: false, value });
/** An unknown position, as the parser writes it. */
const NOWHERE = new LosslessNumber('18446744073709551615');

// The fields are in the parser's order: a tree that differs from that of its own text is not run as text.
export const node = (value: object): Node => ({
  class: 'CONSTANT',
  type: 'VALUE_CONSTANT',
  alias: '',
  query_location: NOWHERE,
  value,
});

/** `type` is the engine's name of a type without parts, or `DECIMAL(p,s)`. */
export function cast(child: Node, type: string): Node {
  const [alias, query_location] = ['', NOWHERE];
  return {
    class: 'CAST',
    type: 'OPERATOR_CAST',
    alias,
    query_location,
    child,
    cast_type: typeOf(type),
    try_cast: false,
  };
}

export function typeOf(name: string): object {
  const decimal = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(name);
  if (decimal === null) return { id: name, type_info: null };
  const [width, scale] = [decimal[1]!, decimal[2]!].map((digits) => new LosslessNumber(digits));
  return { id: 'DECIMAL', type_info: { type: 'DECIMAL_TYPE_INFO', alias: '', extension_info: null, width, scale } };
}
