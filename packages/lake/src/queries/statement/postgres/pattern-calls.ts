import type { Node } from '../guard-error.ts';
import { nodesOf } from '../nodes.ts';
import { replacement, withUnicodeClasses } from './patterns.ts';
import { type Rewriting, textNode, textOf } from './rewriter.ts';

/** Functions of PostgreSQL whose second argument is a regular expression. */
const ON_PATTERNS = new Set([
  ...['regexp_full_match', '~*', '!~*', 'regexp_replace', 'substring', 'regexp_split_to_array'],
  ...['regexp_split_to_table', 'regexp_count', 'regexp_like', 'regexp_substr'],
]);

export function translatePattern(name: string, node: Node, args: readonly Node[]): void {
  const pattern = ON_PATTERNS.has(name) ? textOf(args[1]) : undefined;
  if (pattern !== undefined) (node['children'] as Node[])[1] = textNode(withUnicodeClasses(pattern));
}

/** A backslash in a pattern is an escape. The engine has one only if the statement names it, and is faster without. */
export function withEscapes(rewriting: Rewriting, node: Node, args: readonly Node[], operator: string): Node | null {
  const mayEscape = nodesOf(args[1]!).some(
    (part) => UNKNOWN_TEXTS.has(String(part['class'])) || textOf(part)?.includes('\\') === true,
  );
  return mayEscape ? rewriting.call(operator, args, node) : null;
}

/** Expressions that may contain any text. */
const UNKNOWN_TEXTS = new Set(['COLUMN_REF', 'PARAMETER', 'SUBQUERY']);

/** Whether a pattern may contain a dot, which matches a line break too; in the engine, only with the option `s`. */
export const hasDot = (pattern: Node | undefined): boolean => textOf(pattern)?.includes('.') !== false;

/** With the option `s` for a pattern that has a dot, and the replacement as the engine writes it. */
export function replacedInLines(node: Node, [text, pattern, by, ...others]: readonly Node[]): Node | null {
  const constant = textOf(by);
  const args = [text!, pattern!, constant === undefined ? by! : textNode(replacement(constant)), ...others];
  node['children'] = args;
  const options = args.length === 4 ? textOf(args[3]) : args.length === 3 ? '' : undefined;
  if (options === undefined || /[^gic]/.test(options) || !hasDot(args[1])) return null;
  return { ...node, children: [...args.slice(0, 3), textNode(`${options}s`)] };
}
