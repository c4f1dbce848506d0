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
  const inner = text.slice(1, -1);
  if (inner.trim() === '') return [];
  const parts = separated(inner);
  const elements = parts?.map(elementOf);
  return elements === undefined || elements.includes(undefined) ? null : (elements as (string | null)[]);
}

/** The texts between commas outside quotes; null if a quote has no end. */
function separated(text: string): string[] | null {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ',' && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return isQuoted ? null : [...parts, text.slice(start)];
}

/** Undefined for a text that isn't an element, such as an array in it. */
function elementOf(part: string): string | null | undefined {
  const text = part.trim();
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  const content = isQuoted ? text.slice(1, -1) : text;
  if (content.replaceAll(/\\./gsu, '').includes('"') || (!isQuoted && /^$|[{}]/.test(content))) return undefined;
  return !isQuoted && content.toUpperCase() === 'NULL' ? null : content.replaceAll(/\\(.)/gsu, '$1');
}
