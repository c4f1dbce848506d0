import type { Node } from '../guard-error.ts';
import { arrayConstant } from './array-constants.ts';
import { isVector } from './columns.ts';
import { dateFormat, timestampText } from './date-formats.ts';
import { madeInterval, withInterval } from './intervals.ts';
import { atPath, element, extractedPath, joinedJson, noteJsonb, withoutKey } from './json-calls.ts';
import { type Marked, markedOperator } from './markers.ts';
import { isNumberFormat, numberText } from './number-formats.ts';
import { hasDot, replacedInLines, translatePattern, withEscapes } from './pattern-calls.ts';
import { calledName, childrenOf, isNull, type Rewriting, textNode, textOf, unsupported } from './rewriter.ts';
import { similarPattern } from './similar-pattern.ts';
import { joinedText, written } from './text-values.ts';
import { typeName } from './type-names.ts';

export function rewriteCall(rewriting: Rewriting, node: Node, parent: Node): Node {
  const name = calledName(node);
  return name === null ? node : noteJsonb(rewriting, name, rewriteNamed(rewriting, node, name, parent));
}

function rewriteNamed(rewriting: Rewriting, node: Node, name: string, parent: Node): Node {
  const args = childrenOf(node);
  const marked = markedOperator(name);
  if (marked !== undefined) return rewriteOperator(rewriting, node, marked);
  translatePattern(name, node, args);
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name]!(rewriting, node, args) : null;
  if (special !== null) return special;
  if (name === 'generate_series') withInterval(args);
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
  date_trunc: (rewriting, node, args) =>
    args.length === 2 && /^(?:century|centuries|millenni(?:um|a|ums)|c|cent|mil)$/i.test(textOf(args[0]) ?? '')
      ? rewriting.call('trunc_from_1', args, node)
      : null,
  string_to_array: (rewriting, node, args) => split(rewriting, node, args),
  concat: (rewriting, node, args) => writtenTexts(rewriting, node, args),
  concat_ws: (rewriting, node, args) => writtenTexts(rewriting, node, args),
  corr: (rewriting, node) => rewriting.call('number_or_null', [{ ...node, alias: '' }], node),
  regr_slope: (rewriting, node) => rewriting.call('number_or_null', [{ ...node, alias: '' }], node),
  sha256: (rewriting, node, args) =>
    args.some(isBytes) ? rewriting.call('unhex', [{ ...node, alias: '' }], node) : null,
  make_interval: (rewriting, node, args) => madeInterval(rewriting, node, args),
  '||': (rewriting, node, args) => joined(rewriting, node, args),
  '-': (rewriting, node, args) => withoutKey(rewriting, node, args),
  json_extract_path: (rewriting, node, args) => extractedPath(rewriting, node, 'path', args),
  jsonb_extract_path: (rewriting, node, args) => extractedPath(rewriting, node, 'path', args),
  json_extract_path_text: (rewriting, node, args) => extractedPath(rewriting, node, 'pathText', args),
  jsonb_extract_path_text: (rewriting, node, args) => extractedPath(rewriting, node, 'pathText', args),
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
    return rewriting.call(SPECIFIERS[part[1]!]!, [part === '%s' ? written(rewriting, node, value) : value], node);
  });
  return texts.reduce((before, after) => rewriting.call('concat', [before, after], node));
}

/** The delimiter null means each character, and an empty one the whole text. */
function split(rewriting: Rewriting, node: Node, [text, delimiter, nullText]: readonly Node[]): Node | null {
  if (delimiter === undefined) return null;
  const parts = isNull(delimiter)
    ? rewriting.call('split', [text!, textNode('')], node)
    : textOf(delimiter) === ''
      ? rewriting.call('split_whole', [text!], node)
      : rewriting.call('split', [text!, delimiter], node);
  return nullText === undefined ? parts : rewriting.call('nulls', [parts, nullText], node);
}

/** The values of concat and concat_ws as texts. */
function writtenTexts(rewriting: Rewriting, node: Node, args: readonly Node[]): Node {
  node['children'] = args.map((arg) => ({ ...written(rewriting, node, arg), alias: '' }));
  return node;
}

/** `||` of JSON, or of values as texts. */
function joined(rewriting: Rewriting, node: Node, args: readonly Node[]): Node | null {
  const json = joinedJson(rewriting, node, args);
  if (json === null) node['children'] = args.map((arg) => joinedText(rewriting, node, arg));
  return json;
}

/** Whether an expression is of bytes, as far as its form shows it. */
const isBytes = (node: Node): boolean =>
  (node['class'] === 'CAST' && ['blob', 'bytea'].includes(typeName(node['cast_type'] as Node))) ||
  (node['class'] === 'FUNCTION' && ['encode', 'unhex', 'from_base64'].includes(String(node['function_name'])));

function coded(rewriting: Rewriting, node: Node, args: readonly Node[]): Node | null {
  if (args.length !== 2) return null;
  const coding = textOf(args[1])?.toLowerCase();
  if (coding !== 'hex' && coding !== 'base64') throw unsupported("Use the format 'hex' or 'base64'.", node);
  // The engine's digest is hexadecimal digits instead of bytes.
  const isDigest = calledName(args[0]!) === 'sha256' && args[0]!['class'] === 'FUNCTION';
  const bytes = isDigest ? rewriting.call('unhex', [args[0]!], node) : args[0]!;
  return rewriting.call(`${String(node['function_name']).toLowerCase()}_${coding}`, [bytes], node);
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
  if (operator === 'get') return element(rewriting, node, [left, right]);
  if (operator === 'path' || operator === 'pathText') return atPath(rewriting, node, operator, [left, right]);
  const pattern = textOf(right);
  if (pattern === undefined) throw unsupported('SIMILAR TO needs its pattern as a constant text.', node);
  const matched = rewriting.call('full_match', [left, textNode(similarPattern(pattern))], node);
  return isNot ? rewriting.call('not', [matched], node) : matched;
}
