import type { TrinoSql } from '../queries/sql-text.ts';
import { compare } from './comparisons.ts';
import { type Printed, printConstant } from './constants.ts';
import { printExpression } from './expressions.ts';
import { fieldOf } from './list-functions.ts';
import { indexOf, type Node, nodesOf, requireFields, unknownPart } from './plan-nodes.ts';
import { untranslated } from './untranslated.ts';

/** The conditions that DuckDB moved into a scan. `columnAt` returns a column of the table by its position there. */
export function printTableFilters(value: unknown, columnAt: (index: number) => Printed): TrinoSql[] {
  const filters = (value ?? {}) as Node;
  requireFields(filters, 'filters');
  return nodesOf(filters['filters']).flatMap((entry) => {
    requireFields(entry, 'key value');
    return printFilter(entry['value'] as Node, columnAt(indexOf(entry['key'])));
  });
}

/** Nothing for an optional filter: the plan also has the condition that it is derived from. */
function printFilter(filter: Node, column: Printed): TrinoSql[] {
  switch (filter['filter_type']) {
    case 'OPTIONAL_FILTER':
      return [];
    case 'CONSTANT_COMPARISON': {
      requireFields(filter, 'filter_type comparison_type constant');
      return [compare(String(filter['comparison_type']), column, printConstant(filter['constant'] as Node))];
    }
    case 'CONJUNCTION_AND': {
      requireFields(filter, 'filter_type child_filters');
      return nodesOf(filter['child_filters']).flatMap((child) => printFilter(child, column));
    }
    case 'STRUCT_EXTRACT': {
      requireFields(filter, 'filter_type child_idx child_name child_filter');
      return printFilter(filter['child_filter'] as Node, fieldAt(column, indexOf(filter['child_idx'])));
    }
    case 'EXPRESSION_FILTER': {
      requireFields(filter, 'filter_type expr');
      return [printExpression(filter['expr'] as Node, [column]).sql];
    }
    default:
      throw unknownPart(filter);
  }
}

function fieldAt(column: Printed, index: number): Printed {
  const field = column.type.id === 'STRUCT' ? column.type.fields[index] : undefined;
  if (field === undefined) throw untranslated('This form of reference');
  return { sql: fieldOf(column, field.name), type: field.type };
}
