import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import { printAggregate } from './aggregates.ts';
import { nullOf, type Printed, printConstant } from './constants.ts';
import { printAll, printExpression } from './expressions.ts';
import { crossProduct, JoinPrinter } from './joins.ts';
import { orderKeys } from './orders.ts';
import { childrenOf, indexOf, integerOf, type Node, nodesOf, requireFields, unknownPart } from './plan-nodes.ts';
import { BIGINT, type PlanType, typeOf } from './plan-types.ts';
import { columnsOf, from, orderBy, type Relation, selectList, typesOf } from './relations.ts';
import { printScan, type TableSource } from './scans.ts';
import { isSubqueryGuard } from './subquery-guard.ts';
import { integer, listed, numbered } from './trino-text.ts';
import { untranslated } from './untranslated.ts';
import { printWindow } from './windows.ts';

type Operator = (node: Node) => Relation;

/** The printed form of a WITH clause: how to read it, and its columns. */
type Named = { readonly relation: Relation; readonly sql: TrinoSql; uses: number };

/**
 * Prints DuckDB's plan of a validated statement as a query for Trino. All names in the plan are resolved, so the query
 * can only contain tables that `source` knows. Parts that might have a different meaning in Trino are rejected.
 *
 * @throws QueryRejectedError
 */
export function printPlan(plan: Node, source: TableSource): Relation {
  return new PlanPrinter(source).print(plan);
}

class PlanPrinter {
  private readonly source: TableSource;
  private readonly named = new Map<string, Named>();
  private readonly joins: JoinPrinter;
  private names = 0;

  constructor(source: TableSource) {
    this.source = source;
    this.joins = new JoinPrinter({ print: (node) => this.print(node), newName: () => this.newName() });
  }

  private newName(): TrinoSql {
    return numbered('x', this.names++);
  }

  print(node: Node): Relation {
    const operator = this.operators[String(node['type'])];
    if (operator === undefined) throw unknownPart(node);
    return operator(node);
  }

  private readonly operators: Readonly<Record<string, Operator>> = {
    LOGICAL_GET: (node) => printScan(node, this.source),
    LOGICAL_DUMMY_SCAN: () => ({ sql: trino`SELECT 1 AS c0`, types: [{ id: 'INTEGER' }], order: [], stable: true }),
    LOGICAL_EMPTY_RESULT: noRows,
    LOGICAL_EXPRESSION_GET: (node) => this.values(node),
    LOGICAL_PROJECTION: (node) => this.projection(node),
    LOGICAL_FILTER: (node) => this.filter(node),
    LOGICAL_AGGREGATE_AND_GROUP_BY: (node) => this.grouping(node),
    LOGICAL_WINDOW: (node) => this.window(node),
    LOGICAL_UNNEST: (node) => this.unnest(node),
    LOGICAL_ORDER_BY: (node) => this.order(node),
    LOGICAL_LIMIT: (node) => this.limit(node),
    LOGICAL_DISTINCT: (node) => this.distinct(node),
    LOGICAL_UNION: (node) => this.setOperation(node, 'UNION ALL'),
    LOGICAL_EXCEPT: (node) => this.setOperation(node, 'EXCEPT'),
    LOGICAL_INTERSECT: (node) => this.setOperation(node, 'INTERSECT'),
    LOGICAL_MATERIALIZED_CTE: (node) => this.materialized(node),
    LOGICAL_CTE_REF: (node) => this.reference(node),
    LOGICAL_CROSS_PRODUCT: (node) => {
      requireFields(node, 'type children');
      const [left, right] = childrenOf(node, 2).map((child) => this.print(child));
      return crossProduct(left!, right!);
    },
    LOGICAL_COMPARISON_JOIN: (node) => this.joins.comparison(node),
    LOGICAL_ANY_JOIN: (node) => this.joins.any(node),
    LOGICAL_DELIM_JOIN: (node) => this.joins.correlated(node),
    LOGICAL_DELIM_GET: (node) => this.joins.outerKeys(node),
  };

  private only(node: Node): Relation {
    return this.print(childrenOf(node, 1)[0]!);
  }

  private projection(node: Node): Relation {
    requireFields(node, 'type children table_index expressions');
    const below = childrenOf(node, 1)[0]!;
    if (isSubqueryGuard(node, below)) return this.singleRow(this.only(below));
    const child = this.print(below);
    const list = printAll(node['expressions'], columnsOf(child, 't'));
    if (list.length === 0) throw unknownPart(node);
    return {
      ...child,
      types: typesOf(list),
      sql: trino`SELECT ${selectList(list, child.order)} FROM ${from(child, 't')}`,
    };
  }

  /** A scalar subquery. Trino itself enforces that it returns at most one row. */
  private singleRow(child: Relation): Relation {
    return { ...child, order: [], sql: trino`SELECT (SELECT t.c0 FROM ${from(child, 't')}) AS c0` };
  }

  private filter(node: Node): Relation {
    requireFields(node, 'type children expressions', 'projection_map');
    const child = this.only(node);
    const conditions = printAll(node['expressions'], columnsOf(child, 't')).map(({ sql }) => sql);
    return { ...child, sql: trino`SELECT t.* FROM ${from(child, 't')} WHERE ${joinedTrino(conditions, ' AND ')}` };
  }

  private grouping(node: Node): Relation {
    const known = 'type children expressions group_index aggregate_index groupings_index groups grouping_sets';
    requireFields(node, `${known} grouping_functions distinct_validity`);
    const child = this.only(node);
    const columns = columnsOf(child, 't');
    const groups = printAll(node['groups'], columns);
    const keyed = joinedTrino(
      groups.map(({ sql }, i) => trino`, ${sql} AS ${numbered('g', i)}`),
      '',
    );
    const keys = groups.map(({ type }, i): Printed => ({ sql: trino`t.${numbered('g', i)}`, type }));
    const aggregates = nodesOf(node['expressions']).map((one) => printAggregate(one, columns));
    const calls = ((node['grouping_functions'] ?? []) as unknown[][]).map((indexes): Printed => {
      const grouped = indexes.map((i) => keys[indexOf(i)]!.sql);
      return { sql: trino`CAST(grouping(${joinedTrino(grouped)}) AS bigint)`, type: BIGINT };
    });
    const list = [...keys, ...aggregates, ...calls];
    const by = groupBy(keys, (node['grouping_sets'] ?? []) as unknown[][]);
    const rows = groups.length === 0 ? from(child, 't') : trino`(SELECT t.*${keyed} FROM ${from(child, 't')}) t`;
    const stable = child.stable && aggregates.every((a) => a.stable);
    // A grouping without aggregates still needs a column.
    const sql = trino`SELECT ${list.length === 0 ? trino`1 AS c0` : selectList(list)} FROM ${rows}${by}`;
    return { sql, types: typesOf(list), order: [], stable };
  }

  private window(node: Node): Relation {
    requireFields(node, 'type children expressions window_index');
    const child = this.only(node);
    const columns = columnsOf(child, 't');
    const windows = nodesOf(node['expressions']).map((one) => printWindow(one, columns));
    const added = windows.map(({ sql }, i) => trino`${sql} AS ${numbered('c', columns.length + i)}`);
    return {
      ...child,
      sql: trino`SELECT t.*, ${joinedTrino(added)} FROM ${from(child, 't')}`,
      types: [...child.types, ...typesOf(windows)],
      stable: child.stable && windows.every((w) => w.stable),
    };
  }

  private unnest(node: Node): Relation {
    requireFields(node, 'type children expressions unnest_index');
    const child = this.only(node);
    const columns = columnsOf(child, 't');
    const lists = nodesOf(node['expressions']).map((one) => {
      if (one['expression_class'] !== 'BOUND_UNNEST') throw unknownPart(one);
      return printExpression(one['child'] as Node, columns);
    });
    const elements = lists.map(({ type }): PlanType => {
      if (type.id !== 'LIST') throw untranslated(`UNNEST of the type ${type.id}`);
      return type.element;
    });
    // Trino would expand a struct to a column per field. Wrapped in another row, it stays one value.
    const wrapped = lists.map(({ sql }, i) =>
      elements[i]!.id === 'STRUCT' ? trino`transform(${sql}, e -> ROW(e))` : sql,
    );
    const added = elements.map((_, i) => trino`u.${numbered('c', columns.length + i)}`);
    const names = joinedTrino(elements.map((_, i) => numbered('c', columns.length + i)));
    const sql = trino`SELECT t.*, ${joinedTrino(added)} FROM ${from(child, 't')} CROSS JOIN UNNEST(${joinedTrino(wrapped)}) u(${names})`;
    return { ...child, sql, types: [...child.types, ...elements] };
  }

  private order(node: Node): Relation {
    requireFields(node, 'type children orders', 'projections');
    const child = this.only(node);
    const columns = columnsOf(child, 't');
    const keys = orderKeys(node['orders'], columns);
    const list = [
      ...columns.map(({ sql }, i) => trino`${sql} AS ${numbered('c', i)}`),
      ...keys.map(({ sql }, i) => trino`${sql} AS ${numbered('o', i)}`),
    ];
    return {
      ...child,
      order: keys.map((k) => k.direction),
      sql: trino`SELECT ${joinedTrino(list)} FROM ${from(child, 't')}`,
    };
  }

  private limit(node: Node): Relation {
    requireFields(node, 'type children limit_val offset_val');
    const child = this.only(node);
    const [limit, offset] = ['limit_val', 'offset_val'].map((field) => constantCount(node[field] as Node));
    const range = trino`${offset === null ? trino`` : trino` OFFSET ${offset!}`}${limit === null ? trino`` : trino` LIMIT ${limit!}`}`;
    return { ...child, stable: false, sql: trino`SELECT t.* FROM ${from(child, 't')}${orderBy(child, 't')}${range}` };
  }

  private distinct(node: Node): Relation {
    requireFields(node, 'type children distinct_type distinct_targets order_by');
    const child = this.only(node);
    const columns = columnsOf(child, 't');
    const targets = printAll(node['distinct_targets'], columns);
    if (node['distinct_type'] === 'DISTINCT') {
      const all = targets.length === columns.length && targets.every((t, i) => t.sql.text === columns[i]!.sql.text);
      if (!all) throw unknownPart(node);
      return { ...child, order: [], sql: trino`SELECT DISTINCT ${selectList(columns)} FROM ${from(child, 't')}` };
    }
    if (node['distinct_type'] !== 'DISTINCT_ON') throw unknownPart(node);
    const orders = orderKeys((node['order_by'] as Node | null)?.['orders'], columns);
    const by = joinedTrino(orders.map((o) => trino`${o.sql} ${o.direction}`));
    const order = orders.length === 0 ? trino`` : trino` ORDER BY ${by}`;
    const first = trino`row_number() OVER (PARTITION BY ${listed(targets)}${order})`;
    const ranked = trino`(SELECT t.*, ${first} AS n FROM ${from(child, 't')}) t`;
    return {
      ...child,
      stable: false,
      sql: trino`SELECT ${selectList(columns, child.order)} FROM ${ranked} WHERE t.n = 1`,
    };
  }

  private setOperation(node: Node, keyword: keyof typeof SET_OPERATIONS): Relation {
    requireFields(node, 'type children table_index column_count setop_all allow_out_of_order');
    const parts = nodesOf(node['children']).map((child) => this.print(child));
    const [first] = parts as [Relation];
    if (parts.length < 2 || (keyword === 'UNION ALL' && node['setop_all'] !== true)) throw unknownPart(node);
    const [plain, all] = SET_OPERATIONS[keyword];
    const operation = node['setop_all'] === true ? all : plain;
    const queries = parts.map((part) => trino`(SELECT ${selectList(columnsOf(part, 't'))} FROM ${from(part, 't')})`);
    const sql = trino`SELECT ${selectList(columnsOf(first, 't'))} FROM (${queries.reduce((one, other) => trino`${one} ${operation} ${other}`)}) t`;
    return { sql, types: first.types, order: [], stable: parts.every((part) => part.stable) };
  }

  private values(node: Node): Relation {
    requireFields(node, 'type children table_index expr_types expressions');
    if (childrenOf(node, 1)[0]!['type'] !== 'LOGICAL_DUMMY_SCAN') throw unknownPart(node);
    const types = nodesOf(node['expr_types']).map(typeOf);
    const rows = nodesOf(node['expressions']).map((row) => trino`(${listed(printAll(row, []))})`);
    const names = joinedTrino(types.map((_, i) => numbered('c', i)));
    return { sql: trino`SELECT t.* FROM (VALUES ${joinedTrino(rows)}) t(${names})`, types, order: [], stable: true };
  }

  /** Trino inlines a WITH clause at every reference, so it must return the same rows each time. */
  private materialized(node: Node): Relation {
    requireFields(node, 'type children table_index column_count ctename materialize');
    const [definition, rest] = childrenOf(node, 2);
    const relation = this.print(definition!);
    const named: Named = { relation, sql: this.newName(), uses: 0 };
    this.named.set(String(integerOf(node['table_index'])), named);
    const result = this.print(rest!);
    if (named.uses > 1 && !relation.stable) {
      throw untranslated('A WITH clause that is read more than once and whose rows may differ each time');
    }
    const sql = trino`WITH ${named.sql} AS (${relation.sql}) SELECT t.* FROM ${from(result, 't')}`;
    return { ...result, sql, stable: result.stable && relation.stable };
  }

  private reference(node: Node): Relation {
    requireFields(
      node,
      'type children table_index cte_index chunk_types bound_columns',
      'is_recurring correlated_columns',
    );
    const named = this.named.get(String(integerOf(node['cte_index'])));
    if (named === undefined) throw untranslated('WITH RECURSIVE');
    named.uses += 1;
    const { relation } = named;
    return { ...relation, order: [], sql: trino`SELECT ${selectList(columnsOf(relation, 't'))} FROM ${named.sql} t` };
  }
}

/** What DuckDB makes of a condition that is never true. */
function noRows(node: Node): Relation {
  requireFields(node, 'type children return_types bindings');
  const types = nodesOf(node['return_types']).map(typeOf);
  const list = types.map((type, i) => trino`${nullOf(type)} AS ${numbered('c', i)}`);
  return { sql: trino`SELECT ${joinedTrino(list)} WHERE false`, types, order: [], stable: true };
}

/** Without and with ALL. */
const SET_OPERATIONS = {
  'UNION ALL': [trino`UNION ALL`, trino`UNION ALL`],
  EXCEPT: [trino`EXCEPT`, trino`EXCEPT ALL`],
  INTERSECT: [trino`INTERSECT`, trino`INTERSECT ALL`],
} as const;

function groupBy(keys: readonly Printed[], sets: readonly (readonly unknown[])[]): TrinoSql {
  if (keys.length === 0) return trino``;
  const all = keys.map(({ sql }) => sql);
  const groupingSets = sets.map((set) => set.map((i) => all[indexOf(i)]!));
  if (groupingSets.length === 0 || (groupingSets.length === 1 && groupingSets[0]!.length === all.length))
    return trino` GROUP BY ${joinedTrino(all)}`;
  return trino` GROUP BY GROUPING SETS (${joinedTrino(groupingSets.map((set) => trino`(${joinedTrino(set)})`))})`;
}

/** A constant LIMIT or OFFSET; null without one. */
function constantCount(value: Node): TrinoSql | null {
  if (value['type'] === 'UNSET') return null;
  if (value['type'] === 'CONSTANT_VALUE') return integer(integerOf(value['constant_integer']));
  const expression = value['expression'] as Node | null;
  if (value['type'] === 'EXPRESSION_VALUE' && expression?.['expression_class'] === 'BOUND_CONSTANT') {
    const { constant } = printConstant(expression['value'] as Node);
    if (constant === null) return null;
    if (/^\d{1,18}$/.test(String(constant))) return integer(BigInt(constant!));
  }
  throw untranslated('LIMIT or OFFSET with anything but a constant number of rows');
}
