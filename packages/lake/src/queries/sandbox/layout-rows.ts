import { type DuckDBInstance, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import { textsOf } from './child-statements.ts';
import { confining } from './confining.ts';

const SCHEMAS = `
  SELECT file_name, name, field_id, num_children, repetition_type, converted_type, logical_type, duckdb_type
  FROM parquet_schema($1)
  ORDER BY file_name, column_id`;

/**
 * The schemas of Parquet files, one row per schema element. Files are untrusted input, and the query's engine can't be
 * confined before all its files are known, so a separate engine that is confined to them reads them and is then closed.
 */
export async function readLayoutRows(instance: DuckDBInstance, paths: readonly string[]): Promise<(string | null)[][]> {
  try {
    const connection = await instance.connect();
    await connection.run(confining(paths, []).text);
    const reader = await connection.runAndReadAll(SCHEMAS, [listValue(paths)], [LIST(VARCHAR)]);
    connection.closeSync();
    return textsOf(reader);
  } finally {
    instance.closeSync();
  }
}
