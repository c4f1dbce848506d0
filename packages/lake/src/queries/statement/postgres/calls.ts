import type { Node } from '../guard-error.ts';
import { nodesOf } from '../nodes.ts';
import { arrayConstant } from './array-constants.ts';
import { isVector } from './columns.ts';
import { dateFormat, timestampText } from './date-formats.ts';
import { type Marked, markedOperator } from './markers.ts';
import { isNumberFormat, numberText } from './number-formats.ts';
import { calledName, childrenOf, type Rewriting, textNode, textOf, unsupported } from './rewriter.ts';
import { similarPattern } from './similar-pattern.ts';

export function rewriteCall(rewriting: Rewriting, node: Node, parent: Node): Node {
  const name = calledName(node);
  if (name === null) return node;
  const args = childrenOf(node);
  const marked = markedOperator(name);
  if (marked !== undefined) return rewriteOperator(rewriting, node, marked);
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name]!(rewriting, node, args) : null;
  if (special !== null) return special;
  // The engine's own form: unnest(generate_series(…)).
  if (name === 'generate_series' && parent['class'] === 'FUNCTION') return node;
  const isPlain = node['filter'] == null && ((node['order_bys'] as Node | null)?.['orders'] as unknown[])?.length === 0;
  const replaced = isPlain && node['distinct'] !== true ? rewriting.tryCall(name, args, node) : null;
  if (replaced !== null) return replaced;
  const renamed = RENAMED[name];
  if (renamed !== undefined) node['function_name'] = renamed;
  return node;
}

/** Functions with the same arguments, filter and order. */
const RENAMED: Readonly<Record<string, string>> = {
  regexp_full_match: 'regexp_matches',
  svc_full_match: 'regexp_full_match',
  json_build_object: 'json_object',
  jsonb_build_object: 'json_object',
  json_build_array: 'json_array',
  jsonb_build_array: 'json_array',
  every: 'bool_and',
};

type Special = (rewriting: Rewriting, node: Node, args: readonly Node[]) => Node | null;

const SPECIAL: Readonly<Record<string, Special>> = {
  to_char: (rewriting, node, args) => {
    const format = args.length === 2 ? textOf(args[1]) : undefined;
    if (format === undefined) throw unsupported('to_char needs its format as a constant text.', node);
    return isNumberFormat(format)
      ? numberText(rewriting, node, args[0]!, format)
      : timestampText(rewriting, node, args[0]!, format);
  },
  to_date: (rewriting, node, args) => parsed(rewriting, node, args, 'parse_date'),
  to_timestamp: (rewriting, node, args) =>
    args.length === 2 ? parsed(rewriting, node, args, 'parse_timestamp') : null,
  substring: (rewriting, node, args) => {
    const pattern = args.length === 2 ? textOf(args[1]) : undefined;
    if (pattern === undefined) return substringFrom(rewriting, node, args);
    const hasGroup = /(?:^|[^\\])\((?!\?)/.test(pattern);
    return rewriting.call(hasGroup ? 'substring_group' : 'substring_pattern', args, node);
  },
  substr: (rewriting, node, args) => substringFrom(rewriting, node, args),
  '~~': (rewriting, node, args) => withEscapes(rewriting, node, args, 'like'),
  '!~~': (rewriting, node, args) => withEscapes(rewriting, node, args, 'not like'),
  '~~*': (rewriting, node, args) => withEscapes(rewriting, node, args, 'ilike'),
  '!~~*': (rewriting, node, args) => withEscapes(rewriting, node, args, 'not ilike'),
  regexp_full_match: (rewriting, node, args) =>
    args.length === 2 && hasDot(args[1]) ? rewriting.call('matches_lines', args, node) : null,
  regexp_replace: (_, node, args) => replacedInLines(node, args),
  date_part: (rewriting, node, args) => withFraction(rewriting, node, args),
  json_agg: (rewriting, node) => jsonOfList(rewriting, node),
  jsonb_agg: (rewriting, node) => jsonOfList(rewriting, node),
  // The vectors of the catalog count from 0.
  generate_subscripts: (rewriting, node, [list]) =>
    rewriting.isCatalog && list !== undefined && isVector(list) ? rewriting.call('subscripts', [list], node) : null,
  format: (rewriting, node, args) => formatted(rewriting, node, args),
  encode: (rewriting, node, args) => coded(rewriting, node, args),
  decode: (rewriting, node, args) => coded(rewriting, node, args),
};

/** A position below 1 is before the text; for the engine, it counts from the end. */
function substringFrom(rewriting: Rewriting, node: Node, args: readonly Node[]): Node | null {
  const [, from] = args;
  const isPositive = from?.['class'] === 'CONSTANT' && Number(String((from['value'] as Node)['value'])) >= 1;
  return isPositive || args.length < 2 ? null : rewriting.call('substring_from', args, node);
}

/** A backslash in a pattern is an escape. The engine has one only if the statement names it, and is faster without. */
function withEscapes(rewriting: Rewriting, node: Node, args: readonly Node[], operator: string): Node | null {
  const isPlain = nodesOf(args[1]!).every((part) => {
    const text = textOf(part);
    return text !== undefined
      ? !text.includes('\\')
      : part['class'] !== 'COLUMN_REF' && part['class'] !== 'PARAMETER' && part['class'] !== 'SUBQUERY';
  });
  return isPlain ? null : rewriting.call(operator, args, node);
}

/** Whether a pattern may contain a dot, which matches a line break too; in the engine, only with the option `s`. */
const hasDot = (pattern: Node | undefined): boolean => textOf(pattern)?.includes('.') !== false;

function replacedInLines(node: Node, args: readonly Node[]): Node | null {
  const options = args.length === 4 ? textOf(args[3]) : args.length === 3 ? '' : undefined;
  if (options === undefined || /[^gic]/.test(options) || !hasDot(args[1])) return null;
  return { ...node, children: [...args.slice(0, 3), textNode(`${options}s`)] };
}

const FRACTIONS: Readonly<Record<string, string>> = {
  ...{ second: 'seconds', seconds: 'seconds', sec: 'seconds', secs: 'seconds' },
  ...{ millisecond: 'milliseconds', milliseconds: 'milliseconds', msec: 'milliseconds', ms: 'milliseconds' },
};

/** `extract(second FROM x)` has a fraction, which the engine leaves out. */
function withFraction(rewriting: Rewriting, node: Node, [field, value]: readonly Node[]): Node | null {
  const name = textOf(field)?.toLowerCase() ?? '';
  return Object.hasOwn(FRACTIONS, name) ? rewriting.call(FRACTIONS[name]!, [value!], node) : null;
}

function parsed(rewriting: Rewriting, node: Node, args: readonly Node[], template: string): Node {
  const name = String(node['function_name']);
  const format = args.length === 2 ? textOf(args[1]) : undefined;
  if (format === undefined) throw unsupported(`${name} needs its format as a constant text.`, node);
  return rewriting.call(template, [args[0]!, textNode(dateFormat(format, name, node))], node);
}

/** An aggregate with its order, filter and DISTINCT. */
const jsonOfList = (rewriting: Rewriting, node: Node): Node =>
  rewriting.call('to_jsonb', [{ ...node, function_name: 'array_agg', alias: '' }], node);

const SPECIFIERS: Readonly<Record<string, string>> = { s: 'shown', I: 'quote_ident', L: 'quote_nullable' };

/** The placeholders of PostgreSQL's format. A format without any is left to the engine, which has others. */
function formatted(rewriting: Rewriting, node: Node, [format, ...values]: readonly Node[]): Node | null {
  const text = textOf(format);
  const width = /%[\d$*-]+[sIL]/.exec(text ?? '')?.[0];
  if (width !== undefined) throw unsupported(`format doesn't support ${width}. Use %s, %I, %L and lpad or rpad.`, node);
  const parts = text?.split(/(%[sIL%])/);
  if (parts === undefined || parts.length === 1) return null;
  let used = 0;
  const texts = parts.map((part, i) => {
    if (i % 2 === 0 || part === '%%') return textNode(part === '%%' ? '%' : part);
    const value = values[used++];
    if (value === undefined) throw unsupported('format has fewer values than placeholders.', node);
    return rewriting.call(SPECIFIERS[part[1]!]!, [value], node);
  });
  return texts.reduce((before, after) => rewriting.call('concat', [before, after], node));
}

function coded(rewriting: Rewriting, node: Node, args: readonly Node[]): Node | null {
  if (args.length !== 2) return null;
  const coding = textOf(args[1])?.toLowerCase();
  if (coding !== 'hex' && coding !== 'base64') throw unsupported("Use the format 'hex' or 'base64'.", node);
  return rewriting.call(`${String(node['function_name']).toLowerCase()}_${coding}`, [args[0]!], node);
}

function rewriteOperator(rewriting: Rewriting, node: Node, { operator, isNot, of }: Marked): Node {
  const [left, right] = childrenOf(node) as [Node, Node];
  if (of !== null) {
    if (right['class'] === 'SUBQUERY')
      throw unsupported(
        `A pattern with ${of.toUpperCase()} needs an array instead of a query. Write ARRAY(SELECT …).`,
        node,
      );
    const patterns = textOf(right) === undefined ? right : arrayConstant(rewriting, right);
    return rewriting.call(`${isNot ? 'not ' : ''}${operator} ${of}`, [left, patterns], node);
  }
  if (operator === 'path' || operator === 'pathText') {
    const path = textOf(right) ?? textOf(right['child'] as Node | undefined);
    const elements = path === undefined ? childrenOf(right).map(textOf) : null;
    if (elements?.some((part) => part === undefined)) throw unsupported('#> needs its path as a constant.', node);
    const parts = elements ?? childrenOf(arrayConstant(rewriting, textNode(path!))).map(textOf);
    return rewriting.call(operator, [left, textNode(jsonPath(parts as string[]))], node);
  }
  const pattern = textOf(right);
  if (pattern === undefined) throw unsupported('SIMILAR TO needs its pattern as a constant text.', node);
  const matched = rewriting.call('full_match', [left, textNode(similarPattern(pattern))], node);
  return isNot ? rewriting.call('not', [matched], node) : matched;
}

const jsonPath = (parts: readonly string[]): string =>
  `$${parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `."${part.replaceAll('"', '')}"`)).join('')}`;
