import fs from 'node:fs/promises';
import { type DuckDBConnection, listValue } from '@duckdb/node-api';
import { readDeletionVector } from '../../tables/manifests/deletion-vector.ts';
import { type DeletedPosition, POSITIONS } from '../relations/deleted-positions.ts';
import { sql } from '../sql-text.ts';

const AT_ONCE = 100_000;

/** Lays the positions of deletion vectors out in the engine, as rows of file and position. */
export async function storePositions(connection: DuckDBConnection, vectors: readonly DeletedPosition[]): Promise<null> {
  await connection.run('CREATE SCHEMA IF NOT EXISTS lake."(deletes)"');
  await connection.run(sql`CREATE TABLE IF NOT EXISTS ${POSITIONS} (file VARCHAR, pos BIGINT)`.text);
  const statement = await connection.prepare(
    sql`INSERT INTO ${POSITIONS} SELECT $1::VARCHAR, unnest($2::BIGINT[])`.text,
  );
  for (const { path, offset, length, file } of vectors) {
    const positions = readDeletionVector(await readPiece(path, offset, length));
    for (let at = 0; at < positions.length; at += AT_ONCE) {
      statement.bindVarchar(1, file);
      statement.bindList(2, listValue(positions.slice(at, at + AT_ONCE)));
      await statement.run();
    }
  }
  statement.destroySync();
  return null;
}

async function readPiece(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await fs.open(path, 'r');
  try {
    const { size } = await file.stat();
    if (offset < 0 || length < 0 || offset + length > size) throw new Error('A deletion vector is cut off.');
    const piece = Buffer.alloc(length);
    await file.read(piece, 0, length, offset);
    return piece;
  } finally {
    await file.close();
  }
}
