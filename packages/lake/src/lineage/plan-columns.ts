import { STUBS } from '../queries/relations/stub-tables.ts';
import { childrenOf, indexOf, type Node, nodesOf, unknownPart } from '../trino/plan-nodes.ts';

/** A column of a table, as `<table>\n<column>`; a table is the name of its stub. */
type Source = string;

/** The columns that an operator's column is computed from; null if the plan doesn't show it. */
type Sources = ReadonlySet<Source> | null;

type Operator = (node: Node) => readonly Sources[];

/**
 * The columns of stub tables from which each column of a plan is computed: those that its expression names. Columns that
 * only choose, join, group or order rows don't count.
 *
 * @throws QueryRejectedError if the plan contains anything that isn't known exactly; TypeError for an unexpected form
 */
export function planColumns(plan: Node): { table: string; column: string }[][] {
  return new PlanReader().read(plan).map((sources) => {
    if (sources === null) throw unknownPart(plan);
    return [...sources].map((source) => {
      const at = source.indexOf('\n');
      return { table: source.slice(0, at), column: source.slice(at + 1) };
    });
  });
}

const NOTHING: ReadonlySet<Source> = new Set();

class PlanReader {
  private readonly named = new Map<string, readonly Sources[]>();
  /** The keys of the correlated joins whose right side is being read. */
  private readonly outerKeys: (readonly Sources[])[] = [];

  read(node: Node): readonly Sources[] {
    const operator = this.operators[String(node['type'])];
    if (operator === undefined) throw unknownPart(node);
    return operator(node);
  }

  private readonly operators: Readonly<Record<string, Operator>> = {
    LOGICAL_GET: scan,
    LOGICAL_DUMMY_SCAN: () => [NOTHING],
    LOGICAL_EXPRESSION_GET: (node) => {
      const below = this.only(node);
      const rows = nodesOf(node['expressions']).map((row) => eachOf(row, below));
      return rows[0]!.map((_, i) => union(rows.map((row) => row[i]!)));
    },
    LOGICAL_PROJECTION: (node) => eachOf(node['expressions'], this.only(node)),
    LOGICAL_FILTER: (node) => {
      requireWhole(node, ['projection_map']);
      return this.only(node);
    },
    LOGICAL_ORDER_BY: (node) => {
      requireWhole(node, ['projections']);
      return this.only(node);
    },
    LOGICAL_LIMIT: (node) => this.only(node),
    LOGICAL_DISTINCT: (node) => this.only(node),
    LOGICAL_AGGREGATE_AND_GROUP_BY: (node) => {
      const below = this.only(node);
      const groupings = nodesOf(node['grouping_functions']).map(() => null);
      return [...eachOf(node['groups'], below), ...eachOf(node['expressions'], below), ...groupings];
    },
    LOGICAL_WINDOW: (node) => this.extended(node),
    LOGICAL_UNNEST: (node) => this.extended(node),
    LOGICAL_UNION: (node) => this.combined(node),
    LOGICAL_INTERSECT: (node) => this.combined(node),
    LOGICAL_EXCEPT: (node) => this.read(childrenOf(node, 2)[0]!),
    LOGICAL_MATERIALIZED_CTE: (node) => {
      const [definition, rest] = childrenOf(node, 2);
      this.named.set(String(indexOf(node['table_index'])), this.read(definition!));
      return this.read(rest!);
    },
    LOGICAL_CTE_REF: (node) => {
      const found = this.named.get(String(indexOf(node['cte_index'])));
      if (found === undefined) throw unknownPart(node);
      return found;
    },
    LOGICAL_CROSS_PRODUCT: (node) => childrenOf(node, 2).flatMap((child) => this.read(child)),
    LOGICAL_COMPARISON_JOIN: (node) => this.join(node),
    LOGICAL_ANY_JOIN: (node) => this.join(node),
    LOGICAL_DELIM_JOIN: (node) => this.join(node),
    LOGICAL_DELIM_GET: (node) => {
      const keys = this.outerKeys.at(-1);
      if (keys === undefined || keys.length !== nodesOf(node['chunk_types']).length) throw unknownPart(node);
      return keys;
    },
  };

  private only(node: Node): readonly Sources[] {
    return this.read(childrenOf(node, 1)[0]!);
  }

  /** The columns below, and those that the operator adds. */
  private extended(node: Node): readonly Sources[] {
    const below = this.only(node);
    return [...below, ...eachOf(node['expressions'], below)];
  }

  private combined(node: Node): readonly Sources[] {
    const parts = nodesOf(node['children']).map((child) => this.read(child));
    const [first] = parts;
    if (first === undefined || parts.some((part) => part.length !== first.length)) throw unknownPart(node);
    return first.map((_, i) => union(parts.map((part) => part[i]!)));
  }

  private join(node: Node): readonly Sources[] {
    requireWhole(node, ['left_projection_map', 'right_projection_map']);
    if (node['delim_flipped'] === true) throw unknownPart(node);
    const [first, second] = childrenOf(node, 2);
    const left = this.read(first!);
    const isCorrelated = node['type'] === 'LOGICAL_DELIM_JOIN';
    if (isCorrelated) this.outerKeys.push(eachOf(node['duplicate_eliminated_columns'], left));
    const right = this.read(second!);
    if (isCorrelated) this.outerKeys.pop();
    switch (node['join_type']) {
      case 'SEMI':
      case 'ANTI':
        return left;
      case 'MARK':
        // Whether there are matching rows depends on more than the plan's expressions name.
        return [...left, null];
      case 'INNER':
      case 'LEFT':
      case 'RIGHT':
      case 'FULL':
      case 'OUTER':
      case 'SINGLE':
        return [...left, ...right];
      default:
        throw unknownPart(node);
    }
  }
}

/** An operator that returns only some of the columns below would shift the positions of the others. */
function requireWhole(node: Node, maps: readonly string[]): void {
  if (maps.some((name) => nodesOf(node[name]).length > 0)) throw unknownPart(node);
}

/** Plans have 2^64 - 1 instead of the index of a column that isn't stored, such as a row id. */
const isStored = (value: unknown): boolean => String(value) !== '18446744073709551615';

function scan(node: Node): readonly Sources[] {
  if (nodesOf(node['children']).length > 0 || nodesOf(node['projection_ids']).length > 0) throw unknownPart(node);
  const { schema, table } = (node['function_data'] ?? {}) as Node;
  const names = node['names'] as unknown as string[];
  if (node['name'] === 'range' || node['name'] === 'generate_series') return names.map(() => NOTHING);
  if (node['name'] !== 'seq_scan' || schema !== STUBS) throw unknownPart(node);
  return nodesOf(node['column_indexes']).map((column) => {
    if (nodesOf(column['child_indexes']).length > 0) throw unknownPart(node);
    if (!isStored(column['index'])) return null;
    return new Set([`${String(table)}\n${names[indexOf(column['index'])]!}`]);
  });
}

const eachOf = (expressions: unknown, below: readonly Sources[]): Sources[] =>
  nodesOf(expressions).map((expression) => {
    const found: Sources[] = [];
    collect(expression, below, found);
    return union(found);
  });

function union(all: readonly Sources[]): Sources {
  if (all.includes(null)) return null;
  return new Set(all.flatMap((sources) => [...sources!]));
}

/** The fields of each class of expression that contain others. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  BOUND_CONSTANT: [],
  BOUND_CAST: ['child'],
  BOUND_FUNCTION: ['children'],
  BOUND_COMPARISON: ['left', 'right'],
  BOUND_CONJUNCTION: ['children'],
  BOUND_BETWEEN: ['input', 'lower', 'upper'],
  BOUND_OPERATOR: ['children'],
  BOUND_UNNEST: ['child'],
  BOUND_AGGREGATE: ['children', 'filter', 'order_bys'],
  BOUND_WINDOW: [
    ...['children', 'partitions', 'orders', 'filters', 'start_expr', 'end_expr', 'offset_expr', 'default_expr'],
    'arg_orders',
  ],
  BOUND_CASE: ['case_checks', 'else_expr'],
};

/** Fields that don't contain expressions, or whose expressions refer to what `children` contain. */
const WITHOUT_PARTS = new Set(['return_type', 'value', 'arguments', 'original_arguments', 'function_data']);

/** Adds the sources of the columns that an expression refers to. */
function collect(node: Node, below: readonly Sources[], found: Sources[]): void {
  const kind = String(node['expression_class']);
  if (kind === 'BOUND_REF') {
    const sources = below[indexOf(node['index'])];
    if (sources === undefined) throw unknownPart(node);
    found.push(sources);
    return;
  }
  const parts = PARTS[kind];
  if (parts === undefined) throw unknownPart(node);
  requireKnownData(node);
  for (const [field, value] of Object.entries(node)) {
    if (parts.includes(field)) for (const expression of expressionsIn(value)) collect(expression, below, found);
    else if (!WITHOUT_PARTS.has(field) && expressionsIn(value).length > 0) throw unknownPart(node);
  }
}

/** A lambda refers to its parameters and to columns, which are arguments of its function too. */
function requireKnownData(node: Node): void {
  for (const [field, value] of Object.entries((node['function_data'] ?? {}) as Node))
    if (field !== 'lambda_expr' && expressionsIn(value).length > 0) throw unknownPart(node);
}

/** The outermost expressions in a part of the plan. */
function expressionsIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (typeof value !== 'object' || value === null) return [];
  return 'expression_class' in value ? [value as Node] : Object.values(value).flatMap(expressionsIn);
}
