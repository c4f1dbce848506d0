import type { DuckDBResult, DuckDBValue } from '@duckdb/node-api';

/** The rows, each made when it is asked for: the two thousand of a chunk may be gigabytes of text. */
export async function* streamRows(result: DuckDBResult): AsyncGenerator<DuckDBValue[]> {
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i));
    for (let row = 0; row < chunk.rowCount; row++) yield columns.map((column) => column.getItem(row));
  }
}
