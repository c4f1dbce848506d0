import type { Guarded, TableName } from './guard.ts';
import type { Node } from './guard-error.ts';
import { foldName } from './names.ts';

/** A constant as written in the statement: its engine type name and its text. */
export type Constant = { readonly type: string; readonly text: string };

/** What is known about a condition on rows; `unknown` may be anything. Columns are named as written. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'compare'; readonly column: string; readonly op: CompareOp; readonly constant: Constant }
  | { readonly kind: 'null'; readonly column: string; readonly is: boolean }
  | { readonly kind: 'unknown' };

export type CompareOp = '=' | '<' | '<=' | '>' | '>=';

const UNKNOWN: Condition = { kind: 'unknown' };

const OPS: Readonly<Record<string, CompareOp>> = {
  COMPARE_EQUAL: '=',
  COMPARE_LESSTHAN: '<',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHAN: '>',
  COMPARE_GREATERTHANOREQUALTO: '>=',
};
const FLIPPED: Readonly<Record<CompareOp, CompareOp>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/**
 * The condition that the statement places on the rows of a table that it names once: the WHERE of a SELECT that reads
 * only this table. `unknown` if the table is named in any other way, such as in a join.
 */
export function conditionOn(guarded: Guarded, table: TableName, node: Node): Condition {
  const select = selectFrom(guarded.ast, node);
  if (select === null || !isEmpty(select['sample']) || !isEmpty(node['sample'])) return UNKNOWN;
  if (!isEmpty(node['column_name_alias'])) return UNKNOWN;
  const alias = String(node['alias'] ?? '');
  const prefixes = alias === '' ? suffixesOf(table) : [[alias]];
  const renamed = new Set(((select['select_list'] as Node[]) ?? []).map((item) => foldName(String(item['alias']))));
  const columnOf = (ref: unknown): string | null => {
    const names = isNode(ref) && ref['class'] === 'COLUMN_REF' ? (ref['column_names'] as string[]) : [];
    const column = names.at(-1);
    // Skip a name that the SELECT also uses as an alias, whichever of the two is meant.
    if (column === undefined || renamed.has(foldName(column))) return null;
    const before = names.slice(0, -1);
    return before.length === 0 || prefixes.some((prefix) => sameNames(prefix, before)) ? column : null;
  };
  return isNode(select['where_clause']) ? conditionOf(select['where_clause'], columnOf) : UNKNOWN;
}

type ColumnOf = (ref: unknown) => string | null;

function conditionOf(node: Node, columnOf: ColumnOf): Condition {
  const children = (Array.isArray(node['children']) ? node['children'] : []).filter(isNode);
  if (node['type'] === 'CONJUNCTION_AND' || node['type'] === 'CONJUNCTION_OR') {
    const kind = node['type'] === 'CONJUNCTION_AND' ? 'and' : 'or';
    return { kind, parts: children.map((child) => conditionOf(child, columnOf)) };
  }
  if (node['class'] === 'COMPARISON')
    return comparison(node['left'], node['right'], OPS[String(node['type'])], columnOf);
  if (node['type'] === 'OPERATOR_IS_NULL' || node['type'] === 'OPERATOR_IS_NOT_NULL') {
    const column = columnOf(children[0]);
    return column === null ? UNKNOWN : { kind: 'null', column, is: node['type'] === 'OPERATOR_IS_NULL' };
  }
  if (node['type'] === 'COMPARE_BETWEEN') {
    const { input, lower, upper } = node;
    return {
      kind: 'and',
      parts: [comparison(input, lower, '>=', columnOf), comparison(input, upper, '<=', columnOf)],
    };
  }
  if (node['type'] === 'COMPARE_IN') {
    const [column, ...values] = children;
    return { kind: 'or', parts: values.map((value) => comparison(column, value, '=', columnOf)) };
  }
  return UNKNOWN;
}

function comparison(left: unknown, right: unknown, op: CompareOp | undefined, columnOf: ColumnOf): Condition {
  if (op === undefined) return UNKNOWN;
  const [column, constant] = [columnOf(left), constantOf(right)];
  if (column !== null && constant !== null) return { kind: 'compare', column, op, constant };
  const [other, first] = [columnOf(right), constantOf(left)];
  if (other !== null && first !== null) return { kind: 'compare', column: other, op: FLIPPED[op], constant: first };
  return UNKNOWN;
}

/** A plain constant, or a text cast to a type (`DATE '2026-01-31'`). */
export function constantOf(node: unknown): Constant | null {
  if (!isNode(node)) return null;
  if (node['type'] === 'OPERATOR_CAST') {
    const inner = constantOf(node['child']);
    const type = String((node['cast_type'] as Node)['id']);
    return inner?.type === 'VARCHAR' && node['try_cast'] !== true ? { type, text: inner.text } : null;
  }
  if (node['type'] !== 'VALUE_CONSTANT') return null;
  const { type, is_null, value } = node['value'] as Node;
  if (is_null === true || value === null || (typeof value === 'object' && isPlainObject(value))) return null;
  const { id, type_info: info } = type as Node;
  const text = String(value);
  if (id !== 'DECIMAL') return { type: String(id), text };
  return { type: 'DECIMAL', text: withScale(text, Number((info as Node)['scale'])) };
}

/** A wide number is serialized as two halves. */
const isPlainObject = (value: object): boolean => 'upper' in value;

function withScale(unscaled: string, scale: number): string {
  if (scale === 0) return unscaled;
  const digits = unscaled.replace('-', '').padStart(scale + 1, '0');
  return `${unscaled.startsWith('-') ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The SELECT whose FROM is only this node. */
function selectFrom(value: unknown, table: Node): Node | null {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = selectFrom(item, table);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isNode(value)) return null;
  if (value['type'] === 'SELECT_NODE' && value['from_table'] === table) return value;
  return selectFrom(Object.values(value), table);
}

/** `t`, `ns.t` and so on, for a table named by its whole path. */
function suffixesOf(name: TableName): string[][] {
  const whole = [name.slice(0, -1).join('.'), name.at(-1)!];
  return [[...name.slice(-1)], whole, [...name]];
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => foldName(name) === foldName(b[i]!));

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);
