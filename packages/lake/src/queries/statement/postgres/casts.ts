import { ownValue } from '@svc/core/own-value';
import { typeOf } from '../constant-nodes.ts';
import type { Node } from '../guard-error.ts';
import { foldName } from '../names.ts';
import { arrayConstant } from './array-constants.ts';
import { isFunctionColumn } from './columns.ts';
import { isNull, type Rewriting, textNode, textOf } from './rewriter.ts';
import { castToText } from './text-values.ts';
import { typeName } from './type-names.ts';

/** PostgreSQL's types that the engine has under another name. */
const RENAMED: Readonly<Record<string, string>> = {
  name: 'VARCHAR',
  cstring: 'VARCHAR',
  citext: 'VARCHAR',
  pg_node_tree: 'VARCHAR',
  unknown: 'VARCHAR',
  inet: 'VARCHAR',
  cidr: 'VARCHAR',
  aclitem: 'VARCHAR',
  oid: 'BIGINT',
  xid: 'BIGINT',
  xid8: 'BIGINT',
  cid: 'BIGINT',
  serial: 'INTEGER',
  bigserial: 'BIGINT',
  svc_num: 'DECIMAL(38,10)',
  svc_f: 'DOUBLE',
  svc_vch: 'VARCHAR',
  svch: 'VARCHAR',
};

/** Types whose values are the OIDs of objects and whose texts are their names. */
const OBJECT_TYPES = new Set(['regclass', 'regtype', 'regproc', 'regprocedure', 'regnamespace', 'regrole']);

const INTEGERS = new Set(['bigint', 'integer', 'oid', 'smallint', 'int4', 'int8']);
const BYTES = new Set(['bytea', 'blob']);
const TEXTS = new Set(['varchar', 'name', 'text', 'cstring']);

export function rewriteCast(rewriting: Rewriting, node: Node): Node {
  const type = node['cast_type'] as Node;
  const name = typeName(type);
  const child = node['child'] as Node;
  const object = objectCast(rewriting, node, name, child);
  if (object !== null) return object;
  readAsPostgres(node, name, child);
  const length = lengthOf(type);
  if (name === 'svch' || (name === 'svc_vch' && length !== null)) {
    const args = [castToText(rewriting, node, child) ?? child, ...(length === null ? [] : [length])];
    return rewriting.call(name === 'svch' ? 'char' : 'varchar', args, node);
  }
  if (name === 'jsonb') rewriting.jsonb.add(node);
  renameTypes(type);
  if (name === 'varchar' || name === 'text') return textCast(rewriting, node, child);
  if (type['id'] === 'LIST' && textOf(child)?.trim().startsWith('{')) node['child'] = arrayConstant(rewriting, child);
  return node;
}

/** Replaces constant texts that the engine reads in another way than PostgreSQL. */
function readAsPostgres(node: Node, name: string, child: Node): void {
  const text = textOf(child);
  if (text === undefined) return;
  const bytes = BYTES.has(name) ? bytesOf(text) : null;
  if (bytes !== null) node['child'] = textNode(bytes);
  // The engine accepts no space after a sign, as in '1 month - 1 day'.
  if (name === 'interval') node['child'] = textNode(text.replaceAll(/([+-])\s+(?=\d)/g, '$1'));
  if (name === 'date' || name.startsWith('timestamp')) node['child'] = textNode(withEra(withSeconds(text)));
}

function textCast(rewriting: Rewriting, node: Node, child: Node): Node {
  const isOther = rewriting.isCatalog || node['try_cast'] === true;
  return (isOther ? null : castToText(rewriting, node, child)) ?? node;
}

/** A cast between the name of an object and its OID, or null. */
function objectCast(rewriting: Rewriting, node: Node, name: string, child: Node): Node | null {
  const object = rewriting.names.get(child);
  if (object !== undefined && OBJECT_TYPES.has(name)) return named(child, node);
  if (OBJECT_TYPES.has(name) && rewriting.isCatalog) return objectName(rewriting, node, name, child);
  // A number, which a further cast to text doesn't show as a name.
  if (object !== undefined && INTEGERS.has(name))
    return named({ ...(object.isResolved ? child : object.operand) }, node);
  if (object !== undefined && TEXTS.has(name)) {
    return object.isResolved ? rewriting.call(`shown_${object.type}`, [child], node) : named(child, node);
  }
  if (TEXTS.has(name) && rewriting.isCatalog && isFunctionColumn(child)) {
    return rewriting.call('shown_regproc', [child], node);
  }
  return null;
}

/** The engine's text for bytes that PostgreSQL writes as `\x` and hexadecimal digits; null for any other text. */
function bytesOf(text: string): string | null {
  const digits = /^\\x((?:[0-9a-f]{2})*)$/i.exec(text)?.[1];
  return digits === undefined ? null : digits.replaceAll(/../g, String.raw`\x$&`);
}

/** The engine reads no zone after hours and minutes, as in '2026-03-15 10:30+00'. */
const withSeconds = (text: string): string =>
  text.replace(/^(\s*\d+-\d+-\d+[ T]\d+:\d\d)(?=\s*(?:[+-]\d|Z|UTC))/i, '$1:00');

/** The engine ignores an era that isn't in parentheses after the day. */
function withEra(text: string): string {
  const day = /^\s*\d+-\d+-\d+/.exec(text)?.[0];
  const trimmed = text.trimEnd();
  return day !== undefined && /\sBC$/i.test(trimmed)
    ? `${day} (BC)${trimmed.slice(day.length, -'BC'.length).trimEnd()}`
    : text;
}

function named(child: Node, node: Node): Node {
  if (node['alias'] !== '') child['alias'] = node['alias'];
  return child;
}

/**
 * A text resolves to an OID, as in `attrelid = 'orders'::regclass`; anything else is an OID already, whose name is
 * wanted, as in `SELECT oid::regclass`.
 */
function objectName(rewriting: Rewriting, node: Node, name: string, child: Node): Node {
  const type = name === 'regprocedure' ? 'regproc' : name;
  const isResolved = isText(child);
  const made = isNull(child)
    ? rewriting.call('oid', [child], node)
    : rewriting.call(isResolved ? `to_${type}` : `shown_${type}`, [child], node);
  rewriting.names.set(made, { type, operand: child, isResolved: isResolved || isNull(child) });
  return made;
}

/** Two objects are compared by their OIDs, as in `conrelid::regclass = 'orders'::regclass`. */
export function comparedByOid(rewriting: Rewriting, node: Node): Node {
  const sides = ['left', 'right'] as const;
  const objects = sides.map((side) => rewriting.names.get(node[side] as Node));
  if (objects.includes(undefined)) return node;
  for (const [i, side] of sides.entries()) if (!objects[i]!.isResolved) node[side] = objects[i]!.operand;
  return node;
}

/** Functions whose result is a text. */
const TEXT_FUNCTIONS = new Set(['||', 'concat', 'format', 'lower', 'replace', 'trim', 'current_setting']);

/** Whether an expression is the name of an object instead of its OID, as far as its form shows it. */
function isText(node: Node): boolean {
  if (textOf(node) !== undefined) return true;
  if (node['class'] === 'FUNCTION') return TEXT_FUNCTIONS.has(foldName(String(node['function_name'])));
  // The columns of the catalog with names: relname, table_name, ….
  if (node['class'] === 'COLUMN_REF') return /name$/i.test(String((node['column_names'] as string[]).at(-1)));
  return node['class'] === 'CAST' && TEXTS.has(typeName(node['cast_type'] as Node));
}

/** The first modifier of a type, such as the length of a text. */
function lengthOf(type: Node): Node | null {
  const modifiers = (type['type_info'] as Node | null)?.['user_type_modifiers'] as Node[] | undefined;
  const value = modifiers?.[0];
  if (value === undefined) return null;
  return { class: 'CONSTANT', type: 'VALUE_CONSTANT', alias: '', query_location: 0, value };
}

/** Vectors of the catalog, and the types of their elements. */
const VECTORS: Readonly<Record<string, string>> = { int2vector: 'SMALLINT', oidvector: 'BIGINT' };

/** Renames a type and the types inside it. */
function renameTypes(type: Node): void {
  const info = type['type_info'] as Node | null;
  if (type['id'] === 'UNBOUND' && info !== null) renameType(type, info);
  else {
    for (const inner of [info?.['child_type'], ...((info?.['child_types'] as Node[] | undefined) ?? [])]) {
      if (!inner) continue;
      const element = ((inner as Node)['second'] ?? inner) as Node;
      // In lists, objects stay OIDs.
      if (OBJECT_TYPES.has(typeName(element))) Object.assign(element, typeOf('BIGINT'));
      else renameTypes(element);
    }
  }
}

function renameType(type: Node, info: Node): void {
  const name = typeName(type);
  if (name === 'jsonb') info['name'] = 'json';
  if (foldName(String(info['schema'] ?? '')) === 'pg_catalog') info['schema'] = '';
  const renamed = ownValue(VECTORS, name) ?? ownValue(RENAMED, name);
  if (renamed !== undefined) Object.assign(type, typeOf(renamed));
  if (Object.hasOwn(VECTORS, name)) toList(type);
  if (!name.startsWith('_') || name.length === 1) return;
  info['name'] = name.slice(1);
  renameTypes(type);
  toList(type);
}

function toList(type: Node): void {
  const child_type = { id: type['id'], type_info: type['type_info'] };
  type['id'] = 'LIST';
  type['type_info'] = { type: 'LIST_TYPE_INFO', alias: '', extension_info: null, child_type };
}
