import type { QueryParams } from '@svc/core/queries';
import { stringify } from 'lossless-json';
import { literal, sql } from '../sql-text.ts';
import { bindParameters, unboundParameters } from './bind-parameters.ts';
import { type Condition, conditionOn } from './conditions.ts';
import { isDeterministic } from './determinism.ts';
import { type Guarded, guard, keyOfTable, type TableName, type TableVersion } from './guard.ts';
import { GuardError, type GuardFailure, type Node } from './guard-error.ts';
import { maxRows } from './max-rows.ts';
import { nameColumns, selectNode } from './name-columns.ts';
import { explainOtherStatement } from './other-statements.ts';
import type { Parser } from './parser.ts';
import { rewriteTree } from './postgres/rewrite-tree.ts';
import type { Dialect } from './postgres/rewriter.ts';
import { replaceTextForms } from './postgres/text-forms.ts';
import { rewriteNames } from './rewrite-tables.ts';

/** A name in a statement and its position in UTF-8 bytes, or null if the parser doesn't record the position. */
export interface NamedAt {
  readonly name: TableName;
  readonly position: number | null;
}

/** A statement that may run, and what the planner needs to know about it. */
export type ReadStatement = {
  readonly ok: true;
  /** The SQL to run. It names only views of the database `lake` and CTEs with generated names. */
  readonly sql: string;
  /** The maximum number of rows it returns, if its text shows one. */
  readonly maxRows: number | null;
  /** Whether it has the same result whenever it runs over the same rows. */
  readonly isDeterministic: boolean;
  /** Whether it calls a function of the session or the catalog, in the dialect `catalog`. */
  readonly usesCatalog: boolean;
  /** Every mention of a table. */
  readonly tables: readonly NamedAt[];
  readonly columns: readonly NamedAt[];
  /** The distinct table versions, each with the condition on its rows if the statement names it once. */
  readonly requested: readonly {
    readonly name: TableName;
    readonly version: TableVersion | null;
    readonly condition: Condition;
  }[];
};

/** The values of the parameters of a statement, `unbound` if it is only described without them, null if it has none. */
export type StatementParams = QueryParams | 'unbound' | null;

/** Replaces table names by the names they have for the engine that created the view. */
export type Renaming = (guarded: Guarded) => Guarded;

/** Characters of a tree: some 70,000 constants. A larger tree would keep the process busy for seconds. */
const MAX_TREE = 16 * 1024 * 1024;

/**
 * Parses, guards and rewrites a statement. Runs in the engine's process, so a slow statement takes only its own query's
 * time and stops with it.
 */
export async function readStatement(
  parser: Parser,
  text: string,
  {
    renaming = (guarded) => guarded,
    params = null,
    dialect = null,
  }: { renaming?: Renaming | undefined; params?: StatementParams; dialect?: Dialect | null } = {},
): Promise<ReadStatement | GuardFailure> {
  const written = await failing(() => treeOf(parser, text, { params, dialect }));
  if ('ok' in written) return written;
  const { tree, usesCatalog } = written;
  if (tree.length > MAX_TREE) {
    const message = 'The statement is too complex. Shorten its lists, or load the values into a table and join it.';
    return { ok: false, code: 'not-supported', message };
  }
  const parsed = guard(tree, { unbound: params === 'unbound' });
  if (!parsed.ok) return withAlternative(parsed, text);
  const guarded = renaming(parsed);
  const found = {
    usesCatalog,
    maxRows: maxRows(guarded.ast),
    isDeterministic: isDeterministic(guarded.ast),
    tables: guarded.tableNodes.map(({ node, name }) => ({ name, position: positionOf(node) })),
    columns: guarded.columnRefs.map((node) => ({ name: node['column_names'] as string[], position: positionOf(node) })),
    requested: guarded.requested.map((table) => ({ ...table, condition: onlyCondition(guarded, table) })),
  };
  try {
    await nameColumns((ast) => parser.deparse(ast), guarded.ast);
    rewriteNames(guarded);
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
  return { ok: true, sql: await deparsed(parser, guarded.ast), ...found };
}

/** The failure of a statement that other systems have names what to use instead, whether the engine can parse it or not. */
function withAlternative(failure: GuardFailure, text: string): GuardFailure {
  if (failure.code !== 'not-a-select' && failure.code !== 'parse-error') return failure;
  const message = explainOtherStatement(text);
  return message === null ? failure : { ok: false, code: 'not-a-select', message };
}

type Rewritten = { readonly tree: string; readonly usesCatalog: boolean };

/** The tree of a statement in the engine's dialect, with its parameters bound. @throws GuardError */
async function treeOf(
  parser: Parser,
  text: string,
  { params, dialect }: { readonly params: StatementParams; readonly dialect: Dialect | null },
): Promise<Rewritten> {
  const written = await parser.parse(dialect === null ? text : replaceTextForms(text));
  // `readStatement` rejects it.
  if (written.length > MAX_TREE) return { tree: written, usesCatalog: false };
  const tree = withParameters(written, params);
  if (dialect === null || tree.length > MAX_TREE) return { tree, usesCatalog: false };
  return rewriteTree(parser, tree, dialect);
}

function withParameters(tree: string, params: StatementParams): string {
  if (params === null) return tree;
  return params === 'unbound' ? unboundParameters(tree) : bindParameters(tree, params);
}

async function failing<R>(work: () => Promise<R>): Promise<R | GuardFailure> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    const { code, message, position } = error;
    return { ok: false, code, message, ...(position === undefined ? {} : { position }) };
  }
}

/** If a table is named twice, no single condition applies to both mentions. */
function onlyCondition(guarded: Guarded, { name, version }: Guarded['requested'][number]): Condition {
  const key = keyOfTable(name, version);
  const named = guarded.tableNodes.filter((table) => keyOfTable(table.name, table.version) === key);
  return named.length === 1 ? conditionOn(guarded, name, named[0]!.node) : { kind: 'unknown' };
}

function positionOf(node: Node): number | null {
  const position = Number(String(node['query_location']));
  return Number.isSafeInteger(position) ? position : null;
}

/** If the engine can't write a tree exactly, it runs the tree itself: correct, but buffered in memory. */
async function deparsed(parser: Parser, ast: Node): Promise<string> {
  const tree = stringify(ast)!;
  const written = await parser.deparseAndParse(tree);
  if (written !== null && sameTree(written.tree, tree)) return written.text;
  return sql`SELECT * FROM json_execute_serialized_sql(${literal(stringify(asSubquery(ast))!)})`.text;
}

/** `SELECT * FROM (ast)`. The function that runs a tree rejects two columns of one name, which a subquery renames. */
function asSubquery(ast: Node): Node {
  const [{ node, named_param_map }] = ast['statements'] as [Node];
  const star = {
    class: 'STAR',
    type: 'STAR',
    alias: '',
    relation_name: '',
    exclude_list: [],
    replace_list: [],
    columns: false,
    expr: null,
  };
  const subquery = { node, named_param_map: [] };
  const from = { type: 'SUBQUERY', alias: 'q', sample: null, subquery, column_name_alias: [] };
  const statement = { node: selectNode([star], from), named_param_map };
  return { ...ast, statements: [statement] };
}

/** Without positions, and without the list of parameters, which the nodes contain as well. Quotes in texts are escaped. */
const withoutLocations = (tree: string): string =>
  tree
    .replaceAll(/"query_location":\d+/g, '"query_location":0')
    // bounded: the name occurs once in the tree of a statement.
    .replaceAll(/"named_param_map":\[[^\]]*\]/g, '"named_param_map":[]');

const sameTree = (a: string, b: string): boolean => withoutLocations(a) === withoutLocations(b);
