import type { DuckDBResult, DuckDBValue } from '@duckdb/node-api';

/** Yields rows lazily: the 2,000 rows of a chunk may contain gigabytes of text. */
export async function* streamRows(result: DuckDBResult): AsyncGenerator<DuckDBValue[]> {
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i));
    for (let row = 0; row < chunk.rowCount; row++) yield columns.map((column) => column.getItem(row));
  }
}
