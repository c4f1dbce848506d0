import { parseColumnType } from '@svc/core/column-types';
import type { QueryParam, QueryParams } from '@svc/core/queries';
import { LosslessNumber, stringify } from 'lossless-json';
import { duckdbType } from '../../tables/duckdb-types.ts';
import { cast, node, text, typeOf } from './constant-nodes.ts';
import { GuardError, type Node } from './guard-error.ts';
import { nodesOf } from './nodes.ts';
import { parseTree } from './parse-tree.ts';

/**
 * A serialized statement with its parameters replaced by constants. Values become nodes of the tree, never a part of a text
 * that is parsed, so no value can change the statement.
 *
 * @throws GuardError `wrong-parameters` unless every parameter has a value and every value has a parameter
 */
export function bindParameters(tree: string, params: QueryParams): string {
  const ast = parseTree(tree);
  // The guard reports the parser's error.
  if (ast['error'] === true) return tree;
  const values = new ParameterValues(params);
  for (const node of nodesOf(ast)) {
    const selected = node['select_list'];
    for (const column of Array.isArray(selected) ? (selected as Node[]) : []) nameByParameter(column);
    if (node['class'] !== 'PARAMETER') continue;
    const { alias, query_location: location, identifier } = node;
    for (const field of Object.keys(node)) delete node[field];
    Object.assign(node, constant(values.of(String(identifier))), { alias, query_location: location });
  }
  forgetNames(ast);
  values.requireAllUsed();
  return stringify(ast)!;
}

/** The tree of a statement whose parameters keep their place: the engine infers their types. */
export function unboundParameters(tree: string): string {
  const ast = parseTree(tree);
  if (ast['error'] === true) return tree;
  forgetNames(ast);
  return stringify(ast)!;
}

function forgetNames(ast: Node): void {
  for (const statement of ast['statements'] as Node[]) statement['named_param_map'] = [];
}

/** A column without a name is called by its expression, which must not show the value. */
function nameByParameter(column: Node): void {
  if (column['class'] === 'PARAMETER' && column['alias'] === '') column['alias'] = `$${String(column['identifier'])}`;
}

/** The values of parameters by name, or by number from 1. @throws GuardError `wrong-parameters` */
export class ParameterValues {
  private readonly byName: ReadonlyMap<string, QueryParam>;
  private readonly isPositional: boolean;
  private readonly used = new Set<string>();

  constructor(params: QueryParams) {
    this.isPositional = Array.isArray(params);
    const named = Array.isArray(params)
      ? params.map((value, i) => [String(i + 1), value] as const)
      : Object.entries(params).map(([name, value]) => [name.toLowerCase(), value] as const);
    this.byName = new Map(named);
    if (this.byName.size < named.length) throw wrong('params contains a name twice, ignoring letter case.');
  }

  of(identifier: string): QueryParam {
    // The parser ignores the letter case of names too.
    const name = identifier.toLowerCase();
    const value = this.byName.get(name);
    if (value === undefined)
      throw wrong(`The query has the parameter ${this.shown(identifier)}, but params has no value for it.`);
    this.used.add(name);
    return value;
  }

  requireAllUsed(): void {
    const unused = [...this.byName.keys()].find((name) => !this.used.has(name));
    if (unused !== undefined)
      throw wrong(`params has a value for ${this.shown(unused)}, but the query has no such parameter.`);
  }

  private shown(name: string): string {
    return this.isPositional && /^\d+$/.test(name) ? `number ${name}` : `$${name}`;
  }
}

const wrong = (message: string): GuardError => new GuardError('wrong-parameters', message);

const INT = 2 ** 31;

/** The node of a value, as the parser would make it of a literal. */
function constant(param: QueryParam): Node {
  if (typeof param !== 'object' || param === null) return plain(param);
  const parsed = parseColumnType(param.type);
  if (!parsed.ok) throw wrong(`${param.type} is not a type: ${parsed.message}.`);
  const { value } = param;
  const isBinary = parsed.type.kind === 'binary';
  const child = value === null ? plain(null) : text(isBinary ? bytesText(String(value)) : String(value));
  return cast(child, duckdbType(parsed.type));
}

/** Bytes in base64, as the engine writes them in a text. */
const bytesText = (base64: string): string => Buffer.from(base64, 'base64').toString('hex').replace(/../g, '\\x$&');

function plain(value: string | number | boolean | null): Node {
  if (value === null) return node({ type: typeOf('NULL'), is_null: true });
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return cast(text(value ? 't' : 'f'), 'BOOLEAN');
  if (!Number.isSafeInteger(value)) return cast(text(String(value)), 'DOUBLE');
  const id = value >= -INT && value < INT ? 'INTEGER' : 'BIGINT';
  return node({ type: typeOf(id), is_null: false, value: new LosslessNumber(String(value)) });
}
