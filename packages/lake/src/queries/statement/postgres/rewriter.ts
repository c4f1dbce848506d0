import { isLosslessNumber } from 'lossless-json';
import { text } from '../constant-nodes.ts';
import { GuardError, type Node } from '../guard-error.ts';
import { foldName } from '../names.ts';
import { instantiate, type Templates } from './templates.ts';

/** Which names mean something to a statement: `catalog` for one that reads PostgreSQL's catalog. */
export type Dialect = 'postgres' | 'catalog';

/** What the rewrites of a statement need: the templates, and the objects that nodes were made from. */
export class Rewriting {
  readonly dialect: Dialect;
  private readonly templates: Templates;
  /** Nodes that show or resolve the name of an object, with the value they were made from. */
  readonly names = new WeakMap<Node, { readonly type: string; readonly operand: Node; readonly isResolved: boolean }>();

  /** Expressions of the type `jsonb`, as far as their form shows it. */
  readonly jsonb = new WeakSet<Node>();

  /** Whether the statement calls a function of the session or the catalog. */
  usesCatalog = false;

  constructor(templates: Templates, dialect: Dialect) {
    this.templates = templates;
    this.dialect = dialect;
  }

  get isCatalog(): boolean {
    return this.dialect === 'catalog';
  }

  /** The tree of a template, or null if this name has no template for so many arguments. */
  tryCall(name: string, args: readonly Node[], at: Node): Node | null {
    const key = `${name}/${args.length}`;
    const { expressions, catalogExpressions } = this.templates;
    return this.instance(catalogExpressions.get(key), expressions.get(key), args, at);
  }

  /** The tree of a part of a rewrite, or of a function. */
  call(name: string, args: readonly Node[], at: Node): Node {
    const key = `${name}/${args.length}`;
    const { parts, catalogParts } = this.templates;
    const node = this.instance(catalogParts.get(key), parts.get(key), args, at) ?? this.tryCall(name, args, at);
    if (node === null) throw new Error(`There is no template ${key}.`);
    return node;
  }

  /** The table reference of a template. */
  tryTable(name: string, args: readonly Node[], at: Node): Node | null {
    const key = `${name}/${args.length}`;
    const { tables, catalogTables } = this.templates;
    return this.instance(catalogTables.get(key), tables.get(key), args, at);
  }

  private instance(
    catalogTemplate: Node | undefined,
    otherTemplate: Node | undefined,
    args: readonly Node[],
    at: Node,
  ): Node | null {
    const ofCatalog = this.isCatalog ? catalogTemplate : undefined;
    if (ofCatalog !== undefined) this.usesCatalog = true;
    const template = ofCatalog ?? otherTemplate;
    return template === undefined ? null : instantiate(template, args, at);
  }
}

/** A constant text, or undefined for any other expression. */
export function textOf(node: Node | undefined): string | undefined {
  if (node?.['class'] !== 'CONSTANT') return undefined;
  const value = (node['value'] as Node)['value'];
  return typeof value === 'string' ? value : undefined;
}

export const isNull = (node: Node): boolean =>
  node['class'] === 'CONSTANT' && (node['value'] as Node)['is_null'] === true;

export const textNode = (value: string): Node => text(value);

export const childrenOf = (node: Node): Node[] => (node['children'] as Node[] | undefined) ?? [];

/** The name of a called function, or null for a method call and for a function of another schema. */
export function calledName(node: Node): string | null {
  const schema = foldName(String(node['schema'] ?? ''));
  return ['', 'main', 'pg_catalog', 'information_schema'].includes(schema) && !node['catalog']
    ? foldName(String(node['function_name']))
    : null;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

export const unsupported = (message: string, at?: Node): GuardError => new GuardError('not-supported', message, at);
