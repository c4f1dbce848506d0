/**
 * The parts of DuckDB's serialized syntax tree that a query may contain. Each node kind lists all its allowed fields
 * and what they contain. The guard rejects unlisted nodes and fields, so a new engine version can't add anything
 * unreviewed.
 */

/** `plain`: strings, numbers and booleans, also in lists. The other kinds name what the guard does with the value. */
export type FieldKind =
  | 'plain'
  | 'empty'
  | 'expression'
  | 'query'
  | 'statement'
  | 'table'
  | 'modifier'
  | 'order'
  | 'orderModifier'
  | 'ctes'
  | 'caseCheck'
  | 'namedExpression'
  | 'qualifiedName'
  | 'renamed'
  | 'constant'
  | 'type'
  | 'typeInfo'
  | 'structType'
  | 'sample'
  | 'pivotColumn'
  | 'pivotEntry'
  | 'version';

export type Shape = Readonly<Record<string, FieldKind>>;

const plain = (...names: readonly string[]): Shape => Object.fromEntries(names.map((n) => [n, 'plain']));

const EXPRESSION = plain('class', 'type', 'alias', 'query_location');
const TABLE: Shape = { ...plain('type', 'alias', 'query_location'), sample: 'sample' };
const QUERY: Shape = { type: 'plain', modifiers: 'modifier', cte_map: 'ctes' };

/** Expressions by `class`. Values have replaced parameters, except in a statement that is only described (`PARAMETER`). */
export const EXPRESSIONS: Readonly<Record<string, Shape>> = {
  BETWEEN: { ...EXPRESSION, input: 'expression', lower: 'expression', upper: 'expression' },
  CASE: { ...EXPRESSION, case_checks: 'caseCheck', else_expr: 'expression' },
  CAST: { ...EXPRESSION, child: 'expression', cast_type: 'type', try_cast: 'plain' },
  COLLATE: { ...EXPRESSION, child: 'expression', collation: 'plain' },
  COLUMN_REF: { ...EXPRESSION, column_names: 'plain' },
  COMPARISON: { ...EXPRESSION, left: 'expression', right: 'expression' },
  CONJUNCTION: { ...EXPRESSION, children: 'expression' },
  CONSTANT: { ...EXPRESSION, value: 'constant' },
  FUNCTION: {
    ...EXPRESSION,
    ...plain('function_name', 'schema', 'catalog', 'distinct', 'is_operator', 'export_state'),
    children: 'expression',
    filter: 'expression',
    order_bys: 'orderModifier',
  },
  LAMBDA: { ...EXPRESSION, ...plain('syntax_type'), lhs: 'expression', expr: 'expression' },
  OPERATOR: { ...EXPRESSION, children: 'expression' },
  POSITIONAL_REFERENCE: { ...EXPRESSION, index: 'plain' },
  STAR: {
    ...EXPRESSION,
    ...plain('relation_name', 'exclude_list', 'columns'),
    replace_list: 'namedExpression',
    expr: 'expression',
    qualified_exclude_list: 'qualifiedName',
    rename_list: 'renamed',
  },
  SUBQUERY: {
    ...EXPRESSION,
    ...plain('subquery_type', 'comparison_type'),
    subquery: 'statement',
    child: 'expression',
  },
  WINDOW: {
    ...EXPRESSION,
    ...plain('function_name', 'schema', 'catalog', 'start', 'end', 'ignore_nulls', 'exclude_clause', 'distinct'),
    children: 'expression',
    partitions: 'expression',
    orders: 'order',
    start_expr: 'expression',
    end_expr: 'expression',
    offset_expr: 'expression',
    default_expr: 'expression',
    filter_expr: 'expression',
    arg_orders: 'order',
  },
};

/** The shape of a parameter without a value. */
export const PARAMETER: Shape = { ...EXPRESSION, identifier: 'plain' };

/** Table references by `type`. SHOW_REF (DESCRIBE, SHOW, SUMMARIZE) is missing on purpose. */
export const TABLES: Readonly<Record<string, Shape>> = {
  BASE_TABLE: {
    ...TABLE,
    ...plain('schema_name', 'table_name', 'catalog_name', 'column_name_alias'),
    at_clause: 'version',
  },
  EMPTY: TABLE,
  EXPRESSION_LIST: { ...TABLE, ...plain('expected_names'), expected_types: 'type', values: 'expression' },
  JOIN: {
    ...TABLE,
    ...plain('join_type', 'ref_type', 'using_columns', 'delim_flipped'),
    left: 'table',
    right: 'table',
    condition: 'expression',
    duplicate_eliminated_columns: 'empty',
  },
  PIVOT: {
    ...TABLE,
    ...plain('unpivot_names', 'groups', 'column_name_alias', 'include_nulls'),
    source: 'table',
    aggregates: 'expression',
    pivots: 'pivotColumn',
  },
  SUBQUERY: { ...TABLE, subquery: 'statement', column_name_alias: 'plain' },
  TABLE_FUNCTION: { ...TABLE, function: 'expression', column_name_alias: 'plain', with_ordinality: 'plain' },
};

/** Query nodes by `type`. */
export const QUERIES: Readonly<Record<string, Shape>> = {
  SELECT_NODE: {
    ...QUERY,
    ...plain('group_sets', 'aggregate_handling'),
    select_list: 'expression',
    from_table: 'table',
    where_clause: 'expression',
    group_expressions: 'expression',
    having: 'expression',
    sample: 'sample',
    qualify: 'expression',
  },
  SET_OPERATION_NODE: {
    ...QUERY,
    ...plain('setop_type', 'setop_all'),
    left: 'query',
    right: 'query',
    children: 'query',
  },
  RECURSIVE_CTE_NODE: {
    ...QUERY,
    ...plain('cte_name', 'union_all', 'aliases'),
    left: 'query',
    right: 'query',
    key_targets: 'expression',
  },
};

/** Result modifiers by `type`. */
export const MODIFIERS: Readonly<Record<string, Shape>> = {
  LIMIT_MODIFIER: { type: 'plain', limit: 'expression', offset: 'expression' },
  LIMIT_PERCENT_MODIFIER: { type: 'plain', limit: 'expression', offset: 'expression' },
  ORDER_MODIFIER: { type: 'plain', orders: 'order' },
  DISTINCT_MODIFIER: { type: 'plain', distinct_on_targets: 'expression' },
};

/** Types that carry more than their name, by `type`. */
export const TYPE_INFOS: Readonly<Record<string, Shape>> = {
  ARRAY_TYPE_INFO: { ...plain('type', 'alias', 'size'), extension_info: 'empty', child_type: 'type' },
  DECIMAL_TYPE_INFO: { ...plain('type', 'alias', 'width', 'scale'), extension_info: 'empty' },
  GENERIC_TYPE_INFO: { ...plain('type', 'alias'), extension_info: 'empty' },
  LIST_TYPE_INFO: { ...plain('type', 'alias'), extension_info: 'empty', child_type: 'type' },
  STRING_TYPE_INFO: { ...plain('type', 'alias', 'collation'), extension_info: 'empty' },
  STRUCT_TYPE_INFO: { ...plain('type', 'alias'), extension_info: 'empty', child_types: 'structType' },
  UNBOUND_TYPE_INFO: {
    ...plain('type', 'alias', 'name', 'catalog', 'schema'),
    extension_info: 'empty',
    user_type_modifiers: 'constant',
  },
};

/** Nodes without a discriminator of their own, by field kind. */
export const PARTS: Readonly<Partial<Record<FieldKind, Shape>>> = {
  statement: { node: 'query', named_param_map: 'empty' },
  order: { type: 'plain', null_order: 'plain', expression: 'expression' },
  orderModifier: { type: 'plain', orders: 'order' },
  caseCheck: { when_expr: 'expression', then_expr: 'expression' },
  namedExpression: { key: 'plain', value: 'expression' },
  qualifiedName: plain('catalog', 'schema', 'table', 'column'),
  renamed: { key: 'qualifiedName', value: 'plain' },
  type: { id: 'plain', type_info: 'typeInfo' },
  structType: { first: 'plain', second: 'type' },
  sample: { ...plain('is_percentage', 'method', 'seed'), sample_size: 'constant' },
  pivotColumn: {
    ...plain('unpivot_names'),
    pivot_expressions: 'expression',
    entries: 'pivotEntry',
    pivot_enum: 'empty',
  },
  pivotEntry: { ...plain('alias'), values: 'constant', star_expr: 'expression' },
};
