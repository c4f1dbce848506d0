/**
 * The process that runs one query or load at a time, with an engine of its own for each, for one principal at most. It
 * decides nothing: the parent sends SQL that it has checked or written itself. What the engine may touch is fixed by the
 * settings that the parent sends first and then locks.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { readCsvHeader, scanCsv, scanNdjson } from '../../writes/scan-lines.ts';
import { literal } from '../sql-text.ts';
import type { ChildRequest, FromChild, ToChild } from './child-protocol.ts';
import { confine, copy, deparse, describe, parse, run, StatementFailure } from './child-statements.ts';
import { giveResult } from './give-result.ts';
import { addHashFunctions } from './hash-functions.ts';
import { storePositions } from './store-positions.ts';

const PROGRESS_EVERY_MS = 250;
/** Of the engine, from the process that started this one. */
const SETTINGS = JSON.parse(process.env['ENGINE_SETTINGS']!) as Record<string, string>;

const send = (message: FromChild): void => {
  process.send?.(message);
};

/** The engine of this moment. */
interface Engine {
  instance: DuckDBInstance;
  connection: DuckDBConnection;
  /** Some of what confines it may have failed: it is asked nothing more. */
  unconfined: boolean;
}

async function open(): Promise<Engine> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...SETTINGS,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run(
    "SET TimeZone = 'UTC'; SET enable_progress_bar = true; SET enable_progress_bar_print = false; ATTACH ':memory:' AS lake",
  );
  addHashFunctions(connection);
  return { instance, connection, unconfined: false };
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
async function rehearse(connection: DuckDBConnection): Promise<null> {
  const [read, file] = ['rehearsal.parquet', 'rehearsed.parquet'].map((name) => path.join(process.cwd(), name)) as [
    string,
    string,
  ];
  await connection.run(
    `COPY (SELECT i AS a, 'x' AS b FROM range(10) t(i)) TO ${literal(read)} (FORMAT parquet, RETURN_STATS)`,
  );
  await connection.run(`CREATE VIEW lake.main.rehearsal AS SELECT a, b FROM read_parquet([${literal(read)}])`);
  const text = 'SELECT b, sum(a) AS s FROM lake.main.rehearsal GROUP BY b ORDER BY s LIMIT 10';
  const { sql } = (await deparse(connection, await parse(connection, text)))!;
  const inline = { rows: 10, bytes: 1000 };
  for (const few of [true, false]) await giveResult(connection, { sql, file, inline, few });
  await connection.run('DROP VIEW lake.main.rehearsal');
  for (const written of [read, file]) await rm(written);
  return null;
}

async function answer(engine: Engine, request: ChildRequest): Promise<unknown> {
  const { connection } = engine;
  // What is asked behind a confinement does not wait for its answer.
  if (engine.unconfined && request.op !== 'renew') throw new Error('The engine could not be confined.');
  switch (request.op) {
    case 'run':
      return run(connection, request.statements);
    case 'confine':
      return confine(connection, request).catch((error: unknown) => {
        engine.unconfined = true;
        throw error;
      });
    case 'renew':
      return renew(engine);
    case 'rehearse':
      return rehearse(connection);
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
    case 'result':
      return giveResult(connection, request);
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
