import {
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  DuckDBResultReader,
} from '@duckdb/node-api';
import { namedByEngine } from '../relations/engine-views.ts';
import { literal, sql, trustedSql } from '../sql-text.ts';
import type { Guarded } from '../statement/guard.ts';
import { readPolicyTrees } from '../statement/policy-expression.ts';
import { readStatement } from '../statement/read-statement.ts';
import type { ChildRequest, ChildResults, CopiedFile, DisabledOptimizers } from './child-protocol.ts';
import type { EngineParser } from './engine-parser.ts';
import type { EngineColumn } from './engine-types.ts';
import { engineTypeOf } from './engine-types.ts';

export function read(
  parser: EngineParser,
  { sql, view, params, dialect }: Omit<Extract<ChildRequest, { op: 'read' }>, 'op'>,
): Promise<ChildResults['read']> {
  const renaming = view && ((guarded: Guarded) => namedByEngine(guarded, view));
  return readStatement(parser, sql, { renaming, params: params ?? null, dialect: dialect ?? null });
}

/** Parses two variants: the bare one rejects a stray parenthesis, the parenthesized one rejects a clause of SELECT. */
export async function readPolicy(parser: EngineParser, text: string): Promise<ChildResults['read-policy']> {
  const policy = trustedSql(text);
  const bare = await parser.parse(sql`SELECT\n${policy}`.text);
  return readPolicyTrees(bare, await parser.parse(sql`SELECT (\n${policy}\n)`.text));
}

/** The columns of a query, without the time to optimize it. Repeated names get suffixes, as in a file that it is copied to. */
export async function describe(connection: DuckDBConnection, query: string): Promise<EngineColumn[]> {
  const statement = await connection.prepare(sql`SELECT * FROM (\n${trustedSql(query)}\n) WHERE false`.text);
  const columns = columnsOf(statement);
  statement.destroySync();
  return columns;
}

/** The columns and the types of the parameters of a query whose parameters have no values. */
export async function describeUnbound(
  connection: DuckDBConnection,
  query: string,
): Promise<ChildResults['describe-unbound']> {
  const statement = await preparedWithoutGaps(connection, query);
  try {
    const parameterTypes = Array.from({ length: statement.parameterCount }, (_, i) => parameterType(statement, i + 1));
    const isResolved = !parameterTypes.includes(null);
    const columns = isResolved ? columnsOf(statement) : await columnsForTexts(statement);
    return { columns, parameterTypes: parameterTypes.map((type) => type ?? ANY_TYPE) };
  } finally {
    statement.destroySync();
  }
}

/**
 * A statement can lack some numbers between its parameters, because a function of the catalog ignores an argument. The engine binds
 * values only to consecutive numbers, so the missing ones are added where they have no effect.
 */
async function preparedWithoutGaps(connection: DuckDBConnection, query: string): Promise<DuckDBPreparedStatement> {
  const prepare = (missing: readonly number[]) => {
    const added = missing.map((number) => sql` AND ${trustedSql(`$${number}`)}::VARCHAR IS NULL`.text).join('');
    return connection.prepare(sql`SELECT * FROM (\n${trustedSql(query)}\n) WHERE false${trustedSql(added)}`.text);
  };
  const statement = await prepare([]);
  const missing = missingNumbers(statement);
  if (missing.length === 0) return statement;
  statement.destroySync();
  return prepare(missing);
}

const MAX_PARAMETERS = 65_535;

function missingNumbers(statement: DuckDBPreparedStatement): number[] {
  const missing: number[] = [];
  let found = 0;
  for (let number = 1; found < statement.parameterCount && number <= MAX_PARAMETERS; number++) {
    if (hasParameter(statement, number)) found += 1;
    else missing.push(number);
  }
  return missing;
}

/** The engine reports a number that no parameter has as an error. */
function hasParameter(statement: DuckDBPreparedStatement, number: number): boolean {
  try {
    statement.parameterName(number);
    return true;
  } catch {
    return false;
  }
}

/** A text can be cast to what its use requires. */
const ANY_TYPE = 'VARCHAR';

/** The engine reports a type that it can't infer as an error. */
function parameterType(statement: DuckDBPreparedStatement, number: number): string | null {
  try {
    return engineTypeOf(statement.parameterType(number)).text;
  } catch {
    return null;
  }
}

/** If any type can't be inferred, the engine determines the columns only for values. The statement returns no rows. */
async function columnsForTexts(statement: DuckDBPreparedStatement): Promise<EngineColumn[]> {
  const bindAll = (bind: (number: number) => void) => {
    for (let number = 1; number <= statement.parameterCount; number++) bind(number);
  };
  try {
    bindAll((number) =>
      parameterType(statement, number) === null ? statement.bindVarchar(number, '') : statement.bindNull(number),
    );
    return resultColumnsOf(await statement.run());
  } catch {
    bindAll((number) => statement.bindNull(number));
    return resultColumnsOf(await statement.run());
  }
}

const resultColumnsOf = (result: DuckDBResult): EngineColumn[] =>
  Array.from({ length: result.columnCount }, (_, i) => ({
    name: result.columnName(i),
    type: engineTypeOf(result.columnType(i)),
  }));

export function columnsOf(
  statement: Pick<DuckDBPreparedStatement, 'columnCount' | 'columnName' | 'columnType'>,
): EngineColumn[] {
  return Array.from({ length: statement.columnCount }, (_, i) => ({
    name: statement.columnName(i),
    type: engineTypeOf(statement.columnType(i)),
  }));
}

export class StatementError extends Error {
  readonly statement: number;

  constructor(error: unknown, statement: number) {
    super(error instanceof Error ? error.message : 'failed');
    this.statement = statement;
  }
}

export async function run(connection: DuckDBConnection, statements: readonly string[]): Promise<null> {
  for (const [i, statement] of statements.entries()) {
    try {
      await runOne(connection, statement);
    } catch (error) {
      throw new StatementError(error, i);
    }
  }
  return null;
}

/**
 * Runs a text that must be one statement. Preparing it would make sure of that too, but a prepared statement that reads
 * files is planned a second time when it runs.
 */
export async function runOne(connection: DuckDBConnection, sql: string): Promise<DuckDBMaterializedResult> {
  const count = await connection.extractStatements(sql).then(
    (statements) => statements.count,
    // The engine reports below why it can't parse the text.
    () => 1,
  );
  if (count !== 1) throw new Error(`The text contains ${count} statements instead of one.`);
  return connection.run(sql);
}

/** Reads all rows of one statement. */
export async function readOne(connection: DuckDBConnection, sql: string): Promise<DuckDBResultReader> {
  const reader = new DuckDBResultReader(await runOne(connection, sql));
  await reader.readAll();
  return reader;
}

/**
 * The rules for a plan that another engine runs: constants are folded, and conditions are next to the tables and joins that
 * they apply to. All others would only change the shape of the plan.
 */
const LEFT_ON: readonly string[] = ['expression_rewriter', 'filter_pushdown'];

/** Without statistics, an empty table isn't optimized away. */
const OF_STATISTICS = 'statistics_propagation';

export async function disableOptimizers(connection: DuckDBConnection, which: DisabledOptimizers): Promise<null> {
  const names = (await texts(connection, 'SELECT name FROM duckdb_optimizers()')).map(([name]) => name!);
  const others = names.filter((name) => (which === 'shape' ? !LEFT_ON.includes(name) : name === OF_STATISTICS));
  await connection.run(sql`SET disabled_optimizers = ${literal(others.join(','))}`.text);
  return null;
}

export async function texts(connection: DuckDBConnection, sql: string): Promise<(string | null)[][]> {
  return textsOf(await readOne(connection, sql));
}

export function textsOf(reader: DuckDBResultReader): (string | null)[][] {
  return reader.getRows().map((row) => row.map((value) => (value === null ? null : String(value))));
}

type StatisticsRow = {
  filename: string;
  count: string;
  file_size_bytes: string;
  column_statistics: { key: string; value: { key: string; value: string }[] }[] | null;
};

export async function copy(connection: DuckDBConnection, sql: string): Promise<CopiedFile[]> {
  const reader = await readOne(connection, sql);
  return (reader.getRowObjectsJson() as unknown as StatisticsRow[]).map((row) => ({
    path: row.filename,
    rows: Number(row.count),
    bytes: Number(row.file_size_bytes),
    columns: Object.fromEntries(
      (row.column_statistics ?? []).map((c) => [c.key, Object.fromEntries(c.value.map((v) => [v.key, v.value]))]),
    ),
  }));
}
