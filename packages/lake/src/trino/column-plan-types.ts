import type { ColumnType } from '@svc/core/tables';
import { DUCKDB_NAMES } from '../tables/index.ts';
import type { PlanType } from './plan-types.ts';

/** A column's type in the plan's form. */
export function columnPlanType(type: ColumnType): PlanType {
  switch (type.kind) {
    case 'decimal':
      return { id: 'DECIMAL', width: type.precision, scale: type.scale };
    case 'list':
      return { id: 'LIST', element: columnPlanType(type.element) };
    case 'map':
      return { id: 'MAP', key: columnPlanType(type.key), value: columnPlanType(type.value) };
    case 'struct':
      return { id: 'STRUCT', fields: type.fields.map((f) => ({ name: f.name, type: columnPlanType(f.type) })) };
    default:
      return { id: DUCKDB_NAMES[type.kind] };
  }
}
