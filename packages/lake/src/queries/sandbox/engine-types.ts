import {
  type DuckDBArrayType,
  type DuckDBDecimalType,
  type DuckDBListType,
  type DuckDBMapType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';

/** A DuckDB type as plain data, for code that hasn't loaded the engine; `text` is its SQL spelling. */
export type EngineType = {
  readonly text: string;
  readonly id: keyof typeof DuckDBTypeId;
  readonly width?: number;
  readonly scale?: number;
  readonly names?: readonly string[];
  readonly inner?: readonly EngineType[];
};

export function engineTypeOf(type: DuckDBType): EngineType {
  const base = { text: String(type), id: DuckDBTypeId[type.typeId] as keyof typeof DuckDBTypeId };
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      return { ...base, width, scale };
    }
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return { ...base, inner: [engineTypeOf((type as DuckDBListType | DuckDBArrayType).valueType)] };
    case DuckDBTypeId.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      return { ...base, inner: [engineTypeOf(keyType), engineTypeOf(valueType)] };
    }
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      return { ...base, names: entryNames, inner: entryTypes.map(engineTypeOf) };
    }
    default:
      return base;
  }
}

/** A result column as the engine reports it. */
export type EngineColumn = { readonly name: string; readonly type: EngineType };
