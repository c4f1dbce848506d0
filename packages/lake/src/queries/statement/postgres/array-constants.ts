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

/** The elements of PostgreSQL's text for an array of one dimension, or null for any other text. */
export function arrayElements(text: string): (string | null)[] | null {
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  const elements: (string | null)[] = [];
  let at = 1;
  const end = text.length - 1;
  const skip = () => {
    while (at < end && /\s/.test(text[at]!)) at++;
  };
  skip();
  if (at === end) return elements;
  for (;;) {
    skip();
    const quoted = text[at] === '"';
    let value = '';
    if (quoted) {
      for (at++; at < end && text[at] !== '"'; at++) value += text[at] === '\\' ? text[++at]! : text[at];
      if (text[at++] !== '"') return null;
      skip();
    } else {
      for (; at < end && text[at] !== ','; at++) {
        if (/[{}"]/.test(text[at]!)) return null;
        value += text[at] === '\\' ? text[++at]! : text[at];
      }
      value = value.trim();
      if (value === '') return null;
    }
    elements.push(!quoted && value.toUpperCase() === 'NULL' ? null : value);
    if (at >= end) return elements;
    if (text[at++] !== ',') return null;
  }
}
