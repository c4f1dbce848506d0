import { DuckDBDecimalValue, type DuckDBValue } from '@duckdb/node-api';
import type { EngineType } from '../sandbox/engine-types.ts';

/** Casts a cell as `castQuery` would, without the engine. Undefined if the engine has to decide. */
export type CellCast = (value: DuckDBValue) => DuckDBValue | undefined;

/** Smaller integers: the value stays the same. */
const INTEGERS: ReadonlySet<EngineType['id']> = new Set(['TINYINT', 'SMALLINT', 'UTINYINT', 'USMALLINT', 'UINTEGER']);

/** The precision of the decimals that larger integers become. */
const DECIMALS: Readonly<Partial<Record<EngineType['id'], number>>> = { UBIGINT: 20, HUGEINT: 38, UHUGEINT: 38 };

/** The cast for the columns of a type that a result doesn't have, or null if only the engine can cast it. */
export function castOf({ id }: EngineType): CellCast | null {
  if (INTEGERS.has(id)) return (value) => value;
  const precision = DECIMALS[id];
  if (precision === undefined) return null;
  const limit = 10n ** BigInt(precision);
  return (value) => {
    if (typeof value !== 'bigint') return value === null ? null : undefined;
    return value < limit && value > -limit ? new DuckDBDecimalValue(value, precision, 0) : undefined;
  };
}
