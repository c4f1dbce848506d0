import { rm, stat } from 'node:fs/promises';
import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBValue } from '@duckdb/node-api';
import { type CellCast, castOf } from '../results/cell-casts.ts';
import { isExact, jsonValue } from '../results/json-values.ts';
import { castQuery, type OutputColumn, outputColumns, type ResultColumn } from '../results/result-columns.ts';
import { isComparable } from '../results/result-rows.ts';
import { rowsOf } from '../results/stream-rows.ts';
import { literal, type Sql, sql, trustedSql } from '../sql-text.ts';
import type { ChildRequest, ChildResult, InlineLimits } from './child-protocol.ts';
import { columnsOf, describe, readOne, runOne } from './child-statements.ts';

/**
 * Runs a query into a file, or only into cells if it returns few rows with an exact JSON form. If a result that was
 * expected to be small turns out larger or inexact, the query runs again to write a file.
 */
export async function writeResult(
  connection: DuckDBConnection,
  { sql: source, file, inline, isSmall }: Omit<Extract<ChildRequest, { op: 'result' }>, 'op'>,
): Promise<ChildResult> {
  const statement = trustedSql(source);
  const small = isSmall ? await smallResult(connection, statement, inline) : null;
  if (small !== null) return small;
  const output = outputColumns(await describe(connection, source));
  const query = output.every(({ cast }) => cast === null) ? statement : castQuery(statement, output);
  return { columns: output.map(resultColumn), ...(await copied(connection, query, { file, inline, output })) };
}

const resultColumn = ({ name, type }: OutputColumn): ResultColumn => ({ name, type });

/** The result as cells, or null if they wouldn't be equivalent to a file. Planning the query only once halves its time. */
async function smallResult(
  connection: DuckDBConnection,
  statement: Sql,
  inline: InlineLimits,
): Promise<ChildResult | null> {
  const first = await runOne(connection, firstRows(statement, inline));
  const described = columnsOf(first);
  const output = outputColumns(described);
  if (!output.every(isComparable)) return null;
  const casts = output.map(({ cast }, i) =>
    cast === null ? (value: DuckDBValue) => value : castOf(described[i]!.type),
  );
  const isCast = (cast: CellCast | null): cast is CellCast => cast !== null;
  const exact = casts.every(isCast)
    ? cellsOf(first, inline, casts)
    : cellsOf(await runOne(connection, firstRows(castQuery(statement, output), inline)), inline);
  if (exact === null || !exact.isExact) return null;
  const { cells } = exact;
  return { columns: output.map(resultColumn), rows: cells.length, bytes: null, cells };
}

/** Enough rows to see whether there are too many: how many a statement returns is known only afterwards. */
const firstRows = (query: Sql, { rows }: InlineLimits): string =>
  sql`SELECT * FROM (\n${query}\n) LIMIT ${trustedSql(String(rows + 1))}`.text;

/** Rows in their JSON form; `isExact`: which preserves all values. */
type Cells = { readonly cells: unknown[][]; readonly isExact: boolean };

/**
 * All rows, or null if they exceed the limits or the engine has to cast one.
 *
 * @param casts for each column, or null if the engine has cast the values
 */
function cellsOf(
  result: DuckDBMaterializedResult,
  { rows: maxRows, bytes }: InlineLimits,
  casts: readonly CellCast[] | null = null,
): Cells | null {
  const cells: unknown[][] = [];
  let allExact = true;
  let size = 0;
  for (const values of rowsOf(result)) {
    const cast = casts === null ? values : values.map((value, i) => casts[i]!(value));
    if (cast.includes(undefined)) return null;
    const known = cast as DuckDBValue[];
    allExact &&= known.every(isExact);
    const row = known.map(jsonValue);
    size += JSON.stringify(row).length;
    cells.push(row);
    if (cells.length > maxRows || size > bytes) return null;
  }
  return { cells, isExact: allExact };
}

async function copied(
  connection: DuckDBConnection,
  query: Sql,
  { file, inline, output }: { file: string; inline: InlineLimits; output: readonly OutputColumn[] },
): Promise<Omit<ChildResult, 'columns'>> {
  // Statistics of the file would cost more than a small query.
  const copying = sql`COPY (\n${query}\n) TO ${literal(file)} (FORMAT parquet)`;
  const [count] = (await readOne(connection, copying.text)).getRows()[0]!;
  const size = { rows: Number(count), bytes: (await stat(file)).size };
  // The file is compressed: a small one may contain any amount of text.
  if (size.rows > inline.rows || size.bytes > inline.bytes) return { ...size, cells: null };
  const written = await runOne(
    connection,
    sql`SELECT * FROM read_parquet(${literal(file)}, hive_partitioning = false)`.text,
  );
  const read = cellsOf(written, inline);
  if (read === null) return { ...size, cells: null };
  const { cells, isExact } = read;
  if (!isExact || !output.every(isComparable)) return { ...size, cells: containsNul(cells) ? null : cells };
  await rm(file);
  return { rows: size.rows, bytes: null, cells };
}

/** A database record can't contain NUL, but the file can. */
function containsNul(cell: unknown): boolean {
  if (typeof cell === 'string') return cell.includes('\0');
  if (typeof cell !== 'object' || cell === null) return false;
  return Object.entries(cell).some(([name, value]) => name.includes('\0') || containsNul(value));
}
