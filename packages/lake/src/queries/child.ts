/**
 * The process that runs one query or load at a time, with an engine of its own for each, for one principal at most. It
 * decides nothing: the parent sends SQL that it has checked or written itself. What the engine may touch is fixed by the
 * settings that the parent sends first and then locks.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { readCsvHeader, scanCsv, scanNdjson } from '../writes/scan-lines.ts';
import type { ChildAnswers, ChildRequest, CopiedFile, EngineColumn, FromChild, ToChild } from './child-protocol.ts';
import { storePositions } from './deleted-positions.ts';
import { engineTypeOf } from './engine-types.ts';
import { addHashFunctions } from './hash-functions.ts';
import { jsonValue } from './json-values.ts';
import { literal } from './sql-text.ts';

const PROGRESS_EVERY_MS = 250;

const send = (message: FromChild): void => {
  process.send?.(message);
};

/** The engine of this moment. */
interface Engine {
  instance: DuckDBInstance;
  connection: DuckDBConnection;
}

async function open(): Promise<Engine> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: process.env['ENGINE_THREADS'] ?? '2',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run(
    "SET TimeZone = 'UTC'; SET enable_progress_bar = true; SET enable_progress_bar_print = false; ATTACH ':memory:' AS lake",
  );
  addHashFunctions(connection);
  return { instance, connection };
}

/** A fresh engine in place of one that ran a query: nothing of its data, settings or locks is left. */
async function renew(engine: Engine): Promise<number> {
  engine.connection.closeSync();
  engine.instance.closeSync();
  Object.assign(engine, await open());
  // Planned once, or the next query pays for it.
  await parse(engine.connection, 'SELECT 1');
  return process.memoryUsage.rss();
}

/** Does once, while nobody waits, what every query does: the first time costs several times the second. */
async function rehearse(connection: DuckDBConnection): Promise<void> {
  const file = path.join(process.cwd(), 'rehearsal.parquet').replaceAll("'", "''");
  await connection.run(
    `COPY (SELECT i AS a, 'x' AS b FROM range(10) t(i)) TO '${file}' (FORMAT parquet, RETURN_STATS)`,
  );
  await connection.run(`CREATE VIEW lake.main.rehearsal AS SELECT a, b FROM read_parquet(['${file}'])`);
  const written = await deparse(
    connection,
    await parse(connection, 'SELECT b, sum(a) AS s FROM lake.main.rehearsal GROUP BY b'),
  );
  await describe(connection, written!.sql);
  await copy(connection, `COPY (${written!.sql} ORDER BY s) TO '${file}' (FORMAT parquet, RETURN_STATS)`);
  await rows(connection, `SELECT * FROM read_parquet('${file}')`);
  await connection.run('DROP VIEW lake.main.rehearsal');
  await rm(file);
}

async function parse(connection: DuckDBConnection, sql: string): Promise<string> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  return String(reader.getRows()[0]![0]);
}

async function deparse(connection: DuckDBConnection, ast: string): Promise<ChildAnswers['deparse']> {
  try {
    const reader = await connection.runAndReadAll('SELECT json_deserialize_sql($1::JSON)', [ast]);
    const sql = String(reader.getRows()[0]![0]);
    return { sql, ast: await parse(connection, sql) };
  } catch {
    return null;
  }
}

async function describe(connection: DuckDBConnection, sql: string): Promise<EngineColumn[]> {
  const statement = await connection.prepare(sql);
  const columns: EngineColumn[] = [];
  for (let i = 0; i < statement.columnCount; i++) {
    columns.push({ name: statement.columnName(i), type: engineTypeOf(statement.columnType(i)) });
  }
  statement.destroySync();
  return columns;
}

class StatementFailure extends Error {
  readonly statement: number;

  constructor(error: unknown, statement: number) {
    super(error instanceof Error ? error.message : 'failed');
    this.statement = statement;
  }
}

async function run(connection: DuckDBConnection, statements: readonly string[]): Promise<null> {
  for (const [i, statement] of statements.entries()) {
    try {
      await connection.run(statement);
    } catch (error) {
      throw new StatementFailure(error, i);
    }
  }
  return null;
}

async function rows(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(jsonValue));
}

type StatisticsRow = {
  filename: string;
  count: string;
  file_size_bytes: string;
  column_statistics: { key: string; value: { key: string; value: string }[] }[] | null;
};

async function copy(connection: DuckDBConnection, sql: string): Promise<CopiedFile[]> {
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

async function copyResult(
  connection: DuckDBConnection,
  { sql, file, inline }: Extract<ChildRequest, { op: 'copy-result' }>,
): Promise<ChildAnswers['copy-result']> {
  const [copied] = await copy(connection, sql);
  const size = { rows: copied?.rows ?? 0, bytes: copied?.bytes ?? 0 };
  const small = size.rows <= inline.rows && size.bytes <= inline.bytes;
  return { ...size, cells: small ? await rows(connection, `SELECT * FROM read_parquet(${literal(file)})`) : null };
}

async function answer(engine: Engine, request: ChildRequest): Promise<unknown> {
  const { connection } = engine;
  switch (request.op) {
    case 'run':
      return run(connection, request.statements);
    case 'renew':
      return renew(engine);
    case 'positions':
      return storePositions(connection, request.vectors);
    case 'parse':
      return parse(connection, request.sql);
    case 'deparse':
      return deparse(connection, request.ast);
    case 'describe':
      return describe(connection, request.sql);
    case 'copy':
      return copy(connection, request.sql);
    case 'copy-result':
      return copyResult(connection, request);
    case 'texts':
      return (await connection.runAndReadAll(request.sql))
        .getRows()
        .map((row) => row.map((value) => (value === null ? null : String(value))));
    case 'csv-header':
      return readCsvHeader(request.path);
    case 'scan-csv':
      return scanCsv(request.path, request.columns, request.record);
    case 'scan-ndjson':
      return scanNdjson(request.path, request.record);
  }
}

async function main(): Promise<void> {
  const engine = await open();
  await rehearse(engine.connection);
  // The parent is the only reason to live; an orderly exit would wait for a running query.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const perform = async ({ id, request }: ToChild): Promise<void> => {
    const timer = setInterval(() => {
      const { percentage } = engine.connection.progress;
      send({ kind: 'progress', percentage, rss: process.memoryUsage.rss() });
    }, PROGRESS_EVERY_MS);
    await answer(engine, request)
      .then((value) => send({ kind: 'answer', id, value }))
      .catch((error: unknown) =>
        send({
          kind: 'error',
          id,
          message: error instanceof Error ? error.message : 'failed',
          ...(error instanceof StatementFailure ? { statement: error.statement } : {}),
        }),
      )
      .finally(() => clearInterval(timer));
  };
  // One after the other: an engine is not closed while a statement of it runs.
  let last = Promise.resolve();
  process.on('message', (message: ToChild) => {
    last = last.then(() => perform(message));
  });
  send({ kind: 'ready' });
}

await main();
