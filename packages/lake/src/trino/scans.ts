import { isLosslessNumber } from 'lossless-json';
import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import { printConstant } from './constants.ts';
import { indexOf, type Node, nodesOf, requireFields, unknownPart } from './plan-nodes.ts';
import { BIGINT, typeOf } from './plan-types.ts';
import type { Relation } from './relations.ts';
import { printTableFilters } from './table-filters.ts';
import { integer, numbered } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

/** A table of the statement: how Trino reads it, and the names of its columns. */
export type SourceTable = { readonly sql: TrinoSql; readonly columns: readonly string[] };

/** The tables that a statement may read, by their name in DuckDB; undefined for all others. */
export type TableSource = (schema: string, table: string) => SourceTable | undefined;

const KNOWN =
  'type children table_index returned_types names name arguments original_arguments catalog_name schema_name has_serialize function_data column_indexes extra_info ordinality_idx parameters input_table_types input_table_names table_filters';
const EMPTY = 'projection_ids projected_input row_group_order_options named_parameters';

/** The value of a missing index. */
const NO_INDEX = '18446744073709551615';
const isNoIndex = (value: unknown): boolean => isLosslessNumber(value) && value.value === NO_INDEX;

/** A table, or the rows of `range`. @throws QueryRejectedError */
export function printScan(node: Node, source: TableSource): Relation {
  requireFields(node, KNOWN, EMPTY);
  const extra = (node['extra_info'] ?? {}) as Node;
  const plain = extra['sample_options'] === null && extra['file_filters'] === '' && isNoIndex(node['ordinality_idx']);
  if (!plain || nodesOf(node['children']).length > 0) throw unknownPart(node);
  if (node['name'] === 'seq_scan') return table(node, source);
  if (node['name'] === 'range' || node['name'] === 'generate_series') return range(node);
  if (node['name'] === 'json_execute_serialized_sql')
    throw untranslated('VALUES on its own, a number such as 1e10, or another expression that DuckDB folds away');
  throw untranslated(`The table function "${String(node['name']).slice(0, 60)}"`);
}

function table(node: Node, source: TableSource): Relation {
  const { catalog, schema, table: name } = (node['function_data'] ?? {}) as Node;
  const found = catalog === 'lake' ? source(String(schema), String(name)) : undefined;
  if (found === undefined) throw unknownPart(node);
  const names = node['names'] as unknown as string[];
  const types = nodesOf(node['returned_types']);
  const columns = nodesOf(node['column_indexes']).map((column) => {
    if (nodesOf(column['child_indexes']).length > 0 || isNoIndex(column['index'])) throw unknownPart(node);
    const at = indexOf(column['index']);
    if (!found.columns.includes(names[at]!)) throw unknownPart(node);
    return { at: found.columns.indexOf(names[at]!), type: typeOf(types[at]) };
  });
  const list = columns.map(({ at }, i) => trino`t.${numbered('v', at)} AS ${numbered('c', i)}`);
  const filters = printTableFilters(node['table_filters'], (index) => {
    const name = names[index];
    if (name === undefined || !found.columns.includes(name)) throw unknownPart(node);
    return { sql: trino`t.${numbered('v', found.columns.indexOf(name))}`, type: typeOf(types[index]) };
  });
  const where = filters.length === 0 ? trino`` : trino` WHERE ${joinedTrino(filters, ' AND ')}`;
  const sql = trino`SELECT ${joinedTrino(list)} FROM (${found.sql}) t${where}`;
  return { sql, types: columns.map((c) => c.type), order: [], stable: true };
}

/** The integers of a range. */
function range(node: Node): Relation {
  const parameters = nodesOf(node['parameters']).map((value) => printConstant(value));
  if (parameters.some((p) => p.type.id !== 'BIGINT' || typeof p.constant !== 'string')) {
    throw untranslated('A range with bounds that are not constant integers');
  }
  const numbers = parameters.map((p) => BigInt(p.constant as string));
  const [start, end, step] =
    numbers.length === 1 ? [0n, numbers[0]!, 1n] : [numbers[0]!, numbers[1]!, numbers[2] ?? 1n];
  if (step === 0n) throw untranslated('A range with a step of 0');
  const direction = step > 0n ? 1n : -1n;
  const last = node['name'] === 'range' ? end - direction : end;
  const empty = step > 0n ? start > last : start < last;
  const rows = trino`TABLE(sequence(start => ${integer(start)}, stop => ${integer(last)}, step => ${integer(step)}))`;
  const sql = empty
    ? trino`SELECT t.c0 FROM (VALUES BIGINT '0') t(c0) WHERE false`
    : trino`SELECT t.sequential_number AS c0 FROM ${rows} t`;
  return { sql, types: [BIGINT], order: [], stable: true };
}
