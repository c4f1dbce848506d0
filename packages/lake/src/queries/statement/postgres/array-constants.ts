import { cast, node, typeOf } from '../constant-nodes.ts';
import type { Node } from '../guard-error.ts';
import { type Rewriting, textNode, textOf, unsupported } from './rewriter.ts';

/** The list of a text such as `{a,"b c",NULL}`. */
export function arrayConstant(rewriting: Rewriting, constant: Node): Node {
  const elements = arrayElements(textOf(constant)!.trim());
  if (elements === null) {
    throw unsupported(
      "This text isn't an array of one dimension. Write ARRAY[…], or a text such as '{a,b}'.",
      constant,
    );
  }
  const list = rewriting.call('list', [], constant);
  list['children'] = elements.map((value) =>
    value === null ? cast(node({ type: typeOf('NULL'), is_null: true }), 'VARCHAR') : textNode(value),
  );
  return list;
}

/** A quoted element, or one without quotes, with the comma or end after it. */
const ELEMENT = /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^{},"\\]|\\.)+?))\s*(,|$)/suy;

/** The elements of PostgreSQL's text for an array of one dimension, or null for any other text. */
export function arrayElements(text: string): (string | null)[] | null {
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  const inner = text.slice(1, -1);
  const elements: (string | null)[] = [];
  if (inner.trim() === '') return elements;
  for (let at = 0; ; ) {
    ELEMENT.lastIndex = at;
    const match = ELEMENT.exec(inner);
    if (match === null) return null;
    const [all, quoted, bare = '', separator] = match;
    if (quoted === undefined && bare.trim() === '') return null;
    const value = (quoted ?? bare).replaceAll(/\\(.)/gsu, '$1');
    elements.push(quoted === undefined && bare.toUpperCase() === 'NULL' ? null : value);
    at += all.length;
    if (separator !== ',') return elements;
  }
}
