import { isLosslessNumber, parse } from 'lossless-json';
import { joined, type Sql, sql } from '../../sql-text.ts';
import type { Node } from '../guard-error.ts';
import { foldName } from '../names.ts';
import { nodesOf } from '../nodes.ts';
import type { Parser } from '../parser.ts';
import { CATALOG_FUNCTIONS, CATALOG_PARTS, CATALOG_TABLE_FUNCTIONS } from './catalog-functions.ts';
import { FUNCTIONS, TABLE_FUNCTIONS } from './functions.ts';
import { PARTS } from './parts.ts';

/** Expressions and queries of the engine with the parameters `$1`, `$2`, …, as trees. */
export interface Templates {
  /** By name and number of arguments. */
  readonly expressions: ReadonlyMap<string, Node>;
  /** Table references. */
  readonly tables: ReadonlyMap<string, Node>;
  /** The same for statements that read the catalog. */
  readonly catalogExpressions: ReadonlyMap<string, Node>;
  readonly catalogTables: ReadonlyMap<string, Node>;
  /** What the rewrites themselves use: no name in a statement means these. */
  readonly parts: ReadonlyMap<string, Node>;
  readonly catalogParts: ReadonlyMap<string, Node>;
}

let parsed: Promise<Templates> | undefined;

/** Parses the templates once in each process. */
export function templatesOf(parser: Parser): Promise<Templates> {
  parsed ??= read(parser).catch((error: unknown) => {
    parsed = undefined;
    throw error;
  });
  return parsed;
}

/** One after the other: the parser serves one text at a time. */
async function read(parser: Parser): Promise<Templates> {
  return {
    expressions: await parsedExpressions(parser, FUNCTIONS),
    tables: await parsedTables(parser, TABLE_FUNCTIONS),
    catalogExpressions: await parsedExpressions(parser, CATALOG_FUNCTIONS),
    catalogTables: await parsedTables(parser, CATALOG_TABLE_FUNCTIONS),
    parts: await parsedExpressions(parser, PARTS),
    catalogParts: await parsedExpressions(parser, CATALOG_PARTS),
  };
}

type Texts = Readonly<Record<string, Sql>>;

async function parsedExpressions(parser: Parser, texts: Texts): Promise<Map<string, Node>> {
  const select = await selectOf(parser, sql`SELECT ${joined(Object.values(texts))}`);
  const list = select['select_list'] as Node[];
  return new Map(Object.keys(texts).map((name, i) => [name, list[i]!]));
}

async function parsedTables(parser: Parser, texts: Texts): Promise<Map<string, Node>> {
  const tables = new Map<string, Node>();
  for (const [name, query] of Object.entries(texts)) {
    const select = await selectOf(parser, sql`SELECT * FROM (${query}) AS t`);
    tables.set(name, select['from_table'] as Node);
  }
  return tables;
}

async function selectOf(parser: Parser, query: Sql): Promise<Node> {
  const tree = parse(await parser.parse(query.text)) as Node;
  if (tree['error'] === true)
    throw new Error(`A template of the dialect can't be parsed: ${String(tree['error_message'])}`);
  return (tree['statements'] as Node[])[0]!['node'] as Node;
}

/**
 * A copy of a template with these arguments, whose nodes have the position and the first one the name of `at`. If an argument names
 * something like a parameter of a lambda function in the template, the parameter gets another name.
 */
export function instantiate(template: Node, args: readonly Node[], at: Node): Node {
  const renamed = lambdaNames(template, args);
  const copied = copy(template, (node) => {
    if ('query_location' in node) node['query_location'] = at['query_location'];
    if (node['class'] === 'COLUMN_REF') return withName(node, renamed);
    if (node['class'] !== 'PARAMETER') return node;
    const argument = clone(args[Number(String(node['identifier'])) - 1]!) as Node;
    return { ...argument, alias: node['alias'] };
  });
  copied['alias'] = at['alias'] ?? '';
  return copied;
}

/** New names for the parameters of the template's lambda functions that the arguments use. */
function lambdaNames(template: Node, args: readonly Node[]): ReadonlyMap<string, string> {
  const lambdas = nodesOf(template).filter((node) => node['class'] === 'LAMBDA');
  if (lambdas.length === 0) return new Map();
  const taken = new Set(args.flatMap(nodesOf).flatMap((node) => columnNames(node).map(foldName)));
  const names = lambdas.flatMap((lambda) => columnNames(lambda['lhs'] as Node));
  const newName = (name: string): string => (taken.has(foldName(name)) ? newName(`${name}_`) : name);
  return new Map(names.map((name) => [name, newName(name)]));
}

const columnNames = (node: Node): readonly string[] =>
  node['class'] === 'COLUMN_REF' ? (node['column_names'] as string[]) : [];

function withName(node: Node, renamed: ReadonlyMap<string, string>): Node {
  const [first, ...others] = node['column_names'] as string[];
  return { ...node, column_names: [renamed.get(first!) ?? first, ...others] };
}

export const clone = (value: unknown): unknown => copy(value as Node, (node) => node);

function copy(value: Node, change: (node: Node) => Node): Node {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item: Node) => copy(item, change)) as unknown as Node;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner as Node, change)])));
}
