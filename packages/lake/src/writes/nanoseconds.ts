import type { EngineType } from '../queries/sandbox/engine-types.ts';
import { joined, literal, numbered, type Sql, sql } from '../queries/sql-text.ts';

/**
 * Whether a value holds a part of a microsecond, which a table's timestamps don't keep; null where its type has none.
 * Nanoseconds in a time zone are cut by the engine's reader before anyone can look.
 */
export function belowMicrosecond(type: EngineType, value: Sql, depth = 0): Sql | null {
  const item = numbered('svc_ns_', depth);
  const any = (inner: EngineType, items: Sql): Sql | null => {
    const test = belowMicrosecond(inner, item, depth + 1);
    return test === null ? null : sql`len(list_filter(${items}, lambda ${item}: ${test})) > 0`;
  };
  switch (type.id) {
    case 'TIMESTAMP_NS':
      return sql`coalesce(isfinite(${value}) AND epoch_ns(${value}) % 1000 <> 0, false)`;
    case 'LIST':
    case 'ARRAY':
      return either([any(type.inner![0]!, value)]);
    case 'MAP':
      return either([any(type.inner![0]!, sql`map_keys(${value})`), any(type.inner![1]!, sql`map_values(${value})`)]);
    case 'STRUCT':
      return either(
        type.inner!.map((inner, i) =>
          belowMicrosecond(inner, sql`struct_extract(${value}, ${literal(type.names![i]!)})`, depth),
        ),
      );
    default:
      return null;
  }
}

function either(tests: readonly (Sql | null)[]): Sql | null {
  const some = tests.filter((test) => test !== null).map((test) => sql`coalesce(${test}, false)`);
  return some.length === 0 ? null : sql`(${joined(some, ' OR ')})`;
}
