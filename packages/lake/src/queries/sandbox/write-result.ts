import type { DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import { isExact, jsonValue } from '../results/json-values.ts';
import { castQuery, outputColumns } from '../results/result-columns.ts';
import { isComparable } from '../results/result-rows.ts';
import { streamRows } from '../results/stream-rows.ts';
import { literal, type Sql, sql, trustedSql } from '../sql-text.ts';
import type { ChildRequest, ChildResult, InlineLimits } from './child-protocol.ts';
import { columnsOf, copy } from './child-statements.ts';

/**
 * Runs a query into a file, or only into cells if it returns few rows with an exact JSON form. If a result that was
 * expected to be small turns out larger or inexact, the query runs again to write a file.
 */
export async function writeResult(
  connection: DuckDBConnection,
  { sql: source, file, inline, isSmall }: Omit<Extract<ChildRequest, { op: 'result' }>, 'op'>,
): Promise<ChildResult> {
  const statement = await connection.prepare(source);
  try {
    const described = columnsOf(statement);
    const output = outputColumns(described);
    const columns = output.map(({ name, type }) => ({ name, type }));
    const needsNoCast = output.every(({ name, cast }, i) => cast === null && name === described[i]!.name);
    const statementSql = trustedSql(source);
    const query = needsNoCast ? statementSql : castQuery(statementSql, output);
    if (isSmall && columns.every(isComparable)) {
      const stream = await (needsNoCast ? statement.stream() : connection.stream(query.text));
      const cells = await cellsOf(stream, inline, isExact);
      if (cells !== null) return { columns, rows: cells.length, bytes: null, cells };
    }
    return { columns, ...(await copied(connection, query, file, inline)) };
  } finally {
    statement.destroySync();
  }
}

/**
 * All rows, or null if they exceed the limits.
 *
 * @param fits whether the JSON form preserves a value exactly
 */
async function cellsOf(
  result: DuckDBResult,
  { rows: maxRows, bytes }: InlineLimits,
  fits: (value: DuckDBValue) => boolean,
): Promise<unknown[][] | null> {
  const cells: unknown[][] = [];
  let size = 0;
  for await (const values of streamRows(result)) {
    if (!values.every(fits)) return null;
    const row = values.map(jsonValue);
    size += JSON.stringify(row).length;
    cells.push(row);
    if (cells.length > maxRows || size > bytes) return null;
  }
  return cells;
}

async function copied(connection: DuckDBConnection, query: Sql, file: string, inline: InlineLimits) {
  const statement = sql`COPY (\n${query}\n) TO ${literal(file)} (FORMAT parquet, RETURN_STATS)`;
  const [written] = await copy(connection, statement.text);
  const size = { rows: written?.rows ?? 0, bytes: written?.bytes ?? 0 };
  // The file is compressed: a small one may contain any amount of text.
  if (size.rows > inline.rows || size.bytes > inline.bytes) return { ...size, cells: null };
  const rowStream = await connection.stream(sql`SELECT * FROM read_parquet(${literal(file)})`.text);
  const cells = await cellsOf(rowStream, inline, () => true);
  return { ...size, cells: cells === null || containsNul(cells) ? null : cells };
}

/** A database record can't contain NUL, but the file can. */
function containsNul(cell: unknown): boolean {
  if (typeof cell === 'string') return cell.includes('\0');
  if (typeof cell !== 'object' || cell === null) return false;
  return Object.entries(cell).some(([name, value]) => name.includes('\0') || containsNul(value));
}
