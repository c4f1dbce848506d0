import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { jsonValue } from '../results/json-values.ts';
import type { ChildAnswers, ChildRequest, CopiedFile } from './child-protocol.ts';
import type { EngineColumn } from './engine-types.ts';
import { engineTypeOf } from './engine-types.ts';

export async function parse(connection: DuckDBConnection, sql: string): Promise<string> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  return String(reader.getRows()[0]![0]);
}

export async function deparse(connection: DuckDBConnection, ast: string): Promise<ChildAnswers['deparse']> {
  try {
    const reader = await connection.runAndReadAll('SELECT json_deserialize_sql($1::JSON)', [ast]);
    const sql = String(reader.getRows()[0]![0]);
    return { sql, ast: await parse(connection, sql) };
  } catch {
    return null;
  }
}

export async function describe(connection: DuckDBConnection, sql: string): Promise<EngineColumn[]> {
  const statement = await connection.prepare(sql);
  const columns = columnsOf(statement);
  statement.destroySync();
  return columns;
}

export function columnsOf(statement: DuckDBPreparedStatement): EngineColumn[] {
  return Array.from({ length: statement.columnCount }, (_, i) => ({
    name: statement.columnName(i),
    type: engineTypeOf(statement.columnType(i)),
  }));
}

export class StatementFailure extends Error {
  readonly statement: number;

  constructor(error: unknown, statement: number) {
    super(error instanceof Error ? error.message : 'failed');
    this.statement = statement;
  }
}

export async function run(connection: DuckDBConnection, statements: readonly string[]): Promise<null> {
  for (const [i, statement] of statements.entries()) {
    try {
      await connection.run(statement);
    } catch (error) {
      throw new StatementFailure(error, i);
    }
  }
  return null;
}

/** All at once, for each text of its own is a way to the engine and back. */
export async function confine(
  connection: DuckDBConnection,
  { settings, between, lock }: Omit<Extract<ChildRequest, { op: 'confine' }>, 'op'>,
): Promise<null> {
  try {
    await connection.run([settings, ...between, lock].join('\n;\n'));
    return null;
  } catch (error) {
    // Which one it was. Where one does not parse nothing was run, the settings neither.
    await connection.run(settings).catch(() => undefined);
    await run(connection, between);
    throw error;
  }
}

export async function rows(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(jsonValue));
}

type StatisticsRow = {
  filename: string;
  count: string;
  file_size_bytes: string;
  column_statistics: { key: string; value: { key: string; value: string }[] }[] | null;
};

export async function copy(connection: DuckDBConnection, sql: string): Promise<CopiedFile[]> {
  const reader = await connection.runAndReadAll(sql);
  return (reader.getRowObjectsJson() as unknown as StatisticsRow[]).map((row) => ({
    path: row.filename,
    rows: Number(row.count),
    bytes: Number(row.file_size_bytes),
    columns: Object.fromEntries(
      (row.column_statistics ?? []).map((c) => [c.key, Object.fromEntries(c.value.map((v) => [v.key, v.value]))]),
    ),
  }));
}
