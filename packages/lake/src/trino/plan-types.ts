import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import { indexOf, type Node, nodesOf } from './plan-nodes.ts';
import { identifier, integer } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

const SCALARS = {
  BOOLEAN: trino`boolean`,
  TINYINT: trino`tinyint`,
  SMALLINT: trino`smallint`,
  INTEGER: trino`integer`,
  BIGINT: trino`bigint`,
  HUGEINT: trino`decimal(38,0)`,
  FLOAT: trino`real`,
  DOUBLE: trino`double`,
  DATE: trino`date`,
  TIME: trino`time(6)`,
  TIMESTAMP: trino`timestamp(6)`,
  'TIMESTAMP WITH TIME ZONE': trino`timestamp(6) with time zone`,
  VARCHAR: trino`varchar`,
  UUID: trino`uuid`,
  BLOB: trino`varbinary`,
} as const;

/** A type in DuckDB's plan that Trino supports too; intervals only as constants that are added to a timestamp. */
export type PlanType =
  | { readonly id: keyof typeof SCALARS | 'NULL' | 'INTERVAL' }
  | { readonly id: 'DECIMAL'; readonly width: number; readonly scale: number }
  | { readonly id: 'LIST'; readonly element: PlanType }
  | { readonly id: 'MAP'; readonly key: PlanType; readonly value: PlanType }
  | { readonly id: 'STRUCT'; readonly fields: readonly { readonly name: string; readonly type: PlanType }[] };

export const BOOLEAN: PlanType = { id: 'BOOLEAN' };
export const BIGINT: PlanType = { id: 'BIGINT' };

/** @throws QueryRejectedError for a type that Trino lacks */
export function typeOf(value: unknown): PlanType {
  const node = value as Node;
  const id = String(node['id']);
  const info = (node['type_info'] ?? null) as Node | null;
  if (info?.['alias']) throw untranslated(`The type ${String(info['alias']).slice(0, 40)}`);
  if (info === null && (Object.hasOwn(SCALARS, id) || id === 'NULL' || id === 'INTERVAL')) return { id } as PlanType;
  if (id === 'DECIMAL' && info !== null) return { id, width: indexOf(info['width']), scale: indexOf(info['scale']) };
  if (id === 'LIST' && info !== null) return { id, element: typeOf(info['child_type']) };
  if (id === 'STRUCT' && info !== null) return { id, fields: fieldsOf(info) };
  if (id === 'MAP' && info !== null) {
    const [key, of] = fieldsOf((info['child_type'] as Node)['type_info'] as Node);
    return { id, key: key!.type, value: of!.type };
  }
  throw untranslated(`The type ${id.slice(0, 40)}`);
}

function fieldsOf(info: Node): { name: string; type: PlanType }[] {
  const fields = nodesOf(info['child_types']).map((f) => ({ name: String(f['first']), type: typeOf(f['second']) }));
  // Trino compares field names case-insensitively and accesses fields by name.
  const names = new Set(fields.map((f) => f.name.toLowerCase()));
  if (names.size < fields.length || names.has('')) throw untranslated('A struct with unnamed fields');
  return fields;
}

/** The type's name in Trino's SQL. */
export function trinoType(type: PlanType): TrinoSql {
  switch (type.id) {
    case 'DECIMAL':
      return trino`decimal(${integer(type.width)},${integer(type.scale)})`;
    case 'LIST':
      return trino`array(${trinoType(type.element)})`;
    case 'MAP':
      return trino`map(${trinoType(type.key)}, ${trinoType(type.value)})`;
    case 'STRUCT':
      return trino`row(${joinedTrino(type.fields.map((f) => trino`${identifier(f.name)} ${trinoType(f.type)}`))})`;
    case 'NULL':
      return trino`integer`;
    case 'INTERVAL':
      throw untranslated("An interval that isn't added to or subtracted from a date or timestamp");
    default:
      return SCALARS[type.id];
  }
}

export const sameType = (a: PlanType, b: PlanType): boolean => JSON.stringify(a) === JSON.stringify(b);

const INTEGERS: readonly string[] = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT'];

export const isInteger = ({ id }: PlanType): boolean => INTEGERS.includes(id);
export const isExact = (type: PlanType): boolean => isInteger(type) || type.id === 'HUGEINT' || type.id === 'DECIMAL';
export const isFloating = ({ id }: PlanType): boolean => id === 'FLOAT' || id === 'DOUBLE';
export const isNested = ({ id }: PlanType): boolean => id === 'LIST' || id === 'MAP' || id === 'STRUCT';
export const isMoment = ({ id }: PlanType): boolean => id === 'TIMESTAMP' || id === 'TIMESTAMP WITH TIME ZONE';
