import type { ColumnType } from '@svc/core/tables';
import type { PlanType } from './plan-types.ts';

const IDS = {
  boolean: 'BOOLEAN',
  int: 'INTEGER',
  long: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  string: 'VARCHAR',
  uuid: 'UUID',
  binary: 'BLOB',
} as const;

/** A column's type as the plan has it. */
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
      return { id: IDS[type.kind] };
  }
}
