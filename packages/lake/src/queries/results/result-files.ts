import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import { formatColumnType } from '@svc/core/tables';
import type { ObjectStore } from '../../storage/index.ts';
import { engineTypeOf } from '../sandbox/engine-types.ts';
import { integer, literal, type Sql, sql } from '../sql-text.ts';
import { type CsvOptions, csvWriter } from './csv-lines.ts';
import { jsonValue } from './json-values.ts';
import type { ResultPage } from './result-columns.ts';
import { icebergTypeOf, type ResultColumn } from './result-columns.ts';
import { rowsQuery } from './result-rows.ts';
import { ResultTooLargeError } from './result-too-large.ts';
import { streamRows } from './stream-rows.ts';

/**
 * Reads the Parquet files that `runQuery` wrote, in this process: they are the service's own, so no sandbox is needed.
 * The engine starts at the first use and has a small memory limit. Locations come from the caller's records, never from
 * a request.
 */
export class ResultFiles {
  private readonly store: ObjectStore;
  private instance: Promise<DuckDBInstance> | undefined;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  async page(location: string, range: { readonly offset: number; readonly limit: number }): Promise<ResultPage> {
    return this.withFile(location, async (connection, file) => {
      const count = await connection.runAndReadAll(sql`SELECT num_rows FROM parquet_file_metadata(${file})`.text);
      const page = sql`SELECT * FROM ${rowsOf(file)} LIMIT ${size(range.limit)} OFFSET ${size(range.offset)}`;
      const result = await connection.stream(page.text);
      return { columns: columnsOf(result), rows: await firstRows(result), total: Number(count.getRows()[0]![0]) };
    }).catch(throwTooLarge);
  }

  /** See `ResultReader.csv`. */
  async *csv(location: string, options: CsvOptions): AsyncGenerator<string> {
    const { connection, file } = await this.open(location);
    try {
      const result = await connection.stream(sql`SELECT * FROM ${rowsOf(file)}`.text);
      const csv = csvWriter(columnsOf(result), options);
      yield csv.header;
      let chunk = '';
      for await (const rows of streamRows(result)) {
        for (const row of rows) {
          chunk += csv.line(row.map(jsonValue));
          if (chunk.length < CSV_PIECE) continue;
          yield chunk;
          chunk = '';
        }
      }
      if (chunk !== '') yield chunk;
    } finally {
      connection.closeSync();
    }
  }

  /** Writes rows in their JSON form as the Parquet file that a query with this result would write. */
  async write(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[], file: string): Promise<void> {
    const connection = await this.connect();
    try {
      const copy = sql`COPY (${rowsQuery(columns)}) TO ${literal(file)} (FORMAT parquet)`;
      await connection.run(copy.text, [JSON.stringify(rows)]);
    } finally {
      connection.closeSync();
    }
  }

  async close(): Promise<void> {
    const instance = await this.instance;
    this.instance = undefined;
    instance?.closeSync();
  }

  private async withFile<R>(location: string, work: (connection: DuckDBConnection, file: Sql) => Promise<R>) {
    const { connection, file } = await this.open(location);
    try {
      return await work(connection, file);
    } finally {
      connection.closeSync();
    }
  }

  private async open(location: string): Promise<{ connection: DuckDBConnection; file: Sql }> {
    const file = literal(await this.store.localPath(location));
    return { connection: await this.connect(), file };
  }

  private async connect(): Promise<DuckDBConnection> {
    this.instance ??= DuckDBInstance.create(':memory:', { threads: '1', memory_limit: MEMORY });
    const connection = await (await this.instance).connect();
    await connection.run("SET TimeZone = 'UTC'");
    return connection;
  }
}

/** Without columns from the names of folders. */
const rowsOf = (file: Sql): Sql => sql`read_parquet(${file}, hive_partitioning = false)`;

/** Memory of the reading engine: it decompresses at least the 2,000 rows of a chunk at a time. */
const MEMORY = '1GB';

function throwTooLarge(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Out of Memory Error'))
    throw new ResultTooLargeError({ cause: error });
  throw error;
}

/** Characters of JSON and cells of one page. A page ends early if it exceeds either, but has at least one row. */
const PAGE = { characters: 8 * 1024 * 1024, cells: 500_000 };
const CSV_PIECE = 256 * 1024;

async function firstRows(result: DuckDBResult): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  let characters = 0;
  for await (const chunk of streamRows(result)) {
    for (const values of chunk) {
      const row = values.map(jsonValue);
      characters += JSON.stringify(row).length;
      if (rows.length > 0 && (characters > PAGE.characters || (rows.length + 1) * row.length > PAGE.cells)) return rows;
      rows.push(row);
    }
  }
  return rows;
}

function columnsOf(result: Pick<DuckDBResult, 'deduplicatedColumnNames' | 'columnTypes'>): ResultColumn[] {
  const types = result.columnTypes();
  return result
    .deduplicatedColumnNames()
    .map((name, i) => ({ name, type: formatColumnType(icebergTypeOf(engineTypeOf(types[i]!))) }));
}

function size(value: number): Sql {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('offset and limit must be non-negative integers');
  return integer(value);
}
