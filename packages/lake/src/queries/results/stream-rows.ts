import type { DuckDBDataChunk, DuckDBMaterializedResult, DuckDBResult, DuckDBValue } from '@duckdb/node-api';

/** Yields the rows of each chunk, which are lazy: the 2,000 rows of a chunk may contain gigabytes of text. */
export async function* streamRows(result: DuckDBResult): AsyncGenerator<Iterable<DuckDBValue[]>> {
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    yield rowsOfChunk(chunk);
  }
}

/** Yields the rows of a result that the engine has in memory, without a task for its threads. */
export function* rowsOf(result: DuckDBMaterializedResult): Generator<DuckDBValue[]> {
  for (let i = 0; i < result.chunkCount; i++) yield* rowsOfChunk(result.getChunk(i));
}

function* rowsOfChunk(chunk: DuckDBDataChunk): Generator<DuckDBValue[]> {
  const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i));
  const { rowCount } = chunk;
  for (let row = 0; row < rowCount; row++) yield columns.map((column) => column.getItem(row));
}
