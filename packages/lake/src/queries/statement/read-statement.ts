import { stringify } from 'lossless-json';
import { literal, sql } from '../sql-text.ts';
import { type Condition, conditionOn } from './conditions.ts';
import { askedKey, type Guarded, guard, type TableName, type TableVersion } from './guard.ts';
import { type GuardRefusal, type Node, Refusal } from './guard-refusal.ts';
import { mostRows } from './most-rows.ts';
import { nameColumns } from './name-columns.ts';
import { rewriteNames } from './rewrite-tables.ts';

/** The engine's own parser. */
export interface Parser {
  /** The serialized tree of a text, or the parser's error in its form. */
  readonly parse: (sql: string) => Promise<string>;
  /** SQL of a serialized tree; null where the engine can't write it. */
  readonly deparse: (ast: string) => Promise<string | null>;
}

/** A name in a statement, and its position in bytes of UTF-8; null where the parser doesn't record it. */
export interface NamedAt {
  readonly name: TableName;
  readonly position: number | null;
}

/** A statement that may run, and what has to be known of it to plan it. */
export type ReadStatement = {
  readonly ok: true;
  /** What to run: it names views of the database `lake` and CTEs with generated names, nothing else. */
  readonly sql: string;
  /** How many rows it returns at most, where its text shows. */
  readonly mostRows: number | null;
  /** Every table as often as it is named. */
  readonly tables: readonly NamedAt[];
  readonly columns: readonly NamedAt[];
  /** Every version of a table once, with what its rows must fulfil if the statement names it once. */
  readonly asked: readonly {
    readonly name: TableName;
    readonly version: TableVersion | null;
    readonly condition: Condition;
  }[];
};

/** Changes the names of tables into those that an engine's view means. */
export type Renaming = (guarded: Guarded) => Guarded;

/** Characters of a tree: some 70,000 constants. More would keep the process busy for seconds. */
const MAX_TREE = 16 * 1024 * 1024;

/**
 * Parses, guards and rewrites a statement. Runs in the engine's process: a statement that takes long takes the time of its
 * own query, and ends with it.
 */
export async function readStatement(
  parser: Parser,
  text: string,
  renaming: Renaming = (guarded) => guarded,
): Promise<ReadStatement | GuardRefusal> {
  const tree = await parser.parse(text);
  if (tree.length > MAX_TREE) {
    const message =
      'The statement has too many parts. Shorten its lists, or load the values into a table and join with it.';
    return { ok: false, code: 'not-supported', message };
  }
  const parsed = guard(tree);
  if (!parsed.ok) return parsed;
  const guarded = renaming(parsed);
  const found = {
    mostRows: mostRows(guarded.ast),
    tables: guarded.tableNodes.map(({ node, name }) => ({ name, position: positionOf(node) })),
    columns: guarded.columnRefs.map((node) => ({ name: node['column_names'] as string[], position: positionOf(node) })),
    asked: guarded.asked.map((table) => ({ ...table, condition: onlyCondition(guarded, table) })),
  };
  try {
    await nameColumns(parser.deparse, guarded.ast);
    rewriteNames(guarded);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
  return { ok: true, sql: await written(parser, stringify(guarded.ast)!), ...found };
}

/** Where a table is named twice, no condition holds for both. */
function onlyCondition(guarded: Guarded, { name, version }: Guarded['asked'][number]): Condition {
  const key = askedKey(name, version);
  const named = guarded.tableNodes.filter((table) => askedKey(table.name, table.version) === key);
  return named.length === 1 ? conditionOn(guarded, name, named[0]!.node) : { kind: 'unknown' };
}

function positionOf(node: Node): number | null {
  const position = Number(String(node['query_location']));
  return Number.isSafeInteger(position) ? position : null;
}

/** Where the engine doesn't write a tree out exactly, it runs the tree itself: right, but held in memory. */
async function written(parser: Parser, ast: string): Promise<string> {
  const text = await parser.deparse(ast);
  if (text !== null && sameTree(await parser.parse(text), ast)) return text;
  return sql`SELECT * FROM json_execute_serialized_sql(${literal(ast)})`.text;
}

const withoutPlaces = (tree: string): string => tree.replaceAll(/"query_location":\d+/g, '"query_location":0');

const sameTree = (a: string, b: string): boolean => withoutPlaces(a) === withoutPlaces(b);
