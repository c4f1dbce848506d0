/**
 * The process that runs one query or load at a time for at most one principal. It parses and guards the statement (`read`),
 * so that a slow one takes only its own query's time. The parent decides everything else: it sends SQL that was guarded or that
 * it has written itself, and says which engine runs it. The settings that it sends first and then locks determine what an
 * engine can access.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { readCsvHeader } from '../../writes/csv-header.ts';
import { scanCsv } from '../../writes/scan-csv.ts';
import { scanNdjson } from '../../writes/scan-ndjson.ts';
import { splitLines } from '../../writes/split-lines.ts';
import { writeRejected } from '../../writes/write-rejected.ts';
import { literal, sql } from '../sql-text.ts';
import type { ChildRequest, FromChild, SetAside, ToChild } from './child-protocol.ts';
import {
  copy,
  describe,
  describeUnbound,
  disableOptimizers,
  readPolicy,
  read as readText,
  run,
  StatementError,
  texts,
} from './child-statements.ts';
import { EngineParser } from './engine-parser.ts';
import { exitWithParent } from './exit-with-parent.ts';
import { addHashFunctions } from './hash-functions.ts';
import { readLayoutRows } from './layout-rows.ts';
import { refuseSessionNames } from './session-names.ts';
import { storePositions } from './store-positions.ts';
import { writeResult } from './write-result.ts';

const PROGRESS_EVERY_MS = 250;
/** Engine settings from the parent process. */
const SETTINGS = JSON.parse(process.env['ENGINE_SETTINGS']!) as Record<string, string>;

const send = (message: FromChild): void => {
  process.send?.(message);
};

interface Engine {
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  readonly parser: EngineParser;
  /** `broken`: part of the confinement may have failed, so it rejects further work. */
  state: 'open' | 'confined' | 'broken';
}

/** The engines of this process: the active one, a fresh one, and confined ones that may run another query over their views. */
interface Engines {
  active: Engine;
  fresh: Engine | null;
  readonly bound: Map<number, Engine>;
}

/**
 * Requests allowed before the engine is confined: nothing that depends on a table's contents, and texts only as
 * parameters.
 */
const UNCONFINED: ReadonlySet<ChildRequest['op']> = new Set([
  'confine',
  'renew',
  'use',
  'forget',
  'read',
  'read-policy',
  'layouts',
  'disable-optimizers',
]);

const create = (): Promise<DuckDBInstance> =>
  DuckDBInstance.create(':memory:', {
    ...SETTINGS,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });

async function open(): Promise<Engine> {
  const instance = await create();
  const connection = await instance.connect();
  // A statement is planned more than once, and each plan reads the metadata of its files.
  await connection.run(
    "SET parquet_metadata_cache = true; SET TimeZone = 'UTC'; SET enable_progress_bar = true; SET enable_progress_bar_print = false; ATTACH ':memory:' AS lake",
  );
  addHashFunctions(connection);
  await refuseSessionNames(connection);
  const parser = new EngineParser(connection);
  // Plan one statement now, or the first query pays for the first plan.
  await parser.parse('SELECT 1');
  return { instance, connection, parser, state: 'open' };
}

function close({ connection, instance, parser }: Engine): void {
  parser.close();
  connection.closeSync();
  instance.closeSync();
}

function setAside(engines: Engines, as: SetAside): void {
  if (as === 'fresh') engines.fresh = engines.active;
  else if (as === null) close(engines.active);
  else engines.bound.set(as, engines.active);
}

/** Makes a fresh engine the active one: it has no data, settings or locks of earlier queries. */
async function renew(engines: Engines, as: SetAside): Promise<null> {
  setAside(engines, as);
  engines.active = engines.fresh ?? (await open());
  engines.fresh = null;
  return null;
}

/** Makes an engine that was set aside the active one again. */
function use(engines: Engines, engine: number, as: SetAside): null {
  const found = engines.bound.get(engine);
  if (found === undefined) throw new Error('The engine was closed.');
  engines.bound.delete(engine);
  setAside(engines, as);
  engines.active = found;
  return null;
}

function forget({ bound }: Engines, engine: number): null {
  const found = bound.get(engine);
  bound.delete(engine);
  if (found !== undefined) close(found);
  return null;
}

/** An engine that has warmed up. If that fails, such as on a full disk, queries without files may still run. */
async function openWarm(): Promise<Engine> {
  const engine = await open();
  const [read, file] = ['warm-up.parquet', 'result.parquet'].map((name) => path.join(process.cwd(), name)) as [
    string,
    string,
  ];
  try {
    await warmUp(engine, { read, file });
    return engine;
  } catch {
    close(engine);
    // Whatever prevents the removal is reported to the queries.
    for (const path of [read, file]) await rm(path, { force: true }).catch(() => undefined);
    return open();
  }
}

/**
 * Runs the steps of a typical query once while nobody waits: the first run of the process takes several times as long as the
 * second.
 */
async function warmUp(
  { connection, parser }: Engine,
  { read, file }: { readonly read: string; readonly file: string },
): Promise<void> {
  const rows = sql`SELECT i AS a, 'x' AS b FROM range(10) t(i)`;
  await connection.run(sql`COPY (${rows}) TO ${literal(read)} (FORMAT parquet, RETURN_STATS)`.text);
  await connection.run(sql`CREATE VIEW lake.main.warmup AS SELECT a, b FROM read_parquet([${literal(read)}])`.text);
  const text = 'SELECT b, sum(a) AS s FROM main.warmup GROUP BY b ORDER BY s LIMIT 10';
  const written = await readText(parser, { sql: text });
  if (!written.ok) throw new Error(written.message);
  const inline = { rows: 10, bytes: 1000 };
  for (const isSmall of [true, false]) await writeResult(connection, { sql: written.sql, file, inline, isSmall });
  await connection.run('DROP VIEW lake.main.warmup');
  await rm(read);
}

async function confine(engine: Engine, settings: string): Promise<null> {
  // More requests are already on their way and must not reach a partially confined engine.
  engine.state = 'broken';
  await engine.connection.run(settings);
  engine.state = 'confined';
  return null;
}

async function answer(engines: Engines, request: ChildRequest): Promise<unknown> {
  const engine = engines.active;
  const { connection, parser } = engine;
  if (engine.state === 'broken' && request.op !== 'renew') throw new Error("The engine couldn't be sandboxed.");
  if (engine.state === 'open' && !UNCONFINED.has(request.op)) throw new Error("The engine isn't sandboxed yet.");
  switch (request.op) {
    case 'run':
      return run(connection, request.statements);
    case 'confine':
      return confine(engine, request.settings);
    case 'layouts':
      return readLayoutRows(await create(), request.paths);
    case 'disable-optimizers':
      return disableOptimizers(connection, request.which);
    case 'renew':
      return renew(engines, request.setAside);
    case 'use':
      return use(engines, request.engine, request.setAside);
    case 'forget':
      return forget(engines, request.engine);
    case 'positions':
      return storePositions(connection, request.vectors);
    case 'read':
      return readText(parser, request);
    case 'read-policy':
      return readPolicy(parser, request.text);
    case 'describe':
      return describe(connection, request.sql);
    case 'describe-unbound':
      return describeUnbound(connection, request.sql);
    case 'copy':
      return copy(connection, request.sql);
    case 'result':
      return writeResult(connection, request);
    case 'texts':
      return texts(connection, request.sql);
    case 'csv-header':
      return readCsvHeader(request.path, request.dialect);
    case 'cut-timestamp':
      // Only the few files with such columns need this module.
      return import('../../writes/nanoseconds.ts').then(({ findTruncatedTimestamp }) =>
        findTruncatedTimestamp(request.path),
      );
    case 'scan-csv':
      return scanCsv(request.path, request.columns, request.record, request.dialect);
    case 'scan-ndjson':
      return scanNdjson(request.path, request.record);
    case 'split-lines':
      return splitLines(request);
    case 'write-rejected':
      return writeRejected(request);
  }
}

async function main(): Promise<void> {
  const engines: Engines = { active: await openWarm(), fresh: null, bound: new Map() };
  // Without its parent the child has no purpose; an orderly exit would wait for a running query.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // The parent may be gone already.
  if (!process.connected) process.kill(process.pid, 'SIGKILL');
  const perform = async ({ id, request }: ToChild): Promise<void> => {
    const timer = setInterval(() => {
      const { percentage } = engines.active.connection.progress;
      send({ kind: 'progress', percentage, rss: process.memoryUsage.rss() });
    }, PROGRESS_EVERY_MS);
    await answer(engines, request)
      .then((value) => send({ kind: 'answer', id, value, rss: process.memoryUsage.rss() }))
      .catch((error: unknown) =>
        send({
          kind: 'error',
          id,
          rss: process.memoryUsage.rss(),
          message: error instanceof Error ? error.message : 'failed',
          ...(error instanceof StatementError ? { statement: error.statement } : {}),
        }),
      )
      .finally(() => clearInterval(timer));
  };
  // Run requests in sequence: an engine must not be closed while one of its statements runs.
  let last = Promise.resolve();
  process.on('message', (message: ToChild) => {
    last = last.then(() => perform(message));
  });
  send({ kind: 'ready' });
  // Nobody waits for this thread to start.
  if (process.env['ENGINE_WATCHES_PARENT'] === 'true') exitWithParent();
}

await main();
