import { type Constant, constantOf } from './conditions.ts';
import { isDeterministic } from './determinism.ts';
import { CLOCK_NAMES, isAggregate, SET_FUNCTIONS } from './functions.ts';
import { guard } from './guard.ts';
import type { Node } from './guard-error.ts';
import { foldName } from './names.ts';

/** A row filter or column mask that is one scalar expression: one value for each row, computed from that row alone. */
export type PolicyExpression = {
  readonly ok: true;
  /** The first parts of its names that are columns of the table. */
  readonly columns: readonly string[];
  /**
   * Names that are columns only if the table has them: lambda parameters, and functions written without parentheses.
   */
  readonly possibleNames: readonly string[];
  /** The expression if it is a bare NULL or number, which takes the type of the masked column. */
  readonly literal: Constant | 'null' | null;
  /** Whether the expression is a CAST, which sets its type. */
  readonly statesType: boolean;
  /** Whether it has the same value for the same row whenever it is computed. */
  readonly isDeterministic: boolean;
};

export type PolicyFailure = { readonly ok: false; readonly reason: string };

/**
 * Every class of expression with one value for each row. Unlisted classes are rejected, so a new version can't add
 * anything unreviewed.
 */
const CLASSES: ReadonlySet<string> = new Set([
  'BETWEEN',
  'CASE',
  'CAST',
  'COLLATE',
  'COLUMN_REF',
  'COMPARISON',
  'CONJUNCTION',
  'CONSTANT',
  'FUNCTION',
  'LAMBDA',
  'OPERATOR',
]);
const OPERATORS: ReadonlySet<string> = new Set([
  'ARRAY_CONSTRUCTOR',
  'ARRAY_EXTRACT',
  'ARRAY_SLICE',
  'COMPARE_IN',
  'COMPARE_NOT_IN',
  'OPERATOR_COALESCE',
  'OPERATOR_IS_NOT_NULL',
  'OPERATOR_IS_NULL',
  'OPERATOR_NOT',
  'OPERATOR_NULLIF',
  'OPERATOR_TRY',
  'STRUCT_EXTRACT',
]);

const NOT_ONE = 'it must be a single expression without a subquery';

/**
 * Reads a policy from two variants of a SELECT of nothing else. The bare variant rejects a stray parenthesis; the
 * parenthesized variant rejects a clause of SELECT.
 *
 * @param bare the parser's tree of `SELECT text`
 * @param enclosed the parser's tree of `SELECT (text)`
 */
export function readPolicyTrees(bare: string, enclosed: string): PolicyExpression | PolicyFailure {
  const [inside, outside] = [guard(enclosed), guard(bare)];
  if (!inside.ok) return { ok: false, reason: outside.ok ? NOT_ONE : inside.message };
  if (!outside.ok || inside.tables.length > 0) return { ok: false, reason: NOT_ONE };
  const [one, other] = [expressionOf(inside.ast), expressionOf(outside.ast)];
  if (one === null || other === null) return { ok: false, reason: NOT_ONE };
  const walk = new ExpressionWalk();
  walk.visit(one, NO_NAMES);
  walk.visit(other, NO_NAMES);
  if (walk.reason !== null) return { ok: false, reason: walk.reason };
  return {
    ok: true,
    columns: [...walk.columns],
    possibleNames: [...walk.possibleNames],
    literal: literalOf(other),
    statesType: other['class'] === 'CAST' && !isBooleanLiteral(other),
    isDeterministic: isDeterministic(other),
  };
}

/** The expression of a SELECT that selects it and nothing else. */
function expressionOf(ast: Node): Node | null {
  const node = (ast['statements'] as Node[])[0]!['node'] as Node;
  if (node['type'] !== 'SELECT_NODE') return null;
  const list = node['select_list'] as Node[];
  const clauses = ['modifiers', 'where_clause', 'group_expressions', 'having', 'sample', 'qualify'];
  const alone =
    list.length === 1 &&
    list[0]!['alias'] === '' &&
    (node['from_table'] as Node)['type'] === 'EMPTY' &&
    clauses.every((clause) => isNothing(node[clause])) &&
    isNothing((node['cte_map'] as Node)['map']);
  return alone ? list[0]! : null;
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const NO_NAMES: ReadonlySet<string> = new Set();

class ExpressionWalk {
  readonly columns = new Set<string>();
  readonly possibleNames = new Set<string>();
  /** Why it isn't a scalar expression. */
  reason: string | null = null;

  visit(value: unknown, parameters: ReadonlySet<string>): void {
    if (typeof value !== 'object' || value === null || this.reason !== null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, parameters);
      return;
    }
    const node = value as Node;
    if (typeof node['class'] === 'string') this.reason = faultOf(node);
    // The value of a constant is data, and a type contains no expression.
    if (this.reason !== null || node['class'] === 'CONSTANT') return;
    if (node['class'] === 'COLUMN_REF') this.name(String((node['column_names'] as unknown[])[0]), parameters);
    const inner = node['class'] === 'LAMBDA' ? new Set([...parameters, ...namesIn(node['lhs'])]) : parameters;
    for (const [field, child] of Object.entries(node)) if (field !== 'cast_type') this.visit(child, inner);
  }

  private name(name: string, parameters: ReadonlySet<string>): void {
    const other = parameters.has(name) || CLOCK_NAMES.has(foldName(name));
    (other ? this.possibleNames : this.columns).add(name);
  }
}

function faultOf(node: Node): string | null {
  const kind = String(node['class']);
  const name = String(node['function_name'] ?? '').toLowerCase();
  if (kind === 'STAR' || node['type'] === 'OPERATOR_UNPACK')
    return 'it uses * or COLUMNS(…), which refers to several columns';
  if (kind === 'SUBQUERY') return NOT_ONE;
  if (kind === 'WINDOW') return `it calls the window function "${name}"`;
  if (kind === 'FUNCTION') {
    if (SET_FUNCTIONS.has(name)) return `it calls "${name}", which returns several rows`;
    const aggregates = isAggregate(name) || node['distinct'] === true || !isNothing(node['filter']);
    const ordered = !isNothing((node['order_bys'] as Node | null)?.['orders']);
    return aggregates || ordered ? `it calls the aggregate function "${name}"` : null;
  }
  const known = CLASSES.has(kind) && (kind !== 'OPERATOR' || OPERATORS.has(String(node['type'])));
  return known ? null : `it uses an expression that isn't available in policies (${String(node['type'])})`;
}

/** The parameters of a lambda: one name, or a row of names. */
function namesIn(value: unknown): string[] {
  const node = value as Node;
  if (node['class'] === 'COLUMN_REF') return [String((node['column_names'] as unknown[])[0])];
  return ((node['children'] as Node[] | undefined) ?? []).flatMap(namesIn);
}

function literalOf(node: Node): Constant | 'null' | null {
  if (node['type'] !== 'VALUE_CONSTANT') return null;
  if ((node['value'] as Node)['is_null'] === true) return 'null';
  const constant = constantOf(node);
  return constant !== null && /^-?\d+(\.\d+)?$/.test(constant.text) && constant.type !== 'VARCHAR' ? constant : null;
}

/** The parser represents `true` and `false` as casts. */
function isBooleanLiteral(node: Node): boolean {
  const child = node['child'] as Node;
  if ((node['cast_type'] as Node)['id'] !== 'BOOLEAN' || child['type'] !== 'VALUE_CONSTANT') return false;
  return ['t', 'f'].includes(String((child['value'] as Node)['value']));
}
