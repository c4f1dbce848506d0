import {
  type DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { ArchivedEvent, ArchivePage } from '@svc/core/audit';
import { streamRows } from '../queries/results/stream-rows.ts';
import type { CopiedFile } from '../queries/sandbox/child-protocol.ts';
import { copy } from '../queries/sandbox/child-statements.ts';
import { identifier, integer, joined, literal, literals, type Sql, sql } from '../queries/sql-text.ts';
import { EVENT_COLUMNS, EVENT_FIELDS } from './event-columns.ts';

const MEMORY = '1GB';
/** Small, because a page reads the row groups that it touches; every value gets into a dictionary, which the engine requires for bloom filters. */
const ROW_GROUP = 16_384;
const COLUMNS = joined(EVENT_COLUMNS.map(({ name }) => identifier(name)));
const ENGINE_TYPES = { string: sql`VARCHAR`, long: sql`BIGINT`, timestamptz: sql`TIMESTAMPTZ`, binary: sql`BLOB` };

/** Reads and writes the Parquet files of archives. */
export class ArchiveEngine {
  private readonly instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance) {
    this.instance = instance;
  }

  static async open(): Promise<ArchiveEngine> {
    return new ArchiveEngine(await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: MEMORY }));
  }

  close(): void {
    this.instance.closeSync();
  }

  async write(events: readonly ArchivedEvent[], file: string): Promise<CopiedFile> {
    return this.connected(async (connection) => {
      const columns = EVENT_COLUMNS.map(({ name, type }) => sql`${identifier(name)} ${ENGINE_TYPES[type]}`);
      await connection.run(sql`CREATE TEMP TABLE events (${joined(columns)})`.text);
      const appender = await connection.createAppender('events', 'main', 'temp');
      for (const event of events) {
        for (const value of [event.id, event.sequence, event.time, event.type, event.principal_id, event.principal])
          append(appender, value);
        for (const value of [event.environment_id, event.object, event.request_id, event.detail, event.hash])
          append(appender, value);
        appender.endRow();
      }
      appender.closeSync();
      const ids = joined(EVENT_FIELDS.map(({ name, id }) => sql`${identifier(name)}: ${integer(id)}`));
      const options = sql`FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${integer(ROW_GROUP)}, DICTIONARY_SIZE_LIMIT ${integer(ROW_GROUP)}, RETURN_STATS, FIELD_IDS {${ids}}`;
      const [written] = await copy(connection, sql`COPY events TO ${literal(file)} (${options})`.text);
      await connection.run(sql`DROP TABLE events`.text);
      return written!;
    });
  }

  /** Calls `see` for every event, in the order of the file. */
  async all(file: string, see: (event: ArchivedEvent) => void): Promise<void> {
    await this.connected(async (connection) => {
      const result = await connection.stream(sql`SELECT ${COLUMNS} FROM ${rowsOf([file])}`.text);
      for await (const rows of streamRows(result)) for (const row of rows) see(eventOf(row));
    });
  }

  page(file: string, page: ArchivePage): Promise<ArchivedEvent[]> {
    const order = page.order === 'newest first' ? sql`time DESC, id DESC` : sql`time, id`;
    return this.events(
      sql`SELECT ${COLUMNS} FROM ${rowsOf([file])} WHERE ${conditionOf(page)} ORDER BY ${order} LIMIT ${integer(page.limit)}`,
    );
  }

  numbered(files: readonly string[], after: bigint, to: bigint): Promise<ArchivedEvent[]> {
    return this.events(
      sql`SELECT ${COLUMNS} FROM ${rowsOf(files)} WHERE sequence > ${integer(after)} AND sequence <= ${integer(to)} ORDER BY sequence`,
    );
  }

  async size(file: string): Promise<number> {
    const [row] = await this.rows(sql`SELECT count(*) FROM ${rowsOf([file])}`);
    return Number(row![0]);
  }

  async count(
    files: readonly string[],
    { since, until, readerId }: { readonly since: Date; readonly until: Date; readonly readerId: string },
  ): Promise<{ rows: number; others: number; people: string[] }> {
    const rows = await this.rows(sql`
      SELECT principal_id, count(*) FROM ${rowsOf(files)} WHERE time >= ${instant(since)} AND time < ${instant(until)} GROUP BY 1`);
    const counts = rows.map(([id, count]) => ({ id: id as string | null, count: Number(count) }));
    const sum = (of: typeof counts) => of.reduce((total, { count }) => total + count, 0);
    const others = counts.filter(({ id }) => id !== readerId);
    return { rows: sum(counts), others: sum(others), people: others.flatMap(({ id }) => (id === null ? [] : [id])) };
  }

  private async events(query: Sql): Promise<ArchivedEvent[]> {
    return (await this.rows(query)).map(eventOf);
  }

  private rows(query: Sql): Promise<DuckDBValue[][]> {
    return this.connected(async (connection) => (await connection.runAndReadAll(query.text)).getRows());
  }

  private async connected<R>(work: (connection: DuckDBConnection) => Promise<R>): Promise<R> {
    const connection = await this.instance.connect();
    try {
      await connection.run(sql`SET TimeZone = 'UTC'`.text);
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  }
}

type Appender = Awaited<ReturnType<DuckDBConnection['createAppender']>>;

function append(appender: Appender, value: string | bigint | Date | Uint8Array | null): void {
  if (value === null) appender.appendNull();
  else if (typeof value === 'string') appender.appendVarchar(value);
  else if (typeof value === 'bigint') appender.appendBigInt(value);
  else if (value instanceof Date)
    appender.appendTimestampTZ(new DuckDBTimestampTZValue(BigInt(value.getTime()) * 1000n));
  else appender.appendBlob(value);
}

const rowsOf = (files: readonly string[]): Sql => sql`read_parquet(${literals(files)}, hive_partitioning = false)`;

const instant = (time: Date): Sql => sql`CAST(${literal(time.toISOString())} AS TIMESTAMPTZ)`;

function conditionOf({ order, after, since, until, ...filter }: ArchivePage): Sql {
  const conditions = [sql`true`];
  if (after !== null) {
    const { at, id } = { at: instant(after.at), id: literal(after.id) };
    // The first condition skips row groups.
    if (order === 'newest first') conditions.push(sql`time <= ${at}`, sql`(time < ${at} OR id < ${id})`);
    else conditions.push(sql`time >= ${at}`, sql`(time > ${at} OR id > ${id})`);
  }
  if (since !== undefined) conditions.push(sql`time >= ${instant(since)}`);
  if (until !== undefined) conditions.push(sql`time < ${instant(until)}`);
  const equal = (column: Sql, value: string | undefined) => {
    if (value !== undefined) conditions.push(sql`${column} = ${literal(value)}`);
  };
  equal(sql`type`, filter.type);
  equal(sql`principal_id`, filter.principalId);
  equal(sql`environment_id`, filter.environmentId);
  equal(sql`json_extract_string(object, '$.namespace')`, filter.namespace);
  equal(sql`json_extract_string(object, '$.table')`, filter.table);
  equal(sql`request_id`, filter.requestId);
  return joined(conditions, ' AND ');
}

function eventOf(row: readonly DuckDBValue[]): ArchivedEvent {
  const [id, sequence, time, type, principal_id, principal, environment_id, object, request_id, detail, hash] = row;
  return {
    id: id as string,
    sequence: sequence as bigint,
    time: new Date(Number((time as DuckDBTimestampTZValue).micros / 1000n)),
    type: type as string,
    principal_id: principal_id as string | null,
    principal: principal as string | null,
    environment_id: environment_id as string | null,
    object: object as string,
    request_id: request_id as string | null,
    detail: detail as string,
    hash: (hash as DuckDBBlobValue).bytes,
  };
}
