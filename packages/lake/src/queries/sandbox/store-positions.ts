import fs from 'node:fs/promises';
import { type DuckDBConnection, type DuckDBPreparedStatement, listValue } from '@duckdb/node-api';
import { DeletionVectorError, MAX_VECTOR_BYTES, readDeletionVector } from '@svc/iceberg/encoding';
import { type DeletedPosition, POSITIONS } from '../relations/deleted-positions.ts';
import { sql } from '../sql-text.ts';

const BATCH_SIZE = 100_000;

/**
 * Loads the positions of deletion vectors into the engine, as rows of file and position.
 *
 * @returns what is wrong with one of them, or null once all are loaded
 */
export async function storePositions(
  connection: DuckDBConnection,
  vectors: readonly DeletedPosition[],
): Promise<string | null> {
  await connection.run('CREATE SCHEMA IF NOT EXISTS lake."(deletes)"');
  await connection.run(sql`CREATE TABLE IF NOT EXISTS ${POSITIONS} (file VARCHAR, pos BIGINT)`.text);
  const statement = await connection.prepare(
    sql`INSERT INTO ${POSITIONS} SELECT $1::VARCHAR, unnest($2::BIGINT[])`.text,
  );
  try {
    for (const vector of vectors) await storeOne(statement, vector);
    return null;
  } catch (error) {
    if (error instanceof DeletionVectorError) return error.message;
    throw error;
  } finally {
    statement.destroySync();
  }
}

async function storeOne(statement: DuckDBPreparedStatement, vector: DeletedPosition): Promise<void> {
  let batch: bigint[] = [];
  const store = async () => {
    statement.bindVarchar(1, vector.file);
    statement.bindList(2, listValue(batch));
    await statement.run();
    batch = [];
  };
  for (const position of await readPositions(vector)) {
    batch.push(BigInt(position));
    if (batch.length === BATCH_SIZE) await store();
  }
  if (batch.length > 0) await store();
}

/** @throws DeletionVectorError, possibly after some positions */
export async function readPositions(vector: DeletedPosition): Promise<Iterable<number>> {
  return readDeletionVector(await readPiece(vector), vector);
}

async function readPiece({ path, offset, length }: DeletedPosition): Promise<Buffer> {
  if (length > MAX_VECTOR_BYTES) throw new DeletionVectorError(`it has more than ${MAX_VECTOR_BYTES} bytes`);
  const file = await fs.open(path, 'r');
  try {
    const { size } = await file.stat();
    if (offset + length > size) throw new DeletionVectorError('its file ends before it does');
    const piece = Buffer.alloc(length);
    await file.read(piece, 0, length, offset);
    return piece;
  } finally {
    await file.close();
  }
}
