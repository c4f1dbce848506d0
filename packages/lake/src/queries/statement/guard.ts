import { isLosslessNumber } from 'lossless-json';
import {
  EXPRESSIONS,
  type FieldKind,
  MODIFIERS,
  PARAMETER,
  PARTS,
  QUERIES,
  type Shape,
  TABLES,
  TYPE_INFOS,
} from './ast-shapes.ts';
import { GuardError, type GuardFailure, type Node } from './guard-error.ts';
import { checkFunction, checkTableFunction } from './guard-functions.ts';
import { DUCKDB_SCOPING, foldName, type Scoping } from './names.ts';
import { ONLY_QUERIES } from './other-statements.ts';
import { parseTree } from './parse-tree.ts';
import { type TableVersion, tableVersion } from './table-version.ts';

export type { TableVersion } from './table-version.ts';

/** A table as the query names it: `["sales", "eu", "orders"]` for both `sales.eu.orders` and `"sales.eu"."orders"`. */
export type TableName = readonly string[];

export type Guarded = {
  readonly ok: true;
  /** The whole tree, with numbers as written. */
  readonly ast: Node;
  /** The distinct tables named, in order of appearance, whatever the version. */
  readonly tables: readonly TableName[];
  /** The distinct pairs of table and version that the query requests. */
  readonly requested: readonly { readonly name: TableName; readonly version: TableVersion | null }[];
  /** The nodes that name tables, for rewriting. */
  readonly tableNodes: readonly {
    readonly node: Node;
    readonly name: TableName;
    readonly version: TableVersion | null;
  }[];
  /** Where the names of CTEs occur, each with the generated name of the CTE it refers to. */
  readonly cteNames: readonly CteName[];
  readonly columnRefs: readonly Node[];
  readonly hasSubqueries: boolean;
};

/** A definition of a CTE (`key`, and `cte_name` if it is recursive), or a reference to it (`table_name`). */
export type CteName = { readonly node: Node; readonly field: 'key' | 'cte_name' | 'table_name'; readonly name: string };

/** Names of the engine's own views. A CTE with such a name could be mistaken for the view, or the view for the CTE. */
const RESERVED = /^(duckdb_|pragma_|sqlite_|pg_|information_schema)/i;
const MAX_DEPTH = 1000;

/**
 * Decides whether a query may run, based on the tree from DuckDB's parser (`json_serialize_sql`): it must be one SELECT
 * made of known nodes, known functions and table functions that read nothing. Pure; returns a rejection as a value.
 *
 * @param serialized the parser's JSON text
 * @param options.scoping the rules that distinguish a CTE from a table
 * @param options.unbound whether parameters may have no values
 */
export function guard(
  serialized: string,
  { scoping = DUCKDB_SCOPING, unbound = false }: { scoping?: Scoping; unbound?: boolean } = {},
): Guarded | GuardFailure {
  try {
    const ast = parseTree(serialized);
    checkParsed(ast);
    const walker = new Walker(scoping, unbound);
    for (const statement of ast['statements'] as Node[]) walker.visit(statement, 'statement', NO_CTES, 0);
    return { ok: true, ast, ...walker.found() };
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    const { code, message, position } = error;
    return { ok: false, code, message, ...(position === undefined ? {} : { position }) };
  }
}

function checkParsed(ast: Node): void {
  if (ast['error'] === true) {
    const message = String(ast['error_message']);
    if (/only select statements/i.test(message)) {
      throw new GuardError(
        'not-a-select',
        `${ONLY_QUERIES} Name the table that changes with its namespace: shop.orders.`,
      );
    }
    throw new GuardError('parse-error', sentence(message), { query_location: ast['position'] });
  }
  const count = Array.isArray(ast['statements']) ? ast['statements'].length : 0;
  if (count !== 1)
    throw new GuardError('not-a-select', `A query must be a single SELECT, but the text contains ${count} statements.`);
}

const sentence = (message: string): string => `The query can't be parsed: ${message.split('\n')[0]!.slice(0, 500)}.`;

/** The CTEs in scope: folded name to generated name. */
type CteScope = ReadonlyMap<string, string>;
const NO_CTES: CteScope = new Map();

class Walker {
  private readonly tableNodes: { node: Node; name: TableName; version: TableVersion | null }[] = [];
  private readonly columnRefs: Node[] = [];
  private readonly cteNames: CteName[] = [];
  /** Recursive queries that are the body of a CTE, with its generated name. */
  private readonly recursive = new Map<Node, string>();
  /** Calls already checked as table functions. */
  private readonly tableCalls = new Set<Node>();
  private subqueries = false;
  private ctes = 0;
  private readonly scoping: Scoping;
  private readonly unbound: boolean;

  constructor(scoping: Scoping, unbound: boolean) {
    this.scoping = scoping;
    this.unbound = unbound;
  }

  found() {
    const byKey = new Map(this.tableNodes.map(({ name }) => [tableKey(name), name]));
    const byVersion = new Map(
      this.tableNodes.map(({ name, version }) => [keyOfTable(name, version), { name, version }] as const),
    );
    return {
      tables: [...byKey.values()],
      requested: [...byVersion.values()],
      tableNodes: this.tableNodes,
      cteNames: this.cteNames,
      columnRefs: this.columnRefs,
      hasSubqueries: this.subqueries,
    };
  }

  visit(value: unknown, kind: FieldKind, ctes: CteScope, depth: number): void {
    if (value === null || value === undefined) return;
    if (depth > MAX_DEPTH) throw new GuardError('not-supported', 'The query is nested too deeply.');
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, kind, ctes, depth + 1);
      return;
    }
    if (kind === 'plain') checkPlain(value);
    else if (kind === 'empty') checkEmpty(value);
    else if (kind === 'constant' || kind === 'version')
      return; // Plain data, or fields that `tableVersion` has fully checked.
    else if (typeof value !== 'object' || isLosslessNumber(value)) throw unknown('value');
    else this.visitNode(value as Node, kind, ctes, depth);
  }

  private visitNode(node: Node, kind: FieldKind, ctes: CteScope, depth: number): void {
    if (kind === 'query') {
      this.query(node, ctes, depth);
      return;
    }
    if (kind === 'expression') this.expression(node);
    if (kind === 'table') this.table(node, ctes);
    if (kind === 'typeInfo') checkTypeName(node);
    const isParameter = this.unbound && kind === 'expression' && node['class'] === 'PARAMETER';
    this.fields(node, isParameter ? PARAMETER : shapeFor(node, kind), ctes, depth);
  }

  private fields(node: Node, shape: Shape, ctes: CteScope, depth: number): void {
    for (const [field, value] of Object.entries(node)) {
      const kind = Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (kind) this.visit(value, kind, ctes, depth + 1);
      else if (!isEmpty(value)) throw unknown(field, node);
    }
  }

  /** Each CTE sees the ones before it; the node sees all of them. */
  private query(node: Node, outer: CteScope, depth: number): void {
    const { cte_map: map, ...rest } = node;
    const scope = new Map(outer);
    for (const entry of cteEntries(map)) {
      if (RESERVED.test(entry.key)) throw new GuardError('not-supported', `"${entry.key}" is a reserved name.`);
      const name = `svc_cte_${++this.ctes}`;
      this.cteNames.push({ node: entry as unknown as Node, field: 'key', name });
      this.cte(entry, name, scope, depth);
      scope.set(this.scoping.fold(entry.key), name);
    }
    const shape = shapeOf(QUERIES, node['type'], 'query', node);
    if (node['type'] === 'RECURSIVE_CTE_NODE') this.recursiveQuery(node, rest, shape, scope, depth);
    else this.fields(rest, shape, scope, depth);
  }

  private cte({ key, value }: CteEntry, name: string, scope: CteScope, depth: number): void {
    const body = (value['query'] as Node | undefined)?.['node'] as Node | undefined;
    if (body?.['type'] === 'RECURSIVE_CTE_NODE') {
      if (body['cte_name'] !== key) throw unknown('cte_name');
      this.recursive.set(body, name);
    }
    const shape: Shape = { aliases: 'plain', materialized: 'plain', query: 'statement', key_targets: 'expression' };
    this.fields(value, shape, scope, depth + 1);
  }

  /** The recursive member sees the CTE itself. In the anchor member the same name refers to the outer scope. */
  private recursiveQuery(node: Node, rest: Node, shape: Shape, outer: CteScope, depth: number): void {
    const name = this.recursive.get(node);
    if (name === undefined) throw unknown('recursive query');
    this.cteNames.push({ node, field: 'cte_name', name });
    const own = new Map(outer).set(this.scoping.fold(String(node['cte_name'])), name);
    const { left, ...others } = rest;
    this.visit(left, 'query', this.scoping.anchorSeesItself ? own : outer, depth + 1);
    this.fields(others, shape, own, depth);
  }

  private table(node: Node, ctes: CteScope): void {
    if (node['type'] === 'SHOW_REF') {
      throw new GuardError(
        'not-a-select',
        "This form of DESCRIBE, SHOW or SUMMARIZE isn't available. Use SHOW TABLES, SHOW SCHEMAS or DESCRIBE <namespace>.<table>.",
      );
    }
    if (node['type'] === 'TABLE_FUNCTION') {
      checkTableFunction(node);
      this.tableCalls.add(node['function'] as Node);
    }
    if (node['type'] === 'SUBQUERY') this.subqueries = true;
    if (node['type'] !== 'BASE_TABLE') return;
    const version = isEmpty(node['at_clause']) ? null : tableVersion(node['at_clause'] as Node, node);
    const [catalog, schema, table] = [node['catalog_name'], node['schema_name'], node['table_name']].map(String);
    const cte = !catalog && !schema ? ctes.get(this.scoping.fold(table!)) : undefined;
    if (cte !== undefined) {
      this.cteNames.push({ node, field: 'table_name', name: cte });
      if (version)
        throw new GuardError('not-supported', 'AT (…) applies to a table, not to a part of the query.', node);
      return;
    }
    const parts = [catalog!, schema!].flatMap((part) => (part ? part.split('.') : []));
    this.tableNodes.push({ node, name: [...parts, table!], version });
  }

  private expression(node: Node): void {
    const call = node['class'] === 'FUNCTION' || node['class'] === 'WINDOW';
    if (call && !this.tableCalls.has(node)) checkFunction(node);
    if (node['class'] === 'COLUMN_REF') this.columnRefs.push(node);
    if (node['class'] === 'SUBQUERY') this.subqueries = true;
  }
}

/** Two spellings of one table have the same key. */
export function tableKey(name: TableName): string {
  return foldName(name.join('.'));
}

/** Two spellings of one version of a table have the same key. */
export function keyOfTable(name: TableName, version: TableVersion | null): string {
  return version === null ? tableKey(name) : `${tableKey(name)} @${version.kind} ${version.text}`;
}

type CteEntry = { key: string; value: Node };

function cteEntries(map: unknown): CteEntry[] {
  const entries = (map as { map?: unknown } | undefined)?.map;
  if (entries === undefined) return [];
  if (!Array.isArray(entries)) throw unknown('cte_map');
  return entries as CteEntry[];
}

const SHAPES: Readonly<Partial<Record<FieldKind, readonly [Readonly<Record<string, Shape>>, string, string]>>> = {
  expression: [EXPRESSIONS, 'class', 'expression'],
  table: [TABLES, 'type', 'table reference'],
  modifier: [MODIFIERS, 'type', 'clause'],
  typeInfo: [TYPE_INFOS, 'type', 'type'],
};

function shapeFor(node: Node, kind: FieldKind): Shape {
  const many = SHAPES[kind];
  if (many) return shapeOf(many[0], node[many[1]], many[2], node);
  const one = PARTS[kind];
  if (!one) throw unknown(kind);
  return one;
}

function shapeOf(shapes: Readonly<Record<string, Shape>>, key: unknown, what: string, node: Node): Shape {
  const shape = typeof key === 'string' && Object.hasOwn(shapes, key) ? shapes[key] : undefined;
  if (shape) return shape;
  if (key === 'PARAMETER')
    throw new GuardError(
      'not-supported',
      "The statement has parameters, but no values for them. In a query, set params, or add -p NAME=VALUE to svc sql. Assets, checks and views can't have parameters.",
      node,
    );
  throw new GuardError('not-supported', `This kind of ${what} isn't available (${String(key)}).`, node);
}

const unknown = (what: string, node?: Node): GuardError =>
  new GuardError('not-supported', `The query uses a feature that isn't available (${what}).`, node);

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

function checkEmpty(value: unknown): void {
  if (!isEmpty(value)) throw unknown('clause');
}

function checkPlain(value: unknown): void {
  if (typeof value === 'object' && !isLosslessNumber(value)) throw unknown('value');
}

function checkTypeName(info: Node): void {
  if (info['type'] !== 'UNBOUND_TYPE_INFO') return;
  if (info['catalog'] || info['schema']) throw new GuardError('not-supported', "Type names can't have a schema.");
}
