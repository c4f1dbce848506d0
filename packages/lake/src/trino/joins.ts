import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import { outOfRange } from './casts.ts';
import { compare, sameKey } from './comparisons.ts';
import { nullOf, type Printed } from './constants.ts';
import { type Columns, printAll, printExpression } from './expressions.ts';
import { childrenOf, type Node, nodesOf, requireFields, unknownPart } from './plan-nodes.ts';
import { BOOLEAN, isFloating, isNested, typeOf } from './plan-types.ts';
import { columnsOf, from, type Relation, selectList, typesOf } from './relations.ts';
import { numbered } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

export function crossProduct(left: Relation, right: Relation): Relation {
  return joined(left, right, trino`${from(left, 'l')} CROSS JOIN ${from(right, 'r')}`);
}

/** The columns of both sides of a join. */
function joined(left: Relation, right: Relation, source: TrinoSql): Relation {
  const columns = [...columnsOf(left, 'l'), ...columnsOf(right, 'r')];
  const stable = left.stable && right.stable;
  return { sql: trino`SELECT ${selectList(columns)} FROM ${source}`, types: typesOf(columns), order: [], stable };
}

const OUTER: Readonly<Record<string, TrinoSql>> = {
  INNER: trino`INNER`,
  LEFT: trino`LEFT`,
  RIGHT: trino`RIGHT`,
  FULL: trino`FULL`,
  OUTER: trino`FULL`,
};

/** A join condition whose sides refer to the relations `l` and `r`. */
type Condition = { readonly kind: string; readonly left: Printed; readonly right: Printed };

const sqlOf = ({ kind, left, right }: Condition): TrinoSql =>
  kind === 'COMPARE_NOT_DISTINCT_FROM' ? sameKey(left, right) : compare(kind, left, right);

/** The outer side of a correlated subquery while the subquery is being printed. */
type Outer = { readonly name: TrinoSql; readonly left: Relation; readonly keys: readonly Printed[] };

interface Writer {
  readonly print: (node: Node) => Relation;
  readonly newName: () => TrinoSql;
}

/** All kinds of joins, including those that DuckDB generates for subqueries in expressions. */
export class JoinPrinter {
  private readonly writer: Writer;
  private readonly outers: Outer[] = [];

  constructor(writer: Writer) {
    this.writer = writer;
  }

  comparison(node: Node): Relation {
    requireFields(node, JOIN, JOIN_EMPTY);
    if (nodesOf(node['duplicate_eliminated_columns']).length > 0) throw unknownPart(node);
    const [left, right] = childrenOf(node, 2).map((child) => this.writer.print(child));
    return this.join(node, left!, right!);
  }

  any(node: Node): Relation {
    requireFields(node, 'type children join_type condition', `${JOIN_EMPTY} mark_index`);
    const [left, right] = childrenOf(node, 2).map((child) => this.writer.print(child));
    const columns = [...columnsOf(left!, 'l'), ...columnsOf(right!, 'r')];
    const condition = printExpression(node['condition'] as Node, columns).sql;
    return byCondition(String(node['join_type']), left!, right!, condition);
  }

  /** The rows of the left side with the right side's result for each of their keys. */
  correlated(node: Node): Relation {
    requireFields(node, JOIN, JOIN_EMPTY);
    const [first, second] = childrenOf(node, 2);
    const left = this.writer.print(first!);
    if (!left.stable)
      throw untranslated('A subquery joined with rows that may differ each time (such as the rows of a LIMIT)');
    const name = this.writer.newName();
    const keys = printAll(node['duplicate_eliminated_columns'], columnsOf(left, 't'));
    this.outers.push({ name, left, keys });
    const right = this.writer.print(second!);
    this.outers.pop();
    const read: Relation = {
      ...left,
      order: [],
      sql: trino`SELECT ${selectList(columnsOf(left, 't'))} FROM ${name} t`,
    };
    const result = this.join(node, read, right);
    return { ...result, sql: trino`WITH ${name} AS (${left.sql}) SELECT t.* FROM ${from(result, 't')}` };
  }

  /** The distinct keys of the outer side of the subquery that is being printed. */
  outerKeys(node: Node): Relation {
    requireFields(node, 'type children table_index chunk_types');
    const outer = this.outers.at(-1);
    const types = nodesOf(node['chunk_types']).map(typeOf);
    if (outer === undefined || types.length !== outer.keys.length) throw unknownPart(node);
    return {
      sql: trino`SELECT DISTINCT ${selectList(outer.keys)} FROM ${outer.name} t`,
      types,
      order: [],
      stable: true,
    };
  }

  private join(node: Node, left: Relation, right: Relation): Relation {
    const conditions = nodesOf(node['conditions']).map((c) =>
      conditionOf(c, columnsOf(left, 'l'), columnsOf(right, 'r')),
    );
    const kind = String(node['join_type']);
    if (kind === 'MARK') return this.marked(left, right, conditions);
    if (kind === 'SINGLE') return single(left, right, conditions);
    return byCondition(kind, left, right, joinedTrino(conditions.map(sqlOf), ' AND '));
  }

  /** Each row of the left side and whether the right side has a match, or null if that is unknown. */
  private marked(left: Relation, right: Relation, conditions: readonly Condition[]): Relation {
    const keys = conditions.filter((c) => c.kind === 'COMPARE_NOT_DISTINCT_FROM');
    const others = conditions.filter((c) => c.kind !== 'COMPARE_NOT_DISTINCT_FROM');
    const [other] = others;
    if (others.length > 1) throw untranslated('IN with more than one column');
    if (other === undefined) return exists(left, right, keys);
    requireComparable(other);
    if (keys.length === 0) return withMark(left, right, matches(other, right), from(left, 'l'));
    if (other.kind !== 'COMPARE_EQUAL') throw untranslated('ANY or ALL with a correlated subquery');
    if (!right.stable) throw untranslated('IN with a subquery whose rows may differ each time');
    return correlatedIn(left, right, keys, other, this.writer.newName());
  }
}

const JOIN = 'type children join_type mark_index conditions mark_types duplicate_eliminated_columns';
const JOIN_EMPTY = 'left_projection_map right_projection_map delim_flipped predicate';

function conditionOf(node: Node, left: Columns, right: Columns): Condition {
  requireFields(node, 'left right comparison');
  const [a, b] = [printExpression(node['left'] as Node, left), printExpression(node['right'] as Node, right)];
  return { kind: String(node['comparison']), left: a, right: b };
}

function byCondition(kind: string, left: Relation, right: Relation, condition: TrinoSql): Relation {
  const keyword = OUTER[kind];
  if (keyword !== undefined)
    return joined(left, right, trino`${from(left, 'l')} ${keyword} JOIN ${from(right, 'r')} ON ${condition}`);
  const not = ({ SEMI: trino``, ANTI: trino`NOT ` } as Readonly<Record<string, TrinoSql>>)[kind];
  if (not === undefined) throw untranslated(`A join of the kind ${kind.slice(0, 40)}`);
  const fits = trino`${not}EXISTS (SELECT 1 FROM ${from(right, 'r')} WHERE ${condition})`;
  const sql = trino`SELECT ${selectList(columnsOf(left, 'l'))} FROM ${from(left, 'l')} WHERE ${fits}`;
  return { ...left, order: [], sql, stable: left.stable && right.stable };
}

/** The left side's columns plus one. */
function withMark(left: Relation, right: Relation, mark: TrinoSql, source: TrinoSql): Relation {
  const columns = [...columnsOf(left, 'l'), { sql: mark, type: BOOLEAN }];
  const stable = left.stable && right.stable;
  return { sql: trino`SELECT ${selectList(columns)} FROM ${source}`, types: typesOf(columns), order: [], stable };
}

const keysOf = (conditions: readonly Condition[], alias: TrinoSql): Printed[] =>
  conditions.map((c, i) => ({ sql: trino`${alias}.${numbered('k', i)}`, type: c.right.type }));

function exists(left: Relation, right: Relation, keys: readonly Condition[]): Relation {
  const list = keys.map((c, i) => trino`${c.right.sql} AS ${numbered('k', i)}`);
  const distinct = trino`(SELECT DISTINCT ${joinedTrino([...list, trino`true AS m`])} FROM ${from(right, 'r')}) r`;
  const same = keysOf(keys, trino`r`).map((key, i) => sameKey(keys[i]!.left, key));
  return withMark(
    left,
    right,
    trino`(r.m IS NOT NULL)`,
    trino`${from(left, 'l')} LEFT JOIN ${distinct} ON ${joinedTrino(same, ' AND ')}`,
  );
}

const COMPARISON_KEYWORDS: Readonly<Record<string, TrinoSql>> = {
  COMPARE_EQUAL: trino`IN`,
  COMPARE_NOTEQUAL: trino`<> ANY`,
  COMPARE_LESSTHAN: trino`< ANY`,
  COMPARE_GREATERTHAN: trino`> ANY`,
  COMPARE_LESSTHANOREQUALTO: trino`<= ANY`,
  COMPARE_GREATERTHANOREQUALTO: trino`>= ANY`,
};

function requireComparable({ left, right }: Condition): void {
  for (const { type } of [left, right])
    if (isFloating(type) || isNested(type)) throw untranslated(`IN or ANY with a subquery of the type ${type.id}`);
}

/** Whether a subquery without references to the outer rows has a match: IN or ANY. */
function matches({ kind, left, right }: Condition, subquery: Relation): TrinoSql {
  const keyword = COMPARISON_KEYWORDS[kind];
  if (keyword === undefined) throw untranslated('This comparison with a subquery');
  return trino`(${left.sql} ${keyword} (SELECT ${right.sql} FROM ${from(subquery, 'r')}))`;
}

/** The same as a condition on columns that aren't a relation's. */
export function printMatch(node: Node, left: Columns, subquery: Relation): Printed {
  requireFields(node, JOIN, JOIN_EMPTY);
  const [condition, ...more] = nodesOf(node['conditions']).map((c) => conditionOf(c, left, columnsOf(subquery, 'r')));
  if (node['join_type'] !== 'MARK' || condition === undefined || more.length > 0) throw unknownPart(node);
  requireComparable(condition);
  return { sql: matches(condition, subquery), type: BOOLEAN };
}

/** IN with a correlated subquery: among the rows for its keys, one is equal, one is null, or there are no rows. */
function correlatedIn(
  left: Relation,
  right: Relation,
  keys: readonly Condition[],
  value: Condition,
  name: TrinoSql,
): Relation {
  const list = joinedTrino(keys.map((c, i) => trino`${c.right.sql} AS ${numbered('k', i)}`));
  const names = joinedTrino(keys.map((_, i) => numbered('k', i)));
  const rows = trino`WITH ${name} AS (SELECT ${list}, ${value.right.sql} AS v FROM ${from(right, 'r')})`;
  const groups = trino`(SELECT ${names}, bool_or(v IS NULL) AS n FROM ${name} GROUP BY ${names}) g`;
  const values = trino`(SELECT DISTINCT ${names}, v FROM ${name} WHERE v IS NOT NULL) m`;
  const same = (alias: TrinoSql) =>
    joinedTrino(
      keysOf(keys, alias).map((key, i) => sameKey(keys[i]!.left, key)),
      ' AND ',
    );
  const equal = compare('COMPARE_EQUAL', value.left, { sql: trino`m.v`, type: value.right.type });
  const source = trino`${from(left, 'l')} LEFT JOIN ${groups} ON ${same(trino`g`)} LEFT JOIN ${values} ON ${same(trino`m`)} AND ${equal}`;
  const mark = trino`CASE WHEN g.n IS NULL THEN false WHEN m.v IS NOT NULL THEN true WHEN ${value.left.sql} IS NULL OR g.n THEN ${nullOf(BOOLEAN)} ELSE false END`;
  const result = withMark(left, right, mark, source);
  return { ...result, sql: trino`${rows} ${result.sql}` };
}

/** A correlated scalar subquery, which fails if it returns more than one row. */
function single(left: Relation, right: Relation, keys: readonly Condition[]): Relation {
  if (keys.length === 0 || keys.some((c) => c.kind !== 'COMPARE_NOT_DISTINCT_FROM')) {
    throw untranslated('This form of scalar subquery');
  }
  const by = joinedTrino(keys.map((c) => c.right.sql));
  const counted = trino`(SELECT r.*, count(*) OVER (PARTITION BY ${by}) AS n FROM ${from(right, 'r')}) r`;
  const result = joined(
    left,
    right,
    trino`${from(left, 'l')} LEFT JOIN ${counted} ON ${joinedTrino(keys.map(sqlOf), ' AND ')}`,
  );
  return {
    ...result,
    sql: trino`${result.sql} WHERE CASE WHEN r.n > 1 THEN ${outOfRange(trino`boolean`)} ELSE true END`,
  };
}
