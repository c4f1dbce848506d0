/** Column types on the wire: Iceberg names; SQL spellings are accepted and normalized (TABLE-3). */
export { type ColumnType, formatColumnType, type PrimitiveKind, type StructField } from './column-type.ts';
export {
  COLUMN_TYPE_SYNTAX,
  normalizeColumnType,
  type ParsedColumnType,
  parseColumnType,
} from './parse-column-type.ts';
